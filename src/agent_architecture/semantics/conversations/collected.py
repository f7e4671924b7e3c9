"""Results that are put together of any number of things: comprehensions, lists that a loop makes longer, stores that
are handed out whole. What the project has written out has the length that it is written with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import ITSELF, enclosing_class, is_enum
from agent_architecture.names.exits import leaves
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import GROWING, changes_of_attribute, changes_of_name
from agent_architecture.names.numbers import MAKING
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.test_parts import COMPARISONS
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Items, Values
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.argument_tests import says_no
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.sources.source import Span

MANY: Final = 1000
"""More than anybody writes out."""
DEPTH: Final = 4
"""Names and lists that a record is looked for in."""
STEPS: Final = 60
"""Expressions that are followed back from a result."""
EACH: Final = frozenset({"map", "flatMap", "filter"})
"""Methods that make a list of what they are called on."""
WHOLE: Final = frozenset({
    "list", "sorted", "tuple", "set", "dict", "str", "repr", "dumps", "stringify", "join", "values", "items", "keys",
    "entries", "from", "copy", "reversed", "enumerate", "toString", "indent", "format", "String", "deepcopy", "zip",
    "concat", "sort", "reverse", "flat", "fromEntries", "strip", "rstrip", "trim", "encode", "decode",
})  # fmt: skip
"""Calls whose result has all that is in what they are given, or called on."""
REPEATED: Final = frozenset({"each", "while", "for", "do"})
SLICING: Final = frozenset({"slice", "islice", "head", "nlargest", "fetchmany"})
SPELLING: Final = frozenset({
    "dumps", "stringify", "model_dump_json", "to_json", "to_csv", "to_markdown", "to_string", "tabulate", "safe_dump",
    "safeStringify", "json_dumps", "jsonStringify", "toJSON", "to_xml",
})  # fmt: skip
"""Calls that make a text of records."""
CONFIRMING: Final = frozenset({"error", "success", "message", "status", "ok", "detail", "type", "isError", "task"})
"""Keys of what only says whether something was done."""
LISTS: Final = regex(
    r"^py:(?:os[:.](?:listdir|scandir)|glob[:.]i?glob|pathlib[:.]Path\(\)(?:\.\w+\(\))*\.(?:iterdir|r?glob))$"
    r"|^npm:(?:node:)?fs(?:/promises)?:(?:\w+\.)?readdir(?:Sync)?$"
)
"""Calls that name all that a folder holds."""
LISTING: Final = frozenset({"listdir", "scandir", "glob", "iglob", "iterdir", "rglob", "readdir", "readdirSync"})
MODULES: Final = frozenset({"Object", "Array", "JSON", "json"})
"""What stands before a call that is given what it works on."""
GIVING: Final = frozenset({"all", "allSettled", "gather"})


def collected(program: Program, texts: Iterable[ir.Expr], is_open: Callable[[ir.Expr], bool]) -> Span | None:
    """What of a result has as many parts as there happen to be, or None; also the part that is cut at a size of which
    `is_open` says that nothing keeps it small.
    """

    def further(node: ir.Expr) -> Iterator[ir.Expr]:
        if isinstance(node, ir.Index) and isinstance(node.key, ir.Slice) and node.key.upper is not None:
            yield from (node.target,) if is_open(node.key.upper) else ()
        yield from _inside(program, node)

    answers = _answers(texts)
    for text in reached(answers, further, STEPS):
        if (found := _grows(program, text)) is not None:
            return found
    return None


def _answers(texts: Iterable[ir.Expr]) -> tuple[ir.Expr, ...]:
    return tuple(text for text in texts if isinstance(text, ir.Name) or not says_no(text))


def is_cut(program: Program, texts: Iterable[ir.Expr], cut: Span) -> bool:
    """Whether a part that is taken of something (at `cut`) is taken of each answer that has as many parts as there
    happen to be; one answer's cut says nothing of another's.
    """

    def further(node: ir.Expr) -> Iterator[ir.Expr]:
        yield from (node.target,) if isinstance(node, ir.Index) and isinstance(node.key, ir.Slice) else ()
        yield from _inside(program, node)

    parts: set[Span] = set()
    is_whole = False
    for text in _answers(texts):
        way = tuple(reached((text,), further, STEPS))
        taken = {each.span for each in way if isinstance(each, ir.Index) and isinstance(each.key, ir.Slice)}
        is_whole = is_whole or (not taken and any(_grows(program, each) is not None for each in way))
        parts |= taken
    return not is_whole or cut not in parts


def spelled(program: Program, texts: Iterable[ir.Expr]) -> Span | None:
    """Where records are made a text that a result is, or has in it; a confirmation or a failure is no record."""
    for text in reached(tuple(texts), lambda node: _inside(program, node), STEPS):
        if isinstance(text, ir.Call) and callee_name(text.callee) in SPELLING:
            given = [a.value for a in text.args if a.keyword is None][:1]
            held = given or ([text.callee.target] if isinstance(text.callee, ir.Member) else [])
            if any(_is_record(program, each) for each in held):
                return text.span
    return None


def _is_record(program: Program, given: ir.Expr, depth: int = DEPTH, *, held: bool = False) -> bool:
    """Whether an expression is a thing with parts; a field of one that a list holds (`held`) is taken for a text."""
    match given:
        case ir.Literal() | ir.Template():
            return False
        case ir.List(items=items) if depth:
            return any(_is_record(program, item, depth - 1, held=True) for item in items)
        case ir.Loop(kind="comprehension", body=body):
            return len(body) > 1 or any(isinstance(each, (ir.Map, ir.Name)) for each in body)
        case ir.Map(entries=entries):
            return bool(entries) and not _is_confirmation(program, given)
        case ir.Name() if depth:
            bound = [each.value for each in visible_bindings(program, given)]
            put = (*bound, *_put_into(program, given))
            return not bound or any(value is None or _is_record(program, value, depth - 1, held=held) for value in put)
        case ir.Member() | ir.Index() if held:
            return False
        case _:
            return not _is_plain(program, given)


def _is_confirmation(program: Program, told: ir.Map) -> bool:
    """Whether all that an object says is written in the code, or whether something was done: there is no record. What
    it was done with may stand beside that.
    """
    says = [entry for entry in told.entries if not _is_argument(program, entry.value)]
    return bool(says) and all(_confirms(program, entry) for entry in told.entries)


def _confirms(program: Program, entry: ir.Entry) -> bool:
    if not isinstance(entry.key, ir.Literal):
        return False
    inner = entry.value
    if isinstance(inner, ir.Map):
        return _is_confirmation(program, inner)
    told = entry.key.value in CONFIRMING or isinstance(inner, ir.Literal) or _is_one(program, inner)
    return told or _is_counted(inner) or _is_argument(program, inner) or _is_list_of_code(program, inner)


def _is_counted(inner: ir.Expr) -> bool:
    """Whether a value is a number or a flag: `int(count)`, `count > 0`."""
    match inner:
        case ir.Call(callee=ir.Name(id=name)):
            return name in MAKING
        case ir.Operator(op=op):
            return op in COMPARISONS
        case _:
            return False


def _is_argument(program: Program, inner: ir.Expr) -> bool:
    """Whether a value is an argument as the function was given it: whoever called knows it."""
    bound = visible_bindings(program, inner) if isinstance(inner, ir.Name) else ()
    return bool(bound) and all(binding.kind == "parameter" for binding in bound)


def _is_list_of_code(program: Program, inner: ir.Expr) -> bool:
    """Whether a value is a list whose parts the code names: `sorted(TABLES)`."""
    if isinstance(inner, ir.Call) and isinstance(inner.callee, ir.Name) and inner.callee.id in WHOLE and inner.args:
        return _is_list_of_code(program, inner.args[0].value)
    lists = [value for value in program.value_of(inner) if isinstance(value, Items)]
    parts = (part for value in lists for item in value.items for part in program.value_of(item))
    return bool(lists) and all(one.complete for one in lists) and all(isinstance(part, Const) for part in parts)


def _is_one(program: Program, named: ir.Expr) -> bool:
    """Whether a name stands for one constant, and no other."""
    values = program.value_of(named) if isinstance(named, (ir.Name, ir.Member)) else ()
    return len(values) == 1 and isinstance(values[0], Const)


def _put_into(program: Program, name: ir.Name) -> Iterator[ir.Expr]:
    """What is put into a list that a name holds; a list of fields stands for each of them."""
    for scope in {id(s): s for s in (program.scope_of(b.node) for b in visible_bindings(program, name))}.values():
        for change in changes_of_name(program, scope, name.id):
            if isinstance(change, ir.Call) and callee_name(change.callee) in GROWING:
                yield from (ir.List(change.span, (argument.value,)) for argument in change.args)


def _is_plain(program: Program, given: ir.Expr) -> bool:
    values = program.value_of(given)
    return bool(values) and all(isinstance(value, Const) for value in values)


def _grows(program: Program, node: ir.Expr) -> Span | None:
    """Where an expression itself is of any length."""
    match node:
        case ir.Loop(kind="comprehension", source=source) if source is not None and not is_written(program, source):
            return node.span
        case ir.Call(callee=ir.Member(name=name, target=target)) if name in EACH:
            return None if is_written(program, target) else node.span
        case ir.Call(callee=callee):
            values = program.value_of(callee) if callee_name(callee) in LISTING else ()
            return node.span if any(isinstance(v, Api) and LISTS.search(v.path) for v in values) else None
        case ir.Name():
            return next(_made_longer(program, node), None)
        case ir.Member(target=ir.Name(id=holder)) if holder in ITSELF:
            return _kept(program, node)
        case _:
            return None


def _made_longer(program: Program, name: ir.Name) -> Iterator[Span]:
    """Where a loop of the same function puts something into what a name holds, once for each of any number of things;
    where other functions do, for a name of the module.
    """
    found = visible_bindings(program, name)
    for first in (binding for binding in found if _begins_empty(binding)):
        scope = program.scope_of(first.node)
        for change in (*changes_of_name(program, scope, name.id), *(b.node for b in found if _adds(b))):
            if not _grows_by(change):
                continue
            around = program.scope_of(change)
            if around is scope:
                loops = [each for each in program.structure(scope).enclosing(change, ir.Loop) if each.kind in REPEATED]
                if any(each.span.contains(first.node.span) for each in loops):
                    continue
                is_long = bool(loops) and not any(_is_limited(program, each) for each in loops)
            elif isinstance(scope, ir.Module):
                is_long = True
            else:
                each_of = _each_of(program, around)
                is_long = each_of is None or not is_written(program, each_of)
            if is_long:
                yield change.span


def _each_of(program: Program, around: ir.Scope) -> ir.Expr | None:
    """What a callback is run for each of: `found.forEach((each) => …)`."""
    if not isinstance(around, ir.Function):
        return None
    call = program.structure(around.outer).parent(around)
    call = call if isinstance(call, ir.Call) else None
    is_each = call is not None and isinstance(call.callee, ir.Member) and call.callee.name in {*EACH, "forEach"}
    return call.callee.target if call is not None and is_each and isinstance(call.callee, ir.Member) else None


def _grows_by(change: ir.Node) -> bool:
    match change:
        case ir.Assign(target=ir.Index(key=key)):
            return not isinstance(key, ir.Literal)
        case ir.Assign(op=op):
            return op is ir.Op.ADD
        case ir.Call(callee=ir.Member(name=name)):
            return name in GROWING
        case _:
            return False


def _adds(binding: Binding) -> bool:
    return isinstance(binding.node, ir.Assign) and binding.node.op is not None


def _begins_empty(binding: Binding) -> bool:
    match binding.value:
        case ir.List() | ir.Map():
            return True
        case ir.Literal(value=str()):
            return True
        case ir.Call(callee=callee, args=()):
            return callee_name(callee) in {"list", "dict", "set", "Map", "Set", "Array", "StringIO"}
        case _:
            return False


def _is_limited(program: Program, loop: ir.Loop) -> bool:
    """Whether a loop goes over what the code has written out, or is left under a condition: what it looks for, or how
    much it has.
    """
    if any(map(leaves, ir.walk(*loop.body))):
        return True
    return loop.source is not None and is_written(program, loop.source)


def _kept(program: Program, member: ir.Member) -> Span | None:
    """Where methods put something into an attribute that is handed out."""
    cls = enclosing_class(program, member)
    changes = changes_of_attribute(program, cls, member.name) if cls is not None else ()
    return next((change.span for change in changes if _grows_by(change) and not _is_sum(change)), None)


def _is_sum(change: ir.Node) -> bool:
    return isinstance(change, ir.Assign) and change.op is not None


def is_written(program: Program, source: ir.Expr) -> bool:
    """Whether what is gone through has a length that the code says: a display, a range of so many, an enumeration, a
    part of something that is cut; also what the model itself gave.
    """
    match source:
        case ir.Index(key=ir.Slice(upper=upper)) if upper is not None:
            return True
        case ir.Call(callee=callee, args=args):
            name = callee_name(callee)
            if name in SLICING:
                return True
            if name == "range":
                return all(isinstance(v, Const) for a in args for v in program.value_of(a.value))
            if name in WHOLE | EACH:
                is_method = isinstance(callee, ir.Member) and not _is_static(callee) and name != "join"
                target = (callee.target,) if is_method and isinstance(callee, ir.Member) else ()
                given = target or tuple(argument.value for argument in args[:1])
                return bool(given) and all(is_written(program, each) for each in given)
        case ir.Literal():
            return True
        case _:
            pass
    values = program.value_of(source)
    return _is_short_value(program, values) or _is_given(program, source) or _is_declared(program, source, values)


def _is_declared(program: Program, source: ir.Expr, values: Values) -> bool:
    """Whether it is an attribute of an object of the project's that no code makes longer: what was configured."""
    if not isinstance(source, ir.Member) or any(isinstance(value, Api) for value in values):
        return False
    begins = program.value_of(source.target)
    if not begins or any(isinstance(value, Api) for value in begins) or callee_name(source) in WHOLE:
        return False
    sites = (site.call.callee for name in sorted(GROWING) for site in program.calls(name))
    return not any(isinstance(each, ir.Member) and callee_name(each.target) == source.name for each in sites)


