"""Checks in the code that makes a result: declared types, status checks, cuts. One question a function.

A check counts wherever it stands in the code: whether every way passes it is not compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers
from agent_architecture.names.higher_order import run_for
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.numbers import MAKING
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Const, Entries
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.trims import shortens
from agent_architecture.semantics.control.argument_tests import says_no
from agent_architecture.semantics.conversations.asked_sizes import is_open
from agent_architecture.semantics.conversations.written_keys import holds_raw, writes_keys
from agent_architecture.semantics.effects.records import only_says
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.substitutions import made_once
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.conversations.asked_sizes import Asked
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

PROMISES: Final = frozenset({"Promise", "Awaitable", "Coroutine", "Annotated", "Optional", "PromiseLike"})
ANYTHING: Final = frozenset({
    "str", "Any", "object", "None", "string", "any", "unknown", "void", "undefined", "null", "Text", "NoneType",
    "never",
})  # fmt: skip
"""Types that say nothing of what a result looks like."""
TEXT: Final = frozenset({"str", "string", "Text"})
HOLDING: Final = frozenset({
    "dict", "Dict", "list", "List", "Mapping", "Sequence", "tuple", "Tuple", "set", "Iterable", "Array", "Record",
    "Map", "Object", "JsonValue", "JSONValue", "OrderedDict", "MutableMapping",
})  # fmt: skip
"""Types that hold others, and say of themselves nothing of what is in them."""
PLAIN: Final = frozenset(
    {"bool", "int", "float", "boolean", "number", "Literal", "Decimal", "datetime", "date", "UUID"}
)
"""Types of values that need no check."""
DIGESTS: Final = ("py:hashlib.", "py:hashlib:", "py:hmac.", "py:hmac:")
"""Modules whose `hexdigest` is a number, as it is written."""
TELLING: Final = frozenset({
    "raise_for_status", "status_code", "status", "ok", "returncode", "exit_code", "exitCode", "is_success", "is_error",
    "isError", "stderr", "raiseForStatus", "error_for_status", "statusCode", "validateStatus",
})  # fmt: skip
"""Members by which an answer says whether it failed."""
STARTING: Final = frozenset({"Popen", "create_subprocess_exec", "create_subprocess_shell", "spawn"})
"""Calls that start a program and do not wait for it."""
FLAGS: Final = frozenset({"error", "errors", "success"})
"""Keys under which it says so."""
SIZES: Final = frozenset({
    "max_results", "limit", "top_k", "k", "n_results", "num_results", "max_length", "max_chars", "max_characters",
    "per_page", "page_size", "maxResults", "topK", "maxLength", "maxChars", "numResults", "perPage", "pageSize",
    "first", "max_tokens", "maxTokens", "max_output_tokens", "maxOutputTokens", "take",
    "number_of_results", "num", "maxBuffer", "size",
    "chars_max", "max_bytes",
})  # fmt: skip
"""What a call or request is told that bounds what comes back."""
COUNTED: Final = frozenset({"islice", "fetchmany", "head", "nlargest", "shorten", "substring"})
"""Calls that are told the size last."""
BUFFER: Final = "maxBuffer"
BUFFERED: Final = 1024 * 1024
"""What Node lets a program answer by itself (`child_process.exec`, lib/child_process.js:MAX_BUFFER): more is no cut."""
CUTTING: Final = frozenset({"substring", "substr", "islice", "fetchone", "fetchmany", "head", "shorten", "nlargest"})
"""Calls that give a part of bounded size."""
KINDS: Final = frozenset({"isinstance", "Array.isArray"})
"""Calls that ask of what kind something is."""
PARTS: Final = frozenset({"substring", "substr", "islice", "head", "nlargest"})
"""Those of them that are a part of what they are called on, or given."""
PARSING: Final = frozenset(
    {"model_validate", "model_validate_json", "parse_obj", "parse_raw", "validate_python", "safeParse"}
)
LIMITED: Final = regex(
    r"(?i)\blimit\s+(?:\d+|\?|%s|\$\d|:\w+|\{)|[?&](?:limit|per_page|count|rows|size|n|max_results|pageSize)="
)
"""A statement or address that asks for so many."""


class Bounding(NamedTuple):
    """What keeps a result small: where it stands, and the part that is taken; None where less is asked for."""

    span: Span
    part: ir.Expr | None = None


def returned(program: Program, function: ir.Function) -> tuple[ir.Expr, ...]:
    """What a function returns or yields."""
    structure = program.structure(function)
    return (*structure.returns, *(inner.value for inner in structure.yields if inner.value is not None))


def returned_at(program: Program, function: ir.Function, call: ir.Call) -> Iterator[ir.Expr]:
    """What a function returns to one call: where it hands on what a function returned that the call gave it, that."""
    for text in returned(program, function):
        made: ir.Expr | None = made_once(program, text) if isinstance(text, ir.Name) else text
        made = made.value if isinstance(made, ir.Await) else made
        own = (
            run_for(program, made.callee, lambda f, _: _made_by(program, f, call))
            if isinstance(made, ir.Call)
            else None
        )
        if own is None:
            yield text
        for inner in sorted(own or (), key=lambda each: each.span):
            yield from returned(program, inner)


def _made_by(program: Program, function: ir.Function, call: ir.Call) -> tuple[CallSite, ...]:
    return tuple(site for site in program.callers(function) if site.call is call)


def result_type(function: ir.Function) -> ir.Expr | None:
    """The declared type of a result, without what only says that it comes later."""
    annotation = function.returns
    while isinstance(annotation, ir.Index) and callee_name(annotation.target) in PROMISES:
        annotation = annotation.key.items[0] if isinstance(annotation.key, ir.List) else annotation.key
    return annotation


def declares_type(function: ir.Function) -> bool:
    """Whether the type of the result is declared, and more than text or anything."""
    annotation = result_type(function)
    if annotation is None:
        return False
    return any(_says_something(part) for part in _either(annotation))


def fixes_type(function: ir.Function) -> bool:
    """Whether the declared type says what a result looks like: `dict[str, Any]` holds whatever was answered."""
    annotation = result_type(function)
    return annotation is not None and any(_names_parts(part) for part in _either(annotation))


def _either(annotation: ir.Expr) -> tuple[ir.Expr, ...]:
    is_choice = isinstance(annotation, ir.Operator) and annotation.op == ir.Op.BITOR
    return annotation.operands if is_choice and isinstance(annotation, ir.Operator) else (annotation,)


def _names_parts(part: ir.Expr) -> bool:
    match part:
        case ir.Index(target=target, key=key) if callee_name(target) in HOLDING:
            inner = key.items[-1] if isinstance(key, ir.List) else key
            return any(callee_name(each) in TEXT or _names_parts(each) for each in _either(inner))
        case ir.Name() | ir.Member():
            return callee_name(part) not in HOLDING and _says_something(part)
        case _:
            return _says_something(part)


def _says_something(part: ir.Expr) -> bool:
    match part:
        case ir.Literal(value=str() as quoted):
            return quoted.split("[")[0].split(".")[-1].strip() not in ANYTHING
        case ir.Literal():
            return False
        case ir.Name() | ir.Member() | ir.Index():
            return callee_name(part.target if isinstance(part, ir.Index) else part) not in ANYTHING
        case _:
            return isinstance(part, ir.Map)


def is_plain(program: Program, function: ir.Function) -> bool:
    """Whether the result is a flag, a number, or one of some constants."""
    annotation = result_type(function)
    if annotation is not None:
        parts = (part for part in _either(annotation) if not isinstance(part, ir.Literal))
        names = [callee_name(part.target if isinstance(part, ir.Index) else part) for part in parts]
        if names and all(name in PLAIN for name in names):
            return True
    texts = [text for text in returned(program, function) if not _is_number(program, text)]
    values = [value for text in texts for value in program.value_of(text)]
    return all(isinstance(value, Const) for value in values)


def _is_number(program: Program, text: ir.Expr) -> bool:
    """Whether a result is made a number or a flag: `int(answer.text)`, `sha256(data).hexdigest()`."""
    if isinstance(text, ir.Call) and callee_name(text.callee) == "hexdigest":
        values = program.value_of(text.callee)
        return bool(values) and all(isinstance(value, Api) and value.path.startswith(DIGESTS) for value in values)
    if not isinstance(text, ir.Call) or not isinstance(text.callee, ir.Name) or text.callee.id not in MAKING:
        return False
    return not any(visible_bindings(program, text.callee))


def silent_call(context: Context, nodes: Iterable[ir.Node]) -> ir.Call | None:
    """A call that raises nothing where what it asks for fails, unless it is told to."""
    for node in nodes:
        if isinstance(node, ir.Call) and not any(a.keyword in {"check", "raise_for_status"} for a in node.args):
            for api in resolved(context.program, node.callee):
                if any(mark.covers == "silent" for mark in context.packs.marks(api.path)):
                    return node
    return None


def failing(
    context: Context, groups: Iterable[tuple[ir.Node, ...]], everywhere: tuple[tuple[ir.Node, ...], ...]
) -> tuple[Span | None, Span | None]:
    """The first call that answers where it fails in a function that does not ask whether it did, else the first of
    all; and what asks. What a program that is left running answers is asked anywhere.
    """
    asked: tuple[Span | None, Span | None] = (None, None)
    for nodes in groups:
        silent = silent_call(context, nodes)
        if silent is not None:
            started = callee_name(silent.callee) in STARTING
            places = everywhere if started else (nodes,)
            telling = next((found for place in places if (found := tells_failure(place)) is not None), None)
            if telling is None:
                return silent.span, None
            asked = silent.span, telling
    return asked


def tells_failure(nodes: Iterable[ir.Node]) -> Span | None:
    """Where the code asks an answer whether it failed."""
    for node in nodes:
        match node:
            case ir.Member(name=name, name_span=span) if name in TELLING:
                return span
            case ir.Index(key=ir.Literal(value=str() as key)) if key in TELLING | FLAGS:
                return node.span
            case ir.Call(callee=ir.Member(name="get"), args=(key, *_)) if _is_flag(key.value):
                return node.span
            case ir.Call(callee=ir.Name(id="getattr"), args=(_, key, *_)) if _is_flag(key.value):
                return node.span
            case ir.Map(entries=entries):
                told = [
                    e.key.span for e in entries if isinstance(e.key, ir.Literal) and e.key.value == "validateStatus"
                ]
                if told:
                    return told[0]
            case _:
                continue
    return None


def _is_flag(key: ir.Expr) -> bool:
    return isinstance(key, ir.Literal) and key.value in TELLING | FLAGS


def bounds_size(context: Context, nodes: tuple[ir.Node, ...], asked: Asked | None = None) -> Span | None:
    """What cuts a result, or asks for little of it."""
    return next((bound.span for bound in size_bounds(context, nodes, asked)), None)


def size_bounds(context: Context, nodes: tuple[ir.Node, ...], asked: Asked | None = None) -> Iterator[Bounding]:
    """All that cuts a result, or asks for little of it; what is cut for a log is not the result, what a result says of
    itself (`{"limit": 5}`) asks for nothing, and a number that the model gives to the tool (`asked`), with no largest
    one, is no limit.
    """
    logs = [node.span for node in nodes if isinstance(node, ir.Call) and only_says(context, node)]
    told = {id(part) for text in answers(nodes) for part in _written_out(text)}
    for node in nodes:
        bound = None if id(node) in told else _bounding(context, node, asked)
        if bound is not None and not any(log.contains(bound.span) for log in logs):
            yield bound


def _written_out(text: ir.Expr) -> Iterator[ir.Expr]:
    """The mappings that an answer is written out of, not those that it hands to a call."""
    match text:
        case ir.Map(entries=entries):
            yield text
            yield from (part for entry in entries for part in _written_out(entry.value))
        case ir.List(items=items):
            yield from (part for item in items for part in _written_out(item))
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from (*_written_out(then), *_written_out(otherwise))
        case _:
            return


def _bounding(context: Context, node: ir.Node, asked: Asked | None) -> Bounding | None:
    def holds(size: ir.Expr) -> bool:
        return asked is None or not is_open(context.program, asked, size)

    match node:
        case ir.Index(key=ir.Slice(upper=upper)) if upper is not None:
            return Bounding(node.span, node) if holds(upper) else None
        case ir.Literal(value=str() as text) if LIMITED.search(text):
            return Bounding(node.span)
        case ir.Map(entries=entries):
            sizes = (e for e in entries if isinstance(e.key, ir.Literal) and e.key.value in SIZES and holds(e.value))
            asks = (e.key.span for e in sizes if e.key is not None and not _raises_limit(context, e))
            return next(map(Bounding, asks), None)
        case ir.Call():
            name = callee_name(node.callee)
            slices = name == "slice" and len(node.args) == 2  # noqa: PLR2004
            cuts = name in CUTTING or shortens(node) or slices
            told = [argument.value for argument in node.args if argument.keyword in SIZES]
            given = told or ([node.args[-1].value] if node.args and (slices or name in COUNTED) else [])
            if (cuts or told) and all(map(holds, given)):
                return Bounding(node.span, node if slices or name in PARTS else None)
            return Bounding(node.span) if _is_marked(context, node, "truncates") else None
        case _:
            return None


def _raises_limit(context: Context, entry: ir.Entry) -> bool:
    """Whether an option only lets a program answer with more than it may by itself."""
    if not isinstance(entry.key, ir.Literal) or entry.key.value != BUFFER or entry.value is None:
        return False
    values = context.program.value_of(entry.value)
    sizes = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, (int, float))]
    return bool(sizes) and all(size >= BUFFERED for size in sizes)


def _is_marked(context: Context, call: ir.Call, word: str) -> bool:
    apis = resolved(context.program, call.callee)
    return any(mark.covers == word for api in apis for mark in context.packs.marks(api.path))


def fixes_shape(
    context: Context, nodes: tuple[ir.Node, ...], texts: tuple[ir.Expr, ...], *, own: bool = False
) -> Span | None:
    """A check against a schema, a test for what is then taken, or a result whose keys the code itself writes; what the
    project tests of its `own` data says nothing of the result.
    """
    for node in nodes:
        if isinstance(node, ir.Call) and _is_parsing(context, node):
            return node.span
    tested = None if own else _tests_part(context.program, nodes) or _tests_kind(context.program, nodes)
    if tested is not None:
        return tested
    values = [value for text in texts for value in context.program.value_of(text)]
    written = [value for value in values if isinstance(value, Entries) and value.complete and value.entries]
    raw = any(holds_raw(context.program, part) for value in written for _, part in value.entries)
    if written and len(written) == len(values) and not raw:
        return written[0].node.span
    keyed = [text for text in texts if not says_no(text) or isinstance(text, ir.Name)]
    return keyed[0].span if keyed and all(writes_keys(context.program, text) for text in keyed) else None


def _tests_part(program: Program, nodes: tuple[ir.Node, ...]) -> Span | None:
    """A test that an answer has a part (`"results" in found`) which the code then takes by its key."""
    taken = {
        (dotted(n.target), n.key.value) for n in nodes if isinstance(n, ir.Index) and isinstance(n.key, ir.Literal)
    }
    for test in tests_asked(program, nodes) if taken else ():
        for part in ir.walk(test):
            match part:
                case ir.Operator(op=ir.Op.IN, operands=(ir.Literal(value=str() as key), owner)) if key not in FLAGS:
                    if (dotted(owner), key) in taken:
                        return part.span
                case _:
                    continue
    return None


def _tests_kind(program: Program, nodes: tuple[ir.Node, ...]) -> Span | None:
    """A test that what was answered is a record or a list, of which a part is then taken: `isinstance(data, dict)`;
    what a function is given is no answer.
    """
    taken = {dotted(n.target) for n in nodes if isinstance(n, (ir.Index, ir.Member))}
    for test in tests_asked(program, nodes):
        for part in ir.walk(test):
            match part:
                case ir.Call(callee=callee, args=(given, *kinds)) if dotted(callee) in KINDS:
                    if any(isinstance(v, ClassValue) for kind in kinds for v in program.value_of(kind.value)):
                        continue  # an object of the project's own class is no answer from outside
                    name = given.value
                    found = visible_bindings(program, name) if isinstance(name, ir.Name) else ()
                    if any(b.kind == "assign" for b in found) and dotted(name) in taken:
                        return part.span
                case _:
                    continue
    return None


def _is_parsing(context: Context, call: ir.Call) -> bool:
    words = ("asserts_schema", "validated")
    return callee_name(call.callee) in PARSING or any(_is_marked(context, call, word) for word in words)
