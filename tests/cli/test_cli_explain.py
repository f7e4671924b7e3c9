"""`explain`: one screen a rule, fitted to the project; the whole page on demand; a pager for a person."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from agent_architecture import explain as developer
from agent_architecture.cli import main
from agent_architecture.detector import Detector
from agent_architecture.entity_words import KINDS
from agent_architecture.library_fixes import written_fixes
from agent_architecture.model.system import AgentSystem
from agent_architecture.registry import load
from agent_architecture.render.page import render_page
from agent_architecture.render.rule_help import LibraryFix, one_screen, without_notes
from agent_architecture.render.safe import cells
from agent_architecture.render.style import Style
from agent_architecture.semantics.packs.packs import load_packs

SCREEN = 45
PLAIN = Style(color=False)


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("detector", load(), ids=lambda detector: detector.key)
def test_every_rule_fits_on_one_screen(detector: Detector) -> None:
    fixes = [LibraryFix("langgraph", "pypi", "graph.invoke(state, config={})  # " + "x " * 40)] * 4
    written = written_fixes(load_packs(), detector.key)
    lines = one_screen(detector, fixes, written, width=100, style=PLAIN).splitlines()
    assert len(lines) <= SCREEN
    assert max(map(cells, lines)) <= 100
    assert [line for line in lines if line.startswith("How to")] == ["How to fix it", "How to ignore it, with a reason"]


@pytest.mark.parametrize("detector", load(), ids=lambda detector: detector.key)
def test_notes_for_authors_are_no_part_of_an_answer(detector: Detector) -> None:
    full = render_page(without_notes(detector.page), width=100, style=PLAIN)
    assert "MISSING" not in full
    assert "SPURIOUS" not in full
    assert "Gaps" in full


def test_notes_go_and_the_code_beside_them_stays() -> None:
    page = """\
- MISSING: desk, `a.py:1`: a
  long note
- A limit.
x = 1  # SPURIOUS gap: key
# MISSING gap: key
y = 2  # gap: key

// ok: key; SPURIOUS gap: key
z()
"""
    assert without_notes(page) == "- A limit.\nx = 1\ny = 2  # gap: key\n\nz()\n"


def test_the_fix_is_for_the_libraries_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "(Python):" not in explained(capsys, "loop-guard")
    (tmp_path / "requirements.txt").write_text("langgraph==1.2.9\n", encoding="utf-8")
    said = explained(capsys, "loop-guard")
    assert "langgraph (Python):" in said
    assert "recursion_limit" in said
    assert "TypeScript" not in said
    assert "openai-agents" not in said


@pytest.mark.parametrize(
    ("version", "line"), [("4.3.0", "maxSteps: 10"), ("6.0.3", "stepCountIs"), ("7.0.100", "isStepCount")]
)
def test_the_fix_is_for_the_version_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], version: str, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package.json").write_text(f'{{"dependencies": {{"ai": "{version}"}}}}', encoding="utf-8")
    said = explained(capsys, "loop-guard")
    assert said.count("ai-sdk (TypeScript):") == 1
    assert line in said


def test_the_whole_page_is_there_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    brief, full = explained(capsys, "loop-guard"), explained(capsys, "loop-guard", "--full")
    assert "How it is judged." in full
    assert "How it is judged." not in brief


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_a_person_gets_a_pager_for_what_is_longer_than_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho PAGED; wc -l\n", encoding="utf-8")
    pager.chmod(0o755)
    monkeypatch.setenv("PAGER", str(pager))
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("agent_architecture.render.terminal.is_terminal", lambda _: True)
    for arguments, paged in ((["--full"], True), (["--full", "--no-pager"], False)):
        assert main(["explain", "loop-guard", *arguments]) == 0
        sys.stdout.flush()
        assert capfd.readouterr().out.startswith("PAGED") is paged


def test_a_pager_that_is_not_there_is_no_obstacle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGER", "no-such-pager --at-all")
    monkeypatch.setattr("agent_architecture.render.terminal.is_terminal", lambda _: True)
    assert "How it is judged." in explained(capsys, "loop-guard", "--full", "--color", "never")


AGENT = """\
from agents import Agent, Runner, function_tool


@function_tool
def refund(order: str) -> str:
    \"\"\"Give the money back.\"\"\"
    return pay(order)


def pay(order: str) -> str:
    return order


agent = Agent(name="desk", tools=[refund])


def answer(question: str) -> str:
    total = len(question)
    return Runner.run_sync(agent, question).final_output
"""


SHOP = """\
import subprocess

from agents import Agent, Runner, function_tool
from fastapi import FastAPI

app = FastAPI()
SEEN = []
ALLOWED = {"ls", "pwd"}


@function_tool
def run(command: str) -> str:
    \"\"\"Run a command.\"\"\"
    check(command)
    return start(command)


def check(command: str) -> None:
    if command not in ALLOWED:
        raise ValueError(command)


def start(command: str) -> str:
    SEEN.append(command)
    return subprocess.run(command, shell=True).stdout


agent = Agent(name="shop", tools=[run])


@app.post("/chat")
def chat(message: str) -> str:
    for attempt in range(3):
        answer = Runner.run_sync(agent, message, max_turns=5)
    return answer.final_output
"""
SCRIPT = """\
import { exec } from "node:child_process";
import { generateText, tool } from "ai";
import { openai } from "@ai-sdk/openai";
import { z } from "zod";

