"""What takes something out of a list as it grows: a slice of it that replaces it, a pop when it is too long, a call
that makes it shorter.

Reads the nodes that it is given. Whether what is left is little enough is for detectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import Origin, Setting, written
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.container_limits import size_kept
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

TAKING: Final = frozenset({"clear", "pop", "popitem", "popleft", "shift", "splice", "delete", "remove"})
"""Methods that take something out of a container."""

SHORTENS: Final = regex(
    r"(?i)^_*(?:maybe_?|auto_?|_)*(?:compact|condens|compress|summari[sz]|trim|truncat|prun|shrink|shorten|evict"
    r"|enforce_?(?:limit|budget|window))"
)
"""What a function is called that makes a conversation shorter."""
SUMMARISES: Final = regex(r"(?i)compact|condens|compress|summar")
SIZES: Final = frozenset({"max_tokens", "maxTokens", "max_messages", "maxMessages", "limit", "last", "k"})
"""What a call that makes a conversation shorter is told."""
GIVEN: Final = (ir.Name, ir.Member, ir.Index, ir.Call, ir.Operator, ir.List)
"""What a list that is handed to a call may be written as: its name, or where it is put together."""
LENGTHS: Final = frozenset({"length", "size"})


class Trim(NamedTuple):
    """What keeps a list small: how much of it is left, and what happens to the rest."""

    bound: Setting
    overflow: Setting
    confidence: Confidence = Confidence.HIGH


def trims(context: Context, nodes: Iterable[ir.Node], is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Trim]:
    """What these nodes do to keep a list small."""
    for node in nodes:
        match node:
            case ir.Assign(target=target, value=value) if value is not None and is_it(_whole(target)):
                yield from _replaced(context, node, value, is_it)
            case ir.Assign(target=ir.Member(name="length", target=target), value=value) if value and is_it(target):
                yield Trim(_size(context.program, value), written("drop", node.span))
            case ir.Call():
                yield from _called(context, node, is_it)
            case ir.Opaque(kind=ir.OpaqueKind.DEL, parts=parts):
                cut = [part for part in parts if isinstance(part, ir.Index) and is_it(part.target)]
                kept = next((k for part in cut if (k := _kept_by_deletion(part)) is not None), None)
                if kept is not None:
                    yield Trim(_size(context.program, kept), written("drop", node.span))
                elif cut:
                    yield from _when_long(context, node, is_it)
            case _:
                continue


def windows(context: Context, asks: Iterable[ir.Call], is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Trim]:
    """What of a list a model is shown: its newest part, or what a call made of it."""
    for ask in asks:
        for part in (part for argument in ask.args for part in _within(context.program, argument.value)):
            if isinstance(part, (ir.Index, ir.Call)):
                yield from shown(context, part, is_it)


def shown(context: Context, part: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Trim]:
    """What a slice or a call leaves of the list."""
    left = newest(context, part, is_it)
    if left is not None:
        yield left
    elif isinstance(part, ir.Call):
        yield from shortened(context, part, is_it)


def is_cut(part: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether a slice keeps the newest of the list, or the name of a call that it is given to says so."""
    given = part.args if isinstance(part, ir.Call) and SHORTENS.match(callee_name(part.callee)) else ()
    return kept_by(part, is_it) is not None or any(is_it(argument.value) for argument in given)


def _within(program: Program, value: ir.Expr) -> Iterator[ir.Node]:
    """What stands in an argument, and in what a variable in it was set to."""
    for part in ir.walk(value):
        yield part
        for binding in visible_bindings(program, part) if isinstance(part, ir.Name) else ():
            if binding.kind == "assign" and binding.value is not None:
                yield from ir.walk(binding.value)