def _is_static(callee: ir.Expr) -> bool:
    return isinstance(callee, ir.Member) and isinstance(callee.target, ir.Name) and callee.target.id in MODULES


def _is_short_value(program: Program, values: Values) -> bool:
    def is_short(value: object) -> bool:
        match value:
            case Items(items=items, node=node, complete=complete):
                return complete and not (isinstance(node, ir.List) and len(items) > len(node.items) + _spread(node))
            case Entries(entries=entries, node=node, complete=complete):
                return complete and not (isinstance(node, ir.Map) and len(entries) > len(node.entries) + _spread(node))
            case ClassValue(cls=cls):
                return is_enum(program, cls)
            case Const():
                return True
            case _:
                return False

    return bool(values) and all(map(is_short, values))


def _spread(display: ir.List | ir.Map) -> int:
    """How many more a display may hold than it has parts: any number, where something written is spread into it."""
    parts = display.items if isinstance(display, ir.List) else ()
    whole = isinstance(display, ir.Map) and any(entry.key is None for entry in display.entries)
    return MANY if whole or any(isinstance(part, ir.Spread) for part in parts) else 0


def _is_given(program: Program, source: ir.Expr) -> bool:
    """Whether it is a parameter that nobody in the project gives: a model says it."""
    found = visible_bindings(program, source) if isinstance(source, ir.Name) else ()
    return bool(found) and all(
        binding.kind == "parameter" and isinstance(binding.node, ir.Function) and not program.callers(binding.node)
        for binding in found
    )


def _inside(program: Program, node: ir.Expr) -> Iterator[ir.Expr]:
    """What an expression has in it with all its parts."""
    match node:
        case ir.Name():
            for binding in visible_bindings(program, node):
                if binding.kind in {"assign", "augmented", "with"} and binding.value is not None and not binding.steps:
                    yield binding.value
        case ir.Call(callee=callee):
            own = program.callees(node)
            for function in own:
                yield from program.structure(function).returns
            if not own and callee_name(callee) in WHOLE | GIVING:
                yield from (callee.target,) if isinstance(callee, ir.Member) else ()
                yield from (argument.value for argument in node.args)
        case ir.Map(entries=entries):
            yield from (entry.value for entry in entries)
        case ir.List(items=items):
            yield from items
        case ir.Template(parts=parts):
            yield from parts
        case ir.Operator(op=ir.Op.ADD | ir.Op.OR | ir.Op.AND | ir.Op.NULLISH | ir.Op.MOD, operands=operands):
            yield from operands
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case ir.Await(value=value) | ir.Spread(value=value):
            yield value
        case _:
            return
