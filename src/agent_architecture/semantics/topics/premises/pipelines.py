"""Pipelines: agents that a framework runs in order, each told what those before it answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Premise, Target, Verification
from agent_architecture.names.values import Const
from agent_architecture.semantics.conversations.state_outputs import KeptAnswers
from agent_architecture.semantics.matching.effective import effective, written_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Handoff
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.boundaries import Boundaries
    from agent_architecture.semantics.topics.verification.checks import Verifications

_ORDER: Final = tuple(Verification)
TASK: Final = "task"
"""The word of `HISTORIES` for an agent that is told nothing of what was said before."""


class Pipelines:
    """Of all pipelines at once."""

    def __init__(self, context: Context, agents: Agents, checks: Verifications, boundaries: Boundaries) -> None:
        self._context = context
        self._agents = agents
        self._checks = checks
        self._answers = KeptAnswers(context, boundaries)
        self._made = {id(agents.agent_of(match)): match for match in context.of_kind("agent")}

    def passed_on(self) -> Iterator[Premise]:
        """One for each agent that hears others of its pipeline, where it is made a part of that: of several the least
        verified.
        """
        for edges in self._lines():
            before: list[Match] = []
            for edge in edges:
                target = self._made[id(edge.target)]
                heard = before if not self._checks.says_nothing(target) else []
                checked = [(self._checks.of_source(one), one.node.span) for one in heard if self._hears(target, one)]
                if checked:
                    check, source = min(checked, key=lambda each: (_ORDER.index(each[0].kind), each[1]))
                    yield Premise(
                        edge.span, edge.symbol, edge.framework, Target.AGENT, check.kind, check.span, source,
                        by_framework=True,
                    )  # fmt: skip
                if target.node not in {one.node for one in before} and not self._checks.says_nothing(target):
                    before.append(target)

    def _lines(self) -> Iterator[list[Handoff]]:
        found: dict[int, list[Handoff]] = {}
        for edge in self._agents.handoffs:
            source = self._made.get(id(edge.source))
            if source is not None and source.row.constants.get("hands_on") is True and id(edge.target) in self._made:
                found.setdefault(id(edge.source), []).append(edge)
        yield from found.values()

    def _hears(self, agent: Match, other: Match) -> bool:
        """Whether an agent is told what another one answered: with the conversation, or where its own instructions have
        a place for it.
        """
        if agent.node is other.node:
            return False
        return not self._is_told_apart(agent) or any(
            f"{{{key}" in text
            for key, kept in self._answers.all().items()
            if any(one.node is other.node for one in kept)
            for text in self._instructions(agent)
        )

    def _is_told_apart(self, agent: Match) -> bool:
        return TASK in map(str, effective(self._context, agent, "hears").values)

    def _instructions(self, agent: Match) -> Iterator[str]:
        for value in written_values(self._context, agent, "instructions"):
            if isinstance(value, Const) and isinstance(value.value, str):
                yield value.value
