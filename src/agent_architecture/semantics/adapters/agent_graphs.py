"""Graphs that a library's call makes as agents: one by the node of each, with what counts its cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.adapters.langgraph_counters import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from agent_architecture.semantics.adapters.graphs import Built
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def agent_graphs(
    context: Context, makers: Container[str], drawn: Callable[[Context, Match], Built]
) -> dict[int, Built]:
    """The graph of every agent that a call of `makers` (canonical paths) makes, as `drawn` reads it, by the node."""
    found: dict[int, Built] = {}
    for match in context.of_kind("agent"):
        if context.packs.canonical(match.api.path) in makers:
            graph = found[id(match.node)] = drawn(context, match)
            graph.bound = counted(context, match, graph)
    return found
