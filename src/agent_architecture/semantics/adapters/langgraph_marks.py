"""What a step of a graph leaves in the state that it is handed by writing into it: `state["next"] = "done"`.

Goes along the ways through one function by hand, as far as what is known of the state decides them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.adapters.langgraph_choices import Known, key_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.adapters.langgraph_choices import Choice

    Left = dict[str, ir.Expr]

MOST: Final = 64
"""Ways through a function that are told apart; with more of them nothing is known."""


def put_in_place(program: Program, step: Choice, known: Known) -> tuple[Left, ...]:
    """What stands under keys on each way through a step that gives back the state itself; nothing where some way gives
    back something else.
    """
    ended: list[tuple[Left, ir.Expr | None]] = []
    open_ways = _along(program, step, known, step.function.body, [{}], ended)
    given = {param.name for param in step.function.params}
    alike = all(isinstance(value, ir.Name) and value.id in given for _, value in ended)
    return tuple(left for left, _ in ended) if ended and alike and not open_ways and len(ended) <= MOST else ()


def _along(  # noqa: PLR0913, PLR0917 - a walk by hand
    program: Program,
    step: Choice,
    known: Known,
    block: Iterable[ir.Node],
    ways: list[Left],
    ended: list[tuple[Left, ir.Expr | None]],
) -> list[Left]:
    """The ways that go on behind a block; those that end in it are put among the ended ones."""
    for node in block:
        if not ways or len(ways) > MOST:
            return ways
        match node:
            case ir.Return(value=value):
                ended.extend((way, value) for way in ways)
                return []
            case ir.Raise():
                return []
            case ir.If():
                truth = step.truth(node.test, known)
                sides = [node.then] * (truth is not False) + [node.otherwise] * (truth is not True)
                ways = [
                    way for side in sides for way in _along(program, step, known, side, [dict(w) for w in ways], ended)
                ]
            case ir.With(body=body) | ir.Block(body=body):
                ways = _along(program, step, known, body, ways, ended)
            case ir.Assign(target=target, value=value, op=None) if value is not None:
                key = key_of(program, step.function, target) if not isinstance(target, ir.Name) else ""
                for way in ways if key else ():
                    way[key] = value
            case _:
                pass
    return ways
