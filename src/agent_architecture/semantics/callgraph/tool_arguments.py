"""Which argument of a tool an expression is: roughly, where it comes from; strictly, what it is the whole of.

Knows the code that runs a tool and the names of its arguments. It knows no schema, and judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.patterns import is_rest
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.decorated import decorated_calls
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

PARSING: Final = frozenset({"json.loads", "JSON.parse", "yaml.safe_load"})
RECEIVED: Final = frozenset({"arguments", "args", "input", "params", "tool_input", "parameters"})
"""What libraries and dispatchers call the arguments that a model wrote."""
ALL: Final = "*"
"""Stands for every argument."""
STEPS: Final = 80
"""Expressions followed back from one that is asked for."""

KEEPING: Final = frozenset(
    """lower upper strip lstrip rstrip trim trimStart trimEnd toLowerCase toUpperCase casefold toString valueOf encode
    decode expanduser expandvars as_posix str String int float Number parseInt parseFloat len Path PurePath URL urlparse
    list set tuple sorted from""".split()  # noqa: SIM905 - a list of quotes is no easier to read
)
"""Calls whose result is their text again, or says something of the whole of it."""
RESOLVING: Final = regex(r"resolve|real_?path|abs(?:olute|_?path)|normali[sz]e|normpath|canonical", re.IGNORECASE)
"""Calls that leave no way up in a path."""
NORMALISING: Final = regex(r"expand|clean|saniti[sz]e|trim|strip|lower|parse|coerce|valid|check|safe", re.IGNORECASE)
"""What functions of a project are called that give their argument back in another form."""
JOINED: Final = frozenset({"join", "joinpath"})
KEEPING_PARTS: Final = frozenset({"length", "size", "hostname", "host", "netloc", "href"})
"""Parts of a text, list or address that say what the whole may do."""


class Body(NamedTuple):
    """Code that runs a tool: its statements, the function around them, and the names of the arguments.

    `names` are the function's own parameters; none where the arguments come in one object.
    """

    statements: tuple[ir.Node, ...]
    function: ir.Function
    names: frozenset[str]


CALLS: Final = 8
"""Calls in a function that does nothing but hand its arguments on: their parts are looked up, with defaults."""
HANDED_ON: Final = 2
"""Helpers and other names through which the object of arguments is followed."""


class Whole(NamedTuple):
    """An argument, by its name. `resolved`: what is looked at is the path that it leads to."""

    name: str
    resolved: bool = False


def of_function(function: ir.Function) -> Body:
    """The body of a function that is the tool."""
    patterns = [p.pattern for p in function.params if isinstance(p.pattern, ir.Map)]
    keys = {str(e.key.value) for p in patterns for e in p.entries if isinstance(e.key, ir.Literal)}
    plain = {p.name for p in function.params if p.pattern is None and p.kind != "**"}
    whole = bool(patterns) or any(p.kind == "**" for p in function.params)
    return Body(tuple(function.body), function, frozenset(keys if whole else plain))


def taken_apart(program: Program, function: ir.Function) -> ir.Function | None:
    """The one function of the project that a function calls, and does nothing else, with parts of the one object that
    is handed to it: `lambda given: count(given["of"])`, `({ of }) => count(of)`.
    """
    returned = program.structure(function).returns
    call = returned[0] if len(returned) == 1 and len(own_nodes(function, ir.Call)) <= CALLS else None
    call = call.value if isinstance(call, ir.Await) else call
    if not isinstance(call, ir.Call) or len(function.params) > 1:
        return None
    run = program.callees(call)
    parts = (node for argument in call.args for node in ir.walk(argument.value))
    return run[0] if len(run) == 1 and not any(isinstance(node, ir.Function) for node in parts) else None


def taking(body: Body, arguments: frozenset[str]) -> Body:
    """The body, once it is known what the arguments are called: none of its parameters may be one of them."""
    return body if body.names & arguments else body._replace(names=frozenset())


def is_parser(call: ir.Call) -> bool:
    """Whether a call makes an object of a text."""
    callee = call.callee
    return isinstance(callee, ir.Member) and f"{callee_name(callee.target)}.{callee.name}" in PARSING


# ------------------------------------------------------------------------------------------------------------ roughly
def mentioned(program: Program, body: Body, expr: ir.Expr) -> frozenset[str]:
    """The arguments of the tool that an expression may take its value from; `ALL` where it may be any."""
    return program.kept(_mentioned, body, expr)


def _mentioned(program: Program, body: Body, expr: ir.Expr) -> frozenset[str]:
    for origin in flow.ends(program, expr):
        if origin.kind == "parameter" and origin.node is body.function:
            if origin.name in body.names:
                return frozenset({origin.name})
            return frozenset(_spelled(body, expr) or _keys(program, body, expr) or {ALL})
        if origin.kind == "call" and _is_received(body, origin.node):
            return frozenset(_keys(program, body, expr) or {ALL})
    return frozenset()


def begins(program: Program, body: Body, expr: ir.Expr, reader: flow.Reader) -> bool:
    """Whether an expression takes its value from some argument, on a way on which a reader does not stop."""
    return any(
        origin.node is body.function if origin.kind == "parameter" else _is_received(body, origin.node)
        for origin in flow.origins(program, expr, reader)
        if origin.kind in {"parameter", "call"}
    )


def _keys(program: Program, body: Body, expr: ir.Expr) -> set[str]:
    """The keys under which an expression takes values from the object of arguments, through calls of the project."""
    found: set[str] = set()

    def further(node: ir.Node) -> Iterator[ir.Node]:
        key = taken_key(node)  # type: ignore[arg-type]
        if key and key not in RECEIVED and _is_object(program, body, node):  # type: ignore[arg-type]
            found.add(key)
        elif isinstance(node, ir.Name):
            for binding in visible_bindings(program, node):
                taken = _taken(program, body, binding)
                found.update({taken} if taken else ())
                yield from () if taken else _bound(program, binding)
        else:
            yield from (inner for inner in ir.children(node) if not isinstance(inner, (ir.Function, ir.Class)))

    start: tuple[ir.Node, ...] = (expr,)
    reached(start, further, STEPS)
    return found


def taken_key(node: ir.Expr) -> str:
    """The key under which an expression takes a part of something (an index, a member, `get`, `pop`), or ""."""
    match node:
        case _ if (read := part_read(node)) is not None:
            return read.key
        case ir.Call(callee=ir.Member(name="pop"), args=(ir.Argument(value=ir.Literal(value=str() as key)), *_)):
            return key
        case _:
            return ""


def _is_object(program: Program, body: Body, node: ir.Expr) -> bool:
    """Whether what a key is taken from is the object of arguments itself."""
    owner = node.callee.target if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) else None
    owner = node.target if isinstance(node, (ir.Index, ir.Member)) else owner
    return owner is not None and _is_received_object(program, body, owner)


def _is_received_object(program: Program, body: Body, expr: ir.Expr, depth: int = HANDED_ON) -> bool:
    """Whether an expression is the object of arguments; a helper that it is handed to has it under another name."""
    if isinstance(expr, ir.Name):
        found = visible_bindings(program, expr)
        if any(
            (binding.kind == "parameter" and binding.node is body.function)
            or _is_wrapped(program, body, binding)
            or (isinstance(binding.value, ir.Call) and is_parser(binding.value))
            or (binding.value is not None and taken_key(binding.value) in RECEIVED)
            for binding in found
        ):
            return True
        handed = (given for binding in found if depth and not binding.steps for given in _bound(program, binding))
        return any(
            isinstance(given, (ir.Name, ir.Member)) and _is_received_object(program, body, given, depth - 1)
            for given in handed
        )
    return taken_key(expr) in RECEIVED


def _taken(program: Program, body: Body, binding: Binding) -> str:
    """The key that a destructuring takes from the object of arguments: `const { path } = args`, `({ path }) => …`; none
    where it takes that object itself (`const { name, arguments: args } = request.params`).
    """
    if not binding.steps or not binding.steps[0].startswith(".") or is_rest(binding.steps[0]):
        return ""
    if binding.steps[0][1:] in RECEIVED and binding.steps[0][1:] not in body.names:
        return ""
    own = binding.kind == "parameter" and binding.node is body.function
    of_object = binding.kind == "assign" and binding.value is not None
    if own or (of_object and binding.value is not None and _is_received_object(program, body, binding.value)):
        return binding.steps[0][1:]
    return ""


def _bound(program: Program, binding: Binding) -> tuple[ir.Expr, ...]:
    """Where a name's value comes from: what is assigned to it, what callers pass for it."""
    return program.kept(_sources, binding)