const seen: string[] = [];

function start(command: string) {
  if (!["ls", "pwd"].includes(command)) throw new Error(command);
  seen.push(command);
  return exec(command);
}

const run = tool({
  description: "Run a command.",
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => start(command),
});

export async function answer(question: string) {
  return generateText({ model: openai("gpt-5"), tools: { run }, prompt: question });
}
"""


@pytest.mark.parametrize(
    "expected",
    [
        ("shop.py:12", "Effects", "execute_shell: subprocess.run (shop.py:25), all of it given to run"),
        ("shop.py:14", "Who runs this", "a model runs run: it is the code of a tool"),
        ("shop.py:25", "Effects", "execute_shell: subprocess.run (shop.py:25), all of it given to start"),
        (
            "shop.py:25",
            "What reaches the arguments",
            "subprocess.run, argument 1: parameter command of run (shop.py:12), the word of a model, unmarked",
        ),
        ("shop.py:25", "Checked on every way here", "`command in ALLOWED` holds (shop.py:19)"),
        ("shop.py:25", "Who runs this", "entry point: run (shop.py:12)"),
        ("shop.py:25", "Who runs this", "called at shop.py:15, in run"),
        ("shop.py:7", "Bounds", "SEEN grows while the program runs: nothing keeps it small"),
        ("shop.py:33", "Bounds", "ended by range (shop.py:33), 3 (shop.py:33)"),
        ("shop.py:34", "Settings", "agent call site, step limit: 5 (shop.py:34)"),
        (
            "shop.py:34",
            "What reaches the arguments",
            "Runner.run_sync, argument 2: parameter message of chat (shop.py:32), the word of a user, unmarked",
        ),
        ("shop.py:34", "Who runs this", "answers requests: app.post (shop.py:31)"),
        ("shop.ts:11", "Effects", "execute_shell: exec (shop.ts:11), all of it given to start"),
        ("shop.ts:11", "Checked on every way here", '`["ls", "pwd"].includes(command)` holds (shop.ts:9)'),
        ("shop.ts:6", "Bounds", "seen grows while the program runs: nothing keeps it small"),
        ("shop.ts:21", "Who runs this", "no code of the project runs answer by itself: it is an entry point"),
    ],
)
def test_what_the_rooms_say_of_a_line_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], expected: tuple[str, str, str]
) -> None:
    at, title, fact = expected
    (tmp_path / at.partition(":")[0]).write_text(SHOP if at.startswith("shop.py") else SCRIPT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    told = explained(capsys, at, "--no-pager", "--color", "never", "--width", "120")
    blocks = {block.splitlines()[0]: " ".join(block.split()) for block in told.split("\n\n")}
    assert fact in blocks[title]
    assert developer.main([at]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith(fact) for line in lines), "\n".join(lines)


def test_a_decorator_that_takes_requests_sends_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    told = explained(capsys, "shop.py:34", "--no-pager", "--color", "never", "--width", "120")
    assert "asked for by a request" not in told


def test_every_entity_of_the_model_has_a_name_for_a_reader() -> None:
    """A new kind of entity is shown at its line as soon as it is in the model: here it only gets its name."""
    without_place = {"project", "fixes"}
    assert set(KINDS) == set(AgentSystem._fields) - without_place


def test_every_entity_of_the_model_can_be_told_at_its_line() -> None:
    """It has a place and the pack that knows it, which the line of an entity says; its name is `symbol` or `called`."""
    fields = {name: kind for name, kind in get_type_hints(AgentSystem).items() if name in KINDS}
    kinds = {name: get_args(kind)[0] for name, kind in fields.items()}
    assert len(kinds) == len(KINDS)
    without = {name for name, kind in kinds.items() if not {"span", "framework"} <= set(kind._fields)}
    assert without == set()


def seen_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], at: str) -> str:
    (tmp_path / "desk.py").write_text(AGENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return explained(capsys, at, "--no-pager", "--color", "never", "--width", "100")


def test_a_line_of_a_file_is_told_with_what_stands_there_and_what_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = seen_lines(tmp_path, monkeypatch, capsys, "desk.py:19")
    assert told.startswith("desk.py:19\napp file, judged\n")
    assert "agent call site (run) Runner.run_sync (openai-agents, resolved)" in told
    assert "\nGaps\n" in told
    assert "Runner.run_sync: agents.Runner.run_sync" in told
    assert len(told.splitlines()) <= 100


def test_a_line_where_nothing_is_seen_says_so_and_what_it_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = seen_lines(tmp_path, monkeypatch, capsys, "desk.py:7")
    assert "Nothing here is seen as part of an agent" in told
    assert "inside tool refund" in told
    assert "pay: pay (desk.py:10)" in told


def test_a_line_that_is_not_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "desk.py").write_text(AGENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "desk.py:400"]) == 2
    assert "has no line 400" in capsys.readouterr().err
    assert main(["explain", "none.py:4"]) == 2


def test_an_entity_is_called_by_a_word_of_the_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not by how the tool keeps it: the name of a model is a setting."""
    code = "from openai import OpenAI\n\nask = OpenAI().responses.create\nanswer = ask(model='gpt-5', input='hi')\n"
    (tmp_path / "ask.py").write_text(code, encoding="utf-8")
    told = explained(capsys, f"{tmp_path / 'ask.py'}:4")
    assert "model by name answer (openai)" in told
    assert "Setting(" not in told
