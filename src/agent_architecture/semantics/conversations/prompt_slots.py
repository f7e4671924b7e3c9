"""Every place where a text enters a conversation: messages as code makes them, prompts that model calls and runs are
given, instructions.

Looks only where a message can stand: packs' calls, and the functions whose text has a message's words in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Slot
from agent_architecture.names.lookup import mentions, visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Entries, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.conversations import chains, messages
from agent_architecture.semantics.conversations.client_events import is_shown
from agent_architecture.semantics.conversations.passed_templates import each_template
from agent_architecture.semantics.conversations.returned_messages import is_passed_back
from agent_architecture.semantics.effects.records import is_page
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.sources.languages import is_notebook
from agent_architecture.sources.source import Language, Role, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.conversations.messages import Message
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

WORDS: Final = regex(
    rb"\brole\b|function_call_output|computer_call_output|tool_result|tool-result|functionResponse|function_response"
    rb"|toolResult|content[\"']\]\s*="
)
"""What the text of a function has in it that makes a message by hand."""
ADDING: Final = frozenset({"append", "push", "insert"})
JUDGED: Final = frozenset({Role.APP, Role.EXAMPLE, Role.CONFIG})
CODE: Final = frozenset({Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX, Language.NOTEBOOK})
ASKING: Final = ("model_call", "run")
ANSWERING: Final = ("agent", "exported", "model_call", "run")
INSTRUCTED: Final = ("agent", "model_call", "run")


class TextSlot(NamedTuple):
    """A place where text enters a conversation. `ask` is the model call that reads it, where that can be told."""

    node: ir.Node
    slot: Slot
    texts: tuple[ir.Expr, ...]
    symbol: str
    framework: str
    fill: Match | None = None
    ask: Match | None = None


def text_slots(context: Context) -> tuple[TextSlot, ...]:
    """All places, each once."""
    return context.once(_slots)


def each_once(context: Context, slots: Iterable[TextSlot]) -> Iterator[TextSlot]:
    """The places without those where a function says again, in the same part, what it has put into a message before:
    the prompt that it sends, and then keeps in the conversation.
    """
    said: set[tuple[int, Slot, str]] = set()
    for slot in sorted(slots, key=lambda each: each.node.span):
        names = [text.id for text in slot.texts if isinstance(text, ir.Name)]
        key = id(context.program.scope_of(slot.node)), slot.slot, " ".join(names)
        if slot.ask is None and slot.fill is None and len(names) == len(slot.texts) == 1 and key in said:
            continue
        said.add(key)
        yield slot


def _slots(context: Context) -> tuple[TextSlot, ...]:
    slots: dict[tuple[int, Slot], TextSlot] = {}
    for found in (*_written(context), *_made(context), *_piped(context), *_asked(context), *_instructed(context)):
        slots.setdefault((id(found.node), found.slot), found)
    return tuple(slots.values())


# ---------------------------------------------------------------------------------------------------- messages by hand
def _written(context: Context) -> Iterator[TextSlot]:
    """Messages as mappings and objects. In a program that asks no model (a page that talks to its own server), what the
    server answered is the assistant's, and nobody else's words; a tool's result is only shown there.
    """
    asking = context.files_of(*ANSWERING)
    programs = context.once(Programs)
    for module in context.program.modules:
        file = context.program.table.file(module.path)
        if file is None or module.role not in JUDGED or module.language not in CODE:
            continue
        for scope in _scopes(context, module, file.data):
            for node in context.program.structure(scope).nodes:
                for message in _at(context, node):
                    is_others = message.slot is Slot.ASSISTANT or (
                        message.slot is Slot.TOOL and is_page(context, module.path)
                    )
                    if not is_others or programs.load_any(module.path, asking):
                        yield _slot(message, _asking(context, scope, node))


def _scopes(context: Context, module: ir.Module, data: bytes) -> tuple[ir.Scope, ...]:
    """The scopes in whose own code a message's word stands; of a notebook, whose lines are its cells', all."""
    if is_notebook(module.path):
        return (*module.code, *module.index.classes)
    places = [found.start() for found in WORDS.finditer(data)]
    starts = [0, *(found.end() for found in re.finditer(rb"\n", data))] if places else []
    lines = {bisect_right(starts, place): place for place in places}
    scopes: dict[ir.Scope, None] = {}
    for line, at in lines.items():
        column = len(data[starts[line - 1] : at].decode("utf-8", "replace")) + 1
        here = Span(module.path, line, column, line, column + 1)
        scopes[context.program.scope_of(ir.Name(here, ""))] = None
    return tuple(scopes)


def _at(context: Context, node: ir.Node) -> Iterator[Message]:
    if isinstance(node, ir.Map):
        message = messages.of_map(context.program, node)
        is_result = message is not None and message.slot is Slot.USER and is_passed_back(context, node)
        if message is not None and not is_result and not is_shown(context, node):
            yield message
    elif isinstance(node, ir.Call):
        message = messages.of_object(context.program, node)
        if message is not None and (message.slot is Slot.SYSTEM or _is_asked(context, node, message)):
            yield message  # of the others others know more: tools, runs, packs
    elif isinstance(node, ir.Assign) and isinstance(node.target, ir.Index) and node.value is not None:
        yield from _given_later(context, node.target, node.value)


def _is_asked(context: Context, made: ir.Call, message: Message) -> bool:
    """Whether a message object of the project's is what a user says: put into a list, and no record that is kept."""
    if message.slot is not Slot.USER or messages.KEEPS.match(callee_name(made.callee)):
        return False
    around = context.program.structure(context.program.scope_of(made)).parent(made)
    return isinstance(around, ir.List) or (isinstance(around, ir.Call) and callee_name(around.callee) in ADDING)


