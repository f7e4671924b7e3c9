"""All that agents remember in a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.effects.memory_writes import by_name
from agent_architecture.semantics.topics.memories.component_states import component_states
from agent_architecture.semantics.topics.memories.containers import kept
from agent_architecture.semantics.topics.memories.kept_files import AgentCode, kept_files
from agent_architecture.semantics.topics.memories.keyed_stores import keyed_stores
from agent_architecture.semantics.topics.memories.library_memories import Stated
from agent_architecture.semantics.topics.memories.logs import logs
from agent_architecture.semantics.topics.memories.named_tables import named_tables
from agent_architecture.semantics.topics.memories.prompt_reads import recalled
from agent_architecture.semantics.topics.memories.session_objects import held
from agent_architecture.semantics.topics.memories.tables import conversations
from agent_architecture.semantics.topics.memories.turn_stores import turn_stores

if TYPE_CHECKING:
    from agent_architecture.model.memory import Collection, Memory, MemoryLimit, MemoryRead, MemoryWrite
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.effects.memory_writes import Put
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.access_paths import Place
    from agent_architecture.semantics.topics.memories.memory import ByHand
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax import ir


class Memories(NamedTuple):
    """What was found, by kind and position."""

    memories: tuple[Memory, ...]
    writes: tuple[MemoryWrite, ...]
    reads: tuple[MemoryRead, ...]
    limits: tuple[MemoryLimit, ...]
    asked: frozenset[int]
    """The ids of the nodes on the ways to what models are asked with."""
    places: frozenset[Place]
    """The containers of hand-written ones."""
    shown: tuple[Collection, ...]
    """What models are sent of tables."""
    named: tuple[Put, ...] = ()
    """What is put into objects that say by their names that they remember."""


def memories(context: Context, agents: Agents) -> Memories:
    """Memories, what is written to them and read, and what keeps conversations small."""
    read = recalled(context)
    stated = Stated(context, agents.facts.effects, read, agents.named_tools.beside("memory"))
    by_class = tuple(logs(context, agents, read))
    in_classes = frozenset(node.span for one in by_class for node in one.put)
    by_flow = (
        *kept(context, read),
        *held(context.program, read),
        *component_states(context.program, read),
        *conversations(context, read),
        *by_class,
        *kept_files(context, agents, read, in_classes),
        *keyed_stores(context, agents.facts.effects, read, in_classes),
    )
    own = AgentCode(context, agents, read)
    tables = tuple(named_tables(context, own, read, _put(by_flow)))
    by_hand = (*by_flow, *tables, *turn_stores(context, own, read, _put((*by_flow, *tables))))
    return Memories(
        (*stated.memories(), *(one.memory for one in by_hand)),
        (*stated.writes(), *(write for one in by_hand for write in one.writes())),
        (*stated.reads(), *(taken for one in by_hand for taken in one.reads())),
        tuple(stated.limits()),
        read.nodes,
        frozenset(one.place for one in by_hand if one.place is not None),
        tuple(collection for one in by_hand for collection in one.shown),
        by_name(context, lambda call: _comes_to_agents(context, own, call)),
    )


def _comes_to_agents(context: Context, own: AgentCode, call: ir.Call) -> bool:
    """Whether what a call reads is for an agent: on the way to its model, or in code that it runs."""
    scope = context.program.scope_of(call)
    return own.reads(call, scope) or own.has(scope)


def _put(found: tuple[ByHand, ...]) -> frozenset[Span]:
    """Where something is put into memories that are found."""
    return frozenset(node.span for one in found for node in one.put)
