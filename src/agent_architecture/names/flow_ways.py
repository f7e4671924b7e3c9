"""What a way back through the program is made of: where it ends, its steps, and the parts of values that are wanted.

Pure values, and the two rules on parts. Which step follows which is for `flow_steps`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from agent_architecture.names.patterns import is_rest
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax import ir

Calls: TypeAlias = "tuple[ir.Call, ...]"
Fields: TypeAlias = "tuple[str, ...]"
Kind = Literal["constant", "parameter", "call", "name", "unknown"]


ANY_PLACE: Final = "[*]"
"""A part that stands for any element of a list, and any value of a mapping."""


class Origin(NamedTuple):
    """One place where a value begins.

    `constant`: `node` is the literal. `parameter`: `node` is the function, `name` the parameter. `call`: `node` is a
    call of a library (or of nothing readable). `name`: a library's own name. `trail` are the places passed on the way,
    the asked expression last; `passed` is what a reader said of the way.
    """

    kind: Kind
    node: ir.Node
    name: str = ""
    trail: tuple[Span, ...] = ()
    passed: frozenset[str] = frozenset()


class Step(NamedTuple):
    """One expression further back. `passed` is what the text goes through there, in the reader's own words; `calls`
    are the calls that the way has entered, `fields` the parts that are wanted, None for the same as before.
    """

    expr: ir.Expr
    passed: str = ""
    calls: Calls | None = None
    fields: Fields | None = None


def further(fields: Fields, steps: tuple[str, ...]) -> Fields:
    """The parts that are wanted of what a pattern takes apart: `{ data: { text } } = reply` wants `data`, then `text`.

    Any element of a list is its list.
    """
    named: list[str] = []
    for step in steps:
        if is_rest(step) or step == ".?":
            break
        if step.startswith("."):
            named.append(step[1:])
        elif step[1:-1].isdigit():
            named.append(step)
    return (*fields, *reversed(named))


def is_place(field: str) -> bool:
    """Whether a part is an element of a list: the one at a position (`[0]`), or any."""
    return field.startswith("[")
