"""Fleets for tests: small repositories, the command, and what a store has in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from tests.cli.test_cli_command import SRC, environment

from agent_architecture.fleet import local
from agent_architecture.fleet.entries import fleet_of
from agent_architecture.fleet.scanning import Plan, asked_of, scan
from agent_architecture.fleet.store import Store
from agent_architecture.fleet.tables import COMPARED
from agent_architecture.fleet.tasks import Bounds

AGENT = """\
import os

from agents import Agent, Runner, function_tool


@function_tool
def look_up(order: str) -> str:
    return open(order).read()


@function_tool
def tool_{number}(text: str) -> str:
    return text


agent = Agent(name="Desk {number}", tools=[look_up, tool_{number}])


def answer(question: str) -> str:
    return Runner.run_sync(agent, question, max_turns={turns}).final_output
"""
SERVERS = {
    "mcpServers": {
        "tracker": {"command": "npx", "args": ["-y", "tracker-mcp"], "env": {"TRACKER_TOKEN": "${TRACKER_TOKEN}"}},
    }
}
PLAIN = "def total_{number}(values: list[int]) -> int:\n    return sum(values) + {number}\n"
GIT = ("git", "-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "protocol.file.allow=always")
LONG = 600
"""Seconds that a test waits at most, on a machine that has much else to do."""


def repository(folder: Path, number: int) -> Path:
    """A small repository: each third one has an agent, each ninth an MCP server beside it, some are the same."""
    folder.mkdir(parents=True)
    if number % 3 == 0:
        turns = "None" if number % 2 else "5"
        (folder / "desk.py").write_text(AGENT.format(number=number, turns=turns), "utf-8")
        (folder / "pyproject.toml").write_text('[project]\nname = "desk"\ndependencies = ["openai-agents"]\n', "utf-8")
    else:
        (folder / "total.py").write_text(PLAIN.format(number=number % 50), "utf-8")
    if number % 9 == 0:
        (folder / ".mcp.json").write_text(json.dumps(SERVERS), "utf-8")
    return folder


def fleet(folder: Path, count: int) -> Path:
    """So many repositories in a folder."""
    for number in range(count):
        repository(folder / f"service-{number:03}", number)
    return folder


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def committed(folder: Path, message: str = "change") -> str:
    """Commit all of a folder; the commit."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def command(*arguments: str | Path, cwd: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """`agent-architecture fleet …`."""
    line = [sys.executable, "-m", "agent_architecture", "fleet", *map(str, arguments)]
    return subprocess.run(
        line, cwd=cwd, env=environment(**changes), capture_output=True, text=True, timeout=LONG, check=False
    )


def scanned(inputs: list[Path], store: Path, jobs: int = 2, bounds: Bounds | None = None, today: str = "") -> None:
    """A run with the local engine, into a store."""
    entries, asked = fleet_of([str(one) for one in inputs]).entries, asked_of()
    plan = Plan(entries, asked._replace(today=today or asked.today), bounds or Bounds())
    with Store(store) as opened:
        scan(plan, opened, partial(local.judged, jobs=jobs))


def contents(store: Path) -> dict[str, bytes]:
    """All rows of each table that do not depend on when and where a run was, in order, as bytes."""
    with Store(store, reading=True) as opened:
        return {
            table.name: repr(opened.rows(f"FROM {table.name} ORDER BY ALL")).encode("utf-8", "surrogatepass")
            for table in COMPARED
        }


def asked(store: Path, query: str) -> list[tuple[Any, ...]]:
    with Store(store, reading=True) as opened:
        return list(opened.rows(query).rows)


# ------------------------------------------------------------------------------------------------------------ processes
HARM = '''\
"""Started with every Python that has this folder in its path: what repositories of certain names do to a nursery."""
import os
import signal
import subprocess
import sys
import time

if "agent_architecture.fleet.nursery" in sys.orig_argv:
    from agent_architecture.fleet import judging

    read = judging.read_sources

    def read_sources(paths, config):
        name = paths[0].name
        if name == "hangs":
            subprocess.Popen(["sleep", "1000"])
            while True:
                time.sleep(60)
        if name == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        if name == "leaves":
            os._exit(3)
        if name == "fails":
            raise ValueError(f"something of {paths[0].name}")
        if name == "explodes":
            eaten = []
            while True:
                eaten.append(b"x" * 20_000_000)
        if name == "hangs" or name.startswith("slow"):
            time.sleep(float(os.environ.get("SLOW", "0")))
        return read(paths, config)

    judging.read_sources = read_sources
'''


def harm(folder: Path) -> dict[str, str]:
    """Variables of the environment with which repositories called `hangs`, `crashes` and so on do that."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(HARM, "utf-8")
    return {"PYTHONPATH": f"{folder}{os.pathsep}{SRC}"}


def left_behind(mark: str) -> list[str]:
    """The command lines of processes that were started with a text in their environment, once they had time to end."""
    end = time.monotonic() + LONG
    while (found := _marked(mark)) and time.monotonic() < end:
        time.sleep(0.2)
    return found


def _marked(mark: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes() and int(process.name) != os.getpid():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return [line for line in found if line]
