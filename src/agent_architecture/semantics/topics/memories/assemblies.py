"""Prompts that code puts together of text from outside: as long as a page, a file or an answer happens to be, unless
something on the way takes a part.

The ways are those of `untrusted_flows`; what a loop or a chat makes longer, and what clients send, is found elsewhere.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Collection
from agent_architecture.model.outputs import Boundary, Slot
from agent_architecture.model.settings import ABSENT, Setting, first_of, written
from agent_architecture.names.exits import is_answer
from agent_architecture.names.flow import origins
from agent_architecture.names.kept_keys import mapping_of
from agent_architecture.names.lookup import only_value, visible_bindings
from agent_architecture.names.mutations import GROWING
from agent_architecture.names.options import keyed
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.trims import is_bounded, is_length, shortens
from agent_architecture.semantics.callgraph.tool_arguments import taken_key
from agent_architecture.semantics.conversations.asked_sizes import is_open_in
from agent_architecture.semantics.conversations.container_names import is_said, words_of
from agent_architecture.semantics.conversations.result_checks import CUTTING, SIZES
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.memory import Memory
    from agent_architecture.model.outputs import UntrustedFlow
    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.conversations.asked_sizes import Asked
    from agent_architecture.semantics.conversations.writers import Writers
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

ORIGINS: Final = frozenset({"web", "mail", "file", "peer", "tool"})
"""Text from outside; what was said or stored before is a conversation or a store."""
MESSAGE: Final = "message"
SLOTS: Final = frozenset({Slot.USER, Slot.SYSTEM})
SHORT: Final = regex(
    r"(?:^|_)(?:\w*name|id|price|date|time|status|type|count|total|url|score|sector|industry|exchange|symbol|currency"
    r"|country|city|number|rate|code|version|size|category|rating|duration|difficulty|level|label|tag|snippet|preview"
    r"|excerpt)$"
)
"""Names of fields that are short, whoever wrote them."""
BRIEF: Final = regex(rf"{SHORT.pattern}|(?:^|_)(?:subject|title|sender)$")
"""The same, with such as are one line, and say nothing beside a text that is cut."""
CUT: Final = "a part of it"
FIELD: Final = "a short field of it"
"""Words for ways on which not all of a text comes."""
CLOSED: Final = frozenset({Boundary.SCHEMA_ONLY, Boundary.QUARANTINED})
PARTS: Final = (
    ir.Name,
    ir.Member,
    ir.Index,
    ir.Template,
    ir.Operator,
    ir.Conditional,
    ir.Loop,
    ir.Call,
    ir.Argument,
    ir.List,
)
"""What a text is written of."""
NEAR: Final = 5
"""Lines before a text in which its parts are taken."""
READS: Final = frozenset({"read", "read_text", "readFile", "readFileSync", "readlines", "readTextFile", "text"})
"""Calls that give all of a file."""
DUMPING: Final = frozenset({"dumps", "stringify"})
"""Calls that write data out as a text."""
JOINING: Final = frozenset({"join", "format"})
MET: Final = (ir.Name, ir.Index, ir.Call, ir.Template, ir.Operator, ir.Loop)
"""What stands at the places of a way."""
SLICING: Final = frozenset({"slice", "substring", "substr"})


def assemblies(
    context: Context,
    writers: Writers,
    flows: Iterable[UntrustedFlow],
    known: Iterable[Memory | Collection],
    tools: Mapping[int, Asked],
) -> Iterator[Collection]:
    """One for each text that is put together, at none of the places of what is `known`; `tools` says by the id of a
    function what a model gives to the tool that it is.
    """
    judged = tuple(known)
    cuts = _Cuts(context.program, tools)
    taken = {(one.span.path, one.span.line) for one in judged}
    said = {(one.span.path, one.symbol.rpartition(".")[2]) for one in judged if is_said(one.symbol.rpartition(".")[2])}
    found: dict[tuple[str, int], Collection] = {}
    for flow in flows:
        if not _is_prompt(flow) or (flow.origin == "file" and not _is_whole(context.program, flow)):
            continue
        if flow.symbol.endswith(MESSAGE) and _is_added(context.program, flow):
            continue
        one = None if _is_of(context.program, flow, said) else _assembled(context, writers, cuts, flow)
        place = ("", 0) if one is None else (one.span.path, one.span.line)
        if one is None or place in taken:
            continue
        before = found.get(place)
        if before is None or one.bound is ABSENT:  # what is whole counts
            found[place] = one
    yield from (found[place] for place in sorted(found))


def _is_of(program: Program, flow: UntrustedFlow, said: set[tuple[str, str]]) -> bool:
    """Whether a text is made of a conversation that is judged where it is kept: `for turn in self.history: …`."""
    nodes = (node for span in flow.trail for node in program.structure(scope_at(program, span)).nodes
             if span.contains(node.span))  # fmt: skip
    return any(isinstance(node, (ir.Member, ir.Name)) and (node.span.path, callee_name(node)) in said for node in nodes)


def _is_prompt(flow: UntrustedFlow) -> bool:
    return not flow.fed and flow.slot in SLOTS and flow.origin in ORIGINS and flow.boundary not in CLOSED


def _is_added(program: Program, flow: UntrustedFlow) -> bool:
    """Whether a message is added to a conversation, or made for somebody who does: that one is judged, as it grows."""
    structure = program.structure(scope_at(program, flow.span))
    made = next((node for node in structure.nodes if node.span == flow.span), None)
    around = () if made is None else tuple(structure.ancestors(made))
    if not around or not isinstance(around[0], ir.List):
        return True
    outside = next((each for each in around if not isinstance(each, (ir.List, ir.Map))), None)
    # The update of a graph's state.
    handed_back = outside is not None and is_answer(outside) and isinstance(around[1], ir.Map)
    return handed_back or any(isinstance(e, ir.Call) and callee_name(e.callee) in GROWING for e in around)


def _is_whole(program: Program, flow: UntrustedFlow) -> bool:
    """Whether the text of a file comes in, and for instructions that of each of several: one is the operator's."""
    scope = scope_at(program, flow.source)
    structure = program.structure(scope)
    reads = [n for n in structure.nodes if isinstance(n, ir.Call) and n.span == flow.source]
    read = next((n for n in reads if callee_name(n.callee) in READS or _is_read(program, n)), None)
    if read is None:
        return False
    return flow.slot is Slot.USER or any(structure.enclosing(read, ir.Loop))


