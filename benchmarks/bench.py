"""Speed and memory of the whole tool, beside what parsing the same files with tree-sitter costs at least.

Every sample is a fresh process; figures are medians. Stages are measured inside one process, in the order of the
pipeline.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_architecture.sources.source import Language
from agent_architecture.sources.walk import walk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Parser

    from agent_architecture.sources.source import SourceFile

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "support-agent"
RUNS = 5
"""Fresh processes a figure: the median of five is steady where the machine is otherwise idle."""
CODE = frozenset({Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})


class Sample(NamedTuple):
    """One run of the whole tool."""

    seconds: float
    cpu_seconds: float | None
    peak_megabytes: float | None
    """None, as the time of the processor, where the operating system does not tell."""


def main() -> int:
    """Measure each folder; print a table, or JSON with `--json`."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="projects (default: examples)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"fresh processes a figure (default: {RUNS})")
    parser.add_argument(
        "--start", action="store_true", help="what it takes to begin: help, rules, six files, no change"
    )
    parser.add_argument("--editor", action="store_true", help="what an edit costs over the language server")
    parser.add_argument("--copies", help="grow each folder instead: copy it so many times side by side, as in 1,2,4,8")
    parser.add_argument("--peers", type=Path, metavar="TOOLS", help="beside other tools, which are installed in TOOLS")
    parser.add_argument(
        "--only", default="", help="of the other tools and this one those that these words name: cold,ruff"
    )
    parser.add_argument("--inside", choices=sorted(INSIDE), help=argparse.SUPPRESS)
    options = parser.parse_args()
    folders = options.folders or [ROOT / "examples"]
    if options.inside:
        print(json.dumps(INSIDE[options.inside](folders[0])))
        return 0
    if options.peers:
        only = [word for word in options.only.split(",") if word]
        return beside(folders, options.runs, options.peers, only, as_json=options.json)
    if options.start:
        results = [starts(folder, options.runs) for folder in options.folders or [EXAMPLE]]
    elif options.editor:
        import editor

        results = [editor.measure(folder, options.runs) for folder in options.folders or [EXAMPLE]]
    elif options.copies:
        counts = [int(count) for count in options.copies.split(",")]
        results = [grown(folder, counts, options.runs) for folder in folders]
    else:
        results = [measure(folder, options.runs) for folder in folders]
    print(json.dumps(results, indent=2) if options.json else "\n\n".join(shown(result) for result in results))
    return 0


def beside(folders: Sequence[Path], runs: int, tools: Path, only: Sequence[str], *, as_json: bool) -> int:
    """Measure each folder beside other tools: all of them, or those that words of `only` name."""
    import peers

    installed = peers.install(tools)
    results: dict[str, dict[str, peers.Figures]] = {}
    for folder in folders:
        with tempfile.TemporaryDirectory() as room:
            results[str(folder)] = peers.side_by_side(folder.resolve(), runs, installed, Path(room), only)
        if not as_json:
            print(peers.shown(folder, results[str(folder)]), end="\n\n", flush=True)
    if as_json:
        found = {name: {tool: one._asdict() for tool, one in rows.items()} for name, rows in results.items()}
        print(json.dumps(found, indent=2))
    return 0


# --------------------------------------------------------------------------------------------------------- measuring
def measure(folder: Path, runs: int) -> dict[str, object]:
    """All figures of one folder. Times are in seconds, memory in megabytes (2**20 bytes)."""
    samples = [run_tool(folder) for _ in range(runs)]
    peaks = [sample.peak_megabytes for sample in samples if sample.peak_megabytes is not None]
    stages = [run_inside("stages", folder) for _ in range(runs)]
    limits = [run_inside("parse_only", folder) for _ in range(runs)]
    return {
        "folder": str(folder),
        **run_inside("size", folder),
        "runs": runs,
        "wall_seconds": statistics.median(sample.seconds for sample in samples),
        "wall_spread_seconds": max(s.seconds for s in samples) - min(s.seconds for s in samples),
        "peak_megabytes": statistics.median(peaks) if peaks else None,
        "stages_seconds": {name: statistics.median(stage[name] for stage in stages) for name in stages[0]},
        "parse_only_seconds": statistics.median(limit["parse_only"] for limit in limits),
    }


def grown(folder: Path, counts: Sequence[int], runs: int) -> dict[str, object]:
    """Processor seconds and peak megabytes of a project that is there 1, 2, 4 … times.

    What grows linearly has an even cost a copy; what the start alone costs (an empty folder) is left out of that.
    """
    with tempfile.TemporaryDirectory() as place:
        start = effort(Path(place), runs)
        table: dict[str, float | None] = {"start, seconds": start.cpu_seconds, "start, megabytes": start.peak_megabytes}
        for count in counts:
            root = Path(place) / f"times{count}"
            for number in range(count):
                shutil.copytree(folder, root / f"copy{number}", ignore=shutil.ignore_patterns(".git", "node_modules"))
            found = effort(root, runs)
            shutil.rmtree(root)
            table[f"{count} copies, seconds"] = found.cpu_seconds
            table[f"{count} copies, seconds a copy"] = share(found.cpu_seconds, start.cpu_seconds, count)
            table[f"{count} copies, megabytes"] = found.peak_megabytes
            table[f"{count} copies, megabytes a copy"] = share(found.peak_megabytes, start.peak_megabytes, count)
    return {"folder": str(folder), "runs": runs, **table}


