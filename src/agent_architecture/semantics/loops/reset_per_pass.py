"""What begins anew with each pass of a loop: objects that the pass makes, attributes that it sets back.

A conversation in such an object or attribute is another one in the next pass: the loop runs an agent for each of many
things, and is none itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.values import Api, ClassValue, Instance
from agent_architecture.semantics.taint.access_paths import places_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.taint.access_paths import Place

CERTAIN: Final = 40
"""Functions that are followed because every pass runs them."""

EMPTY: Final = frozenset({"py:builtins.list", "py:builtins.dict", "py:builtins.set", "py:collections.deque"})


def begins_anew(program: Program, loop: ir.Loop, inside: Extent, place: Place, change: ir.Node) -> bool:
    """Whether an attribute that a pass of the loop changes holds nothing that an earlier pass put there."""
    return (
        _is_in_constructor(program, change, place)
        or _is_of_made(program, inside, place, change)
        or _is_set_back(program, loop, place)
    )


# ------------------------------------------------------------------------------------------------------ constructors
def _is_in_constructor(program: Program, change: ir.Node, place: Place) -> bool:
    """Whether the change is what an object's own constructor gives it: a pass that comes there makes a new object."""
    is_own = any(isinstance(target, ir.Name) and target.id == "self" for target in _owners(change, place))
    scope = program.scope_of(change)
    if not is_own or not isinstance(scope, ir.Function):
        return False
    callers = () if scope.name == CONSTRUCTOR else program.callers(scope)
    makers = [site.scope for site in callers] if callers else [scope]
    return all(isinstance(maker, ir.Function) and maker.name == CONSTRUCTOR for maker in makers)


# -------------------------------------------------------------------------------------------------- objects of one pass
def _is_of_made(program: Program, inside: Extent, place: Place, change: ir.Node) -> bool:
    """Whether every object whose attribute it can be is made inside the pass."""
    owners = [value for target in _owners(change, place) for value in program.value_of(target)]
    classes = [value.cls for value in owners if isinstance(value, Instance)]
    calls = [call for cls in classes for _, call in constructions(program, cls)]
    if not calls or len(classes) < len(owners):
        return False
    nodes = {id(node) for node in inside.nodes()}
    return all(id(call) in nodes for call in calls)


def _owners(change: ir.Node, place: Place) -> Iterator[ir.Expr]:
    """The object `x` in a change of `x.place`."""
    target: ir.Expr | None = None
    if isinstance(change, (ir.Call, ir.Assign)):
        target = change.callee if isinstance(change, ir.Call) else change.target
    while isinstance(target, (ir.Member, ir.Index)):
        if isinstance(target, ir.Member) and target.name == place[1]:
            yield target.target
        target = target.target


# ----------------------------------------------------------------------------------------------------- what is set back
def _is_set_back(program: Program, loop: ir.Loop, place: Place) -> bool:
    """Whether every pass puts something new in the attribute's place."""
    return any(
        isinstance(node, ir.Assign) and _starts(program, node) and place in places_at(program, node.target)
        for node in _always_run(program, loop)
    )


def _starts(program: Program, node: ir.Assign) -> bool:
    """Whether an assignment to an attribute starts it: with a display, or with a new object."""
    if node.op or not isinstance(node.target, ir.Member) or _goes_on(node.value, node.target.name):
        return False
    if isinstance(node.value, ir.Call):
        made = program.value_of(node.value.callee)
        return all(isinstance(v, ClassValue) or (isinstance(v, Api) and v.path in EMPTY) for v in made)
    return isinstance(node.value, (ir.List, ir.Map, ir.Literal))


def _goes_on(value: ir.Expr | None, name: str) -> bool:
    """Whether a value is made of what the attribute held before, or of what somebody was waited for."""
    parts = ir.walk(value) if value is not None else ()
    return any(isinstance(part, ir.Await) or (isinstance(part, ir.Member) and part.name == name) for part in parts)


def _always_run(program: Program, loop: ir.Loop) -> Iterator[ir.Node]:
    """The nodes that every pass runs, in the loop itself and in the functions that it calls for certain."""
    queue: list[tuple[ir.Node, ...]] = [loop.body]
    seen: set[int] = set()
    for body in queue:
        for node in _certain(body):
            yield node
            callees = program.callees(node) if isinstance(node, ir.Call) and len(seen) < CERTAIN else ()
            if len(callees) == 1 and id(callees[0]) not in seen:
                seen.add(id(callees[0]))
                queue.append(callees[0].body)


def _certain(nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """These nodes and those below them that no condition stands before."""
    stack = list(reversed(tuple(nodes)))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(_unconditional(node)))


def _unconditional(node: ir.Node) -> list[ir.Node]:
    match node:
        case ir.If() | ir.Conditional():
            return [node.test]
        case ir.Match():
            return [node.subject]
        case ir.Loop():
            return [*node.init, *(part for part in (node.source, node.test) if part is not None)]
        case ir.Try():
            return [*node.body, *node.final]
        case ir.Operator(op=ir.Op.AND | ir.Op.OR | ir.Op.NULLISH):
            return [node.operands[0]]
        case _:
            return ir.children(node)
