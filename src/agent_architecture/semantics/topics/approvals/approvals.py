"""All places where a person is asked, put together: each place once, with all that passes it by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.topics.approvals.arguments import set_by_models
from agent_architecture.semantics.topics.approvals.files import of_files
from agent_architecture.semantics.topics.approvals.questions import questions
from agent_architecture.semantics.topics.approvals.settings import configured
from agent_architecture.semantics.topics.approvals.starts import started

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.approvals import Approval
    from agent_architecture.model.protocols import HostConfig, McpClient
    from agent_architecture.model.system import Binding
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


def approvals(
    context: Context,
    agents: Agents,
    bindings: tuple[Binding, ...],
    configs: Iterable[HostConfig],
    clients: Iterable[McpClient],
) -> tuple[Approval, ...]:
    """Every place where an approval is configured or asked for; what several readers find at one place is one."""
    files = tuple(configs)
    hosted = {client.span for config in files for client in config.clients}
    servers = (client for client in clients if client.span not in hosted)
    known = (*servers, *(client for config in files for client in config.clients))
    found: dict[Span, Approval] = {}
    for one in (
        *configured(context, agents),
        *questions(context, agents, bindings),
        *set_by_models(context, agents),
        *of_files(files, known),
        *started(context),
    ):
        there = found.get(one.span)
        found[one.span] = one if there is None else _joined(there, one)
    return tuple(found.values())


def _joined(one: Approval, other: Approval) -> Approval:
    return one._replace(
        tools=tuple({id(tool): tool for tool in (*one.tools, *other.tools)}.values()),
        open=one.open or other.open,
        bypasses=(*one.bypasses, *other.bypasses),
        unreadable=one.unreadable or other.unreadable,
    )
