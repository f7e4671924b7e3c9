"""The whole tool beside others on the same folders: what is possible (linters in Rust), and what people use otherwise.

All programs take turns, run after run, so that what the machine does meanwhile meets each of them. Each run is a fresh
process, from its start to its exit. The others are installed by the ordinary clients into a folder of their own.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).resolve().parent
PYTHON_TOOLS: Final = ("agent-audit==0.20.0", "bandit==1.9.4", "ruff==0.17.5", "semgrep==1.182.0")
NODE_TOOLS: Final = ("oxlint@1.94.0",)
TOUCHED: Final = 10
"""Files that are changed before a run that finds some changed."""


class Tools(NamedTuple):
    """Where the programs are: a Python of their own, and a folder of Node packages."""

    python: Path
    node: Path

    def python_tool(self, name: str) -> str:
        """The program of a Python package."""
        return str(self.python / name)

    def node_tool(self, name: str) -> str:
        """The program of a Node package."""
        return str(self.node / "node_modules" / ".bin" / name)


class Contender(NamedTuple):
    """A program: its name, what makes ready for a run, and the command."""

    name: str
    prepare: Callable[[], None]
    command: Sequence[str]


class Figures(NamedTuple):
    """Medians of one program on one folder; `failed` says why there are none."""

    wall_seconds: float
    spread_seconds: float
    peak_megabytes: float
    failed: str = ""


def install(folder: Path) -> Tools:
    """Install the other programs, unless they are there."""
    python, node = folder / "python", folder / "node"
    scripts = python / ("Scripts" if os.name == "nt" else "bin")
    if not scripts.is_dir():
        subprocess.run([sys.executable, "-m", "venv", str(python)], check=True)
        subprocess.run([str(scripts / "python"), "-m", "pip", "install", "--quiet", *PYTHON_TOOLS], check=True)
    if not (node / "node_modules").is_dir():
        node.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm") or "npm"
        subprocess.run([npm, "install", "--silent", "--no-save", "--prefix", str(node), *NODE_TOOLS], check=True)
    return Tools(scripts, node)


def side_by_side(folder: Path, runs: int, tools: Tools, room: Path, only: Sequence[str] = ()) -> dict[str, Figures]:
    """The figures of every program on one folder, a copy of which is made in `room`, since files are touched.

    `only`: words of the names of those that are run; none for all.
    """
    copy = room / folder.name
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules"))
    os.environ["XDG_CACHE_HOME"] = str(room / "cache")
    every = contenders(copy, tools, room / "cache" / "agent-architecture")
    found = [one for one in every if not only or any(word in one.name for word in only)]
    samples: dict[str, list[tuple[float, float]]] = {one.name: [] for one in found}
    failed: dict[str, str] = {}
    for _ in range(runs):
        for one in found:
            if one.name in failed:
                continue
            one.prepare()
            seconds, megabytes, code = timed(one.command, copy)
            samples[one.name].append((seconds, megabytes))
            if code not in {0, 1}:
                failed[one.name] = f"ended with {code}"
    return {name: figures(taken, failed.get(name, "")) for name, taken in samples.items()}


def figures(samples: Sequence[tuple[float, float]], failed: str) -> Figures:
    """The medians, and the distance between the slowest and the fastest run."""
    seconds = [one for one, _ in samples]
    return Figures(
        statistics.median(seconds),
        max(seconds) - min(seconds),
        statistics.median(megabytes for _, megabytes in samples),
        failed,
    )


def contenders(folder: Path, tools: Tools, cache: Path) -> list[Contender]:
    """Every program, and this one in three states of its cache."""

    def forget() -> None:
        for file in (*cache.glob("*.answer"), *cache.glob("*.place")):
            file.unlink()

    def nothing() -> None:
        time.sleep(0)

    def settle() -> None:
        """Have an answer kept: files that were written in the last two seconds are never taken for unchanged."""
        time.sleep(2.1)
        timed(ours, folder)

    def touch() -> None:
        settle()
        files = sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".ts", ".tsx"} and path.is_file())
        for path in files[:: max(len(files) // TOUCHED, 1)][:TOUCHED]:
            with path.open("a", encoding="utf-8") as stream:
                stream.write("\n")

    ours = [sys.executable, "-m", "agent_architecture", "analyze", str(folder), "--format", "json", "--no-progress"]
    here = str(folder)
    return [
        Contender("agent-architecture, cold", forget, ours),
        Contender("agent-architecture, unchanged", settle, ours),
        Contender(f"agent-architecture, {TOUCHED} touched", touch, ours),
        Contender(
            "tree-sitter alone", nothing, [sys.executable, str(HERE / "bench.py"), "--inside", "parse_only", here]
        ),
        Contender("ruff check", nothing, [tools.python_tool("ruff"), "check", "--isolated", "--no-cache", "-q", here]),
        Contender("oxlint", nothing, [tools.node_tool("oxlint"), "--quiet", here]),
        Contender("bandit", nothing, [tools.python_tool("bandit"), "-r", "-q", here]),
        Contender("agent-audit", nothing, [tools.python_tool("agent-audit"), "scan", here, "--format", "json"]),
        Contender(
            "semgrep, local rules",
            nothing,
            [
                *(tools.python_tool("semgrep"), "scan", "--metrics=off", "--disable-version-check", "-j2", "-q"),
                *("--json", "--config", str(HERE / "semgrep.yaml"), here),
            ],
        ),
    ]


def timed(command: Sequence[str], folder: Path) -> tuple[float, float, int]:
    """Seconds, megabytes of the largest process, and the exit code of one run in `folder`'s parent."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return time.perf_counter() - start, usage.ru_maxrss / unit, process.returncode


def shown(folder: Path, found: dict[str, Figures]) -> str:
    """The figures as a table; `times` says how many of the fastest linter's runs one run takes."""
    mark = min((one.wall_seconds for name, one in found.items() if name in {"ruff check", "oxlint"}), default=0.0)
    lines = [str(folder), f"{'':32}{'seconds':>9}{'spread':>9}{'times':>8}{'MB':>8}"]
    for name, one in found.items():
        times = f"{one.wall_seconds / mark:.1f}" if mark else ""
        row = f"{name:32}{one.wall_seconds:9.3f}{one.spread_seconds:9.3f}{times:>8}{one.peak_megabytes:8.0f}"
        lines.append(f"{row}  {one.failed}".rstrip())
    return "\n".join(lines)
