"""By which calls the functions that some statements come to are entered from there: what a helper does for one tool is
made of that tool's arguments, though it does the same for others with theirs.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names.flow_paths import CALLS
from agent_architecture.names.higher_order import callees_on
from agent_architecture.names.structure import own_nodes
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import Program

WAYS: Final = 4
"""Ways into one function that are told apart; of more, the shortest."""
ENTERED: Final = 200
"""Functions, each once for each way in, that are entered from some statements."""

CallPathsIn: TypeAlias = "Mapping[int, tuple[Calls, ...]]"
"""For the id of each function that is entered, the calls on the ways there, outermost first."""


def call_paths_in(program: Program, statements: tuple[ir.Node, ...]) -> CallPathsIn:
    """The ways from these statements into the functions that they come to, the shortest first."""
    return program.kept(_call_paths_in, statements) if statements else {}


def _call_paths_in(program: Program, statements: tuple[ir.Node, ...]) -> CallPathsIn:
    found: dict[int, tuple[Calls, ...]] = {}
    queue: deque[tuple[tuple[ir.Node, ...], Calls]] = deque([(tuple(ir.walk(*statements)), ())])
    for _ in range(ENTERED):
        if not queue:
            break
        nodes, calls = queue.popleft()
        for call in (node for node in nodes if isinstance(node, ir.Call) and len(calls) < CALLS):
            for function in callees_on(program, call, calls) if call not in calls else ():
                known, way = found.get(id(function), ()), (*calls, call)
                if len(known) < WAYS:
                    found[id(function)] = (*known, way)
                    queue.append((tuple(own_nodes(function)), way))
    return found


def call_paths_to(program: Program, ways: CallPathsIn, node: ir.Node) -> tuple[Calls, ...]:
    """The ways to the code around a node: those of the nearest function around it that is entered."""
    scope: ir.Scope | None = program.scope_of(node)
    while isinstance(scope, ir.Function):
        if id(scope) in ways:
            return ways[id(scope)]
        scope = scope.outer
    return ()
