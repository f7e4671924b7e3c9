"""From model calls upwards: which loops and recursions come back to a model, through any number of the project's functions.

Works on demand from each model call towards its callers; nothing walks the whole program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.names.calls import callees
from agent_architecture.names.structure import own_nodes
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

SCOPES: Final = 400
"""Scopes followed upwards from one model call; a program with longer chains is not followed to their end."""

EXTENT: Final = 120
"""Functions that one pass of a loop is followed into."""


class Step(NamedTuple):
    """A node in a scope from which the model call is reached; `inferred` when a callee on the way is known by name alone."""

    node: ir.Node
    scope: ir.Scope
    inferred: bool = False


class Loops(NamedTuple):
    """The loops and recursive functions around model calls: each with the steps inside it that reach a model call."""

    loops: dict[int, tuple[ir.Loop, ir.Scope, list[Step]]]
    recursions: dict[int, tuple[ir.Function, list[Step]]]


def loops_around(program: Program, calls: Iterable[tuple[ir.Call, ir.Scope]]) -> Loops:
    """Every loop and every recursion around these calls."""
    found = Loops({}, {})
    steps: dict[int, Step] = {}
    edges: dict[int, set[int]] = {}
    scopes: dict[int, ir.Scope] = {}
    queue = [Step(call, scope) for call, scope in calls]
    while queue and len(scopes) <= SCOPES * 4:
        step = queue.pop(0)
        if id(step.node) in steps:
            continue
        steps[id(step.node)] = step
        for loop in program.structure(step.scope).enclosing(step.node, ir.Loop):
            if loop.kind != "comprehension" and not _in_header(loop, step.node):
                found.loops.setdefault(id(loop), (loop, step.scope, []))[2].append(step)
        scopes[id(step.scope)] = step.scope
        for site in program.callers(step.scope) if isinstance(step.scope, ir.Function) else ():
            edges.setdefault(id(step.scope), set()).add(id(site.scope))
            queue.append(Step(site.call, site.scope, step.inferred or site.inferred))
    for key in _in_cycles(edges):
        scope = scopes.get(key)
        if isinstance(scope, ir.Function):
            inside = [step for step in steps.values() if step.scope is scope]
            found.recursions[key] = (scope, inside)
    return found


def _in_header(loop: ir.Loop, node: ir.Node) -> bool:
    """Whether a node stands in what a loop runs over: evaluated once, before it."""
    return loop.source is not None and loop.source.span.contains(node.span)


def _in_cycles(edges: dict[int, set[int]]) -> list[int]:
    """The nodes that can reach themselves, in order of first mention."""
    return [start for start in edges if start in _reachable(edges, start)]


def _reachable(edges: dict[int, set[int]], start: int) -> set[int]:
    seen: set[int] = set()
    stack = list(edges.get(start, ()))
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(edges.get(node, ()))
    return seen


class Extent(NamedTuple):
    """What one pass of a loop or recursion may run: its own nodes, and those of the functions that it calls."""

    own: tuple[ir.Node, ...]
    called: tuple[tuple[ir.Function, tuple[ir.Node, ...]], ...]

    def nodes(self) -> Iterator[ir.Node]:
        """All nodes, its own first."""
        yield from self.own
        for _, nodes in self.called:
            yield from nodes


def extent(program: Program, body: tuple[ir.Node, ...], inner: set[int]) -> Extent:
    """The extent of `body`, leaving out the loops whose ids are in `inner` and the functions they are the body of."""
    own = tuple(_walk_without(body, inner))
    called: dict[int, tuple[ir.Function, tuple[ir.Node, ...]]] = {}
    queue = list(_called(program, own))
    while queue and len(called) < EXTENT:
        function = queue.pop(0)
        if id(function) not in called and id(function) not in inner:
            nodes = tuple(_walk_without(function.body, inner))
            called[id(function)] = (function, nodes)
            queue.extend(_called(program, nodes))
    return Extent(own, tuple(called.values()))


def _walk_without(body: tuple[ir.Node, ...], inner: set[int]) -> Iterator[ir.Node]:
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        if id(node) in inner:
            continue
        yield node
        stack.extend(reversed(tuple(ir.children(node))))


def _called(program: Program, nodes: Iterable[ir.Node]) -> Iterator[ir.Function]:
    for node in nodes:
        if isinstance(node, ir.Call):
            yield from callees(program, node)


def own_calls(scope: ir.Scope) -> Iterator[ir.Call]:
    """The calls of a scope's own code."""
    return (node for node in own_nodes(scope) if isinstance(node, ir.Call))
