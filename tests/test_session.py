"""A session: whatever is edited, added, taken away or taken back, it says what a scan from nothing says."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from agent_architecture import Config, Session, analyze, pipeline
from agent_architecture.config import DataConfig
from agent_architecture.names import lookup
from agent_architecture.names.file_facts import Kept
from agent_architecture.names.program import Program
from agent_architecture.render import json
from agent_architecture.sources import state
from agent_architecture.syntax import ir

TODAY: Final = date(2026, 11, 21)

PYTHON: Final = {
    "app/__init__.py": "",
    "app/agent.py": """\
from agents import Agent, Runner

from app import limits
from app.tools import run_python, search

triage = Agent(name="triage", tools=[run_python, search])


def answer(text):
    return Runner.run_sync(triage, text, max_turns=limits.TURNS)
""",
    "app/limits.py": "TURNS = None\n\n\ndef most():\n    return TURNS\n",
    "app/tools.py": '''\
import subprocess

from agents import function_tool


@function_tool
def run_python(code: str) -> str:
    """Run Python code."""
    return str(eval(code))


@function_tool
def search(words: str) -> str:
    """Search for words."""
    return subprocess.run(words, shell=True, capture_output=True, check=False).stdout.decode()
''',
    "app/loop.py": """\
from openai import OpenAI

client = OpenAI()


def research(items):
    while True:
        reply = client.responses.create(model="gpt-5", input=items)
        items += reply.output
        if not any(item.type == "function_call" for item in reply.output):
            return reply.output_text
""",
    "tests/test_agent.py": "from app.agent import answer\n\n\ndef test_answer():\n    assert answer('x')\n",
    "requirements.txt": "openai-agents==0.6.0\nopenai\n",
    "agent-architecture.toml": "",
}

TYPESCRIPT: Final = {
    "src/agent.ts": """\
import { Agent, run } from "@openai/agents";
import { shell } from "./tools";
import { TURNS } from "./limits";

export const triage = new Agent({ name: "triage", tools: [shell] });

export async function answer(text: string) {
  return run(triage, text, { maxTurns: TURNS });
}
""",
    "src/limits.ts": "export const TURNS = 400;\n",
    "src/tools.ts": """\
import { exec } from "node:child_process";
import { tool } from "@openai/agents";
import { z } from "zod";

export const shell = tool({
  name: "shell",
  description: "Run a command.",
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => {
    return new Promise((resolve) => exec(command, (error, out) => resolve(out)));
  },
});
""",
    "src/loop.ts": """\
import OpenAI from "openai";

const client = new OpenAI();

