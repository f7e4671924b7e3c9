"""Functions that branch for the names of tools and only say which one is meant: no code of any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

SEVERAL: Final = 2
"""Branches that give back their own name, of a function that says which tool is meant: one may be a stub's answer."""


def only_names(told: Iterable[tuple[str, tuple[ir.Node, ...]]]) -> bool:
    """Whether a function gives back the names for which it branches: `if step == "find": return "find", {…}`. `told`
    are its branches.
    """
    return len({text for text, statements in told if _gives_back(text, statements)}) >= SEVERAL


def renames(statements: tuple[ir.Node, ...]) -> bool:
    """Whether all that a branch does is to say what something is called and given: `return "search_web", {"q": q}`."""
    given = tuple(answers(statements)) if len(statements) == 1 else ()
    match given:
        case (ir.List(items=(ir.Literal(value=str()), ir.Map())),):
            return True
        case _:
            return False


def _gives_back(text: str, statements: tuple[ir.Node, ...]) -> bool:
    """Whether a branch does nothing but give back a text, or things of which it is the first or a named one."""
    given = tuple(answers(statements))
    if len(statements) != 1 or len(given) != 1:
        return False
    match given[0]:
        case ir.List(items=(first, *_)):
            found: tuple[ir.Expr, ...] = (first,)
        case ir.Map(entries=entries):
            found = tuple(entry.value for entry in entries)
        case _:
            found = given
    return any(isinstance(one, ir.Literal) and one.value == text for one in found)
