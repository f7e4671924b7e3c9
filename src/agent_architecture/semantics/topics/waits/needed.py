"""What a function has to be given before it comes to a wait: `if not token: return None` stands before the request.

A call that gives it nothing there waits for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.named_functions import given_to
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.presence_tests import is_there
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


class Needed:
    """The parameters that have to be there on every way to a wait of a function, by function."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[int, frozenset[str]] = {}

    def at_wait(self, scope: ir.Scope, wait: Span) -> None:
        """Notes a wait of a function, by the place of its call."""
        calls = self._context.program.structure(scope).calls
        node = next((call for call in calls if call.span == wait), None)
        self._note(scope, self._before(scope, node) if node is not None else frozenset())

    def passes(self, site: CallSite, function: ir.Function) -> bool:
        """Whether a call gives a function all that it needs to come to its wait, as far as can be read."""
        needed = self._known.get(id(function), frozenset())
        given = given_to(self._context.program, site, function) if needed else {}
        return not any(isinstance(value, ir.Literal) and not value.value for value in map(given.get, needed))

    def through(self, site: CallSite) -> None:
        """Notes a call by which another function comes to a wait: what it hands on it has to be given itself."""
        program, needed = self._context.program, self._before(site.scope, site.call)
        for function in program.callees(site.call):
            wanted = self._known.get(id(function), frozenset())
            given = given_to(program, site, function) if wanted else {}
            handed = {value.id for value in map(given.get, wanted) if isinstance(value, ir.Name)}
            needed |= handed & self._own(site.scope)
        self._note(site.scope, needed)

    def _note(self, scope: ir.Scope, needed: frozenset[str]) -> None:
        self._known[id(scope)] = self._known.get(id(scope), needed) & needed

    def _before(self, scope: ir.Scope, node: ir.Node) -> frozenset[str]:
        """The parameters of a function that are there wherever a node of it is reached."""
        own = self._own(scope)
        known = [each for each in conditions_of(self._context).at(node) if isinstance(each, Condition)] if own else []
        return frozenset(name for name in own if any(is_there(one, name) for one in known))

    def _own(self, scope: ir.Scope) -> frozenset[str]:
        """The parameters of a function that are given no other value in it."""
        if not isinstance(scope, ir.Function):
            return frozenset()
        bindings = self._context.program.bindings(scope)
        return frozenset(param.name for param in scope.params if len(bindings.get(param.name, ())) == 1)