def newest(context: Context, part: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> Trim | None:
    """What a slice keeps: `n` of `x[-n:]` and of `x.slice(-n)`."""
    kept = kept_by(part, is_it)
    return None if kept is None else Trim(_size(context.program, kept), written("drop", part.span))


def cut(context: Context, node: ir.Node, is_it: Callable[[ir.Expr | None], bool]) -> Trim | None:
    """What is left when all but the newest part is removed: `n` of `x[:-n]` and of `x.slice(0, -n)`."""
    match node:
        case ir.Index(target=target) if is_it(target):
            kept = _kept_by_deletion(node)
        case ir.Call(callee=ir.Member(name="slice", target=target), args=(_, last)) if is_it(target):
            kept = last.value if _is_negative(last.value) else None
        case _:
            kept = None
    return None if kept is None else Trim(_size(context.program, kept), written("drop", node.span))


def _whole(target: ir.Expr) -> ir.Expr:
    """The list of `x` and of `x[:]`."""
    return target.target if isinstance(target, ir.Index) and isinstance(target.key, ir.Slice) else target


def _replaced(
    context: Context, node: ir.Assign, value: ir.Expr, is_it: Callable[[ir.Expr | None], bool]
) -> Iterator[Trim]:
    for part in ir.walk(value):
        kept = kept_by(part, is_it) if isinstance(part, (ir.Index, ir.Call)) else None
        if kept is not None:
            yield Trim(_size(context.program, kept), written("drop", node.span))
            return
        if isinstance(part, ir.Index) and is_it(part.target) and isinstance(part.key, ir.Slice) and part.key.lower:
            yield from _when_long(context, node, is_it)
            return
    call = value.value if isinstance(value, ir.Await) else value
    if isinstance(call, ir.Call):
        yield from shortened(context, call, is_it)


def kept_by(part: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """What says how much a slice keeps: `n` of `x[-n:]` and of `x.slice(-n)`."""
    match part:
        case ir.Index(target=target, key=ir.Slice(lower=lower, upper=None)) if lower is not None and is_it(target):
            return lower if _is_negative(lower) else None
        case ir.Call(callee=ir.Member(name="slice", target=target), args=(only,)) if is_it(target):
            return only.value if _is_negative(only.value) else None
        case _:
            return None


def _kept_by_deletion(part: ir.Index) -> ir.Expr | None:
    """`n` of `del x[:-n]`."""
    key = part.key
    is_cut = isinstance(key, ir.Slice) and key.upper is not None and _is_negative(key.upper)
    return key.upper if is_cut and isinstance(key, ir.Slice) else None


def is_bounded(node: ir.Index | ir.Call) -> bool:
    """Whether a slice keeps a part that does not grow with the list: `x[:n]`, `x[-n:]`, `x[a:b]`, and not the middle of
    `x.slice(2, -7)`, all but the first of `x[1:]`, all but the last of `x[:-1]`.
    """
    ends: tuple[ir.Expr | None, ...]
    if isinstance(node, ir.Index):
        ends = (node.key.lower, node.key.upper) if isinstance(node.key, ir.Slice) else ()
    else:
        ends = tuple(argument.value for argument in node.args)
    lower, upper = (*ends, None, None)[:2]
    if upper is not None:
        return not _is_negative(upper) or (lower is not None and _is_negative(lower))
    return lower is not None and (_is_negative(lower) or not isinstance(lower, ir.Literal))


def _is_negative(expr: ir.Expr) -> bool:
    match expr:
        case ir.Operator(op=ir.Op.NEG):
            return True
        case ir.Literal(value=int() | float() as number):
            return not isinstance(number, bool) and number < 0
        case _:
            return False


def _called(context: Context, node: ir.Call, is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Trim]:
    if isinstance(node.callee, ir.Member) and node.callee.name in TAKING and is_it(node.callee.target):
        yield from _when_long(context, node, is_it)
    yield from shortened(context, node, is_it, marked=False)


def shortened(
    context: Context, call: ir.Call, is_it: Callable[[ir.Expr | None], bool], *, marked: bool = True
) -> Iterator[Trim]:
    """A call that is given the list and makes it shorter, by a mark of its library or by its name."""
    given = [part for argument in call.args for part in ir.walk(argument.value)]
    on_it = isinstance(call.callee, ir.Member) and is_it(call.callee.target)
    if not on_it and not any(is_it(part) for part in given if isinstance(part, GIVEN)):
        return
    name = callee_name(call.callee)
    is_sliced = marked and _is_sliced(context.program, call, is_it)
    is_marked = marked and any(
        mark.covers == "truncates"
        for api in resolved(context.program, call.callee)
        for mark in context.packs.marks(api.path)
    )
    if is_marked or is_sliced or SHORTENS.match(name):
        sizes = [size for size in _sizes(context.program, call) if size.is_known]
        bound = sizes[0] if sizes else written(f"what {name} leaves", call.span)
        overflow = "summarise" if SUMMARISES.search(name) else "drop"
        confidence = Confidence.HIGH if is_marked else Confidence.MEDIUM
        yield Trim(bound, written(overflow, call.span), confidence)


def _is_sliced(program: Program, call: ir.Call, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether a function of the project gives back a part of the list that it is given."""
    return any(
        isinstance(given, (ir.Name, ir.Member)) and is_it(given)
        for function in program.callees(call)
        for param in parts_of(program, function)
        if not isinstance(given := passed_argument(CallSite(call, function), function, param), Unknown)
    )


def parts_of(program: Program, function: ir.Function) -> tuple[ir.Parameter, ...]:
    """The parameters of which a function gives back a part: `return x[:n], x[n:]`, `return x.slice(-n)`."""
    returned = [node for value in program.structure(function).returns for node in ir.walk(value)]
    cut = {name for node in returned if isinstance(node, (ir.Index, ir.Call)) and (name := _sliced(node))}
    return tuple(param for param in function.params if param.name in cut)


def _sliced(node: ir.Index | ir.Call) -> str:
    """The list that a slice is taken of, unless it only leaves out so many of the first."""
    match node:
        case ir.Index(target=ir.Name(id=name), key=ir.Slice(lower=lower, upper=upper)):
            is_rest = upper is None and (lower is None or (isinstance(lower, ir.Literal) and not _is_negative(lower)))
            return "" if is_rest else name
        case ir.Call(callee=ir.Member(name="slice", target=ir.Name(id=name)), args=(lower, *more)):
            is_rest = not more and isinstance(lower.value, ir.Literal) and not _is_negative(lower.value)
            return "" if is_rest else name
        case _:
            return ""


def _sizes(program: Program, call: ir.Call) -> Iterator[Setting]:
    for argument in call.args:
        if argument.keyword in SIZES:
            yield _size(program, argument.value)
        for entry in argument.value.entries if isinstance(argument.value, ir.Map) else ():
            if isinstance(entry.key, ir.Literal) and entry.key.value in SIZES:
                yield _size(program, entry.value)


def _when_long(context: Context, node: ir.Node, is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Trim]:
    """Something is taken out under a test of how long the list is."""
    structure = context.program.structure(context.program.scope_of(node))
    for around in structure.ancestors(node):
        test = around.test if isinstance(around, (ir.If, ir.Loop)) else None
        limit = _length_limit(test, is_it) if test is not None else None
        if limit is not None:
            yield Trim(_size(context.program, limit), written("drop", node.span))
            return


def _length_limit(test: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """What the length of the list is compared with."""
    for part in ir.walk(test):
        if isinstance(part, ir.Operator) and part.op in {ir.Op.GT, ir.Op.GE, ir.Op.LT, ir.Op.LE}:
            for number, operand in enumerate(part.operands):
                if _is_length(operand, is_it):
                    return part.operands[1 - number]
    return None


def _is_length(expr: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    match expr:
        case ir.Call(callee=ir.Name(id="len"), args=(only,)):
            return is_it(only.value)
        case ir.Member(name=name, target=target):
            return name in LENGTHS and is_it(target)
        case _:
            return False


def _size(program: Program, size: ir.Expr) -> Setting:
    """How many are kept, or that the number is worked out."""
    setting = size_kept(program, size)
    if setting.origin is Origin.ABSENT:
        return written("a number that is worked out", size.span)
    return setting
