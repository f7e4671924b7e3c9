"""A small project with gaps, and the command on it, in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agent_architecture.cli import main

AGENT = '''import subprocess

from agents import Agent, Runner, function_tool


@function_tool
def shell(command: str) -> str:
    """Run a command."""
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout


agent = Agent(name="clerk", tools=[shell])


def answer(text: str) -> str:
    return Runner.run_sync(agent, text, max_turns=None).final_output
'''


class Said(NamedTuple):
    """What the command ended with."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        return json.loads(self.out)

    @property
    def keys(self) -> dict[str, object]:
        return {row["key"]: row["value"] for row in self.report["results"][0]["data"]}

    def places(self, rule: str = "") -> list[str]:
        """`rule path:line` of every piece of evidence that is shown, of one rule or of all."""
        return sorted(
            f"{finding['rule_id'].removeprefix('arxo/agent-')} {piece['path']}:{piece.get('line', 0)}"
            for finding in self.report["results"][0].get("findings", [])
            for piece in finding["evidence"]
            if "path" in piece and finding["rule_id"].endswith(rule)
        )

    def notices(self) -> list[str]:
        return [f"{told['path']}:{told['line'] or 0} {told['message']}" for told in self.report["project"]["notices"]]


class Project:
    """A folder with a repository's top, and the command run in it."""

    def __init__(self, root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self._capfd = capfd
        monkeypatch.chdir(root)
        self.write(".git/HEAD", "ref: refs/heads/main\n")
        self.write("requirements.txt", "openai-agents==0.6.0\n")

    def write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    def run(self, *arguments: str) -> Said:
        self._capfd.readouterr()
        code = main(list(arguments))
        said = self._capfd.readouterr()
        assert "Traceback" not in said.err
        assert "internal error" not in said.err
        return Said(code, said.out, said.err)

    def analyze(self, *arguments: str) -> Said:
        """`analyze` as JSON."""
        return self.run("analyze", *arguments, "--format", "json")
