"""Which functions belong to agents: they come to a model call or a run, are tools or steps of graphs, or are called by
one of these.

A helper that runs what it is handed (`with_span(name, fn)`) leads from one of its callers to no other. What code only
registers (`app.get("/models", list)`, a timer) it does not run: handlers beside an agent's are none of the agent's.
Files stand beside an agent where one is, where one is imported, or where an agent's file imports them: the rest of an
application (its accounts, payments, mails) is none of its.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.names.call_branches import comes_to
from agent_architecture.names.reached import reached
from agent_architecture.names.select import imports_of
from agent_architecture.semantics.callgraph.handed_functions import coming, is_put_off
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Binding
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context

ACTING: Final = ("run", "model_call", "agent", "graph", "mcp_server", "mcp_client")
"""What makes a file one of an agent's."""
NOTHING: Final = frozenset[str]()
ABOVE: Final = 60
"""Functions above one that is asked for among which an agent is looked for."""
WAYS: Final = 4000
"""Calls on the ways to models; a program with more is not followed to its end."""


class Near:
    """Which functions belong to agents."""

    def __init__(
        self, context: Context, agents: Agents, bindings: Iterable[Binding], steps: Iterable[ir.Function] = ()
    ) -> None:
        self._context = context
        self._program = context.program
        self._agents = agents
        code = agents.code
        self._running: set[int] = set()
        """What comes to a model by calls alone, tools and steps."""
        self._beginning: set[int] = set()
        """What only registers, or starts, what does."""
        self._follow([match.node for match in context.of_kind("run", "model_call") if isinstance(match.node, ir.Call)])
        self._running |= {id(code[id(binding.tool)]) for binding in bindings if id(binding.tool) in code}
        self._running |= set(map(id, steps))
        self._known: dict[int, bool] = {}

    def _follow(self, asks: Iterable[ir.Call]) -> None:
        queue: deque[tuple[ir.Call, ir.Scope, bool]] = deque(
            (node, self._program.scope_of(node), False) for node in asks
        )
        seen = {(id(node), later) for node, _, later in queue}
        while queue and len(seen) <= WAYS:
            node, scope, later = queue.popleft()
            (self._beginning if later else self._running).add(id(scope))
            if not isinstance(scope, ir.Function):
                continue
            run = coming(self._program, scope)
            (self._beginning if later else self._running).update(map(id, run.helpers))
            for site in run.sites:
                further = later or is_put_off(self._program, site)
                if (id(site.call), further) not in seen and comes_to(self._program, site, node):
                    seen.add((id(site.call), further))
                    queue.append((site.call, site.scope, further))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known to come to an agent, so that no function can be told to be none of one's."""
        return not self._running

    def is_beside(self, path: str) -> bool:
        """Whether a file has an agent, is imported where one is, or imports one."""
        return path in self._files

    def is_loaded_with(self, path: str) -> bool:
        """Whether a file stands beside an agent, or is loaded where one is: the settings that a program reads first."""
        return path in self._files or path in self._loaded_with

    @cached_property
    def _imports(self) -> dict[str, frozenset[str]]:
        specifiers = self._program.exports.specifiers
        return {module.path: frozenset(imports_of(specifiers, module)) for module in self._program.modules}

    @cached_property
    def _importing(self) -> frozenset[str]:
        """The files with agents, and those that load them."""
        loaded_by: dict[str, set[str]] = {}
        for path, targets in self._imports.items():
            for target in targets:
                loaded_by.setdefault(target, set()).add(path)
        return frozenset(reached(self._own_files, lambda path: loaded_by.get(path, NOTHING)))

    @cached_property
    def _own_files(self) -> frozenset[str]:
        own = {self._program.module_of(match.node).path for match in self._context.of_kind(*ACTING)}
        return frozenset(own | {function.span.path for function in self._agents.running().values()})

    @cached_property
    def _files(self) -> frozenset[str]:
        return self._importing.union(reached(self._own_files, lambda path: self._imports.get(path, NOTHING)))

    @cached_property
    def _loaded_with(self) -> frozenset[str]:
        return frozenset(reached(self._importing, lambda path: self._imports.get(path, NOTHING)))

    def to_agent(self, scope: ir.Scope) -> bool:
        """Whether a function is one of these, or they call it."""
        if id(scope) not in self._known:
            self._known[id(scope)] = self._climbs(scope)
        return self._known[id(scope)]

    def is_of_others(self, function: ir.Function) -> bool:
        """Whether a function is called from elsewhere alone, or nobody is seen to call it and its file is no agent's:
        the client of a service that takes payments.
        """
        if self.is_empty or self.to_agent(function):
            return False
        return bool(coming(self._program, function).sites) or not self.is_beside(function.span.path)

    def may_reach(self, scope: ir.Scope) -> bool:
        """Whether code may be an agent's: it is, or something on the way to it, in a file beside an agent, is called by
        nobody who can be seen.
        """
        if self.is_empty or self.to_agent(scope):
            return True
        last = (each for each, _ in self._ways(scope) if self._is_last(each))
        return any(self.is_beside(self._program.module_of(each).path) for each in last)

    def _is_last(self, scope: ir.Scope) -> bool:
        return isinstance(scope, ir.Function) and all(site.escapes for site in coming(self._program, scope).sites)

    def _climbs(self, scope: ir.Scope) -> bool:
        return any(
            id(each) in self._running or (not later and id(each) in self._beginning)
            for each, later in self._ways(scope)
        )

    def _ways(self, scope: ir.Scope) -> Iterator[tuple[ir.Scope, bool]]:
        """A scope and what leads to it, nearest first, each with whether only registering does."""
        queue: list[tuple[ir.Scope, bool]] = [(scope, False)]
        seen = {(id(scope), False)}
        for each, later in queue:  # grows
            yield each, later
            for above, further in self._above(each, later) if len(queue) < ABOVE else ():
                if (id(above), further) not in seen:
                    seen.add((id(above), further))
                    queue.append((above, further))

    def _above(self, scope: ir.Scope, later: bool) -> Iterator[tuple[ir.Scope, bool]]:
        """What runs a scope (a class runs where it is written), each with whether only registering leads there."""
        if isinstance(scope, ir.Class):
            yield scope.outer, later
        elif isinstance(scope, ir.Function):
            for site in coming(self._program, scope).sites:
                yield site.scope, later or is_put_off(self._program, site)
