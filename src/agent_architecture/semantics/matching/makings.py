"""What an object was made with that a function of the project makes of what it is given, as `LLM(max_tokens=size)` in a
function of `size`: what the calls say by which this one came, and not what other calls of the function say.

States a setting; whether it is enough is for detectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import argument_of
from agent_architecture.names.flow import Step, origins
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.flow import Origin
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

GIVEN: Final = "given"
"""What a way passes that leads into what an object is made with."""


def of_its_making(
    context: Context, setting: Setting, made: Iterable[Match], name: str, held: tuple[ir.Expr, ...]
) -> Setting:
    """A setting of the objects that expressions hold, without the values that only others of their makers were given.

    It stays what it was where the objects are not made of parameters, or a way to them ends elsewhere than at what
    somebody wrote.
    """
    given = {id(one.node): found for one in made if (found := _parameter(context.program, one, name)) is not None}
    said = _given(context.program, given, held) if given else None
    kept = tuple(value for value in setting.values if said is not None and value in said)
    return setting._replace(values=kept) if kept else setting


def _given(program: Program, given: dict[int, ir.Name], held: tuple[ir.Expr, ...]) -> list[object] | None:
    """The constants that the makers of what is held were given; None where one of them is no constant."""

    def reader(node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | None:  # noqa: ARG001 - a `flow.Reader`
        return (Step(given[id(node)], GIVEN),) if id(node) in given else None

    ends = [origin for expr in held for origin in origins(program, expr, reader) if GIVEN in origin.passed]
    found = [origin for origin in ends if not _is_passed(program, origin)]
    plain: list[object] = [origin.node.value for origin in found if isinstance(origin.node, ir.Literal)]
    return plain if len(plain) == len(found) else None


def _is_passed(program: Program, origin: Origin) -> bool:
    """Whether an end is a parameter that the project's calls fill: what they say are ends of their own."""
    return origin.kind == "parameter" and isinstance(origin.node, ir.Function) and bool(program.callers(origin.node))


def _parameter(program: Program, made: Match, name: str) -> ir.Name | None:
    """The parameter of the function around that stands where an object is made, for a setting of it."""
    address, call = made.row.properties.get(name), made.arguments
    if address is None or not isinstance(call, ir.Call):
        return None
    for steps in address.alternatives:
        found = argument_of(call, str(steps[0])) if len(steps) == 1 else None
        if isinstance(found, ir.Name):
            kinds = {binding.kind for binding in visible_bindings(program, found)}
            return found if kinds == {"parameter"} else None
    return None
