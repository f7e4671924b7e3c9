"""What agents depend on that others run, where no call of the project stands: the model of one that is only exported,
its peers on other machines, the servers that it is given the tools of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.matching.effective import effective
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span


def declared(
    agents: Agents, graphs: Graphs, repeating: Collection[Span]
) -> Iterator[tuple[ir.Call, Match | None, str]]:
    """The calls that make such an agent, peer or server, and why it is asked again and again; `repeating` is where
    something goes back to a model.
    """
    context = agents.context
    for match in graphs.exported:
        if isinstance(match.node, ir.Call) and match.node.span in repeating and not have_own_steps(graphs, (match,)):
            yield match.node, match, "in each step of the agent"
    for match in context.of_kind("a2a_client"):
        if isinstance(match.node, ir.Call) and context.at(match.node, "agent") is not None:
            yield match.node, match, "as a peer"
    for match in context.of_kind("agent"):
        given = (value for _, values in agents.bound(match, "tools", "mcp_servers") for value in values)
        for client in context.made_by(given, "mcp_client"):
            if isinstance(client.node, ir.Call) and _is_at_address(effective(context, client, "url")):
                yield client.node, client, "as a server of tools"


def _is_at_address(setting: Setting) -> bool:
    """Whether a setting is an address that can be read: what a file of the user says may be any server's, or none's."""
    return bool(setting.values) and all(isinstance(value, str) and "://" in value for value in setting.values)


def have_own_steps(graphs: Graphs, agents: Iterable[Match]) -> bool:
    """Whether the steps of an agent are the project's own functions, whose calls are judged one by one."""
    return any(map(graphs.is_of_functions, agents))
