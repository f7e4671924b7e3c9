"""What adapters ask of the agents and tools that are known by then: `agents.Agents` answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.model.system import Agent, Tool
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.syntax import ir


class KnownAgents(Protocol):
    """The agents of the project, and their tools."""

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All agents, by position."""

    @property
    def code(self) -> Mapping[int, ir.Function]:
        """The project's function that a tool runs, by the tool's id."""

    def agent_of(self, match: Match) -> Agent:
        """The agent that a match made."""

    def all_tools(self) -> tuple[Tool, ...]:
        """Every tool: defined as one, or given to an agent."""

    def bound(self, match: Match, *relations: str) -> tuple[tuple[ir.Expr, tuple[Value, ...]], ...]:
        """The elements of a relation of a match, with what each can be."""

    def can_act(self, match: Match) -> bool:
        """Whether a run of this agent can come back to its model."""
