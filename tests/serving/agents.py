"""An agent without a limit, in two files, and short words for what an editor is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from pathlib import Path

AGENT = """\
from agents import Agent, Runner

agent = Agent(name="helper")


def answer(text):
    return Runner.run_sync(agent, text, max_turns=None)
"""
RULE = "loop-guard-absence"
TOOL = """\
from agents import function_tool


@function_tool
def look(path: str) -> str:
    \"\"\"Look.\"\"\"
    return open(path).read()
"""


def the(diagnostics: list[types.Diagnostic], rule: str = RULE) -> types.Diagnostic:
    (found,) = [one for one in diagnostics if one.code == rule]
    return found


def at(place: types.Range) -> tuple[int, int, int, int]:
    return place.start.line, place.start.character, place.end.line, place.end.character


def named(path: Path) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(path.as_uri())
