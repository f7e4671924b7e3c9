"""Where a value comes from: the trail backwards from an expression, across assignments, texts, containers, calls and
files.

It over-approximates: what goes into a library call is taken to come out of it. A call of the project's own function
is left through the arguments of that call, not through those of all its callers. Who is a source and what makes a
value safe is for whoever asks to say, from the origins, the calls on the trail, and a reader that goes along.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias

from agent_architecture.names import classes, growth
from agent_architecture.names.calls import passed_argument
from agent_architecture.names.located import Inline, InModule
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    ModuleValue,
    Text,
    Unknown,
    Values,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.sources.source import Span

LIMIT: Final = 1500
"""Expressions followed for one question, each once for each way in; more is given up as unknown."""

CALLS: Final = 4
"""Calls that a way remembers to have entered; of longer chains the outermost are forgotten, and all callers count."""

OVER: Final = frozenset(
    {"map", "forEach", "flatMap", "filter", "reduce", "some", "every", "find", "sort", "sorted", "then"}
)
"""Calls of the languages' own libraries that hand the function that they are given what they run over."""

Calls: TypeAlias = "tuple[ir.Call, ...]"

_TESTS: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not", "instanceof", "typeof"})
"""Operators whose result is true or false (or a type's name), whoever wrote the operands."""

Kind = Literal["constant", "parameter", "call", "name", "unknown"]


class Origin(NamedTuple):
    """One place where a value begins.

    `constant`: `node` is the literal. `parameter`: `node` is the function, `name` the parameter. `call`: `node` is a
    call of a library
    (or of nothing readable). `name`: a library's own name. `trail` are the places passed on the way, the asked
    expression last; `passed` is what a reader said of the way.
    """

    kind: Kind
    node: ir.Node
    name: str = ""
    trail: tuple[Span, ...] = ()
    passed: frozenset[str] = frozenset()


class Step(NamedTuple):
    """One expression further back. `passed` is what the text goes through there, in the reader's own words; `calls`
    are the calls that the way has entered, None for the same as before.
    """

    expr: ir.Expr
    passed: str = ""
    calls: Calls | None = None


class Reader(Protocol):
    """Goes along: says where an expression takes its value from, or None for what the language says; a text is what is
    passed on the language's own steps.
    """

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | str | None:
        """The steps back from `node`, on a way that `passed` this so far."""
        ...


class _Way(NamedTuple):
    node: ir.Expr
    trail: tuple[Span, ...]
    calls: Calls = ()
    passed: frozenset[str] = frozenset()

    def key(self) -> tuple[object, ...]:
        return id(self.node), tuple(map(id, self.calls)), self.passed

    def after(self, step: Step, said: str) -> _Way:
        calls = self.calls if step.calls is None else step.calls[-CALLS:]
        passed = self.passed.union(word for word in (step.passed, said) if word)
        return _Way(step.expr, _longer(self.trail, step.expr.span), calls, passed)


def origins(
    program: Program, expr: ir.Expr, reader: Reader | None = None, calls: Calls = ()
) -> tuple[Origin, ...]:
    """Every place where the value of `expr` may begin, in order of position; one for each set of what ways passed.

    `calls` are those by which the code around `expr` was entered, outermost first.
    """
    found: dict[tuple[object, ...], Origin] = {}
    seen: set[tuple[object, ...]] = set()
    queue = deque([_Way(expr, (expr.span,), calls[-CALLS:])])
    keep = []
    while queue:
        way = queue.popleft()
        key = way.key()
        if key in seen or way._replace(calls=()).key() in seen:  # by no call: with what all callers give
            continue
        if len(seen) >= LIMIT:
            found["unknown", id(way.node)] = Origin("unknown", way.node, "", way.trail, way.passed)
            break
        seen.add(key)
        keep.append(way.node)
        said = reader(way.node, way.passed) if reader is not None else None
        by_language = said is None or isinstance(said, str)
        for step in _back(program, way) if by_language else said:
            if isinstance(step, Origin):
                origin = step._replace(trail=way.trail, passed=way.passed)
                found.setdefault((step.kind, id(step.node), step.name, way.passed), origin)
            else:
                step = step if isinstance(step, Step) else Step(step)
                queue.append(way.after(step, said if isinstance(said, str) else ""))
    return tuple(sorted(found.values(), key=_place))


def _place(origin: Origin) -> tuple[object, ...]:
    return origin.node.span, origin.kind, origin.name, sorted(origin.passed)


def _longer(trail: tuple[Span, ...], span: Span) -> tuple[Span, ...]:
    """The trail with one more place in front; places on one line are one."""
    is_new = (span.path, span.line) != (trail[0].path, trail[0].line)
    return (span, *trail) if is_new else trail


