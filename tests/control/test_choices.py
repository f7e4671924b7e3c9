"""Where tests decide how code goes on: what each form of a test asks, and whether one of its sides is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.names.structure import own_nodes
from agent_architecture.recursion import with_room
from agent_architecture.semantics.control.choices import asked_by, choices
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from pathlib import Path

    from agent_architecture.semantics.control.choices import Choice
    from agent_architecture.semantics.matching.context import Context

PYTHON: Final = (
    "import sys\nfrom agents import Agent\n\nAgent(name='clerk')\n\n"
    "def is_fine(x):\n    return x > 3\n\ndef require(x):\n    if x <= 3:\n        raise ValueError\n\n"
    "def check(x):\n"
)
TYPESCRIPT: Final = (
    "import { Agent } from '@openai/agents';\nnew Agent({ name: 'clerk' });\n"
    "function isFine(x) { return x > 3; }\nfunction demand(x) { if (x <= 3) throw new Error(); }\n"
    "function check(x) {\n"
)
AWAY: Final = {
    "main.py": (
        "if x <= 3: return",
        "if x > 3:\n        pass\n    else:\n        raise ValueError",
        "assert x > 3",
        "x > 3 or sys.exit(1)",
        "sys.exit(1) if x <= 3 else None",
        "match x > 3:\n        case False:\n            raise ValueError",
        "match x:\n        case 3:\n            return",
        "require(x)",
        "if not is_fine(x): return",
        "fine = x > 3\n    if not fine: return",
    ),
    "main.ts": (
        "if (x <= 3) return;",
        "if (x > 3) {} else { throw new Error(); }",
        "x > 3 || process.exit(1);",
        "x <= 3 ? process.exit(1) : undefined;",
        "switch (true) { case x <= 3: throw new Error(); }",
        "switch (x) { case 3: return; }",
        "demand(x);",
        "if (!isFine(x)) return;",
        "const fine = x > 3; if (!fine) return;",
    ),
}
ON: Final = {
    "main.py": ("if x > 3: print(x)", "match x:\n        case 3:\n            print(x)", "x > 3 and print(x)"),
    "main.ts": ("if (x > 3) console.log(x);", "switch (x) { case 3: console.log(x); }", "x > 3 && console.log(x);"),
}
NONE: Final = {
    "main.py": ("print(x)", "found = x or 3", "is_fine(x)", "while x > 3: x -= 1", "y = require(x)"),
    "main.ts": (
        "console.log(x);",
        "const found = x || 3;",
        "isFine(x);",
        "while (x > 3) x -= 1;",
        "const y = demand(x);",
    ),
}
VALUES: Final = {"main.py": ("y = 1 if x > 3 else 2",), "main.ts": ("const y = x > 3 ? 1 : 2;",)}


def listed(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(name, code) for name, codes in table.items() for code in codes]


@pytest.mark.parametrize(("name", "code"), listed(AWAY))
def test_a_side_is_left(name: str, code: str, tmp_path: Path) -> None:
    context, (choice,) = found(name, code, tmp_path)
    assert choice.turns_away
    assert not choice.is_value
    asked = (part for test in choice.tests for part in asked_by(conditions_of(context), test))
    assert any(isinstance(node, ir.Literal) and node.value == 3 for part in asked for node in ir.walk(part))


@pytest.mark.parametrize(("name", "code"), listed(ON))
def test_both_sides_go_on(name: str, code: str, tmp_path: Path) -> None:
    _, (choice,) = found(name, code, tmp_path)
    assert not choice.turns_away
    assert not choice.is_value


@pytest.mark.parametrize(("name", "code"), listed(NONE))
def test_nothing_is_decided(name: str, code: str, tmp_path: Path) -> None:
    assert found(name, code, tmp_path)[1] == []


@pytest.mark.parametrize(("name", "code"), listed(VALUES))
def test_only_a_value_is_chosen(name: str, code: str, tmp_path: Path) -> None:
    _, (choice,) = found(name, code, tmp_path)
    assert choice.is_value


def found(name: str, code: str, folder: Path) -> tuple[Context, list[Choice]]:
    """The choices of one function."""
    before, after = (PYTHON, "\n") if name == "main.py" else (TYPESCRIPT, "\n}\n")
    (folder / name).write_text(f"{before}    {code}{after}", encoding="utf-8")
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    known, _ = pipeline.understand_with(walked, packs, versions, program)
    (check,) = (f for module in program.modules for f in module.index.functions if f.name == "check")
    found = with_room(lambda: list(choices(program, conditions_of(known.context), own_nodes(check))))
    return known.context, found
