"""Questions to a person whose silence is taken for a yes: `input("Go on? [Y/n] ") or "y"`, a race against a clock that
agrees, an empty answer among those that agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.matching.context import Context

YES: Final = frozenset({"y", "yes", "approve", "approved", "accept", "allow", "confirm", "ok", "true"})
"""Answers that agree."""
RACING: Final = frozenset({"race", "any"})
"""Calls that take what is there first."""
TIDYING: Final = frozenset(
    {"strip", "lower", "upper", "trim", "toLowerCase", "toUpperCase", "casefold", "toString", "str"}
)
"""Calls that leave an answer what it is."""


def silent_yes(context: Context, question: ir.Call) -> ir.Node | None:
    """What makes a yes of no answer to a question; None where nothing does."""
    scope = context.program.scope_of(question)
    structure = context.program.structure(scope)
    said: ir.Node = question
    for around in structure.ancestors(question):
        match around:
            case ir.Member() | ir.Await():
                pass
            case ir.Call(callee=callee) if callee is said and callee_name(callee) in TIDYING:
                pass
            case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, *rest)) if first is said and any(
                map(is_yes, rest)
            ):
                return around
            case ir.List(items=items) if _is_raced(structure, around):
                others = (part for item in items if item is not said for part in _within(item))
                return next((part for part in others if isinstance(part, ir.Literal) and is_yes(part)), None)
            case ir.Operator() | ir.Call() if _takes_nothing_for_yes(around):
                return around
            case ir.Assign(target=ir.Name(id=name)):
                return next(_tests(structure, name), None)
            case _:
                return None
        said = around
    return None


def is_yes(value: ir.Expr | None) -> bool:
    """Whether a constant agrees: `True`, `"y"`."""
    if not isinstance(value, ir.Literal):
        return False
    return value.value is True or (isinstance(value.value, str) and value.value.lower() in YES)


def _is_raced(structure: Structure, items: ir.List) -> bool:
    around = structure.parent(items)
    return isinstance(around, ir.Call) and callee_name(around.callee) in RACING


def _within(item: ir.Expr) -> Iterator[ir.Node]:
    """What stands in an expression, the bodies of functions in it included."""
    for part in ir.walk(item):
        yield part
        if isinstance(part, ir.Function):
            for statement in part.body:
                yield from _within(statement)  # type: ignore[arg-type]


def _tests(structure: Structure, name: str) -> Iterator[ir.Node]:
    """The tests of a name that take nothing for a yes."""
    for node in structure.nodes:
        named = any(isinstance(part, ir.Name) and part.id == name for part in ir.walk(node))
        if isinstance(node, (ir.Operator, ir.Call)) and named and _takes_nothing_for_yes(node):
            yield node


def _takes_nothing_for_yes(test: ir.Operator | ir.Call) -> bool:
    """`answer in ("", "y")`, `["", "y"].includes(answer)`."""
    match test:
        case ir.Operator(op=ir.Op.IN, operands=(_, ir.List(items=items))):
            listed = items
        case ir.Call(callee=ir.Member(name="includes", target=ir.List(items=items))):
            listed = items
        case _:
            return False
    return any(map(is_yes, listed)) and any(isinstance(each, ir.Literal) and each.value == "" for each in listed)