def _back(program: Program, way: _Way) -> Iterator[ir.Expr | Step | Origin]:
    """The expressions that a way's node takes its value from, or the origin that it is."""
    match node := way.node:
        case ir.Literal():
            yield Origin("constant", node)
        case ir.Name():
            yield from _name(program, node, way.calls)
        case ir.Member():
            yield from _member(program, node, way.calls)
        case ir.Index():
            yield from _index(program, node)
        case ir.Call():
            yield from _call(program, node, way.calls)
        case ir.Loop():
            yield from (part for part in node.body if not isinstance(part, ir.Loop))  # type: ignore[misc]
            if node.source is not None:
                yield node.source
        case ir.Function() | ir.Class():
            yield Origin("name", node, node.qualname)
        case ir.Conditional():
            yield node.then
            yield node.otherwise
        case ir.Operator() if node.op in _TESTS:
            yield Origin("constant", node)
        case _:
            yield from ir.children(node)  # type: ignore[misc]


def _name(program: Program, node: ir.Name, calls: Calls) -> Iterator[ir.Expr | Step | Origin]:
    bindings = visible_bindings(program, node)
    receiver = calls[-1].callee if calls and node.id == "self" and not bindings else None
    if isinstance(receiver, ir.Member):
        yield Step(receiver.target, calls=calls[:-1])
    elif not bindings:
        yield Origin("name", node, node.id)
    for binding in bindings:
        if binding.kind == "parameter":
            yield from _parameter(program, binding, calls)
            yield from _grown(program, binding.node, node.id)  # type: ignore[arg-type]
        elif binding.kind == "import":
            yield from _imported(program, node)
        elif binding.value is not None:
            yield _part(program, binding)
            yield from _grown(program, program.scope_of(binding.node), node.id)
        else:
            yield Origin("name", node, node.id)


def _part(program: Program, binding: Binding) -> ir.Expr:
    """The part of a display that a destructuring takes; where it is not readable, the whole."""
    whole = binding.value if binding.value is not None else ir.Name(binding.node.span, binding.name)
    return _taken(program, whole, binding.steps)


def _taken(program: Program, found: ir.Expr, steps: tuple[str, ...]) -> ir.Expr:
    """What the steps of a pattern lead to in a value, as far as it is readable."""
    for step in steps:
        if not step.startswith(".") or step == "...":
            break
        inner = _entry(program, found, step[1:])
        if inner is None:
            break
        found = inner
    return found


def _entry(program: Program, expr: ir.Expr, key: str) -> ir.Expr | None:
    values = program.value_of(expr)
    if len(values) == 1 and isinstance(values[0], Entries) and values[0].complete:
        return dict(values[0].entries).get(key)
    return None


def _grown(program: Program, scope: ir.Scope, name: str) -> Iterator[ir.Expr]:
    """What is put into a container after it was made."""
    for change in growth.changes_of_name(program, scope, name):
        yield from growth.added(change)


def _imported(program: Program, node: ir.Name) -> Iterator[ir.Expr | Origin]:
    for value in program.value_of(node):
        origin = getattr(value, "node", None)
        if isinstance(value, (Items, Entries, Text)) and origin is not None:
            yield origin
        elif isinstance(value, Api) and isinstance(value.node, ir.Call):
            yield value.node
        elif isinstance(value, Const):
            yield Origin("constant", ir.Literal(value.span, value.value))
        else:
            yield Origin("name", node, value.path if isinstance(value, Api) else node.id)


def _parameter(program: Program, binding: Binding, calls: Calls) -> Iterator[ir.Expr | Step | Origin]:
    """What the call gives that the way came in by; what all callers give, where it came in by none."""
    function, param = binding.node, binding.extra
    if not isinstance(function, ir.Function) or not isinstance(param, ir.Parameter):
        return
    yield Origin("parameter", function, param.name)
    sites = program.callers(function)
    entered = tuple(site for site in sites if site.call is calls[-1]) if calls else ()
    outside = calls[:-1] if entered else ()
    is_left_out = not entered
    for site in entered or sites:
        arguments = tuple(_arguments(program, site, function, param))
        is_left_out = is_left_out or not arguments
        yield from (Step(_taken(program, argument, binding.steps), calls=outside) for argument in arguments)
    if param.default is not None and is_left_out:
        yield param.default


