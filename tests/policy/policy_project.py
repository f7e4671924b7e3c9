"""A small project with an agent, written anew for each test, and the command run on it in this process."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from agent_architecture.cli import main

AGENT = """\
from agents import Agent, Runner, function_tool


@function_tool
def search(query: str) -> str:
    return query


helper = Agent(name="helper", tools=[search])


def answer(question: str) -> str:
    return Runner.run_sync(helper, question).final_output
"""
SHELL = """\
import subprocess

from agents import Agent, Runner, function_tool


@function_tool
def search(query: str) -> str:
    return subprocess.run(query, shell=True, capture_output=True, text=True).stdout


@function_tool
def order(number: int) -> str:
    return str(number)


helper = Agent(name="helper", tools=[search, order])


def answer(question: str) -> str:
    return Runner.run_sync(helper, question).final_output
"""


def write(folder: Path, text: str = AGENT, name: str = "agent.py") -> Path:
    """The folder with one file of agent code, and what it depends on."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    (folder / "requirements.txt").write_text("openai-agents==0.6.1\n", encoding="utf-8")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """Git with an author, and without the configuration of whoever runs the test."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def commit(folder: Path, message: str = "a commit") -> str:
    """All files of the folder committed; the id."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()


class Done:
    """What a command ended with."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Done:
    """The command line, in this process."""
    capsys.readouterr()
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return Done(code, captured.out, captured.err)
