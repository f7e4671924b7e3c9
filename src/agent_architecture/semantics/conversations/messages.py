"""Messages as hand-written code makes them: mappings with a role, parts that carry a tool's result, and the message
and template objects that packs name.

Says which part of a conversation a text enters; must not know where the text comes from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Slot
from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.names.narrowing import holding
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import FORMAT, argument_named, filled, pieces_of, with_surroundings
from agent_architecture.names.values import ClassValue, Const, Entries, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations import chains
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.packs.addresses import SELF, Address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.string_parts import Piece, Place
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ROLES: Final = {
    "system": Slot.SYSTEM, "developer": Slot.SYSTEM,
    "user": Slot.USER, "human": Slot.USER,
    "tool": Slot.TOOL, "function": Slot.TOOL, "ipython": Slot.TOOL,
    "assistant": Slot.ASSISTANT, "ai": Slot.ASSISTANT, "model": Slot.ASSISTANT,
}  # fmt: skip
"""The words of model APIs and of message libraries."""

CONTENTS: Final = ("content", "parts", "text")
"""Where a message holds what it says."""
HELD: Final = frozenset({"content", "output"})
"""Keys under which records of a conversation hold what was said."""
RESULTS: Final = {
    "function_call_output": ("output",),
    "computer_call_output": ("output",),
    "tool_result": ("content",),
    "tool-result": ("output", "result"),
    "custom_tool_call_output": ("output",),
}
"""Types of parts that carry a tool's result, with the keys that hold it."""
RESPONSES: Final = ("functionResponse", "function_response", "toolResult")
"""Keys of parts that carry a tool's result: Gemini's, Bedrock's."""
NO_TEXT: Final = frozenset({"image", "image_url", "input_image", "media", "file", "input_file", "audio", "video"})
"""Types of parts that are no text."""
KEEPS: Final = regex(r"_?(?:add|append|push|insert|save|store|put)_(?:\w+_)?(?:message|msg|turn)$")
"""What a method is called that puts a message into a conversation."""

SYNTAXES: Final = {
    "format": FORMAT,
    "mustache": regex(r"\{\{-?\s*([A-Za-z_][\w.]*)[^{}]*\}\}"),
    "dollar": regex(r"\$\{?([A-Za-z_]\w*)\}?"),
}
"""How templates of libraries name what fills them."""


class Message(NamedTuple):
    """A message as it is made. `texts` are what it says, in order; `fill` is the call that fills their placeholders."""

    node: ir.Map | ir.Call | ir.List | ir.Function | ir.Index
    slot: Slot
    texts: tuple[ir.Expr, ...]
    symbol: str
    framework: str = ""
    fill: Match | None = None


def messages_of(context: Context, match: Match) -> tuple[ir.Expr, ...]:
    """What a request is given as its messages; nothing where its row does not say."""
    address = match.row.properties.get("messages")
    if address is None or match.arguments is None:
        return ()
    return tuple(expressions(context.program, match.arguments, address))


def entries_of(node: ir.Map) -> dict[str, ir.Expr]:
    """The entries of a mapping by their constant keys; later ones win."""
    return {str(e.key.value): e.value for e in node.entries if isinstance(e.key, ir.Literal)}


# ------------------------------------------------------------------------------------------------------------ mappings
def of_map(program: Program, node: ir.Map) -> Message | None:
    """The message, or the tool result inside one, that a mapping is."""
    return of_entries(program, node, entries_of(node))


def of_object(program: Program, call: ir.Call) -> Message | None:
    """The message that an object of a class of the project is: `Message(role="system", content=text)`; or that a call
    says by its name that it keeps: `chat.add_message(role="system", content=text)`.
    """
    given = {argument.keyword: argument.value for argument in call.args if argument.keyword is not None}
    if "role" not in given:
        return None
    is_made = any(isinstance(value, ClassValue) for value in program.value_of(call.callee))
    return of_entries(program, call, given) if is_made or KEEPS.match(callee_name(call.callee)) else None


def of_entries(program: Program, node: ir.Map | ir.Call, entries: dict[str, ir.Expr]) -> Message | None:
    """The same for a mapping that has these entries in the end."""
    result = _result(program, entries)
    if result is not None:
        return Message(node, Slot.TOOL, (result,), "tool result")
    slot = slot_of(program, entries["role"]) if "role" in entries else None
    texts = tuple(entries[key] for key in CONTENTS if key in entries)[:1]
    return Message(node, slot, texts, f"{slot} message") if slot is not None and texts else None


def _result(program: Program, entries: dict[str, ir.Expr]) -> ir.Expr | None:
    for key in RESPONSES:
        if key in entries:
            return _inner(program, entries[key])
    kind = _constant(program, entries["type"]) if "type" in entries else None
    return next((entries[key] for key in RESULTS.get(kind or "", ()) if key in entries), None)


