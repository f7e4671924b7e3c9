"""Which sites a request to a model belongs to: the run that it is, the loop around it, or the run of the graph that has
it in one of its steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.flow import Origin, Step
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.system import Site
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context


class Askers:
    """The sites of requests, and what the steps of graphs keep of the answers."""

    def __init__(self, context: Context, graphs: Graphs, sites: Iterable[Site], loops: Iterable[HandWritten]) -> None:
        self._context = context
        self._graphs = graphs
        self._sites = tuple(sites)
        self._by_span = {site.span: site for site in self._sites}
        self._in_loops = {id(ask.node): loop.site for loop in loops if loop.site is not None for ask in loop.asks}
        self._states = States(context)

    def of(self, request: ir.Node) -> tuple[Site, ...]:
        """The sites whose model answers a request."""
        own = self._in_loops.get(id(request)) or self._by_span.get(request.span)
        return (own,) if own is not None else self._of_graphs(request)

    def _of_graphs(self, request: ir.Node) -> tuple[Site, ...]:
        step = self._context.program.scope_of(request)
        graphs = self._graphs.acting(step) if isinstance(step, ir.Function) else ()
        made = {ir.place_of(graph.node) for graph in self._graphs.around(graphs)}
        return tuple(site for site in self._sites if any(agent.span in made for agent in site.agents))

    def reader(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        """A `flow.Reader`: what the steps of a graph put under the key of its state that is read here."""
        del passed
        read = self._states.read(node) if isinstance(node, (ir.Member, ir.Index, ir.Call)) else None
        return [Step(value) for value in read.values] if read is not None and read.values else None
