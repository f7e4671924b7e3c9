"""Messages of the user that tell a model what to do, since nothing else does: the template of a request without a
system message, whose only text is that one.

Says where such messages stand, and that they are templates; who wrote what fills them is `writers`' to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Slot
from agent_architecture.model.settings import Origin
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.semantics.conversations.prompt_slots import text_slots
from agent_architecture.semantics.conversations.requests import Requests
from agent_architecture.semantics.conversations.written_texts import INSIDE, made_by
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

TOLD: Final = frozenset({"system", "instructions"})
"""Keys of a body beside the messages that tell a model what it is to do."""
WORDS: Final = 8
"""Words of its own from which on a text around others' is a template, and not a label or a greeting."""


def only_messages(context: Context) -> Iterator[tuple[TextSlot, ir.Expr]]:
    """Every place where a request is given a template that is all that its model is told, and the template."""
    requests = context.once(Requests)
    slots = [slot._replace(ask=requests.of_message(slot)) for slot in text_slots(context)]
    other = {id(slot.ask.node) for slot in slots if slot.ask is not None and slot.slot is not Slot.USER}
    asked: dict[int, list[TextSlot]] = {}
    for slot in slots:
        if slot.ask is not None and slot.slot is Slot.USER and id(slot.ask.node) not in other:
            asked.setdefault(id(slot.ask.node), []).append(slot)
    single = [each[0] for each in asked.values() if len(each) == 1]
    sent = [slot for slot in slots if slot.ask is None and slot.slot is Slot.USER and _is_sent_alone(context, slot)]
    for alone in (*single, *sent):
        is_told = alone.ask is None or (_is_whole(context, alone) and _is_bare(context, alone.ask))
        if alone.fill is None and is_told:
            for place in requests.of_slot(alone):
                found = _template(context.program, place.texts[0]) if len(place.texts) == 1 else None
                if found is not None:
                    yield place, found


def _is_whole(context: Context, slot: TextSlot) -> bool:
    """Whether a message is all of a conversation: the text of a request, or the only element of a list."""
    if slot.ask is not None and slot.node is slot.ask.node:
        return True
    around = context.program.structure(context.program.scope_of(slot.node)).parent(slot.node)
    return isinstance(around, ir.List) and len(around.items) == 1


def _is_sent_alone(context: Context, slot: TextSlot) -> bool:
    """Whether a message is the only one of a body that asks a model, whoever sends it: `{model, messages: [x]}`."""
    structure = context.program.structure(context.program.scope_of(slot.node))
    around = structure.parent(slot.node)
    body = next((node for node in structure.ancestors(around) if isinstance(node, ir.Map)), None) if around else None
    if not isinstance(around, ir.List) or len(around.items) != 1 or body is None:
        return False
    keys = {str(entry.key.value) for entry in body.entries if isinstance(entry.key, ir.Literal)}
    return {"model", "messages"} <= keys and not keys & TOLD


def _is_bare(context: Context, ask: Match) -> bool:
    """Whether a request has no instructions: neither of its own nor of an agent that it runs; a program that is an
    agent by itself has those that the project hands it.
    """
    if ask.row.kind == "model_call" or "instructions" in ask.row.properties:
        return effective(context, ask, "instructions").origin is Origin.ABSENT
    agents = run_agents(context, ask)
    return bool(agents) and all(
        agent.node is ask.node and effective(context, agent, "instructions").origin is Origin.ABSENT for agent in agents
    )


def _template(program: Program, text: ir.Expr, left: int = INSIDE) -> ir.Expr | None:
    """Where a text is put together that is words of the project's around something else."""
    pieces = pieces_of(program, text)
    made = tuple(made_by(program, text)) if left else ()
    words = sum(len(piece.split()) for piece in pieces if isinstance(piece, str))
    if words >= WORDS and any(not isinstance(piece, str) for piece in pieces):
        return min(made, key=lambda each: each.span, default=text) if isinstance(text, ir.Name) else text
    found = (_template(program, each, left - 1) for each in (made if not words else ()))
    return next((each for each in found if each is not None), None)