def _sources(program: Program, binding: Binding) -> tuple[ir.Expr, ...]:
    return tuple(_each_source(program, binding))


def _each_source(program: Program, binding: Binding) -> Iterator[ir.Expr]:
    if binding.value is not None and binding.kind in {"assign", "with"}:
        yield binding.value
    if isinstance(binding.node, ir.Function) and isinstance(binding.extra, ir.Parameter):
        for site in program.callers(binding.node):
            argument = passed_argument(site, binding.node, binding.extra)
            if argument is not None and not isinstance(argument, Unknown):
                yield argument


def _spelled(body: Body, expr: ir.Expr) -> set[str]:
    words = {node.id for node in ir.walk(expr) if isinstance(node, ir.Name)}
    words |= {node.name for node in ir.walk(expr) if isinstance(node, ir.Member)}
    return words & body.names


def _is_received(body: Body, node: ir.Node) -> bool:
    """Whether a call gives what a model wrote as arguments: it parses them, in the function that runs the tool."""
    return isinstance(node, ir.Call) and is_parser(node) and body.function.span.contains(node.span)


# ----------------------------------------------------------------------------------------------------------- strictly
def whole(program: Program, body: Body, expr: ir.Expr) -> frozenset[Whole]:
    """The arguments that an expression is the whole of, perhaps normalised: `name`, `args.name.toLowerCase()`, the
    path that `name` leads to below a root; not `name.split()[0]`, not what a service answered to it.
    """
    return program.kept(_whole, body, expr)


