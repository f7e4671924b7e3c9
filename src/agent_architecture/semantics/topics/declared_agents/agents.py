"""All agents that are declared in data, each once, by position; what is made in code is none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.topics.declared_agents.entries import agents_in_documents
from agent_architecture.semantics.topics.declared_agents.host_files import agents_in_files

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.system import Agent, Tool
    from agent_architecture.semantics.matching.context import Context


def declared_agents(context: Context, known: Iterable[Agent], tools: Iterable[Tool]) -> tuple[Agent, ...]:
    """The agents of documents and files, without those that are `known` to stand there."""
    places = [agent.span for agent in known]
    found = {agent.span: agent for agent in (*agents_in_documents(context, tools), *agents_in_files(context))}
    new = (one for one in found.values() if not any(at.contains(one.span) for at in places))
    return tuple(sorted(new, key=lambda agent: agent.span))