def _given_later(context: Context, target: ir.Index, word: ir.Expr) -> Iterator[Message]:
    """`message["role"] = "tool"`, `turns[0]["content"] = text`: a message whose role, or part whose type, is decided
    after it was made, or that says something else then.
    """
    if not isinstance(target.key, ir.Literal) or target.key.value not in {"role", "type", "content"}:
        return
    says = target.key.value == "content"
    if says and not _is_one(context, target.target):
        return
    for value in context.program.value_of(target.target):
        if isinstance(value, Entries) and isinstance(value.node, ir.Map):
            known = {**dict(value.entries), str(target.key.value): word}
            message = messages.of_entries(context.program, value.node, known)
            if message is not None:
                yield message._replace(node=target) if says else message


def _is_one(context: Context, turn: ir.Expr) -> bool:
    """Whether an expression is one message of the code's own, not each message of a conversation in turn."""
    if isinstance(turn, ir.Index):
        return isinstance(turn.key, ir.Literal)
    bound = visible_bindings(context.program, turn) if isinstance(turn, ir.Name) else ()
    return bool(bound) and all(isinstance(each.value, ir.Map) for each in bound)


def _slot(message: Message, ask: Match | None) -> TextSlot:
    return TextSlot(message.node, message.slot, message.texts, message.symbol, message.framework, message.fill, ask)


def _asking(context: Context, scope: ir.Scope, node: ir.Node) -> Match | None:
    """The model call that a message is made for: the one around it, or the one that is given the list it stands in."""
    structure = context.program.structure(scope)
    for around in structure.ancestors(node):
        if isinstance(around, ir.Call):
            found = context.at(around, *ASKING)
            if found is not None:
                return found
        if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name):
            return _given(context, scope, around.target.id)
    return None


def _given(context: Context, scope: ir.Scope, name: str) -> Match | None:
    for call in context.program.structure(scope).calls:
        found = context.at(call, *ASKING)
        if found is not None and any(mentions(argument.value, name) for argument in call.args):
            return found
    return None


# ----------------------------------------------------------------------------------------------------- what packs name
def _made(context: Context) -> Iterator[TextSlot]:
    """Message objects, and the messages of templates at the call that fills them."""
    for match in context.of_kind("prompt"):
        if context.program.module_of(match.node).role in JUDGED:
            ask = _asking(context, context.program.scope_of(match.node), match.node)
            for filled in each_template(context, match):
                for message in messages.of_match(context, filled):
                    own = context.at(match.node, *ASKING) if message.fill is filled else None
                    yield _slot(message, own or ask)


def _piped(context: Context) -> Iterator[TextSlot]:
    """The messages of a template that stands in a chain before the model: `prompt.pipe(model).invoke(given)`."""
    for match in context.of_kind("model_call"):
        if not isinstance(match.node, ir.Call) or context.at(match.node, "prompt") is not None:
            continue
        target = match.node.callee.target if isinstance(match.node.callee, ir.Member) else None
        for link in chains.links(context.program, target) if target is not None else ():
            for value in context.program.value_of(link) if link is not target else ():
                for row in context.packs.entities(f"{value.path}.invoke") if isinstance(value, Api) else ():
                    if row.kind == "prompt" and isinstance(value, Api):
                        filling = match._replace(row=row, api=Api(f"{value.path}.invoke", match.node, value))
                        yield from (_slot(found, match) for found in messages.of_match(context, filling))


def _asked(context: Context) -> Iterator[TextSlot]:
    """A prompt that is given as a text: it is what the user says; messages that are pairs of role and text."""
    for match in context.of_kind(*ASKING):
        for text in _property(context, match, "messages"):
            values = context.program.value_of(text)
            for value in values:
                for item in value.items if isinstance(value, Items) else ():
                    pair = messages.of_pair(context.program, item)
                    if pair is not None:
                        yield _slot(pair, match)
            if not any(isinstance(value, (Items, Entries)) or _has_messages(context, value) for value in values):
                yield TextSlot(match.node, Slot.USER, (text,), called(match.node), match.row.where.pack, None, match)


def _has_messages(context: Context, value: Value) -> bool:
    """Whether a text is a template of messages that a call filled: each of them is a place of its own."""
    filled = context.at(value.node, "prompt") if isinstance(value, Api) else None
    return filled is not None and any(each.fill is filled for each in messages.of_match(context, filled))


def _instructed(context: Context) -> Iterator[TextSlot]:
    for match in context.of_kind(*INSTRUCTED):
        texts = tuple(_property(context, match, "instructions"))
        if texts:
            ask = match if match.row.kind != "agent" else None
            yield TextSlot(match.node, Slot.SYSTEM, texts, called(match.node), match.row.where.pack, None, ask)


def _property(context: Context, match: Match, name: str) -> Iterator[ir.Expr]:
    """The expressions of a property at the match's own call."""
    address = match.row.properties.get(name)
    if address is not None and match.arguments is not None:
        yield from expressions(context.program, match.arguments, address)
