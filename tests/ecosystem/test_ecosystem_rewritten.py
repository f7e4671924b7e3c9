"""Programs are written otherwise without another meaning, and what is said of them is held beside what was said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from ecosystem.rewritten import run
from ecosystem.rewritten.run import EVERY, WITH_FILES, compare, rewritten

PROGRAM = """
from openai import OpenAI

import functools
import os

from json import dumps

LIMIT = 3
client = OpenAI()


@functools.cache
def table(size):
    return dumps({"size": size, "rest": [size, 2]})


class Desk:
    class parts:
        asked = []

    def note(self, text):
        self.parts.asked.append(text)
        if not text:
            return "nothing"
        else:
            first = text[0]
        return first


def count():
    steps = []
    while True:
        steps.append(1)
        if len(steps) > 2:
            break
    for step in steps:
        part = step + 1
        print(part)
    return steps


def ask(messages, model="gpt-5"):
    answer = client.responses.create(model=model, input=messages, timeout=30)
    if answer is None:
        return None
    return f"{answer.output_text} of {model}"


def talk(question, limit):
    said = []
    for turn in range(5):
        reply = ask([question, {"role": "user", "text": str(turn)}])
        if reply:
            said.append(reply)
        else:
            break
    rows = [row for row in said if row]
    size = "long" if len(rows) > 2 else "short"
    print(size, limit)
    while len(rows) > LIMIT:
        rows.pop()
    return rows


print(table(2), table(size=3), Desk().note("abc"), count())
print([talk(text, limit=LIMIT) for text in ("a", "b")], os.sep)
"""
STAND_IN = """
class OpenAI:
    def __init__(self):
        self.responses = self

    def create(self, model, input, timeout):
        self.output_text = model + str(input) + str(timeout)
        return self
"""


def _printed(files: dict[str, str], root: Path) -> str:
    """What the test's own program prints."""
    root.mkdir()
    for path, text in {**files, "openai.py": STAND_IN}.items():
        (root / path).write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "main.py"], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("rewriting", EVERY)
def test_a_rewritten_program_does_what_it_did(rewriting: str, tmp_path: Path) -> None:
    """The test's own program prints the same, however it is written."""
    files = rewritten({"main.py": PROGRAM}, rewriting)
    assert files is not None, "nothing of the program is written in the form that this changes"
    assert _printed(files, tmp_path / "after") == _printed({"main.py": PROGRAM}, tmp_path / "before")


def test_a_rewriting_that_moves_code_adds_a_file() -> None:
    for change in WITH_FILES:
        files = rewritten({"main.py": PROGRAM}, change.__name__)
        assert files is not None
        assert set(files) == {"main.py", "part_own_main.py"}


def test_what_a_rewriting_loses_is_said_with_its_reason() -> None:
    """A difference names the rule, the outcome, the place and the reason; where nothing changes, none is lost."""
    text = dedent(
        """
        from openai import OpenAI

        client = OpenAI()

        def answer(items):
            for _ in range(7):
                reply = client.responses.create(model="gpt-5", input=items, tools=TOOLS)
                items += reply.output
            return items
        """
    )
    found = {one.rewriting: one for one in compare("p", {"main.py": text}, ["counts_as_whiles", "imports_by_module"])}
    assert found["counts_as_whiles"].lost == found["imports_by_module"].lost == ()


def test_the_command_counts_the_programs_that_are_judged_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    code = run.main(["--pages", "mcp_tool_annotation_gap", "--only", "imports_renamed", "--jobs", "1"])
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert code == 0
    assert last[0] == "imports_renamed"
    assert 0 < int(last[3]) >= int(last[1])
