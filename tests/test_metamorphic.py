"""Programs that mean the same are judged the same: renamed, moved, wrapped, split, reformatted.

A change is a function from files to files. It must change the text (or the test fails), and it may change symbols only
as it says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import pytest

from agent_architecture.registry import judge, load
from page_checks import understand
from rewriting import (
    Files,
    Rewriting,
    by_tabs,
    commented,
    each_line,
    edited,
    renamed,
    split,
    unchanged,
    with_crlf,
    with_files,
)

Judged: TypeAlias = tuple[str, str, str, float | None]
"""Key, symbol, outcome and risk of a verdict."""


class Program(NamedTuple):
    """A small project, and what the detectors that it was written for say of it."""

    files: Files
    verdicts: tuple[Judged, ...]


PYTHON: Final = Program(
    {
        "desk.py": '''\
from agents import Agent, Runner, function_tool
from openai import OpenAI

client = OpenAI()


@function_tool
def run_python(code: str) -> str:
    """Run Python code."""
    return str(eval(code))


refunds = Agent(name="refunds", tools=[run_python])
triage = Agent(name="triage", handoffs=[refunds])
refunds.handoffs.append(triage)


def answer(text):
    return Runner.run_sync(triage, text, max_turns=400)


def research(items):
    while True:
        reply = client.responses.create(model="gpt-5", input=items)
        items += reply.output
        if not any(item.type == "function_call" for item in reply.output):
            return reply.output_text


def summarise(items):
    for _ in range(7):
        reply = client.responses.create(model="gpt-5", input=items)
        items += reply.output
    return items
'''
    },
    (
        ("agent_code_execution_sandbox_gap", "eval", "absent", 1),
        ("handoff_cycle_risk", "refunds → triage", "absent", 1),
        ("handoff_cycle_risk", "triage → refunds", "absent", 1),
        ("loop_guard_absence", "Runner.run_sync", "absent", 1),
        ("loop_guard_absence", "research", "absent", 1),
        ("loop_guard_absence", "summarise", "controlled", 0),
    ),
)

TYPESCRIPT: Final = Program(
    {
        "desk.ts": """\
import { Agent, run, tool } from "@openai/agents";
import OpenAI from "openai";

const client = new OpenAI();

const runJavaScript = tool({
  name: "run_javascript",
  description: "Run JavaScript code",
  execute: async ({ code }: { code: string }) => String(eval(code)),
});

const refunds = new Agent({ name: "refunds", tools: [runJavaScript] });
const triage = new Agent({ name: "triage", handoffs: [refunds] });
refunds.handoffs.push(triage);

export async function answer(text: string) {
  return await run(triage, text, { maxTurns: 400 });
}

export async function research(items: any[]) {
  while (true) {
    const reply = await client.responses.create({ model: "gpt-5", input: items });
    items.push(...reply.output);
    if (!reply.output.some((item) => item.type === "function_call")) return reply.output_text;
  }
}

export async function summarise(items: any[]) {
  for (let step = 0; step < 7; step++) {
    const reply = await client.responses.create({ model: "gpt-5", input: items });
    items.push(...reply.output);
  }
  return items;
}
"""
    },
    (
        ("agent_code_execution_sandbox_gap", "eval", "absent", 1),
        ("handoff_cycle_risk", "refunds → triage", "absent", 1),
        ("handoff_cycle_risk", "triage → refunds", "absent", 1),
        ("loop_guard_absence", "research", "absent", 1),
        ("loop_guard_absence", "run", "absent", 1),
        ("loop_guard_absence", "summarise", "controlled", 0),
    ),
)

PROGRAMS: Final = {"python": PYTHON, "typescript": TYPESCRIPT}


# -------------------------------------------------------------------------------------------------------------- changes
class Change(NamedTuple):
    """A rewriting that keeps the meaning, and the symbols that it renames."""

    rewrite: Rewriting
    symbols: Mapping[str, str] = MappingProxyType({})


NAMES: Final = {
    "client": "llm",
    "items": "conversation",
    "text": "question",
    "reply": "said",
    "answer": "ask",
    "research": "investigate",
    "summarise": "shorten",
}
NEW_SYMBOLS: Final = {
    "research": "investigate",
    "summarise": "shorten",
    "items": "conversation",
    "client.responses.create": "llm.responses.create",
    "client.chat.completions.create": "llm.chat.completions.create",
}

PYTHON_HEAD: Final = """\
from agents import Agent, Runner, function_tool
from openai import OpenAI
"""
TYPESCRIPT_HEAD: Final = """\
import { Agent, run, tool } from "@openai/agents";
import OpenAI from "openai";
"""
UNRELATED_PYTHON: Final = """\
import dataclasses


