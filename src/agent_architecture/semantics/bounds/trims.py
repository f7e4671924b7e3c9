"""What takes something out of a list as it grows: a slice of it that replaces it, a pop when it is too long, a call
that makes it shorter.

Reads the nodes that it is given. Whether what is left is little enough is for detectors.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import Origin, Setting, written
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.in_place import in_place
from agent_architecture.names.log_calls import says
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.options import keyed
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.session_state import kept_as
from agent_architecture.names.test_parts import ORDERED, joins
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import Read, to_setting
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

TAKING: Final = frozenset({"clear", "pop", "popitem", "popleft", "shift", "splice", "delete", "remove"})
"""Methods that take something out of a container."""

SHORTENS: Final = regex(
    r"(?i)^_*(?:(?:maybe|auto)_*)*(?:compact|condens|compress|summari[sz]|trim|truncat|prun|shrink|shorten|evict"
    r"|enforce_?(?:limit|budget|window))"
)
"""What a function is called that makes a conversation shorter."""
OF_SPACES: Final = frozenset({"trim", "trimStart", "trimEnd"})
"""Methods of JavaScript's texts that take away the spaces around them."""
SUMMARISES: Final = regex(r"(?i)compact|condens|compress|summar")
SIZES: Final = frozenset({"max_tokens", "maxTokens", "max_messages", "maxMessages", "limit", "last", "k"})
"""What a call that makes a conversation shorter is told."""
GIVEN: Final = (ir.Name, ir.Member, ir.Index, ir.Call, ir.Operator, ir.List)
"""What a list that is handed to a call may be written as: its name, or where it is put together."""
LENGTHS: Final = frozenset({"length", "size"})
LOOKING: Final = frozenset({"len", "str", "repr", "String", "slice", "filter", "map", "concat", "list", "sorted"})
"""Calls that leave a list as it is, as a line of a log does: its length, its text, another list made of it."""
THROUGH: Final = 2
"""Functions of the project that a list is followed into."""


class Trim(NamedTuple):
    """What keeps a list small: how much of it is left, and what happens to the rest."""

    bound: Setting
    overflow: Setting
    confidence: Confidence = Confidence.HIGH


def trims(
    context: Context, nodes: Iterable[ir.Node], is_it: Callable[[ir.Expr | None], bool], through: int = THROUGH
) -> Iterator[Trim]:
    """What these nodes do to keep a list small, themselves or `through` functions that they hand it to."""
    for node in nodes:
        match node:
            case ir.Assign(target=target, value=value) if value is not None and is_it(_whole(target)):
                yield from _replaced(context, node, value, is_it)
            case ir.Assign(target=ir.Member(name="length", target=target), value=value) if value and is_it(target):
                yield Trim(size_of(context.program, value), written("drop", node.span))
            case ir.Call():
                yield from _called(context, node, is_it, through)
                for done in in_place(context.program, node):
                    if isinstance(done, ir.Call):
                        yield from _taken(context, done, is_it)
            case ir.Opaque(kind=ir.OpaqueKind.DEL, parts=parts):
                cut = [part for part in parts if isinstance(part, ir.Index) and is_it(part.target)]
                kept = next((k for part in cut if (k := _kept_by_deletion(part, is_it)) is not None), None)
                if kept is not None:
                    yield Trim(size_of(context.program, kept), written("drop", node.span))
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


def window_of(context: Context, part: ir.Index | ir.Call, is_it: Callable[[ir.Expr | None], bool]) -> Setting | None:
    """How many a slice of either end leaves of the list: `n` of `x[-n:]`, `x[:n]`, `x.slice(-n)`, `x.slice(0, n)`."""
    kept = kept_by(part, is_it)
    match part:
        case ir.Index(target=target, key=ir.Slice(lower=None, upper=upper)) if upper is not None and is_it(target):
            kept = None if _is_negative(upper) else upper
        case ir.Call(callee=ir.Member(name="slice", target=target), args=(first, last)) if is_it(target):
            begins = isinstance(first.value, ir.Literal) and first.value.value == 0 and not _is_negative(last.value)
            kept = last.value if begins else None
        case _:
            pass
    return None if kept is None else size_of(context.program, kept)