def _whole(program: Program, body: Body, expr: ir.Expr) -> frozenset[Whole]:
    found: set[Whole] = set()

    def further(step: tuple[ir.Expr, bool]) -> Iterator[tuple[ir.Expr, bool]]:
        node, resolved = step
        key = taken_key(node)
        if key and key not in RECEIVED and _is_object(program, body, node):
            found.add(Whole(key, resolved))
        elif isinstance(node, ir.Name):
            for binding in visible_bindings(program, node):
                name = _own(program, body, binding)
                found.update({Whole(name, resolved)} if name else ())
                yield from () if name else ((inner, resolved) for inner in _carried(program, binding))
        else:
            yield from ((inner, resolved or _resolves(node)) for inner in _kept(program, node))

    reached([(expr, False)], further, STEPS)
    return frozenset(found)


def _resolves(node: ir.Expr) -> bool:
    return isinstance(node, ir.Call) and RESOLVING.search(callee_name(node.callee)) is not None


def sides_to(program: Program, body: Body, expr: ir.Expr) -> Mapping[str, tuple[tuple[ir.Expr, ...], ...]]:
    """The arguments that get into an expression, each with the ways on which it does: the sides of conditional
    expressions that it stands on, on each (`program if program in ALLOWED else "date"`). Of too long ways: none.
    """
    queue: list[tuple[ir.Expr, tuple[ir.Expr, ...]]] = [(expr, ())]
    seen: set[tuple[int, tuple[ir.Expr, ...]]] = set()
    found: dict[str, tuple[tuple[ir.Expr, ...], ...]] = {}
    while queue:
        node, sides = queue.pop(0)
        if (id(node), sides) in seen:
            continue
        if len(seen) >= STEPS:
            return {}
        seen.add((id(node), sides))
        key = taken_key(node)
        if key and key not in RECEIVED and not body.names - {key} and _is_object(program, body, node):
            found[key] = (*found.get(key, ()), sides)
        elif isinstance(node, ir.Name):
            for binding in visible_bindings(program, node):
                name = _own(program, body, binding)
                if name:
                    found[name] = (*found.get(name, ()), sides)
                else:
                    queue.extend((inner, sides) for inner in _carried(program, binding))
        elif isinstance(node, ir.Conditional):
            queue.extend((side, (*sides, side)) for side in (node.then, node.otherwise))
        else:
            inside = (inner for inner in ir.children(node) if not isinstance(inner, (ir.Function, ir.Class)))
            queue.extend((inner, sides) for inner in inside)  # type: ignore[misc]
    return found