def _is_read(program: Program, opened: ir.Call) -> bool:
    """Whether a file that is opened is read as a text: `with open(path) as file: file.read()`."""
    nodes = program.structure(program.scope_of(opened)).nodes
    names = {callee_name(n.callee) for n in nodes if isinstance(n, ir.Call)}
    return callee_name(opened.callee) == "open" and bool(names & READS)


def _assembled(context: Context, writers: Writers, cuts: _Cuts, flow: UntrustedFlow) -> Collection | None:
    """The text of one flow, where it is put together; None for what is handed on as it is, or of which one short field
    is taken.
    """
    met = [node for span in flow.trail for node in _at(context.program, span)]
    names = [name for node in met for name in _names_in(context.program, node, flow.trail)]
    nodes = [part for node in (*met, *names) for part in _taken_of(context.program, node)]
    made = next((text for node in reversed(met) if (text := _text_of(context.program, node)) is not None), None)
    if made is None or any(_is_short(node) for node in nodes if _near(made, node)):
        return None
    if _takes_short(context.program, flow.source):
        return None
    bound = first_of(map(cuts.of, nodes))
    if bound is ABSENT:
        bound = _few(context.program, made, flow.trail)
    if bound is ABSENT:
        ways = tuple(_ways(context.program, writers, cuts, made, flow.origin))
        if ways and all(way is FIELD for way in ways):
            return None
        cut = next((each for each in ways if isinstance(each, Setting)), ABSENT)
        bound = cut if None not in ways else ABSENT
    return Collection(
        _collected(context.program, flow.trail) or made.span,
        flow.symbol,
        flow.framework,
        assembled=flow.source,
        bound=bound,
        overflow=ABSENT if bound is ABSENT else written("drop", bound.span or made.span),
        confidence=Confidence.MEDIUM if flow.confidence is Confidence.HIGH else flow.confidence,
    )


