"""Runs over a hostile project beside one healthy file, whose gap has to be reported whatever stands beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import agent_architecture
from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.report import Outcome

HEALTHY: Final = "healthy.py"
AGENT: Final = """\
import subprocess

from agents import Agent, Runner, function_tool


@function_tool
def look(program: str) -> str:
    \"\"\"Run a program.\"\"\"
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


Runner.run_sync(Agent(name="operator", tools=[look]), "How full is the disk?")
"""
"""An agent with a tool that nothing guards."""
RULE: Final = "arxo/agent-tool-policy-absence"
PATIENCE: Final = 600
"""Seconds after which a run counts as hanging."""
MEMORY: Final = 6 * 2**30
"""Bytes of address space of a run; half a gigabyte of it is the stack, which is only used where code is nested."""
SOURCES: Final = str(Path(agent_architecture.__path__[0]).parent)


class Ran(NamedTuple):
    """What a run of the command left."""

    code: int
    out: bytes
    said: str

    @property
    def document(self) -> Any:
        """The JSON report."""
        return json.loads(self.out)


def project(folder: Path) -> Path:
    """A project with the healthy file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / HEALTHY).write_text(AGENT, encoding="utf-8")
    return folder


def analyze(*arguments: str | Path, at: Path, code: int = 0, **environment: str) -> Ran:
    """What the command says, run in a folder with little of this environment and an address space that is bounded."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "SYSTEMROOT", "TMPDIR"}}
    cache = {"HOME": str(at.parent / "home"), "XDG_CACHE_HOME": str(at.parent / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, "analyze", *map(str, arguments), "--no-progress"],
        cwd=at,
        env={**kept, **cache, "PYTHONPATH": SOURCES, "PYTHONUTF8": "1", **environment},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == code, said
    return Ran(done.returncode, done.stdout, said)


BOUNDED: Final = f"""\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
del sys.path[0]
from agent_architecture.cli import main
sys.exit(main(sys.argv[1:]))
"""


def outcome_of(folder: Path) -> Outcome:
    """What is said of a project, in this process."""
    return pipeline.analyze([folder], Config())


def noticed(outcome: Outcome, path: str) -> list[str]:
    """What is said of a file that was not read, or not all of it."""
    return [notice.message for notice in outcome.report.notices if notice.path == path]


def is_intact(outcome: Outcome) -> bool:
    """Whether the healthy file's gap is reported, and no detector failed."""
    found = {(finding.rule_id, finding.path) for finding in outcome.report.findings}
    return (RULE, HEALTHY) in found and not outcome.report.scores.failed