def takes_one(part: ir.Node | None, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether one entry of the list is taken, by its position: `x[-1]`, `x[0]`, `x.at(-1)`."""
    match part:
        case ir.Index(target=target, key=key) if is_it(target):
            return _is_position(key)
        case ir.Call(callee=ir.Member(name="at", target=target), args=(only,)) if is_it(target):
            return _is_position(only.value)
        case _:
            return False


def _is_position(key: ir.Expr) -> bool:
    if isinstance(key, ir.Operator) and len(key.operands) == 1:
        key = key.operands[0]
    return isinstance(key, ir.Literal) and isinstance(key.value, int) and not isinstance(key.value, bool)


def shortens(call: ir.Call) -> bool:
    """Whether a call is named after making something shorter, and is not about spaces: `text.trim()`."""
    name = callee_name(call.callee)
    return SHORTENS.match(name) is not None and (is_python(call.span.path) or name not in OF_SPACES)


def kept_of(value: ir.Expr | None, name: str) -> ir.Expr | None:
    """What says how much of a container a slice of it keeps: `n` of `x[-n:]` and of `x.slice(-n)`."""
    match value:
        case ir.Index(target=target, key=ir.Slice(lower=lower, upper=None)) if _name(target) == name:
            return lower
        case ir.Call(callee=ir.Member(name="slice", target=target), args=(only,)) if _name(target) == name:
            return only.value
        case _:
            return None


def kept_at_an_end(value: ir.Expr, name: str) -> ir.Expr | None:
    """The same for a slice of either end: of `x[:n]` and of `x.slice(0, n)`, too."""
    match value:
        case ir.Index(target=ir.Name(id=target), key=ir.Slice(lower=None, upper=upper)) if target == name:
            return upper
        case ir.Call(callee=ir.Member(name="slice", target=ir.Name(id=target)), args=(first, last)) if target == name:
            return last.value if isinstance(first.value, ir.Literal) and first.value.value == 0 else None
        case _:
            return kept_of(value, name)


def _name(target: ir.Expr) -> str | None:
    return kept_as(target) or callee_name(target)


def size_kept(program: Program, size: ir.Expr) -> Setting:
    """How many are kept: a slice counts from the end."""
    value = size.operands[0] if isinstance(size, ir.Operator) and len(size.operands) == 1 else size
    setting = to_setting(program, Read(program.value_of(value), missing=False))
    sizes = tuple(abs(v) if isinstance(v, (int, float)) and not isinstance(v, bool) else v for v in setting.values)
    return setting._replace(values=sizes, span=setting.span or size.span)


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
    return None if kept is None else Trim(size_of(context.program, kept), written("drop", part.span))


def cut(context: Context, node: ir.Node, is_it: Callable[[ir.Expr | None], bool]) -> Trim | None:
    """What is left when all but the newest part is removed: `n` of `x[:-n]` and of `x.slice(0, -n)`."""
    match node:
        case ir.Index(target=target) if is_it(target):
            kept = _kept_by_deletion(node, is_it)
        case ir.Call(callee=ir.Member(name="slice", target=target), args=(_, last)) if is_it(target):
            kept = last.value if _is_negative(last.value) else None
        case _:
            kept = None
    return None if kept is None else Trim(size_of(context.program, kept), written("drop", node.span))


def _whole(target: ir.Expr) -> ir.Expr:
    """The list of `x` and of `x[:]`."""
    return target.target if isinstance(target, ir.Index) and isinstance(target.key, ir.Slice) else target


def _replaced(
    context: Context, node: ir.Assign, value: ir.Expr, is_it: Callable[[ir.Expr | None], bool]
) -> Iterator[Trim]:
    for part in ir.walk(value):
        kept = kept_by(part, is_it) if isinstance(part, (ir.Index, ir.Call)) else None
        if kept is not None:
            yield Trim(size_of(context.program, kept), written("drop", node.span))
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


def _kept_by_deletion(part: ir.Index, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """`n` of `del x[:-n]` and of `del x[:len(x) - n]`."""
    match part.key:
        case ir.Slice(lower=None, upper=upper) if upper is not None and _is_negative(upper):
            return upper
        case ir.Slice(lower=None, upper=upper) if upper is not None:
            return _beyond(upper, is_it)
        case _:
            return None


def _kept_by_splice(call: ir.Call, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """`n` of `x.splice(0, x.length - n)` and of `x.splice(0, Math.max(0, x.length - n))`."""
    match call:
        case ir.Call(callee=ir.Member(name="splice"), args=(ir.Argument(value=ir.Literal(value=0)), many, *_)):
            sizes = (
                [many.value, *(a.value for a in many.value.args)] if isinstance(many.value, ir.Call) else [many.value]
            )
            return next((kept for size in sizes if (kept := _beyond(size, is_it)) is not None), None)
        case _:
            return None


def _beyond(size: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """`n` of `len(x) - n`: all but so many."""
    match size:
        case ir.Operator(op=ir.Op.SUB, operands=(whole, kept)) if is_length(whole, is_it):
            return kept
        case _:
            return None


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


def _taken(context: Context, node: ir.Call, is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Trim]:
    """What a method takes out of the list."""
    if isinstance(node.callee, ir.Member) and node.callee.name in TAKING and is_it(node.callee.target):
        kept = _kept_by_splice(node, is_it)
        if kept is not None:
            yield Trim(size_of(context.program, kept), written("drop", node.span))
        else:
            yield from _when_long(context, node, is_it)


def _called(context: Context, node: ir.Call, is_it: Callable[[ir.Expr | None], bool], through: int) -> Iterator[Trim]:
    yield from _taken(context, node, is_it)
    for function, param in _handed(context.program, node, is_it) if through > 0 else ():
        nodes = (each for each in context.program.structure(function).nodes if not _binds_name(each))
        yield from trims(context, nodes, partial(_is_named, param.name), through - 1)
    yield from shortened(context, node, is_it, marked=False)


def _handed(
    program: Program, call: ir.Call, is_it: Callable[[ir.Expr | None], bool]
) -> Iterator[tuple[ir.Function, ir.Parameter]]:
    """The functions of the project that a call hands the list to, with the parameter that it becomes."""
    if any(is_it(argument.value) for argument in call.args if isinstance(argument.value, (ir.Name, ir.Member))):
        for function in program.callees(call):
            site = CallSite(call, function)
            for param in function.params:
                given = passed_argument(site, function, param)
                if isinstance(given, (ir.Name, ir.Member)) and is_it(given):
                    yield function, param


def _is_named(name: str, expr: ir.Expr | None) -> bool:
    return isinstance(expr, ir.Name) and expr.id == name


def _binds_name(node: ir.Node) -> bool:
    """Whether a statement gives a name another value: what is handed in stays as it is."""
    return isinstance(node, ir.Assign) and isinstance(node.target, ir.Name)


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
    if is_marked or is_sliced or (SHORTENS.match(name) and _may_shorten(context.program, call)):
        sizes = [size for size in _sizes(context.program, call) if size.is_known]
        bound = sizes[0] if sizes else written(f"what {name} leaves", call.span)
        overflow = "summarise" if SUMMARISES.search(name) else "drop"
        confidence = Confidence.HIGH if is_marked else Confidence.MEDIUM
        yield Trim(bound, written(overflow, call.span), confidence)


def _may_shorten(program: Program, call: ir.Call) -> bool:
    """Whether a function that is called as if it made a list shorter could: what the project's own code does with the
    list is seen, and where it only looks at it, or gives it back as it is, its name says nothing.
    """
    functions = program.callees(call)
    return not functions or any(_does_something(program, function) for function in functions)


def _does_something(program: Program, function: ir.Function) -> bool:
    """Whether a function changes the list that it is handed, or gives back something else."""
    nodes = program.structure(function).nodes
    anew = {n.target.id for n in nodes if isinstance(n, ir.Assign) and isinstance(n.target, ir.Name)}
    names = {param.name for param in function.params} - anew
    for node in nodes:
        match node:
            case ir.Opaque(kind=ir.OpaqueKind.DEL) | ir.Yield() | ir.Assign(target=ir.Index() | ir.Member()):
                return True
            case ir.Call() if callee_name(node.callee) not in LOOKING and not says(node):
                return True
            case _:
                continue
    given = program.structure(function).returns
    return any(one.id not in names if isinstance(one, ir.Name) else not isinstance(one, ir.Literal) for one in given)


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
            yield size_of(program, argument.value)
        yield from (size_of(program, value) for key, value in keyed(program, argument.value) if key in SIZES)


def _when_long(context: Context, node: ir.Node, is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Trim]:
    """Something is taken out under a test of how long the list is."""
    structure = context.program.structure(context.program.scope_of(node))
    for around in structure.ancestors(node):
        test = around.test if isinstance(around, (ir.If, ir.Loop)) else None
        limit = _length_limit(spelled_out(context.program, test), is_it) if test is not None else None
        if test is not None and _asks_for_an_entry(test, is_it):
            return  # what stands there decides, however long the list is
        if limit is not None:
            yield Trim(size_of(context.program, limit), written("drop", node.span))
            return


def _asks_for_an_entry(test: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether a test that joins others asks what an entry of the list is: `x.length > 2 && x[0].role === "user"`."""

    def is_entry(node: ir.Node) -> bool:
        by_key = isinstance(node, ir.Index) and is_it(node.target) and not isinstance(node.key, ir.Slice)
        return by_key or takes_one(node, is_it)

    return joins(test) and any(map(is_entry, ir.walk(test)))


def _length_limit(test: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """What the length of the list is compared with; whether there is anything in it, `len(x) > 0`, limits nothing."""
    for part in ir.walk(test):
        if isinstance(part, ir.Operator) and part.op in ORDERED:
            for number, operand in enumerate(part.operands):
                if is_length(operand, is_it) and not _is_nothing(part.operands[1 - number]):
                    return part.operands[1 - number]
    return None


def _is_nothing(size: ir.Expr) -> bool:
    return isinstance(size, ir.Literal) and size.value == 0


def asks_whether_empty(test: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether a test asks no more of a list than whether there is anything in it: `x`, `len(x)`, `x.length > 0`."""
    if is_it(test) or is_length(test, is_it):
        return True
    operands = test.operands if isinstance(test, ir.Operator) else ()
    return any(is_length(each, is_it) for each in operands) and any(map(_is_nothing, operands))


def is_length(expr: ir.Expr, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether an expression is how long the list is: `len(x)`, `x.length`, `x.size`."""
    match expr:
        case ir.Call(callee=ir.Name(id="len"), args=(only,)):
            return is_it(only.value)
        case ir.Member(name=name, target=target):
            return name in LENGTHS and is_it(target)
        case _:
            return False


def size_of(program: Program, size: ir.Expr) -> Setting:
    """How many are kept, or that the number is worked out."""
    setting = size_kept(program, size)
    if setting.origin is Origin.ABSENT:
        return written("a number that is worked out", size.span)
    return setting