@dataclasses.dataclass
class Agent:
    handoffs: list


def run(agent, client):
    while True:
        client.send(agent.handoffs.pop())
"""
UNRELATED_TYPESCRIPT: Final = """\
export class Agent {
  constructor(public handoffs: string[]) {}
}

export function run(agent: Agent, client: any) {
  while (true) client.send(agent.handoffs.pop());
}
"""

CHANGES: Final[dict[str, dict[str, Change]]] = {
    "python": {
        "names are renamed": Change(renamed(NAMES), NEW_SYMBOLS),
        "constants are extracted": Change(
            edited(
                ("client = OpenAI()\n", "client = OpenAI()\nTURNS = 400\nSTEPS = 7\n"),
                ("max_turns=400", "max_turns=TURNS"),
                ("range(7)", "range(STEPS)"),
            )
        ),
        "constants stand in another file": Change(
            with_files(
                edited(
                    ("import OpenAI\n", "import OpenAI\n\nfrom limits import STEPS, TURNS\n"),
                    ("max_turns=400", "max_turns=TURNS"),
                    ("range(7)", "range(STEPS)"),
                ),
                limits_py="TURNS = 400\nSTEPS = 7\n",
            )
        ),
        "the run is wrapped in a function": Change(
            edited(
                ("def answer(text):", "def start(agent, text):"),
                ("Runner.run_sync(triage,", "Runner.run_sync(agent,"),
                ("\n\ndef research(", "\n\ndef answer(text):\n    return start(triage, text)\n\n\ndef research("),
            )
        ),
        "functions become methods": Change(
            lambda files: {
                name: re.sub(
                    r"(?m)^    def (\w+)\(",
                    r"    def \1(self, ",
                    text[: text.index("def answer")]
                    + "class Desk:\n"
                    + re.sub(r"(?m)^(?=.)", "    ", text[text.index("def answer") :]),
                )
                for name, text in files.items()
            },
            {"research": "Desk.research", "summarise": "Desk.summarise"},
        ),
        "the module is split": Change(
            split(
                "py",
                PYTHON_HEAD,
                ("llm", "", "client = OpenAI()"),
                ("tools", "", "@function_tool"),
                ("team", "\nfrom tools import run_python\n", "refunds = Agent"),
                ("desk", "\nfrom team import triage\n", "def answer"),
                ("loops", "\nfrom llm import client\n", "def research"),
            )
        ),
        "an unrelated file is added": Change(with_files(unchanged, unrelated_py=UNRELATED_PYTHON)),
        "lines end with CRLF": Change(with_crlf),
        "tabs indent": Change(each_line(by_tabs(4))),
        "comments are inserted": Change(each_line(commented("#"))),
    },
    "typescript": {
        "names are renamed": Change(renamed(NAMES), NEW_SYMBOLS),
        "constants are extracted": Change(
            edited(
                (
                    "const client = new OpenAI();\n",
                    "const client = new OpenAI();\nconst TURNS = 400;\nconst STEPS = 7;\n",
                ),
                ("maxTurns: 400", "maxTurns: TURNS"),
                ("step < 7", "step < STEPS"),
            )
        ),
        "constants stand in another file": Change(
            with_files(
                edited(
                    ('from "openai";\n', 'from "openai";\nimport { STEPS, TURNS } from "./limits.js";\n'),
                    ("maxTurns: 400", "maxTurns: TURNS"),
                    ("step < 7", "step < STEPS"),
                ),
                limits_ts="export const TURNS = 400;\nexport const STEPS = 7;\n",
            )
        ),
        "the run is wrapped in a function": Change(
            edited(
                ("export async function answer(text: string)", "async function start(agent: Agent, text: string)"),
                ("run(triage,", "run(agent,"),
                (
                    "export async function research(",
                    """\