def _at(program: Program, span: Span) -> Iterator[ir.Expr]:
    """The expressions that stand at a place."""
    for node in program.structure(scope_at(program, span)).nodes:
        if node.span == span and isinstance(node, MET):
            yield node


def _near(made: ir.Expr, node: ir.Expr) -> bool:
    """Whether it stands in the text, or right before it."""
    if made.span.path != node.span.path:
        return False
    return made.span.contains(node.span) or made.span.line - NEAR <= node.span.line <= made.span.line


def _takes_short(program: Program, source: Span) -> bool:
    """Whether of what comes in only short fields are taken where it does: `found = ask(…)`, `found.get("name")`."""
    nodes = program.structure(scope_at(program, source)).nodes
    held = [n.target.id for n in nodes if isinstance(n, ir.Assign) and n.value is not None
            and isinstance(n.target, ir.Name) and n.value.span.contains(source)]  # fmt: skip
    taken = [n for n in nodes if taken_key(n) and _owner(n) in held]  # type: ignore[arg-type]
    return bool(taken) and all(map(_is_short, taken))  # type: ignore[arg-type]


def _owner(node: ir.Node) -> str:
    target = node.callee.target if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) else None
    target = node.target if isinstance(node, ir.Index) else target
    return target.id if isinstance(target, ir.Name) else ""


def _names_in(program: Program, node: ir.Expr, trail: tuple[Span, ...]) -> Iterator[ir.Name]:
    """The names in an expression that hold what comes along the way."""
    for name in (part for part in ir.walk(node) if isinstance(part, ir.Name) and part is not node):
        values = (binding.value for binding in visible_bindings(program, name) if binding.value is not None)
        if any(value.span.path == span.path and value.span.contains(span) for value in values for span in trail):
            yield name


def _taken_of(program: Program, node: ir.Expr) -> Iterator[ir.Expr]:
    """An expression, and what is taken of it where it stands: `page.text.slice(0, 9)`, `found["price"]`."""
    yield node
    for around in program.structure(program.scope_of(node)).ancestors(node):
        match around:
            case ir.Index(target=inner) | ir.Member(target=inner) | ir.Call(callee=inner) if inner is node:
                node = around
                yield node
            case _:
                return


def _text_of(program: Program, node: ir.Expr) -> ir.Expr | None:
    """The text that an expression is put into, where it stands: the outermost of several."""
    around = (node, *program.structure(program.scope_of(node)).ancestors(node))
    inside = takewhile(lambda each: isinstance(each, PARTS), around)
    return next((each for each in reversed(tuple(inside)) if _joins(each)), None)  # type: ignore[arg-type, return-value]


def _joins(node: ir.Expr) -> bool:
    """Whether an expression makes one text of several."""
    match node:
        case ir.Template(parts=parts):
            return len(parts) > 1
        case ir.Operator(op=ir.Op.ADD | ir.Op.MOD, operands=operands):
            return any(isinstance(each, ir.Template) or _is_text(each) for each in operands)
        case ir.Call(callee=callee):
            return callee_name(callee) in JOINING
        case _:
            return False


