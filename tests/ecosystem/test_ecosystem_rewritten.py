"""Programs are written otherwise without another meaning, and what is said of them is held beside what was said."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from ecosystem.rewritten import run
from ecosystem.rewritten.run import OF_PYTHON, OF_TEXT, OF_TEXT_WITH_FILES, WITH_FILES, compare, rewritten

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
OF_NODE = """
import OpenAI from "./openai.js";
import { basename, sep as slash } from "node:path";

const LIMIT = 3;
const client = new OpenAI();
const names = ["a", "b"];

function count() {
  const steps = [];
  let left = 5;
  while (left > 2) {
    steps.push(left);
    left -= 1;
  }
  while (true) {
    if (left > 4) break;
    left += 1;
  }
  for (let i = 0; i < 2; i++) {
    steps.push(i);
  }
  for (const step of steps) {
    const part = step + 1;
    console.log(part);
  }
  for (const step of steps) {
    if (step > 3) continue;
    console.log(step);
  }
  return steps.map((step) => step * 2);
}

async function ask({ messages, model = "gpt-5", size }) {
  const answer = await client.responses.create({ model, input: messages, timeout: 30 });
  if (answer === null) return null;
  console.log(size);
  const { output_text: said, id } = answer;
  const first = answer.first;
  return `${said} of ${model} \\`${id}\\` ${first.length}`;
}

const shorten = (text) => text.slice(0, LIMIT);

const label = (text) => {
  return { text, short: shorten(text) };
};

async function talk(question, limit) {
  const said = [];
  for (let turn = 0; turn < 5; turn++) {
    const reply = await ask({ messages: [question, { role: "user", text: String(turn) }], size: turn });
    if (reply) {
      said.push(reply);
    } else {
      break;
    }
  }
  const rows = said.filter((row) => row.length > 2);
  const size = rows.length > 2 ? "long" : "short";
  console.log(size, limit, basename(`${slash}x`), [size, label(question)]);
  while (rows.length > LIMIT) {
    rows.pop();
  }
  const upper = [];
  for (const row of rows) {
    upper.push(row.toUpperCase());
  }
  if (upper.length > 9) {
    return [];
  } else {
    console.log(upper.length);
  }
  const last = await ask({ messages: [], size: 1 });
  return [...upper, last];
}

console.log(count(), shorten("abcdef"), names.length);
console.log(await talk("hello", 3));
console.log(await talk("bye", LIMIT));
"""
STAND_IN_OF_NODE = """
export default class OpenAI {
  constructor() {
    this.responses = this;
  }
  async create({ model, input, timeout }) {
    return { output_text: model + JSON.stringify(input) + timeout, id: 7, first: "f" };
  }
}
"""


def _printed(files: dict[str, str], root: Path) -> str:
    """What the test's own program prints."""
    root.mkdir()
    for path, text in {**files, "openai.py": STAND_IN}.items():
        (root / path).write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "main.py"], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("rewriting", OF_PYTHON)
def test_a_rewritten_program_does_what_it_did(rewriting: str, tmp_path: Path) -> None:
    """The test's own program prints the same, however it is written."""
    files = rewritten({"main.py": PROGRAM}, rewriting)
    assert files is not None, "nothing of the program is written in the form that this changes"
    assert _printed(files, tmp_path / "after") == _printed({"main.py": PROGRAM}, tmp_path / "before")


def _printed_by_node(files: dict[str, str], root: Path) -> str:
    """What the test's own program of JavaScript prints."""
    root.mkdir()
    for path, text in {**files, "openai.js": STAND_IN_OF_NODE, "package.json": '{"type": "module"}'}.items():
        (root / path).write_text(text, encoding="utf-8")
    done = subprocess.run(["node", "main.js"], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("rewriting", [*OF_TEXT, *OF_TEXT_WITH_FILES])
def test_a_rewritten_program_of_javascript_does_what_it_did(rewriting: str, tmp_path: Path) -> None:
    """The test's own program prints the same, however it is written."""
    files = rewritten({"main.js": OF_NODE}, rewriting)
    assert files is not None, "nothing of the program is written in the form that this changes"
    assert _printed_by_node(files, tmp_path / "after") == _printed_by_node({"main.js": OF_NODE}, tmp_path / "before")


def test_a_rewriting_of_typescript_keeps_types() -> None:
    """What is taken out of a function is handed its names with their annotations."""
    text = "function f(names: string[], limit: number) {\n  if (names.length > limit) return;\n  g();\n}\n"
    files = rewritten({"main.ts": text}, "js_tests_taken_out")
    assert files is not None
    assert (
        "function part1(limit: number, names: string[]): boolean { return names.length > limit; }" in files["main.ts"]
    )
    assert "if (part1(limit, names)) return;" in files["main.ts"]


def test_a_file_that_cannot_be_parsed_is_left() -> None:
    assert rewritten({"main.ts": "const a = {"}, "js_options_named") is None


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