def _arguments(program: Program, site: CallSite, function: ir.Function, param: ir.Parameter) -> Iterator[ir.Expr]:
    """What a call gives to a parameter: an argument, those that `*args` and `**kwargs` collect, what is spread into
    the call; a callback is given what its runner runs over.
    """
    call = site.call
    if site.escapes and callee_name(call.callee) in OVER:
        yield from (a.value for a in call.args if not _is_function(program, a.value))
        if isinstance(call.callee, ir.Member):
            yield call.callee.target
        return
    if param.kind:
        named = {other.name for other in function.params if not other.kind}
        spread, plain = ("**", False) if param.kind == "**" else ("*", True)
        for argument in call.args:
            is_collected = argument.spread == spread or (not argument.spread and (argument.keyword is None) is plain)
            if is_collected and argument.keyword not in named:
                yield argument.value
        return
    found = passed_argument(site, function, param)
    if isinstance(found, Unknown):
        for argument in call.args:
            if argument.spread:
                yield _taken(program, argument.value, (f".{param.name}",))
    elif found is not None:
        yield found


def _is_function(program: Program, expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Function) or any(isinstance(value, Func) for value in program.value_of(expr))


def _member(program: Program, node: ir.Member, calls: Calls) -> Iterator[ir.Expr | Step | Origin]:
    """An attribute of an object of the project is what was assigned to it; any other belongs to its object."""
    found = False
    for value in _owners(program, node.target, calls):
        if isinstance(value, (Instance, ClassValue)):
            for step in _attribute(program, value, node.name, calls):
                found = True
                yield step
        elif isinstance(value, Entries) and node.name in dict(value.entries):
            found = True
            yield dict(value.entries)[node.name]
        elif isinstance(value, ModuleValue):
            for step in _offered(program, value, node):
                found = True
                yield step
    if not found:
        yield node.target


def _owners(program: Program, target: ir.Expr, calls: Calls) -> Values:
    """What an attribute is taken from; `self` is what the method was called on by which the way came in."""
    values = program.value_of(target)
    callee = calls[-1].callee if calls and isinstance(target, ir.Name) and target.id == "self" else None
    if not isinstance(callee, ir.Member) or not all(isinstance(value, Instance) for value in values):
        return values
    called_on = program.value_of(callee.target)
    own = {value.cls for value in values if isinstance(value, Instance)}
    fits = (isinstance(v, Instance) and own & {*classes.lineage(program, v.cls)} for v in called_on)
    return called_on if called_on and all(fits) else values


def _attribute(
    program: Program, owner: Instance | ClassValue, name: str, calls: Calls
) -> Iterator[ir.Expr | Step | Origin]:
    call = owner.call if isinstance(owner, Instance) else None
    inside = calls if call is None else (*calls, call)
    if call is not None and name in classes.fields(program, owner.cls):
        yield from (argument.value for argument in call.args if argument.keyword == name)
    for cls in classes.lineage(program, owner.cls):
        for binding in program.attributes(cls).get(name, ()):
            if isinstance(binding.node, ir.Function):
                yield from program.structure(binding.node).returns
            elif binding.value is not None:
                yield Step(binding.value, calls=inside)
        for change in growth.changes_of_attribute(program, cls, name):
            yield from growth.added(change)


def _offered(program: Program, value: ModuleValue, node: ir.Member) -> Iterator[ir.Expr]:
    for place in program.exports.locate(value.module, node.name):
        if isinstance(place, InModule):
            bindings = program.bindings(place.module).get(place.name, ())
            yield from (binding.value for binding in bindings if binding.value is not None)
        elif isinstance(place, Inline):
            yield place.expr


def _index(program: Program, node: ir.Index) -> Iterator[ir.Expr]:
    """An element of a readable dictionary under a constant key is its entry; else it belongs to its container."""
    keys = program.value_of(node.key) if not isinstance(node.key, (ir.Slice, ir.List)) else ()
    key = keys[0].value if len(keys) == 1 and isinstance(keys[0], Const) else None
    inner = _entry(program, node.target, key) if isinstance(key, str) else None
    if inner is None:
        yield node.target
    else:
        yield inner


def _call(program: Program, node: ir.Call, calls: Calls) -> Iterator[ir.Expr | Step | Origin]:
    functions = [function for function in program.callees(node) if not _is_handed(function, node)]
    constructs = [function for function in functions if function.name == classes.CONSTRUCTOR]
    for function in functions:
        structure = program.structure(function)
        given = (*structure.returns, *(inner.value for inner in structure.yields if inner.value is not None))
        yield from (Step(value, calls=(*calls, node)) for value in given)
    if constructs:
        yield from (argument.value for argument in node.args)
    if functions:
        return
    yield Origin("call", node)
    if isinstance(node.callee, ir.Member):
        yield node.callee.target
    for argument in node.args:
        if isinstance(argument.value, ir.Function):
            yield from program.structure(argument.value).returns
        else:
            yield argument.value


def _is_handed(function: ir.Function, call: ir.Call) -> bool:
    """Whether a function is run by a library's call that it is handed to; its result is not the call's."""
    return any(argument.value is function for argument in call.args)
