"""Graphs under construction: the edges that make an agent's steps repeat, and the agents that deployment files export.

Lifters read edges (each library has its own calls for them); this module answers the questions that sites ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.semantics.effective import library_default

if TYPE_CHECKING:
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match


class Graphs:
    """What lifters found about graphs: `cyclic` by the node of the agent's match (None: not readable), `exports` as
    matches.
    """

    def __init__(self, context: Context, cyclic: dict[int, bool], exports: tuple[Match, ...]) -> None:
        self._context = context
        self._cyclic = cyclic
        self._exports = exports

    def is_cyclic(self, match: Match) -> bool | None:
        """Whether the graph that this agent is compiled from has a cycle; None when it is no graph or not readable."""
        return self._cyclic.get(id(match.node))

    def exported(self) -> tuple[Match, ...]:
        """The agents that a deployment file names, by position."""
        return self._exports

    def run_default(self, match: Match) -> Setting:
        """The step limit that a run of this agent has when nobody writes one: that of its library's run call."""
        path = self._context.packs.canonical(match.api.path)
        for name in ("invoke", "run", "stream"):
            for row in self._context.packs.entities(f"{path}().{name}"):
                if row.kind == "run":
                    return library_default(self._context, match._replace(row=row), "step_limit")
        return ABSENT