def _inner(program: Program, expr: ir.Expr) -> ir.Expr:
    """What `functionResponse: {name, response: x}` holds: `x`, not the name."""
    maps = [value for value in program.value_of(expr) if isinstance(value, Entries)]
    found = [
        dict(value.entries)[key] for value in maps for key in ("response", "content") if key in dict(value.entries)
    ]
    return found[0] if found else expr


def slot_of(program: Program, role: ir.Expr) -> Slot | None:
    """The part of a conversation that a role names; None for a role that is only known at run time.

    What is the system's word for one model and the user's for another is the system's.
    """
    word = _constant(program, role)
    if word is not None:
        return ROLES.get(word.lower())
    values = program.value_of(role) if isinstance(role, (ir.Name, ir.Member, ir.Conditional)) else ()
    slots = {ROLES.get(str(value.value).lower()) if isinstance(value, Const) else None for value in values}
    return Slot.SYSTEM if slots in ({Slot.SYSTEM}, {Slot.SYSTEM, Slot.USER}) else None


def _constant(program: Program, expr: ir.Expr) -> str | None:
    if isinstance(expr, ir.Literal):
        return expr.value if isinstance(expr.value, str) else None
    if not isinstance(expr, (ir.Name, ir.Member)):
        return None
    values = program.value_of(expr)
    return values[0].value if len(values) == 1 and isinstance(values[0], Const) and _is_text(values[0]) else None  # type: ignore[return-value]


def _is_text(value: Const) -> bool:
    return isinstance(value.value, str)


def part_read(expr: ir.Expr) -> str:
    """The part of an object that an expression reads: `role` of `turn.role`, `turn["role"]` and `turn.get("role")`."""
    match expr:
        case _ if (read := keyed_read(expr)) is not None:
            return read.key
        case _:
            return dotted(expr).rpartition(".")[2]


def role_found(program: Program, node: ir.Expr) -> Slot | None:
    """Whose message an expression reads the text of, where the code has found that out; None for anything else."""
    reads = isinstance(node, (ir.Member, ir.Index, ir.Call)) and part_read(node) in CONTENTS
    owner = node.callee if reads and isinstance(node, ir.Call) else node
    turn = owner.target if reads and isinstance(owner, (ir.Member, ir.Index)) else None
    for asked in holding(program, turn) if isinstance(turn, ir.Name) else ():
        test = spelled_out(program, asked)
        asks = isinstance(test, ir.Operator) and test.op == ir.Op.EQ and part_read(test.operands[0]) == "role"
        slot = slot_of(program, test.operands[-1]) if asks and isinstance(test, ir.Operator) else None
        if slot is not None:
            return slot
    return _of_case(program, turn) if isinstance(turn, ir.Name) else None


def _of_case(program: Program, turn: ir.Name) -> Slot | None:
    """The role of a message in a branch of `switch (message.role)`."""
    for around in program.structure(program.scope_of(turn)).ancestors(turn):
        if isinstance(around, ir.Match) and part_read(around.subject) == "role" and _begins(around.subject, turn.id):
            inside = (case for case in around.cases if any(node.span.contains(turn.span) for node in case.body))
            slots = [slot_of(program, pattern) for case in inside for pattern in case.patterns]
            return slots[0] if slots else None
    return None


def _begins(expr: ir.Expr, name: str) -> bool:
    owner = expr.target if isinstance(expr, (ir.Member, ir.Index)) else None
    return isinstance(owner, ir.Name) and owner.id == name


def is_converted(program: Program, texts: Iterable[ir.Expr]) -> bool:
    """Whether texts only say in another interface's form what a message says whose role the code looks at."""
    read = (part for text in texts for part in ir.walk(text) if isinstance(part, (ir.Member, ir.Index, ir.Call)))
    return any(role_found(program, part) is not None or _is_by_role(program, part) for part in read)


def _is_by_role(program: Program, node: ir.Expr) -> bool:
    """Whether an expression reads the text of a message in a branch of `switch (message.role)`, whichever it is."""
    turn = node.target if isinstance(node, (ir.Member, ir.Index)) and part_read(node) in CONTENTS else None
    around = program.structure(program.scope_of(turn)).ancestors(turn) if isinstance(turn, ir.Name) else ()
    asked = (each.subject for each in around if isinstance(each, ir.Match))
    return isinstance(turn, ir.Name) and any(part_read(e) == "role" and _begins(e, turn.id) for e in asked)


def is_no_text(program: Program, node: ir.Map) -> bool:
    """Whether a mapping is a part of a message that holds a picture, a sound or a file."""
    entries = entries_of(node)
    return "type" in entries and _constant(program, entries["type"]) in NO_TEXT


