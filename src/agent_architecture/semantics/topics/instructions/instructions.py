"""What stands where a model is told what to do: system messages, instructions, the template that is all that it is
told, with the texts in them that the project did not write.

Looks at slots alone; who wrote a text is `writers`' to say. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Boundary, Instruction, Slot
from agent_architecture.names.values import Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.passed_templates import filled
from agent_architecture.semantics.conversations.prompt_slots import JUDGED, TextSlot, text_slots
from agent_architecture.semantics.conversations.writers import worst
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.taint import delimiters
from agent_architecture.semantics.taint.boundaries import names_in
from agent_architecture.semantics.topics.instructions.only_messages import only_messages
from agent_architecture.semantics.topics.instructions.run_time_values import RunTimeValues
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.outputs import Entering
    from agent_architecture.names.flow import Origin
    from agent_architecture.semantics.conversations.writers import Writers
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

TOLD: Final = frozenset({"instructions", "instruction", "system_prompt", "systemPrompt", "system_message", "backstory"})
"""Attributes of agents that say what they are to do."""
SETTING: Final = regex(rb"\.(?:instructions?|system_prompt|systemPrompt|system_message|backstory)\s*\+?=[^=]")

_ORDER: Final = tuple(Boundary)


def instructions(context: Context, writers: Writers) -> tuple[Instruction, ...]:
    """Every text that tells a model what it is to do, by position, each once."""
    found: dict[Span, Instruction] = {}
    for each in _Instructed(context, writers).all():
        known = found.get(each.span)
        found[each.span] = each if known is None else _joined(known, each)
    return tuple(found.values())


def _joined(one: Instruction, other: Instruction) -> Instruction:
    """A text that is used more than once, with all that enters it."""
    entering = worst((*one.entering, *other.entering))
    return one._replace(entering=entering, hidden="" if entering else one.hidden or other.hidden)


class _Instructed:
    def __init__(self, context: Context, writers: Writers) -> None:
        self._context = context
        self._writers = writers
        self._late = RunTimeValues(context, writers)

    def all(self) -> Iterator[Instruction]:
        """One for each place where the project decides what the text says."""
        for slot in text_slots(self._context):
            if slot.slot is Slot.SYSTEM and slot.texts:
                yield from map(self._of_slot, self._writers.requests.of_slot(slot))
        for slot, template in only_messages(self._context):
            told = self._of_slot(slot)
            yield told._replace(span=template.span, holder=told.place)
        yield from map(self._of_slot, self._set_later())

    def _set_later(self) -> Iterator[TextSlot]:
        """`agent.instructions = text`: what an agent is told anew."""
        for module in self._context.program.modules:
            file = self._context.program.table.file(module.path)
            if file is None or module.role not in JUDGED or SETTING.search(file.data) is None:
                continue
            scopes = module.code
            for store in (store for scope in scopes for store in self._context.program.structure(scope).stores):
                target = store.target
                if isinstance(target, ir.Member) and target.name in TOLD and store.value is not None:
                    values = self._context.program.value_of(target.target)
                    for made in self._context.made_by(values, "agent")[:1]:
                        pack = made.row.where.pack
                        yield TextSlot(store, Slot.SYSTEM, (store.value,), dotted(target), pack)

    def _of_slot(self, slot: TextSlot) -> Instruction:
        origins = tuple(self._origins(slot))
        entering = [each for around, origin in origins for each in self._writers.entering(origin, around)]
        found = worst((*entering, *self._late.entering(slot)))
        if found and self._is_screened(slot):
            found = tuple(map(_screened, found))
        hidden = "" if found else next((what for _, origin in origins if (what := self._writers.hidden(origin))), "")
        node = _template(slot)
        span = node.name_span if isinstance(node, ir.Function) else node.span
        symbol = slot.symbol or self._context.symbol(node)
        said = self._in_factory(slot) or _written_at(slot, span)
        return Instruction(said, symbol, slot.framework, found, hidden, None if said is span else span)

    def _in_factory(self, slot: TextSlot) -> Span | None:
        """Where the one call that makes many agents says the same to each of them."""
        match = self._context.at(slot.node, "agent")
        if match is None or not match.through:
            return None
        made = match.through[0].span
        own = [text.span for text in slot.texts if made.contains(text.span)]
        return min(own) if own and len(own) == len(slot.texts) else None

    def _is_screened(self, slot: TextSlot) -> bool:
        names = frozenset[str]().union(*map(names_in, slot.texts))
        scope = self._context.program.scope_of(slot.node)
        return self._writers.boundaries.is_checked(scope, slot.node, names)

    def _origins(self, slot: TextSlot) -> Iterator[tuple[Boundary, Origin]]:
        """Where the parts of an instruction begin, with what the text around each says of it."""
        if isinstance(slot.node, ir.Function):
            self._writers.handed.add(id(slot.node))
        for text in (t for given in slot.texts for t in self._said_by(given)):
            if slot.fill is None:
                yield from ((Boundary.NONE, origin) for origin in self._writers.origins(text))
                continue
            for place, calls in filled(self._context, text, slot.fill):
                marked = delimiters.marks(place.before, place.after)
                boundary = Boundary.DELIMITED if marked else Boundary.NONE
                yield from ((boundary, origin) for origin in self._writers.origins(place.expr, calls))

    def _said_by(self, text: ir.Expr) -> tuple[ir.Expr, ...]:
        """A text, or what the function returns that makes it."""
        values = () if isinstance(text, (ir.Literal, ir.Template)) else self._context.program.value_of(text)
        functions = [value.function for value in values if isinstance(value, Func)]
        self._writers.handed.update(map(id, functions))
        structures = [self._context.program.structure(function) for function in functions]
        return tuple(each for structure in structures for each in structure.returns) if functions else (text,)


def _written_at(slot: TextSlot, place: Span) -> Span:
    """Where a call says what the instructions are: its argument, where that has a line of its own."""
    if not isinstance(slot.node, ir.Call) or slot.fill is not None:
        return place
    given = next((text.span for text in slot.texts if place.contains(text.span)), place)
    return place if given.line == place.line else given


def _template(slot: TextSlot) -> ir.Node:
    """Where a text is written: the template of one that a call fills."""
    if slot.fill is None or slot.node is not slot.fill.node:
        return slot.node
    made = slot.fill.api.receiver
    return slot.node if made is None else made.node


def _screened(entering: Entering) -> Entering:
    return entering._replace(boundary=max(entering.boundary, Boundary.SANITISED, key=_ORDER.index))