def starts(folder: Path, runs: int) -> dict[str, object]:
    """Processor seconds of what ends soon; `cold` has the packs compiled (as in a wheel), and no answer of before."""
    with tempfile.TemporaryDirectory() as place:
        copy, cache = Path(place, folder.name), Path(place, "cache")
        shutil.copytree(folder, copy)
        for path in (copy, *copy.rglob("*")):
            os.utime(path, (0, 0))  # what changed just now is not kept by its looks
        variables = {"XDG_CACHE_HOME": str(cache), "LOCALAPPDATA": str(cache), "HOME": place}
        variables["PYTHONDONTWRITEBYTECODE"] = ""  # an installed package has its bytecode
        told = {name: [name] for name in ("--help", "rules")}
        commands = {**told, "explain": ["explain", "loop_guard_absence"], "cold": ["analyze", str(copy)]}
        table: dict[str, float | None] = {}
        for name, arguments in {**commands, "unchanged": commands["cold"]}.items():
            run_command(arguments, variables)  # with what it needs compiled, too
            samples = []
            for _ in range(runs):
                for answer in [] if name == "unchanged" else [*cache.rglob("*.answer"), *cache.rglob("*.place")]:
                    answer.unlink()
                samples.append(run_command(arguments, variables))
            table[f"{name}, seconds"] = median([sample.cpu_seconds for sample in samples])
            table[f"{name}, wall seconds"] = median([sample.seconds for sample in samples])
    return {"folder": str(folder), "runs": runs, **table}


def effort(folder: Path, runs: int) -> Sample:
    """The medians of several runs of the whole tool."""
    return Sample(*(median(column) for column in zip(*(run_tool(folder) for _ in range(runs)), strict=True)))


def share(figure: float | None, start: float | None, count: int) -> float | None:
    """What one copy adds to the start."""
    return None if figure is None or start is None else (figure - start) / count


def median(figures: Sequence[float | None]) -> float:
    """The median of what the operating system told; not a number when it told nothing."""
    told = [figure for figure in figures if figure is not None]
    return statistics.median(told) if told else float("nan")


def run_tool(folder: Path) -> Sample:
    """Analyse a folder once in a fresh process."""
    return run_command(["analyze", str(folder), "--format", "json", "--no-cache", "--no-progress"], {})


def run_command(arguments: Sequence[str], variables: Mapping[str, str]) -> Sample:
    """Run the whole tool once in a fresh process."""
    command = [sys.executable, "-m", "agent_architecture", *arguments]
    environment = os.environ | variables
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        if not hasattr(os, "wait4"):
            complaint = process.communicate()[1]
            return checked(Sample(time.perf_counter() - start, None, None), process.returncode, complaint)
        complaint = process.stderr.read() if process.stderr else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    unit = 2**20 if sys.platform == "darwin" else 2**10  # Linux counts kilobytes, macOS bytes
    sample = Sample(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)
    return checked(sample, process.returncode, complaint)


def checked(sample: Sample, code: int, complaint: str) -> Sample:
    """The sample, if the tool did its work (0 and 1 are verdicts; anything else is a failure)."""
    if code not in {0, 1}:
        raise SystemExit(f"bench: the tool ended with exit code {code}\n{complaint}")
    return sample


def run_inside(what: str, folder: Path) -> dict[str, float]:
    """Measure something of the tool's inside in a fresh process."""
    command = [sys.executable, __file__, "--inside", what, str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def size(folder: Path) -> dict[str, float]:
    """What is read: files, bytes, thousands of lines of code."""
    files = walk([folder]).files
    code = [file for file in files if file.language in CODE]
    lines = sum(file.data.count(b"\n") for file in code)
    return {
        "files": len(files),
        "bytes": sum(len(file.data) for file in files),
        "code_files": len(code),
        "thousand_code_lines": lines / 1000,
    }


def stages(folder: Path) -> dict[str, float]:
    """Seconds of each stage of the pipeline."""
    from agent_architecture.config import Config
    from agent_architecture.pipeline import analyze_timed

    return dict(analyze_timed([folder], Config()).stages)


def parse_only(folder: Path) -> dict[str, float]:
    """Seconds that tree-sitter alone needs for the code files (of every role: the tool may do with fewer)."""
    import tree_sitter
    import tree_sitter_python
    import tree_sitter_typescript

    files = [file for file in walk([folder]).files if file.language in CODE]
    grammars = {
        Language.PYTHON: tree_sitter_python.language(),
        Language.TYPESCRIPT: tree_sitter_typescript.language_typescript(),
        Language.TSX: tree_sitter_typescript.language_tsx(),
        Language.JAVASCRIPT: tree_sitter_typescript.language_tsx(),
    }
    parsers = {name: tree_sitter.Parser(tree_sitter.Language(grammar)) for name, grammar in grammars.items()}
    start = time.perf_counter()
    parse_all(parsers, files)
    return {"parse_only": time.perf_counter() - start}


def parse_all(parsers: dict[Language, Parser], files: Sequence[SourceFile]) -> None:
    """Parse each file and let its tree go."""
    for file in files:
        parsers[file.language].parse(file.data)


INSIDE = {"size": size, "stages": stages, "parse_only": parse_only}


# ----------------------------------------------------------------------------------------------------------- showing
def shown(result: dict[str, object]) -> str:
    """The figures of one folder as a table."""
    rows = [(name.replace("_", " "), figure) for name, figure in result.items() if not isinstance(figure, dict)]
    for group in (value for value in result.values() if isinstance(value, dict)):
        rows += [(f"stage: {name}", seconds) for name, seconds in group.items()]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {number(figure):>12}" for name, figure in rows)


def number(figure: object) -> str:
    """A figure for people."""
    if figure is None:
        return "not told"
    return f"{figure:.3f}" if isinstance(figure, float) else str(figure)


if __name__ == "__main__":
    sys.exit(main())
