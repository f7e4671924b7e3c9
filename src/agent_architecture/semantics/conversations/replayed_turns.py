"""Messages in which code says again what was said in a conversation that was kept: of each record of it one part as the
user's words, another as the model's.

Says nothing of who keeps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Slot
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.semantics.conversations.prompt_slots import text_slots
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.matching.context import Context

SPEAKERS: Final = frozenset({Slot.USER, Slot.ASSISTANT})
ELEMENT: Final = frozenset({"loop", "parameter"})
"""How a name is bound that stands for one record after the other."""


def replayed_turns(context: Context) -> frozenset[int]:
    """The ids of the nodes of such messages."""
    said: dict[tuple[int, str], dict[Slot, list[int]]] = {}
    for slot in text_slots(context):
        if slot.slot in SPEAKERS:
            for record in _records(context.program, slot):
                said.setdefault(record, {}).setdefault(slot.slot, []).append(id(slot.node))
    both = (speakers for speakers in said.values() if speakers.keys() == SPEAKERS)
    return frozenset(node for speakers in both for nodes in speakers.values() for node in nodes)


def _records(program: Program, slot: TextSlot) -> Iterator[tuple[int, str]]:
    """The records of which a message says a part, by where they are bound, and their names."""
    for node in (part for text in slot.texts for part in ir.walk(text)):
        read = part_read(node)
        if read is not None and isinstance(read.mapping, ir.Name):
            for binding in visible_bindings(program, read.mapping):
                if binding.kind in ELEMENT:
                    yield id(binding.node), binding.name