export async function research(items: any[]) {
  while (true) {
    const reply = await client.responses.create({ model: "gpt-5", input: items });
    items.push(...reply.output);
    if (!reply.output.some((item) => item.type === "function_call")) return reply.output_text;
  }
}
""",
    "package.json": '{"name": "desk", "dependencies": {"@openai/agents": "0.3.0", "openai": "6.0.0"}}\n',
}

NAMES: Final = ("run_python", "search", "answer", "research", "triage", "TURNS", "shell", "items", "reply", "client")
LINES: Final = (
    "", "# a remark", "// a remark", "x = 1", "    items = items[-3:]", "  items.splice(0, 1);", "import os",
    "TURNS = 3", "from app.tools import *", "def more():", "    return 1", "eval(input())", 'export * from "./tools";',
    "agent-architecture: ignore", "    # agent-architecture: ignore[loop_guard_absence] known", "}",
)  # fmt: skip


class Disk:
    """A small project on the disk and in an editor, and random edits of it."""

    def __init__(self, folder: Path, files: dict[str, str], seed: int) -> None:
        self.folder = folder
        self.rng = random.Random(seed)  # noqa: S311 - edits, no secrets
        self.files = dict(files)
        self.earlier: list[dict[str, str]] = []
        self.config = Config()
        self.session = Session([folder])
        for name in files:
            self.save(name)

    def save(self, name: str) -> None:
        file = self.folder / name
        if name in self.files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(self.files[name].encode())
        else:
            file.unlink(missing_ok=True)

    def change(self) -> None:
        """One edit, on the disk or in the editor."""
        self.earlier.append(dict(self.files))
        name = self.rng.choice(sorted(self.files))
        kind = self.rng.choice(("insert", "delete", "rename", "add", "remove", "undo", "manifest", "options", "touch"))
        lines = self.files[name].split("\n")
        place = self.rng.randrange(len(lines))
        match kind:
            case "insert":
                self.files[name] = "\n".join([*lines[:place], self.rng.choice(LINES), *lines[place:]])
            case "delete":
                self.files[name] = "\n".join([*lines[:place], *lines[place + 1 :]])
            case "rename":
                old, new = self.rng.choice(NAMES), self.rng.choice((*NAMES, "other"))
                wanted = sorted(self.files) if self.rng.random() < 0.5 else [name]
                self.files.update({each: self.files[each].replace(old, new) for each in wanted})
            case "add":
                copy = name.replace(".", f"_{self.rng.randrange(3)}.", 1)
                self.files[copy] = self.files[name]
            case "remove":
                del self.files[name]
            case "undo":
                self.files = dict(self.rng.choice(self.earlier))
            case "manifest":
                version = self.rng.randrange(9)
                self.files |= {"requirements.txt": f"openai-agents==0.{version}.0\nopenai>=1.{version}\n"}
            case "options":
                data = DataConfig(include_tests=self.rng.random() < 0.5, exclude=self.rng.choice(((), ("loop.*",))))
                self.config = Config(data=data)
                self.session.configure(self.config)
            case _:
                pass
        self.keep()

    def keep(self) -> None:
        """Bring what changed to the disk, or, where the file is there already, to the session alone."""
        before = self.earlier[-1]
        for name in sorted({*before, *self.files}):
            if before.get(name) == self.files.get(name):
                continue
            path = self.folder / name
            if name in self.files and path.exists() and self.rng.random() < 0.5:
                self.session.edit(path, self.files[name])
            else:
                self.session.forget(path)
                self.save(name)


def answered(session: Session) -> str:
    return json.render(session.outcome(TODAY), subjects=True)


def from_nothing(folder: Path, files: dict[str, str], config: Config) -> str:
    """What a scan says of these files, in a folder of the same name."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return json.render(analyze([folder], config, today=TODAY), subjects=True)


@pytest.mark.parametrize("files", [PYTHON, TYPESCRIPT], ids=["python", "typescript"])
@pytest.mark.parametrize("seed", range(2))
def test_after_any_edit_a_session_says_what_a_scan_from_nothing_says(
    tmp_path: Path, files: dict[str, str], seed: int
) -> None:
    disk = Disk(tmp_path / "project", files, seed)
    for number in range(8):
        said = answered(disk.session)
        assert said == from_nothing(tmp_path / str(number) / "project", disk.files, disk.config)
        disk.change()


