"""Tools that the model's provider runs: its search, its interpreter, its browser. No code of the project does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.agents.agents import HOSTED
from agent_architecture.semantics.matching.effective import effective

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


def is_run_by_provider(context: Context, agents: Agents, tool: Tool) -> bool:
    """Whether the provider runs a tool: a row says so of what makes it. One that stands there by its name alone is
    told by what it takes here, which is nothing.
    """
    said = context.once(_said).get(tool.span)
    return agents.is_hosted(tool) if said is None else said


def _said(context: Context) -> dict[Span, bool]:
    """What rows say of the tools that they make, by place."""
    found: dict[Span, bool] = {}
    for match in context.of_kind("tool"):
        row = match.row
        states = HOSTED in row.properties or HOSTED in row.defaults or HOSTED in row.constants
        is_hosted = states and effective(context, match, HOSTED).value is True
        found[match.node.span] = found.get(match.node.span, False) or is_hosted
    return found