def resolved_in(program: Program, body: Body, expr: ir.Expr) -> set[str]:
    """The arguments of which an expression holds a part as a path that was resolved: it leads nowhere up any more."""
    found: set[str] = set()

    def further(node: ir.Expr) -> Iterator[ir.Expr]:
        if _resolves(node):
            found.update(name for part in _kept(program, node) for name in mentioned(program, body, part))
        elif isinstance(node, ir.Name):
            yield from (b.value for b in visible_bindings(program, node) if b.value is not None and not b.steps)
        else:
            yield from _kept(program, node)

    reached([expr], further, STEPS)
    return found


def confined(program: Program, body: Body, call: ir.Call) -> set[str]:
    """The arguments that a call takes as they are, or of which it is asked as a resolved path that is made of them:
    `path.relative_to(root)`, `(root / f"{name}.md").resolve().relative_to(root)`.
    """
    found = {each.name for expr in ir.parts_of(call) for each in whole(program, body, expr)}
    asked = call.callee.target if isinstance(call.callee, ir.Member) else None
    return found if asked is None else found | resolved_in(program, body, asked)


def _own(program: Program, body: Body, binding: Binding) -> str:
    """The argument that a binding is: a parameter of the tool, or a key taken from the object of arguments."""
    taken = _taken(program, body, binding)
    if taken:
        return taken
    if binding.kind == "parameter" and binding.node is not body.function:
        return _handed_through(program, body, binding)
    return binding.name if binding.kind == "parameter" and binding.name in body.names else ""


def _handed_through(program: Program, body: Body, binding: Binding) -> str:
    """The argument that a wrapper's parameter becomes, where a decorator of the project wraps the tool's function."""
    for call in decorated_calls(program, body.function):
        if program.scope_of(call) is binding.node:
            for number, argument in enumerate(call.args):
                if isinstance(argument.value, ir.Name) and argument.value.id == binding.name and not argument.spread:
                    plain = body.function.params[number].name if number < len(body.function.params) else ""
                    name = argument.keyword or plain
                    return name if name in body.names else ""
    return ""


def _is_wrapped(program: Program, body: Body, binding: Binding) -> bool:
    """Whether a binding is the keywords that a wrapper of the tool's function hands through: `**kwargs`."""
    extra = binding.extra
    is_rest_of = binding.kind == "parameter" and isinstance(extra, ir.Parameter) and extra.kind == "**"
    wrappers = decorated_calls(program, body.function) if is_rest_of else ()
    return any(program.scope_of(call) is binding.node for call in wrappers)


def _carried(program: Program, binding: Binding) -> Iterator[ir.Expr]:
    if isinstance(binding.node, ir.Loop):
        yield from () if binding.node.source is None else (binding.node.source,)
    elif not binding.steps:
        yield from _bound(program, binding)
        if isinstance(binding.node, ir.Function) and binding.extra in binding.node.params[:1]:
            yield from _elements(program, binding.node)


def _elements(program: Program, function: ir.Function) -> Iterator[ir.Expr]:
    """What a callback's first parameter runs over: `args.paths.map((path) => …)`."""
    around = program.structure(function.outer).parent(function)
    if isinstance(around, ir.Call) and isinstance(around.callee, ir.Member):
        yield around.callee.target


def _kept(program: Program, node: ir.Expr) -> Iterator[ir.Expr]:
    """The operands of which an expression keeps the whole."""
    match node:
        case ir.Await(value=inner):
            yield inner
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case ir.Operator(op=ir.Op.DIV | ir.Op.OR | ir.Op.NULLISH, operands=operands):
            yield from operands
        case ir.Member(target=target, name=name) if name in KEEPING_PARTS:
            yield target
        case ir.Template(parts=parts) if len(parts) == 1:
            yield from parts
        case ir.Call(callee=callee):
            name = callee_name(callee)
            own = bool(program.callees(node))
            if name in KEEPING | JOINED or RESOLVING.search(name) or (own and NORMALISING.search(name)):
                yield from (callee.target,) if isinstance(callee, ir.Member) and not own else ()
                yield from (argument.value for argument in node.args)
        case _:
            return
