"""The conditions on every way from the start of a body of code to a place that it reaches, through the functions of the
project that it calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.condition import either
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Known
    from agent_architecture.semantics.control.conditions import Conditions

FAR: Final = 6
"""Functions inside each other between the start and the place."""


class Ways:
    """The ways through one body of code: statements of a function, and what they call."""

    def __init__(
        self, program: Program, conditions: Conditions, statements: tuple[ir.Node, ...], function: ir.Function
    ) -> None:
        self._program = program
        self._conditions = conditions
        self._function = function
        self._extent = extent(program, statements, set())
        self._sites: dict[int, list[ir.Node]] | None = None
        self._known: dict[tuple[int, int], Known] = {}

    def to(self, place: ir.Node) -> Known:
        """What holds at a place, on every way there."""
        return self._to(place, FAR)

    def _to(self, place: ir.Node, far: int) -> Known:
        key = (id(place), far)
        if key not in self._known:
            here = self._conditions.at(place)
            self._known[key] = (*here, *self._around(self._program.scope_of(place), far - 1))
        return self._known[key]

    def _around(self, scope: ir.Scope, far: int) -> Known:
        if scope is self._function:
            return self._conditions.entering(self._function)
        if far <= 0:
            return ()
        sites = self._sites_of(scope)
        return either([self._to(site, far) for site in sites]) or () if sites else ()

    def _sites_of(self, scope: ir.Scope) -> list[ir.Node]:
        if self._sites is None:
            self._sites = {}
            for node in self.nodes():
                if isinstance(node, ir.Function):
                    self._sites.setdefault(id(node), []).append(node)  # it is run where it is written, or later
                elif isinstance(node, ir.Call):
                    for function in self._program.callees(node):
                        self._sites.setdefault(id(function), []).append(node)
        found = self._sites.get(id(scope), [])
        calls: list[ir.Node] = [site for site in found if isinstance(site, ir.Call)]
        return calls or found

    def nodes(self) -> Iterator[ir.Node]:
        """All nodes of the body, and of what it calls."""
        return self._extent.nodes()