def test_the_way_back_is_the_way_there(tmp_path: Path) -> None:
    disk = Disk(tmp_path / "project", {**PYTHON, **TYPESCRIPT}, 1)
    said = []
    for _ in range(6):
        said.append((dict(disk.files), disk.config, answered(disk.session)))
        disk.change()
    for files, config, before in reversed(said):
        disk.earlier.append(dict(disk.files))
        disk.files = dict(files)
        disk.session.configure(config)
        disk.keep()
        assert answered(disk.session) == before


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Disk(tmp_path / "project", PYTHON, 0).folder


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that were parsed."""
    paths: list[str] = []
    module = Kept.module

    def noted(kept: Kept, file: object, parse: object) -> object:
        def parsed(wanted: object) -> object:
            paths.append(wanted.path)  # type: ignore[attr-defined]
            return parse(wanted)  # type: ignore[operator]

        return module(kept, file, parsed)  # type: ignore[arg-type]

    monkeypatch.setattr(Kept, "module", noted)
    return paths


def test_only_what_was_edited_is_parsed_again(project: Path, read: list[str]) -> None:
    session = Session([project])
    session.outcome()
    assert "app/agent.py" in read
    read.clear()
    session.edit(project / "app" / "limits.py", "TURNS = 5\n")
    session.outcome()
    assert read == ["app/limits.py"]


def test_what_names_refer_to_is_sought_again_only_where_a_file_was_edited(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sought: set[str] = set()
    find = lookup.find_visible

    def noted(program: Program, name: ir.Name) -> lookup.Visible | None:
        sought.add(name.span.path)
        return find(program, name)

    monkeypatch.setattr(lookup, "find_visible", noted)
    session = Session([project])
    session.outcome()
    assert {"app/agent.py", "app/loop.py", "app/tools.py"} <= sought
    sought.clear()
    session.edit(project / "app" / "loop.py", PYTHON["app/loop.py"] + "\n\nmost = len(str(client))\n")
    session.outcome()
    assert sought == {"app/loop.py"}


def test_what_a_star_import_gives_follows_the_module_that_is_edited(tmp_path: Path) -> None:
    starred = PYTHON["app/agent.py"].replace("from app import limits", "from app.limits import *")
    files = {**PYTHON, "app/agent.py": starred.replace("limits.TURNS", "TURNS")}
    disk = Disk(tmp_path / "project", files, 0)
    said = []
    for number, text in enumerate(("TURNS = None\n", "TURNS = 5\n", "OTHER = 5\n", "TURNS = 5\n")):
        disk.files["app/limits.py"] = text
        disk.session.edit(disk.folder / "app" / "limits.py", text)
        said.append(answered(disk.session))
        assert said[-1] == from_nothing(tmp_path / str(number) / "project", disk.files, disk.config)
    assert said[1] == said[3]
    assert len(set(said)) > 1


def test_where_nothing_changed_nothing_is_read(project: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "YOUNG", 0)
    monkeypatch.setattr("agent_architecture.session.is_old", lambda *_: True)
    session = Session([project])
    first = session.outcome(TODAY)
    read.clear()
    monkeypatch.setattr(pipeline, "read_sources", None)
    assert session.outcome(TODAY) == first
    assert read == []


def test_a_project_is_named_by_a_path_or_a_text_alone_or_in_a_list(project: Path) -> None:
    first = analyze([project], today=TODAY)
    assert analyze(project, today=TODAY) == analyze(str(project), today=TODAY) == analyze([str(project)], today=TODAY)
    assert analyze(str(project), today=TODAY) == Session(str(project)).outcome(TODAY) == first


def test_a_text_that_is_not_saved_counts_until_it_is_forgotten(project: Path) -> None:
    session, agent = Session([project]), project / "app" / "agent.py"
    first = session.outcome(TODAY)
    session.edit(agent, "print('no agent')\n")
    without = session.outcome(TODAY)
    assert without != first
    assert analyze([project], today=TODAY) == first
    session.forget(agent)
    assert session.outcome(TODAY) == first
    agent.write_text("print('no agent')\n", "utf-8")
    assert session.outcome(TODAY) == without


TEST: Final = "tests/test_agent.py"


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ("def test_answer():\n    assert 2 == 2\n", True),
        ("from app.agent import answer\n\n\ndef test_answer():\n    assert answer('x')\n", False),
        ("from deepeval import assert_test\n\n\ndef test_answer():\n    assert_test(None, [])\n", False),
        ("import app.limits\n", False),
    ],
)
def test_a_file_that_tells_nothing_new_changes_no_answer(
    tmp_path: Path, text: str, *, is_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path / "project", {**PYTHON, TEST: "def test_answer():\n    assert 1 == 1\n"}, 0)
    session = disk.session
    session.outcome(TODAY)
    made: list[str] = []
    judged = pipeline.judged

    def noted(*arguments: object) -> object:
        made.append("judged")
        return judged(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "judged", noted)
    for _ in range(2):
        session.edit(disk.folder / TEST, text)
        disk.files[TEST] = text
        said = answered(session)
        assert (made == []) is is_known
    monkeypatch.undo()
    assert said == from_nothing(tmp_path / "new" / "project", disk.files, disk.config)


def test_a_text_counts_as_a_file_with_it_would(tmp_path: Path) -> None:
    files = {**PYTHON, "run": "#!/usr/bin/env python3\nimport app.agent\n", "large.py": "x = 1\n"}
    disk = Disk(tmp_path / "project", files, 0)
    (disk.folder / "linked.py").symlink_to(disk.folder / "app" / "limits.py")
    config = Config(data=DataConfig(max_file_size=2000, include_tests=True))
    disk.session.configure(config)
    texts = {"run": "echo\n", "large.py": "# " + "x" * 2000, "linked.py": "TURNS = 7\n", "app/agent.py": "\udcff = (\n"}
    for name, text in texts.items():
        disk.session.edit(disk.folder / name, text)
        said = answered(disk.session)
        (disk.folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        assert said == json.render(analyze([disk.folder], config, today=TODAY), subjects=True)


def test_the_page_about_it_is_true(tmp_path: Path) -> None:
    page = Path(__file__).parent.parent / "docs" / "session.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    (tmp_path / "my-agent").mkdir()
    (tmp_path / "my-agent" / "agent.py").write_text(PYTHON["app/loop.py"], "utf-8")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "agent.py" in done.stdout
