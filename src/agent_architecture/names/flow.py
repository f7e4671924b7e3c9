"""Where a value comes from: the trail backwards from an expression, across assignments, texts, containers, calls and
files.

It over-approximates: what goes into a library call is taken to come out of it. Who is a source and what makes a
value safe is for the
caller to say, from the origins and the calls on the trail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from agent_architecture.names import members
from agent_architecture.names.calls import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Api, ClassValue, Entries, Instance, Items, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.sources.source import Span

LIMIT: Final = 600
"""Expressions followed for one question; more is given up as unknown."""

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
    queue: list[tuple[ir.Expr, tuple[Span, ...]]] = [(expr, (expr.span,))]
    keep = []
    while queue:
        node, trail = queue.pop()
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
                queue.append(
                    (
                        step,
                        (step.span, *trail)
                        if step.span.line != trail[0].line or step.span.path != trail[0].path
                        else trail,
                    )
                )
    return tuple(sorted(found.values(), key=lambda origin: (origin.node.span, origin.kind, origin.name)))


def _back(program: Program, node: ir.Expr) -> Iterator[ir.Expr | Origin]:
    """The expressions that `node` takes its value from, or the origin that it is."""
    match node:
        case ir.Literal():
            yield Origin("constant", node)
        case ir.Name():
            yield from _name(program, node)
        case ir.Member():
            yield from _member(program, node)
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
        case ir.Operator() if node.op in {"==", "!=", "<", "<=", ">", ">=", "in", "not", "instanceof", "typeof"}:
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
        elif binding.kind == "import":
            yield from _imported(program, node)
        elif binding.value is not None:
            yield binding.value
        else:
            yield Origin("name", node, node.id)


def _imported(program: Program, node: ir.Name) -> Iterator[ir.Expr | Origin]:
    for value in program.value_of(node):
        origin = getattr(value, "node", None)
        if isinstance(value, (Items, Entries)) and origin is not None:
            yield origin
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
            for cls in members.lineage(program, value.cls):
                for binding in program.attributes(cls).get(node.name, ()):
                    if binding.value is not None:
                        found = True
                        yield binding.value
        elif isinstance(value, Entries) and node.name in dict(value.entries):
            found = True
            yield dict(value.entries)[node.name]
    if not found:
        yield node.target


def _call(program: Program, node: ir.Call) -> Iterator[ir.Expr | Origin]:
    functions = program.callees(node)
    for function in functions:
        for inner in ir.walk(*function.body):
            if isinstance(inner, (ir.Return, ir.Yield)) and inner.value is not None:
                yield inner.value
    if functions:
        return
    yield Origin("call", node)
    if isinstance(node.callee, ir.Member):
        yield node.callee.target
    for argument in node.args:
        yield argument.value
