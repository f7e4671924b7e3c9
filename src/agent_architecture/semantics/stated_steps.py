"""How many steps a project's own texts ask of its agents ("search at least 30 times"): a line of advice with a smaller
limit would stop them where they do as they are told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from agent_architecture.names.program import Program

MOST: Final = 200
"""A run that needs more steps is rare (`limits.EFFECTIVE`); what a text says beyond that is no measure for a limit."""

_STATED: Final = regex(
    rb"(?<![\w.$-])(\d{1,3})\s+(?:(?:tool|search|web|llm|model|function|reasoning)[ -])?"
    rb"(?:steps|turns|iterations|rounds|calls|searches|times)\b"
)
_COMMENT: Final = (b"#", b"//", b"*", b"/*")
_LIMIT: Final = regex(
    r"\b(max_?[tT]urns|max_?[sS]teps|max_?[iI]ter(?:s|ations?)?|stepCountIs|recursion_?[lL]imit)\b(\W{1,3})(\d+)\b"
)
_GRAPH: Final = "recursion"
"""LangGraph counts the steps of its graph: the model's and the tools' for each round, and the last answer."""


def stated_steps(program: Program) -> int:
    """The largest number of steps that a text of the project's code names; 0 where none does."""
    return max((_largest(program, module.path) for module in program.modules), default=0)


def with_room(line: str, steps: int) -> str:
    """A line of advice whose limit leaves room for as many steps as the project's texts ask for."""
    return _LIMIT.sub(lambda found: f"{found[1]}{found[2]}{max(int(found[3]), _needed(found[1], steps))}", line)


def _needed(limit: str, steps: int) -> int:
    return min(2 * steps + 1 if limit.startswith(_GRAPH) else steps, MOST) if steps else 0


def _largest(program: Program, path: str) -> int:
    file = program.table.file(path)
    data = file.data if file is not None else b""
    found: Iterable[re.Match[bytes]] = _STATED.finditer(data)
    numbers = (int(one[1]) for one in found if not _is_comment(data, one.start()))
    return max((number for number in numbers if number <= MOST), default=0)


def _is_comment(data: bytes, place: int) -> bool:
    return data[data.rfind(b"\n", 0, place) + 1 : place].lstrip().startswith(_COMMENT)
