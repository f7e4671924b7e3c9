"""Options of a call: what is written in the objects that it is given, whether they stand in it or in a variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import only_value
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

STEPS: Final = 4
"""Variables that are given each other, and objects that are spread into each other, through which one is followed."""


def as_written(program: Program, expr: ir.Expr) -> ir.Expr:
    """What an expression is written as: of a variable that is only ever given one thing that thing, else itself."""
    for _ in range(STEPS):
        value = only_value(program, expr) if isinstance(expr, ir.Name) and _is_given_once(program, expr) else None
        if value is None:
            break
        expr = value
    return expr


def _is_given_once(program: Program, name: ir.Name) -> bool:
    return all(binding.kind == "assign" for binding in program.visible(name))


def entries_of(program: Program, expr: ir.Expr, depth: int = STEPS) -> Iterator[ir.Entry]:
    """The entries of an object that is written, with those of what is spread into it: `{ ...given, signal }`. What
    cannot be read stays the entry without a key that it is.
    """
    whole = as_written(program, expr)
    for entry in whole.entries if isinstance(whole, ir.Map) else ():
        inner = as_written(program, entry.value) if entry.key is None and depth else None
        if isinstance(inner, ir.Map):
            yield from entries_of(program, inner, depth - 1)
        else:
            yield entry


def options_of(program: Program, call: ir.Call) -> dict[str, ir.Expr]:
    """What a call is given by name: its keywords, and the keys of the objects among its arguments; later ones win."""
    found: dict[str, ir.Expr] = {}
    for argument in call.args:
        if argument.keyword is not None:
            found[argument.keyword] = argument.value
        found |= dict(keyed(program, argument.value))
    return found


def keyed(program: Program, expr: ir.Expr) -> Iterator[tuple[str, ir.Expr]]:
    """The keys that stand in an object which is written, each with its value; none for anything else."""
    for entry in entries_of(program, expr):
        if isinstance(entry.key, ir.Literal):
            yield str(entry.key.value), entry.value
