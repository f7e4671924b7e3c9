"""Where a value comes from: the trail backwards from an expression, across assignments, texts, containers, calls and
files.

It over-approximates: what goes into a library call is taken to come out of it. Who is a source and what makes a
value safe is for the
caller to say, from the origins and the calls on the trail.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from agent_architecture.names import classes, growth
from agent_architecture.names.calls import passed_argument
from agent_architecture.names.located import Inline, InModule
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Instance,
    Items,
    ModuleValue,
    Text,
    Unknown,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.sources.source import Span

LIMIT: Final = 600
"""Expressions followed for one question; more is given up as unknown."""

_TESTS: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not", "instanceof", "typeof"})
"""Operators whose result is true or false (or a type's name), whoever wrote the operands."""

Kind = Literal["constant", "parameter", "call", "name", "unknown"]


class Origin(NamedTuple):
    """One place where a value begins.

    `constant`: `node` is the literal. `parameter`: `node` is the function, `name` the parameter. `call`: `node` is a
    call of a library
    (or of nothing readable). `name`: a library's own name. `trail` are the places passed on the way, the asked
    expression last.
    """

    kind: Kind
    node: ir.Node
    name: str = ""
    trail: tuple[Span, ...] = ()


def origins(program: Program, expr: ir.Expr) -> tuple[Origin, ...]:
    """Every place where the value of `expr` may begin, in order of position."""
    found: dict[tuple[str, int, str], Origin] = {}
    seen: set[int] = set()
    queue: deque[tuple[ir.Expr, tuple[Span, ...]]] = deque([(expr, (expr.span,))])
    keep = []
    while queue:
        node, trail = queue.popleft()
        if id(node) in seen:
            continue
        if len(seen) >= LIMIT:
            found["unknown", id(node), ""] = Origin("unknown", node, "", trail)
            break
        seen.add(id(node))
        keep.append(node)
        for step in _back(program, node):
            if isinstance(step, Origin):
                found.setdefault((step.kind, id(step.node), step.name), step._replace(trail=trail))
            else:
                queue.append((step, _longer(trail, step.span)))
    return tuple(sorted(found.values(), key=lambda origin: (origin.node.span, origin.kind, origin.name)))


def _longer(trail: tuple[Span, ...], span: Span) -> tuple[Span, ...]:
    """The trail with one more place in front; places on one line are one."""
    is_new = (span.path, span.line) != (trail[0].path, trail[0].line)
    return (span, *trail) if is_new else trail


def _back(program: Program, node: ir.Expr) -> Iterator[ir.Expr | Origin]:
    """The expressions that `node` takes its value from, or the origin that it is."""
    match node:
        case ir.Literal():
            yield Origin("constant", node)
        case ir.Name():
            yield from _name(program, node)
        case ir.Member():
            yield from _member(program, node)
        case ir.Index():
            yield from _index(program, node)
        case ir.Call():
            yield from _call(program, node)
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


def _name(program: Program, node: ir.Name) -> Iterator[ir.Expr | Origin]:
    bindings = visible_bindings(program, node)
    if not bindings:
        yield Origin("name", node, node.id)
    for binding in bindings:
        if binding.kind == "parameter":
            yield from _parameter(program, binding)
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
    found = binding.value
    for step in binding.steps:
        if not step.startswith(".") or step == "...":
            break
        inner = _entry(program, found, step[1:]) if found is not None else None
        if inner is None:
            break
        found = inner
    return found if found is not None else ir.Name(binding.node.span, binding.name)


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


def _parameter(program: Program, binding: Binding) -> Iterator[ir.Expr | Origin]:
    function, param = binding.node, binding.extra
    if not isinstance(function, ir.Function) or not isinstance(param, ir.Parameter):
        return
    yield Origin("parameter", function, param.name)
    for site in program.callers(function):
        argument = passed_argument(site, function, param)
        if argument is not None and not isinstance(argument, Unknown):
            yield argument
    if param.default is not None:
        yield param.default


def _member(program: Program, node: ir.Member) -> Iterator[ir.Expr | Origin]:
    """An attribute of an object of the project is what was assigned to it; any other belongs to its object."""
    found = False
    for value in program.value_of(node.target):
        if isinstance(value, (Instance, ClassValue)):
            for step in _attribute(program, value, node.name):
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


def _attribute(program: Program, owner: Instance | ClassValue, name: str) -> Iterator[ir.Expr | Origin]:
    call = owner.call if isinstance(owner, Instance) else None
    if call is not None and name in classes.fields(program, owner.cls):
        yield from (argument.value for argument in call.args if argument.keyword == name)
    for cls in classes.lineage(program, owner.cls):
        for binding in program.attributes(cls).get(name, ()):
            if isinstance(binding.node, ir.Function):
                yield from program.structure(binding.node).returns
            elif binding.value is not None:
                yield binding.value
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


def _call(program: Program, node: ir.Call) -> Iterator[ir.Expr | Origin]:
    functions = [function for function in program.callees(node) if not _is_handed(function, node)]
    constructs = [function for function in functions if function.name == classes.CONSTRUCTOR]
    for function in functions:
        structure = program.structure(function)
        yield from structure.returns
        yield from (inner.value for inner in structure.yields if inner.value is not None)
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