def _is_text(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and isinstance(expr.value, str)


def _is_short(node: ir.Expr) -> bool:
    """Whether a field is taken whose name says that it is short, or only the names of a table's entries."""
    if isinstance(node, ir.Call) and any(map(mapping_of, (node, *(given.value for given in node.args)))):
        return True
    return SHORT.search(words_of(taken_key(node))) is not None if isinstance(node, (ir.Index, ir.Call)) else False


class _Cuts:
    """What takes a part of a text; a size that a model chooses (`tools`) takes none."""

    def __init__(self, program: Program, tools: Mapping[int, Asked]) -> None:
        self._program = program
        self._tools = tools

    def of(self, node: ir.Expr) -> Setting:
        """A slice, a call that makes it shorter or is told how much; a name that is cut where it is bound."""
        match node:
            case ir.Index(key=ir.Slice()) if is_bounded(node):
                return written("a part", node.span)
            case ir.Call(callee=callee, args=args):
                name = callee_name(callee)
                cuts = name in CUTTING or shortens(node) or (name in SLICING and is_bounded(node))
                return written("a part", node.span) if cuts or any(map(self._is_told, args)) else ABSENT
            case ir.Name():
                bound = visible_bindings(self._program, node)
                values = (each.value for each in bound if each.kind == "assign" and each.value is not None)
                cut = (value for value in values if isinstance(value, (ir.Index, ir.Call, ir.Conditional)))
                return first_of(map(self.of, cut))
            case ir.Conditional(test=test, then=then, otherwise=otherwise) if _asks_length(test):
                parts = (p for e in (then, otherwise) for p in (e.parts if isinstance(e, ir.Template) else (e,)))
                return first_of(map(self.of, (part for part in parts if isinstance(part, (ir.Index, ir.Call)))))
            case ir.Loop(kind="comprehension", source=source) if isinstance(source, (ir.Index, ir.Call)):
                return self.of(source)
            case _:
                return ABSENT

    def _is_told(self, argument: ir.Argument) -> bool:
        """Whether an argument says how much, by its name or among options: `{ limit: 5 }`."""
        sizes = [value for key, value in keyed(self._program, argument.value) if key in SIZES]
        if argument.keyword in SIZES:
            sizes.append(argument.value)
        return any(not is_open_in(self._program, self._tools, size) for size in sizes)


def _asks_length(test: ir.Expr) -> bool:
    """Whether a test compares how long a text is: `text.length > 8000 ? … : text`."""
    return isinstance(test, ir.Operator) and any(is_length(each, lambda _: True) for each in test.operands)


def _few(program: Program, made: ir.Expr, trail: tuple[Span, ...]) -> Setting:
    """The part that a loop takes whose passes each add some of the text: `for i in ranked[:k]: hits.append(…)`."""
    for span in trail:
        for loop in own_nodes(scope_at(program, span), ir.Loop):
            source = loop.source if loop.span.contains(span) else None
            if isinstance(source, ir.Index) and is_bounded(source) and not loop.span.contains(made.span):
                return written("a part", source.span)
    return ABSENT


def _ways(program: Program, writers: Writers, cuts: _Cuts, made: ir.Expr, word: str) -> Iterator[Setting | str | None]:
    """What each way that brings text from outside into a text takes of it: a part, one short field (which says nothing,
    beside a part), or None, all of it. Code far away may cut what it reads: `{ body: mail.text.slice(0, 500) }`.
    """
    met: list[Span] = []

    def read(node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        if isinstance(node, (ir.Index, ir.Call)) and cuts.of(node) is not ABSENT:
            met.append(node.span)
            return CUT
        if BRIEF.search(words_of(taken_key(node))):
            return FIELD
        return writers.read(node, passed)

    for origin in origins(program, made, read):
        if any(entering.origin == word for entering in writers.entering(origin)):
            if CUT in origin.passed:
                yield written("a part", min((span for span in met if span in origin.trail), default=made.span))
            else:
                yield FIELD if FIELD in origin.passed else None


def _collected(program: Program, trail: tuple[Span, ...]) -> Span | None:
    """Where the list is made that a text is joined of, if a loop fills it: the collection that grows; where data is
    written out as a text that has a name.
    """
    for span in trail:
        for store in own_nodes(scope_at(program, span), ir.Assign):
            dump = store.value
            is_dump = isinstance(dump, ir.Call) and callee_name(dump.callee) in DUMPING
            if dump is not None and is_dump and isinstance(store.target, ir.Name) and dump.span.contains(span):
                return dump.span
        for call in program.structure(scope_at(program, span)).calls:
            joins = callee_name(call.callee) == "join" and (span.contains(call.span) or call.span.contains(span))
            names = _lists(call) if joins else ()
            found = next((value for name in names if (value := only_value(program, name)) is not None), None)
            if isinstance(found, ir.Loop) or (isinstance(found, ir.List) and not found.items):
                return found.span
    return None


def _lists(call: ir.Call) -> tuple[ir.Name, ...]:
    """What may be the list of a call that joins: `" ".join(parts)`, `parts.join(" ")`."""
    return tuple(each for each in ir.parts_of(call) if isinstance(each, ir.Name))
