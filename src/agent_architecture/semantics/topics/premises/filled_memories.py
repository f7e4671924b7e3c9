"""Memories that their library fills by itself with what agents answered: what is kept there is found again as true.

A crew keeps what its tasks answered; what stands on each of them stands in front of its memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding
from agent_architecture.model.outputs import Premise, Target, Verification
from agent_architecture.model.settings import Origin
from agent_architecture.semantics.adapters.crewai_tasks import members_of, tasks_of
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.memories.library_memories import is_made
from agent_architecture.semantics.topics.verification.checks import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.verification.checks import Verifications

BY_MODELS: Final = "model"
_ORDER: Final = tuple(Verification)


def filled_memories(context: Context, checks: Verifications) -> Iterator[Premise]:
    """Each such memory of facts that outlasts the process; one that documents or turns of a conversation fill is none,
    and what the agents of a crew keep is kept where that is told to the crew.
    """
    memories = tuple(context.of_kind("memory"))
    told = {id(agent.node) for match in memories for agent in members_of(context, match)}
    for match in memories:
        row = match.row
        if (
            id(match.node) in told
            or row.constants.get("fills") != BY_MODELS
            or row.constants.get("holds") != Holding.FACTS
        ):
            continue
        durable = effective(context, match, "durable")
        if durable.origin is Origin.UNKNOWN or True not in durable.values or not is_made(context, match):
            continue
        found = [checks.of_step(task) for task in tasks_of(context, match)]
        check = min(found, key=lambda each: _ORDER.index(each.kind), default=NOTHING)
        symbol = context.symbol(match.node) or called(match.node)
        yield Premise(match.node.span, symbol, row.where.pack, Target.MEMORY, check.kind, check.span)
