"""Which sites a request to a model belongs to: the run that it is, the loop around it, or the run of the graph that has
it in one of its steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.settings import Origin as Told
from agent_architecture.names.flow import Origin, Step
from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


class Askers:
    """The sites of requests, and what the steps of graphs keep of the answers."""

    def __init__(self, context: Context, graphs: Graphs, sites: Iterable[Site], loops: Iterable[HandWritten]) -> None:
        self._context = context
        self._graphs = graphs
        self._sites = tuple(sites)
        self._by_span = {site.span: site for site in self._sites}
        self._in_loops = {id(ask.node): loop.site for loop in loops if loop.site is not None for ask in loop.asks}
        self._states = context.once(States)

    def of(self, request: ir.Node) -> tuple[Site, ...]:
        """The sites whose model answers a request."""
        own = self._in_loops.get(id(request)) or self._by_span.get(request.span)
        return (own,) if own is not None else self._of_graphs(request)

    def _of_graphs(self, request: ir.Node) -> tuple[Site, ...]:
        step = self._context.program.scope_of(request)
        return self._of_step(step) if isinstance(step, ir.Function) else ()

    def _of_step(self, step: ir.Function) -> tuple[Site, ...]:
        graphs = self._graphs.acting(step)
        made = {ir.place_of(graph.node) for graph in self._graphs.around(graphs)}
        return tuple(site for site in self._sites if any(agent.span in made for agent in site.agents))

    def running(self, call: ir.Node, way: tuple[Span, ...]) -> tuple[Site, ...]:
        """The sites that run a graph one of whose steps makes a call, through however many functions, and those that
        stand on the way from a request to it: at the call of the project's own client.
        """
        found = dict.fromkeys(site for step in self._steps_above(call) for site in self._of_step(step))
        return tuple(found | dict.fromkeys(self._by_span[span] for span in way if span in self._by_span))

    def paused(self, call: ir.Node) -> Span | None:
        """Where a graph one of whose steps makes a call waits for a person, before a step or in one."""
        for graph in (graph for step in self._steps_above(call) for graph in self._graphs.acting(step)):
            asked = effective(self._context, graph, "approval")
            if asked.values or asked.origin is Told.UNKNOWN:
                return asked.span or graph.node.span
            for function in self._graphs.functions(graph):
                for each in self._context.program.structure(function).calls:
                    if self._context.at(each, "interrupt") is not None:
                        return each.span
        return None

    def _steps_above(self, call: ir.Node) -> Iterator[ir.Function]:
        known = set(map(id, self._graphs.run_by_steps()))
        scopes = above(self._context.program, [self._context.program.scope_of(call)]) if known else ()
        yield from (scope for scope in scopes if isinstance(scope, ir.Function) and id(scope) in known)

    def reader(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        """A `flow.Reader`: what the steps of a graph put under the key of its state that is read here."""
        del passed
        if isinstance(node, ir.Name):
            return [Step(value) for value in self._states.handed(node)] or None
        read = self._states.read(node) if isinstance(node, (ir.Member, ir.Index, ir.Call)) else None
        return [Step(value) for value in read.values] if read is not None and read.values else None