# -------------------------------------------------------------------------------------------------------------- objects
def of_match(context: Context, match: Match) -> Iterator[Message]:
    """The messages that a call of a library makes: one, or those of a template that the call fills; what a decorated
    function returns.
    """
    if isinstance(match.node, ir.Function):
        word = ROLES.get(str(match.row.constants.get("role")))
        texts = tuple(context.program.structure(match.node).returns)
        if word is not None and texts:
            yield Message(match.node, word, texts, called(match.node), match.row.where.pack)
    if not isinstance(match.node, ir.Call):
        return
    texts = texts_of(context, match)
    fill = match if "syntax" in match.row.constants else None
    role = effective(context, match, "role").value
    slot = ROLES.get(str(role).lower()) if role is not None else None
    pack = match.row.where.pack
    if slot is not None:
        yield Message(match.node, slot, texts, called(match.node), pack, fill)
    elif fill is not None:
        for text in texts:
            for value in context.program.value_of(text):
                for item in value.items if isinstance(value, Items) else ():
                    yield from _of_item(context, item, fill)


def of_pair(program: Program, item: ir.Expr) -> Message | None:
    """`("user", text)`: a message as libraries take it."""
    if not isinstance(item, ir.List) or len(item.items) != len(("role", "text")):
        return None
    slot = slot_of(program, item.items[0])
    return None if slot is None else Message(item, slot, item.items[1:], f"{slot} message")


def texts_of(context: Context, match: Match) -> tuple[ir.Expr, ...]:
    """The text of a message or template: at its call, or at the call that made the template."""
    address = match.row.properties.get("content")
    if address is None or not isinstance(match.node, ir.Call):
        return ()
    made = _maker(context, match)
    found: list[ir.Expr] = []
    for steps in address.alternatives:
        if steps and steps[0] == SELF:
            alone = Address((steps[1:],))
            found.extend(expressions(context.program, made, alone) if isinstance(made, ir.Call) else ())
        else:
            found.extend(expressions(context.program, match.node, Address((steps,))))
    return tuple(found)


def _maker(context: Context, match: Match) -> ir.Node | None:
    """The call that made a template; calls that give the same template back, some of it filled, are none."""
    steps = tuple(receivers(match.api))
    same = [step for step in steps if context.packs.canonical(step.path) == context.packs.canonical(steps[0].path)]
    return same[-1].node if same else None


def _of_item(context: Context, item: ir.Expr, fill: Match) -> Iterator[Message]:
    """One element of a chat template: a pair of role and text, a mapping, or an object."""
    program = context.program
    if isinstance(item, ir.List):
        pair = of_pair(program, item)
        if pair is not None:
            yield pair._replace(framework=fill.row.where.pack, fill=fill)
    elif isinstance(item, ir.Map):
        message = of_map(program, item)
        if message is not None:
            yield message._replace(fill=fill)
    elif isinstance(item, ir.Call):
        for made in context.all_at(item, "prompt"):
            yield from (message._replace(fill=fill) for message in of_match(context, made))


def is_turn(context: Context, expr: ir.Expr) -> bool:
    """Whether an expression is a turn of a conversation, whoever speaks in it: `{"role": who, "content": text}`."""
    match expr:
        case ir.Map():
            entries = entries_of(expr).keys()
            return "role" in entries and any(key in entries for key in CONTENTS)
        case ir.List():
            return of_pair(context.program, expr) is not None
        case ir.Call():
            makers = context.all_at(expr, "prompt")
            is_made = any(ROLES.get(str(made.row.constants.get("role"))) is not None for made in makers)
            return is_made or of_object(context.program, expr) is not None
        case _:
            return False


# ------------------------------------------------------------------------------------------------------------ templates
def places_in(context: Context, text: ir.Expr, fill: Match) -> tuple[Place, ...]:
    """What fills a library's template, each with the constant text around it; nothing where it cannot be read.

    Of a template that may also come from outside (a setting with a default), what can be read counts.
    """
    program, call = context.program, fill.node
    if not isinstance(call, ir.Call):
        return ()
    pattern = SYNTAXES[str(fill.row.constants["syntax"])]

    def lookup(name: str) -> ir.Expr | None:
        root = name.partition(".")[0].strip()
        return chains.given(program, call, root) or argument_named(program, call, root)

    whole = pieces_of(program, text)
    readable = [whole] if any(isinstance(piece, str) for piece in whole) else _alternatives(program, text)
    return tuple(place for pieces in readable for place in with_surroundings(filled(pieces, pattern, lookup)))


def _alternatives(program: Program, text: ir.Expr) -> list[tuple[Piece, ...]]:
    values = program.value_of(text)
    return [(value.value,) for value in values if isinstance(value, Const) and isinstance(value.value, str)]