export async function answer(text: string) {
  return await start(triage, text);
}

export async function research(""",
                ),
            )
        ),
        "functions become methods": Change(
            lambda files: {
                name: text[: text.index("export async function answer")]
                + "export class Desk {\n"
                + re.sub(r"(?m)^(?=.)", "  ", text[text.index("export async function answer") :]).replace(
                    "export async function ", "async "
                )
                + "}\n"
                for name, text in files.items()
            },
            {"research": "Desk.research", "summarise": "Desk.summarise"},
        ),
        "the module is split": Change(
            lambda files: {
                name: re.sub(r"(?m)^const ", "export const ", text)
                for name, text in split(
                    "ts",
                    TYPESCRIPT_HEAD,
                    ("llm", "", "const client"),
                    ("tools", "", "const runJavaScript"),
                    ("team", 'import { runJavaScript } from "./tools";\n', "const refunds"),
                    ("desk", 'import { triage } from "./team";\n', "export async function answer"),
                    ("loops", 'import { client } from "./llm";\n', "export async function research"),
                )(files).items()
            }
        ),
        "an unrelated file is added": Change(with_files(unchanged, unrelated_ts=UNRELATED_TYPESCRIPT)),
        "lines end with CRLF": Change(with_crlf),
        "tabs indent": Change(each_line(by_tabs(2))),
        "comments are inserted": Change(each_line(commented("//"))),
    },
}
CASES: Final = [(language, name) for language, changes in CHANGES.items() for name in changes]


# ---------------------------------------------------------------------------------------------------------------- tests
def verdicts(files: Files, folder: Path) -> tuple[Judged, ...]:
    """What all detectors say of a project whose files are created in this order, sorted."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    system, notices = understand(folder)
    assert notices == ()
    return tuple(
        sorted(
            (judged.detector.key, verdict.subject.symbol, str(verdict.outcome), verdict.risk)
            for judged in judge(load(), system)
            for verdict in judged.verdicts
        )
    )


@pytest.fixture(params=PROGRAMS)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_program_is_judged_as_written_here(language: str, tmp_path: Path) -> None:
    program = PROGRAMS[language]
    keys = {key for key, *_ in program.verdicts}
    said = verdicts(program.files, tmp_path / "program")
    assert tuple(verdict for verdict in said if verdict[0] in keys) == program.verdicts


def test_a_change_of_meaning_changes_a_verdict(language: str, tmp_path: Path) -> None:
    files = PROGRAMS[language].files
    bounded = edited(("400", "4"))(files)
    assert verdicts(bounded, tmp_path / "bounded") != verdicts(files, tmp_path / "program")


@pytest.mark.parametrize(("language", "name"), CASES)
def test_verdicts_stay_when(language: str, name: str, tmp_path: Path) -> None:
    files, change = PROGRAMS[language].files, CHANGES[language][name]
    rewritten = change.rewrite(files)
    assert rewritten != files
    before = verdicts(files, tmp_path / "before")
    expected = sorted((key, change.symbols.get(symbol, symbol), *said) for key, symbol, *said in before)
    assert verdicts(rewritten, tmp_path / "after") == tuple(expected)


def test_the_order_in_which_files_are_created_does_not_matter(language: str, tmp_path: Path) -> None:
    files = CHANGES[language]["the module is split"].rewrite(PROGRAMS[language].files)
    backwards = dict(reversed(list(files.items())))
    assert verdicts(backwards, tmp_path / "backwards") == verdicts(files, tmp_path / "forwards")
