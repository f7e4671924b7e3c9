"""What the tools of MCP servers answer with: records, as data or as text, and what their servers say of them.

Follows what a tool returns through the project's own functions, by how it is written. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence, confidence_of
from agent_architecture.model.results import OutputSchema, ServedResult
from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.names.exits import answers
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Func, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.mcp_answered import answered
from agent_architecture.semantics.agents.mcp_listed import RUNNING, listed
from agent_architecture.semantics.conversations.collected import CONFIRMING, SPELLING
from agent_architecture.semantics.conversations.result_checks import returned, returned_at
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.topics.results.hidden_parts import hidden_call
from agent_architecture.semantics.topics.results.served_rows import (
    details,
    has_fields,
    joined_lists,
    lines,
    parted,
    put_in_words,
    rows,
)
from agent_architecture.semantics.topics.results.served_schemas import (
    BLOCKS,
    CONTENT,
    Declared,
    by_type,
    given,
    is_flat,
    is_wrapped,
)
from agent_architecture.semantics.topics.results.served_words import (
    FAILED,
    FIELDS_OF,
    PARSED,
    SENT,
    TEXTUAL,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.callgraph.tool_arguments import Body
    from agent_architecture.semantics.conversations.tool_results import Tools
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

AS_IT_IS: Final = "data"
"""How packs say that a library sends what it is given as data, and makes no schema of a declared type."""
ANSWER: Final = "result"
FRAMED: Final = "jsonrpc"
DEPTH: Final = 5
"""Functions and names that a result is followed through."""


class _Found(NamedTuple):
    """Records in a result; `maker` makes a text of them ("" where they are handed on as they are)."""

    span: Span
    maker: str = ""


def served_results(context: Context, agents: Agents, foreign: Tools) -> tuple[ServedResult, ...]:
    """The results of all tools of MCP servers, by position."""
    reader = _Reader(context, agents, foreign)
    return tuple(reader.of_tool(tool) for tool in agents.all_tools() if tool.annotations is not None)


class _Reader:
    def __init__(self, context: Context, agents: Agents, foreign: Tools) -> None:
        self._context = context
        self._foreign = foreign
        self._program = context.program
        self._agents = agents
        self._makers: dict[Span, Match] = {ir.place_of(match.node): match for match in context.of_kind("tool")}
        by_hand = ((None, found) for found in answered(context))
        every = [found for _, found in (*by_hand, *listed(context))]
        self._objects = {found.node.span: found.entries for found in every}
        self._functions = {found.node.span: found.function for found in every}

    def of_tool(self, tool: Tool) -> ServedResult:
        result = ServedResult(tool.span, tool.name or tool.symbol, tool.framework, tool)
        maker = self._makers.get(tool.span)
        structured = ABSENT if maker is None else effective(self._context, maker, "structured")
        typed = structured.is_known and structured.value is not False
        off = structured.origin is Origin.WRITTEN and structured.value is False
        function = self._agents.code.get(id(tool)) or self._functions.get(tool.span)
        declared = self._declared(tool, maker)
        result = result._replace(written=declared.schema is not OutputSchema.NONE)
        texts: tuple[ir.Expr, ...]
        if function is not None:
            texts = returned(self._program, function)
            if typed and structured.value != AS_IT_IS and declared.schema is OutputSchema.NONE:
                declared = by_type(self._program, function)
        else:
            bodies = self._agents.facts.dispatch.serving(tool.name, tool.span.path)
            texts = tuple(text for body in bodies for text in self._branch(body))
            if not texts:
                result = result._replace(schema=declared.schema, declared_at=declared.span)
                return result._replace(readable=False, located=bool(bodies))
        found = next((f for text in texts if (f := self._records(text, DEPTH)) is not None), None)
        if found is None and function is not None and (spelling := self._spelling(tool.span)) is not None:
            found = spelling if any(self._is_handed_on(text, DEPTH) for text in texts) else None
        if found is None and function is not None and declared.schema is OutputSchema.NONE:
            found = self._promised(function)
        return result._replace(
            schema=OutputSchema.NONE if off else declared.schema,
            declared_at=declared.span,
            hidden=hidden_call(self._context, self._foreign, texts),
            records=None if found is None else found.span,
            maker="" if found is None else found.maker,
            structured=any(self._is_sent(text, DEPTH) for text in texts)
            or (typed and structured.value is not None and _hands_on(found)),
            switched_off=off,
            plain=found is None and bool(texts) and all(self._is_plain(text, DEPTH) for text in texts),
            confidence=confidence_of(tool.degree) if function is not None else Confidence.MEDIUM,
        )

    def _branch(self, body: Body) -> tuple[ir.Expr, ...]:
        """What the code that is picked for a tool answers: what it returns, what it leaves in the name that is
        returned after it, else whatever its function returns.
        """
        nodes = tuple(ir.walk(*body.statements))
        texts = tuple(answers(nodes))
        after = returned(self._program, body.function)
        names = {expr.id for expr in after if isinstance(expr, ir.Name)}
        assigned = [n for n in nodes if isinstance(n, ir.Assign) and isinstance(n.target, ir.Name)]
        left = (n for n in assigned if isinstance(n.target, ir.Name) and n.target.id in names)
        sent = (n for n in nodes if isinstance(n, ir.Map) and any(_is_key(e.key, CONTENT) for e in n.entries))
        kept = (n.value for n in assigned if not n.declares and n.value is not None)
        found = texts or tuple(n.value for n in left if n.value is not None) or after
        return found or tuple(sent) or tuple(kept)

    # ------------------------------------------------------------------------------------------------- what is declared
    def _declared(self, tool: Tool, maker: Match | None) -> Declared:
        if maker is not None:
            stated = effective(self._context, maker, "output_schema")
            if stated.origin is Origin.UNKNOWN:
                return Declared(OutputSchema.UNKNOWN, stated.span)
            if stated.origin is Origin.WRITTEN and stated.value is not None:
                return given(written_values(self._context, maker, "output_schema"), stated)
        entries = self._objects.get(tool.span, {})
        expr = entries.get("outputSchema") or entries.get("output_schema")
        if expr is None:
            return Declared(OutputSchema.NONE)
        return given(self._program.value_of(expr), Setting(Origin.WRITTEN, (), expr.span))

    def _spelling(self, tool: Span) -> _Found | None:
        """What makes a text of whatever the code of a tool answers: `JSON.stringify(await tool.execute(given))`."""
        keys = self._objects.get(tool, {}).keys() & {*RUNNING}
        for name in sorted(SPELLING) if keys else ():
            for site in self._program.calls(name):
                given = site.call.args[0].value if site.call.args else None
                given = given.value if isinstance(given, ir.Await) else given
                if isinstance(given, ir.Call) and isinstance(given.callee, ir.Member) and given.callee.name in keys:
                    return _Found(site.call.span, dotted(site.call.callee) or name)
        return None

    def _is_handed_on(self, expr: ir.Expr, depth: int) -> bool:
        """Whether an answer is what a library gave, or a part of it, and no text."""
        match expr:
            case ir.Await(value=value) | ir.Member(target=value):
                return self._is_handed_on(value, depth)
            case ir.Name() if depth:
                bound = [b.value for b in visible_bindings(self._program, expr) if b.kind != "parameter"]
                return any(value is not None and self._is_handed_on(value, depth - 1) for value in bound)
            case ir.Call(callee=callee):
                return callee_name(callee) not in TEXTUAL and not self._program.callees(expr)
            case _:
                return False

    def _promised(self, function: ir.Function) -> _Found | None:
        """Records that a declared type promises, where the server takes no notice of it."""
        promised = by_type(self._program, function).schema
        return _Found(function.name_span) if promised in {OutputSchema.SHAPED, OutputSchema.ANYTHING} else None

    # ---------------------------------------------------------------------------- the code of the tool
    def _records(self, expr: ir.Node, depth: int, *, text: bool = False) -> _Found | None:
        """Where records are put into an expression; in a `text` only what makes a text of them counts."""
        match expr:
            case ir.Await(value=value) | ir.Spread(value=value):
                return self._records(value, depth, text=text)
            case ir.Template(parts=parts) | ir.Operator(op=ir.Op.ADD | ir.Op.OR | ir.Op.NULLISH, operands=parts):
                return self._first(parts, depth, text=text or isinstance(expr, ir.Template) or expr.op == ir.Op.ADD)
            case ir.Conditional(then=then, otherwise=otherwise):
                return self._first((then, otherwise), depth, text=text)
            case ir.Map():
                return self._in_object(expr, depth, text=text)
            case ir.List(items=items):
                made = self._first(items, depth, text=text)
                if made is None and text and (told := details(items)) is not None:
                    return _Found(told, "lines of its parts")
                return made if made is not None or text or not items or is_flat(items) else _Found(expr.span)
            case ir.Loop(kind="comprehension", body=body) if not text:
                is_mapping = len(body) > 1  # a key and a value
                return _Found(expr.span) if is_mapping else self._first(body, depth, text=False)
            case ir.Name():
                found = [b for b in visible_bindings(self._program, expr) if b.kind != "parameter"]
                values = [b.value for b in found if b.value is not None and not b.steps and depth]
                values += [part for b in found if depth for part in parted(self._program, b)]
                held = self._first(values, depth - 1, text=text)
                if held is None and depth and (grown := self._grown(expr)) is not None:
                    return _Found(grown, "lines of their parts")
                return held
            case ir.Call():
                return self._in_call(expr, depth, text=text)
            case _:
                return None

    def _grown(self, name: ir.Name) -> Span | None:
        """Where a text that a name holds grows by the parts of records."""
        bound = visible_bindings(self._program, name)
        texts = (b.value for b in bound if isinstance(b.value, (ir.Literal, ir.Template)))
        return rows(self._program, name) if any(True for _ in texts) else None

    def _first(self, exprs: Iterable[ir.Node], depth: int, *, text: bool) -> _Found | None:
        return next((f for expr in exprs if (f := self._records(expr, depth, text=text)) is not None), None)

    def _in_object(self, node: ir.Map, depth: int, *, text: bool) -> _Found | None:
        keys = {entry.key.value: entry.value for entry in node.entries if isinstance(entry.key, ir.Literal)}
        if any(ir.is_true(keys[key]) for key in FAILED & keys.keys()):
            return None  # a failure that is told is no record
        sent = next((keys[key] for key in sorted(SENT & keys.keys())), None)
        if sent is not None and not is_wrapped(sent):
            return _Found(node.span)
        if FRAMED in keys:  # how servers that are written by hand put an answer, or say what failed
            return self._records(keys[ANSWER], depth, text=text) if ANSWER in keys else None
        if CONTENT in keys:
            return self._records(keys[CONTENT], depth, text=True)
        if "text" in keys and "type" in keys:
            return self._records(keys["text"], depth, text=True)
        if keys.keys() <= CONFIRMING and node.entries:
            carried = (value for key, value in keys.items() if key != "error" and isinstance(value, ir.Call))
            record = next((call for call in carried if callee_name(call.callee) in FIELDS_OF), None)
            return None if record is None else _Found(record.span)  # else a confirmation, or a failure
        return None if text or not node.entries else _Found(node.span)

    def _in_call(self, call: ir.Call, depth: int, *, text: bool) -> _Found | None:
        name = callee_name(call.callee)
        if name in SPELLING:
            return self._spelled(call, depth)
        if name in {"str", "String"} and call.args and (held := self._records(call.args[0].value, depth)) is not None:
            return held if held.maker else _Found(call.span, name)
        if name == "join":
            if (joined := self._rows(call)) is not None:
                return _Found(joined, "a line for each")
            target = call.callee.target if isinstance(call.callee, ir.Member) else None
            given = lines(self._program, target) if isinstance(target, ir.Name) and depth else ()
            if (held := self._first(given, depth - 1, text=True)) is not None:
                return held
        if name in BLOCKS or (
            isinstance(call.callee, ir.Member) and name in {"join", "filter", "slice", "strip", "trim"}
        ):
            if any(a.keyword in FAILED and ir.is_true(a.value) for a in call.args):
                return None
            if isinstance(call.callee, ir.Member) and name not in BLOCKS:
                return self._records(call.callee.target, depth, text=True)
            return self._first((a.value for a in call.args), depth, text=True)
        if name == "map" and depth:
            made = [a.value for a in call.args if isinstance(a.value, ir.Function)]
            return self._first((t for f in made for t in returned(self._program, f)), depth - 1, text=text)
        callees = self._program.callees(call) if depth else ()
        for function in callees:
            texts = tuple(returned_at(self._program, function, call))
            found = self._first(texts, depth - 1, text=text)
            worded = () if found is not None else put_in_words(call, function, texts)
            found = found or next(
                (_Found(at, how) for at, how, given in worded if self._records(given, depth - 1)), None
            )
            if found is not None:
                return found
        if callees:
            return self._first((a.value for a in call.args), depth - 1, text=True)
        if (passed := self._passed(call)) is not None:
            return self._records(passed, depth, text=text)
        if text:
            return None
        if name in PARSED and isinstance(call.callee, ir.Member | ir.Name):
            return _Found(call.span)
        return _Found(call.span) if self._is_model(call) else None

    def _passed(self, call: ir.Call) -> ir.Expr | None:
        """What a library's own call for results wraps without a change."""
        for api in resolved(self._program, call.callee):
            address = self._context.packs.through(api.path)
            given = () if address is None else expressions(self._program, call, address)
            if given:
                return given[0]
        return None

    def _rows(self, call: ir.Call) -> Span | None:
        """Where one line of several fields is made of each record: `rows.map((r) => `${r.a} ${r.b}`).join("; ")`."""
        joined = [call.callee.target] if isinstance(call.callee, ir.Member) else []
        given = [expr for expr in (*joined, *(a.value for a in call.args)) if not isinstance(expr, ir.Literal)]
        for expr in (*given, *self._handed(given)):
            if isinstance(expr, ir.Name) and (grown := rows(self._program, expr)) is not None:
                return grown
            bound = visible_bindings(self._program, expr) if isinstance(expr, ir.Name) else ()
            for made in (expr, *(b.value for b in bound if b.value is not None and not b.steps)):
                if isinstance(made, ir.Loop) and (found := self._told(made.body)) is not None:
                    return found
                if isinstance(made, ir.Call) and callee_name(made.callee) == "map" and made.args:
                    functions = self._functions_of(made.args[0].value)
                    texts = [text for function in functions for text in returned(self._program, function)]
                    if (found := self._told(texts)) is not None:
                        return found
        return None

    def _told(self, texts: Sequence[ir.Node]) -> Span | None:
        """Where texts tell several parts of one thing: in a line, in lines that are joined, in a function of the
        project's that makes one.
        """
        called = (call for call in texts if isinstance(call, ir.Call))
        made = [text for call in called for f in self._program.callees(call) for text in returned(self._program, f)]
        lists = (part.items for text in (*texts, *made) for part in joined_lists(text))
        return has_fields((*texts, *made)) or next((span for items in lists if (span := details(items))), None)

    def _functions_of(self, expr: ir.Expr) -> tuple[ir.Function, ...]:
        if isinstance(expr, ir.Function):
            return (expr,)
        return tuple(value.function for value in self._program.value_of(expr) if isinstance(value, Func))

    def _handed(self, exprs: Iterable[ir.Expr]) -> Iterator[ir.Expr]:
        """What the project's functions return whose answers are joined, and the lists that are put into one."""
        for expr in exprs:
            bound = visible_bindings(self._program, expr) if isinstance(expr, ir.Name) else ()
            for made in (expr, *(b.value for b in bound if b.value is not None and not b.steps)):
                inner = made.value if isinstance(made, ir.Await) else made
                if isinstance(inner, ir.Call):
                    yield from (text for f in self._program.callees(inner) for text in returned(self._program, f))
                elif isinstance(inner, ir.List):
                    yield from (item.value for item in inner.items if isinstance(item, ir.Spread))

    def _spelled(self, call: ir.Call, depth: int) -> _Found | None:
        """What is made a text of: no record where it is a plain text or a failure."""
        given = call.args[0].value if call.args else None
        if isinstance(given, ir.Map) and self._in_object(given, depth, text=False) is None:
            return None
        if isinstance(given, (ir.Literal, ir.Template)):
            return None
        return _Found(call.span, dotted(call.callee) or callee_name(call.callee))

    def _is_model(self, call: ir.Call) -> bool:
        """Whether a call makes an object of one of the project's classes."""
        return any(isinstance(value, (Instance, ClassValue)) for value in self._program.value_of(call))

    def _is_plain(self, expr: ir.Expr, depth: int) -> bool:
        """Whether an answer is a confirmation or a text: no record is in it."""
        match expr:
            case ir.Literal() | ir.Template():
                return True
            case ir.Map(entries=entries):
                keys = {entry.key.value for entry in entries if isinstance(entry.key, ir.Literal)}
                return bool(keys) and keys <= CONFIRMING and len(keys) == len(entries)
            case ir.Name() if depth:
                bound = [binding.value for binding in visible_bindings(self._program, expr)]
                return bool(bound) and all(v is not None and self._is_plain(v, depth - 1) for v in bound)
            case _:
                return False

    def _is_sent(self, expr: ir.Expr, depth: int) -> bool:
        """Whether the answer has a part for data."""
        match expr:
            case ir.Await(value=value):
                return self._is_sent(value, depth)
            case ir.Conditional(then=then, otherwise=otherwise):
                return self._is_sent(then, depth) or self._is_sent(otherwise, depth)
            case ir.Map(entries=entries):
                return any(isinstance(e.key, ir.Literal) and e.key.value in SENT for e in entries)
            case ir.Name() if depth:
                bound = [binding.value for binding in visible_bindings(self._program, expr)]
                return any(value is not None and self._is_sent(value, depth - 1) for value in bound)
            case ir.Call(args=args):
                if any(argument.keyword in SENT for argument in args):
                    return True
                callees = self._program.callees(expr) if depth else ()
                texts = (text for function in callees for text in returned(self._program, function))
                handed = (argument.value for argument in args if depth)
                return any(self._is_sent(text, depth - 1) for text in (*texts, *handed))
            case _:
                return False


def _hands_on(found: _Found | None) -> bool:
    return found is not None and not found.maker


def _is_key(key: ir.Expr | None, name: str) -> bool:
    return isinstance(key, ir.Literal) and key.value == name
