"""What a tool's own code does with its arguments: checks that can refuse them, and texts that they are put into.

States facts about a body of code and the names of the arguments in it. It knows no schema, and judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.model.effects import Effect, Shaped
from agent_architecture.names import flow
from agent_architecture.names.calls import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import blocks
from agent_architecture.names.values import Const, Entries, Items, Text, Unknown
from agent_architecture.semantics.context import called
from agent_architecture.semantics.match import resolved
from agent_architecture.semantics.reach import extent, leaves
from agent_architecture.semantics.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.effects import Effects

INTO: Final = frozenset({"database", "database_read", "database_write", "read_file", "write_file", "execute_shell"})
"""Effects whose query, path or command is text that somebody may break out of."""
JOINING: Final = frozenset({"join", "joinpath", "resolve", "format", "concat", "Path", "PurePath", "replace"})
"""Calls that put their arguments into one text or path."""
HARMLESS: Final = frozenset(
    {"int", "float", "bool", "len", "Number", "parseInt", "parseFloat", "Boolean", "basename", "UUID", "isoformat"}
)  # fmt: skip
"""Calls whose result cannot carry the text that they are given."""
MATCHING: Final = frozenset(
    """match fullmatch test isalnum isalpha isdigit isdecimal isidentifier isnumeric has includes startswith startsWith
    is_relative_to""".split()  # noqa: SIM905 - a list of forty quotes is no easier to read
)
"""Calls that compare a text with a pattern, a list or a root."""
PARSING: Final = frozenset({"json.loads", "JSON.parse", "yaml.safe_load"})
VALIDATING: Final = frozenset({"validated", "asserts_schema"})
RECEIVED: Final = frozenset({"arguments", "args", "input", "params", "tool_input", "parameters"})
"""What libraries and dispatchers call the arguments that a model wrote."""
STEPS: Final = 80
"""Expressions followed back from one dangerous argument."""


class Body(NamedTuple):
    """Code that runs a tool: its statements, the function around them, and the names of the arguments.

    `names` are the function's own parameters; none where the arguments come in one object.
    """

    statements: tuple[ir.Node, ...]
    function: ir.Function
    names: frozenset[str]


class Checks(NamedTuple):
    """What is done to arguments: those whose content is checked, those whose type is, those that are parsed inside,
    and the schemas that they are put through. `ALL` stands for every argument.
    """

    content: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    parsed: frozenset[str] = frozenset()
    schemas: tuple[tuple[str, Value], ...] = ()


ALL: Final = "*"


def of_function(function: ir.Function) -> Body:
    """The body of a function that is the tool."""
    patterns = [p.pattern for p in function.params if isinstance(p.pattern, ir.Map)]
    keys = {str(e.key.value) for p in patterns for e in p.entries if isinstance(e.key, ir.Literal)}
    plain = {p.name for p in function.params if p.pattern is None and p.kind != "**"}
    whole = bool(patterns) or any(p.kind == "**" for p in function.params)
    return Body(tuple(function.body), function, frozenset(keys if whole else plain))


def checks(context: Context, body: Body) -> Checks:
    """Everything that the code does to refuse arguments."""
    content: set[str] = set()
    types: set[str] = set()
    parsed: set[str] = set()
    schemas: list[tuple[str, Value]] = []
    for node in extent(context.program, body.statements, set()).nodes():
        match node:
            case ir.If() if any(block and leaves(block[-1]) for block in blocks(node)):
                _tested(context, body, node.test, content, types)
            case ir.Opaque(kind="assert_statement"):
                _tested(context, body, node, content, types)
            case ir.Call():
                covers = marks_of(context, node)
                names = _given(context.program, body, node) if covers or _is_parser(node) else set()
                content |= names if "confines_path" in covers else set()
                parsed |= names if _is_parser(node) else set()
                if covers & VALIDATING:
                    whole = _takes_all(node)
                    types |= names if whole else names - {ALL}
                    found = _schema(context.program, node) if whole else ()
                    schemas.extend((name, value) for value in found for name in sorted(names))
            case _:
                continue
    return Checks(frozenset(content), frozenset(types), frozenset(parsed - types), tuple(schemas))


def _tested(context: Context, body: Body, test: ir.Node, content: set[str], types: set[str]) -> None:
    for part in ir.walk(test):
        match part:
            case ir.Operator(op="in", operands=operands):
                content |= _mentioned(context.program, body, operands[0])
            case ir.Call() if callee_name(part.callee) in MATCHING:
                target = (part.callee.target,) if isinstance(part.callee, ir.Member) else ()
                for expr in (*target, *(a.value for a in part.args)):
                    content |= _mentioned(context.program, body, expr)
            case ir.Operator(op="<" | ">" | "<=" | ">=", operands=operands):
                for expr in operands:
                    content |= _mentioned(context.program, body, expr)
            case ir.Call() if callee_name(part.callee) == "isinstance" and part.args:
                types |= _mentioned(context.program, body, part.args[0].value)
            case ir.Operator(op="typeof", operands=operands):
                types |= _mentioned(context.program, body, operands[0])
            case _:
                continue


def marks_of(context: Context, call: ir.Call) -> set[str]:
    """The marks that packs give to a call."""
    return {mark.covers for api in resolved(context.program, call.callee) for mark in context.packs.marks(api.path)}


def _given(program: Program, body: Body, call: ir.Call) -> set[str]:
    return {name for argument in call.args for name in _mentioned(program, body, argument.value)}


def _is_parser(call: ir.Call) -> bool:
    callee = call.callee
    return isinstance(callee, ir.Member) and f"{callee_name(callee.target)}.{callee.name}" in PARSING


def _takes_all(call: ir.Call) -> bool:
    """Whether a call is given an object as it is (`Args(**arguments)`, `Args.parse(request.params.arguments)`)."""
    given = [a.value for a in call.args if a.spread == "**"] or [a.value for a in call.args[:1] if a.keyword is None]
    given += [a.value for a in call.args if a.keyword in {"instance", "obj"}]
    return any(isinstance(expr, (ir.Name, ir.Member, ir.Index, ir.Call, ir.Operator)) for expr in given)


def _schema(program: Program, call: ir.Call) -> Iterator[Value]:
    """The schema that a validating call applies: the class or object it is called on, else the class itself."""
    owner = call.callee.target if isinstance(call.callee, ir.Member) else call.callee
    yield from program.value_of(owner)


def _mentioned(program: Program, body: Body, expr: ir.Expr) -> set[str]:
    """The arguments of the tool that an expression may take its value from; `ALL` where it may be any."""
    for origin in flow.origins(program, expr):
        if origin.kind == "parameter" and origin.node is body.function:
            if origin.name in body.names:
                return {origin.name}
            return _spelled(body, expr) or _keys(program, body, expr) or {ALL}
        if origin.kind == "call" and _is_received(body, origin.node):
            return _keys(program, body, expr) or {ALL}
    return set()


def _keys(program: Program, body: Body, expr: ir.Expr) -> set[str]:
    """The keys under which an expression takes values from the object of arguments, through calls of the project."""
    queue: list[ir.Expr] = [expr]
    seen: set[int] = set()
    found: set[str] = set()
    while queue and len(seen) < STEPS:
        node = queue.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        key = _key(node)
        if key and key not in RECEIVED and _is_object(program, body, node):
            found.add(key)
        elif isinstance(node, ir.Name):
            for binding in visible_bindings(program, node):
                queue.extend(_bound(program, binding))
        else:
            queue.extend(inner for inner in ir.children(node) if not isinstance(inner, (ir.Function, ir.Class)))  # type: ignore[misc]
    return found


def _key(node: ir.Expr) -> str:
    match node:
        case ir.Index(key=ir.Literal(value=str() as key)):
            return key
        case ir.Call(
            callee=ir.Member(name="get" | "pop"), args=(ir.Argument(value=ir.Literal(value=str() as key)), *_)
        ):
            return key
        case ir.Member(name=name):
            return name
        case _:
            return ""


def _is_object(program: Program, body: Body, node: ir.Expr) -> bool:
    """Whether what a key is taken from is the object of arguments itself."""
    owner = node.callee.target if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) else None
    owner = node.target if isinstance(node, (ir.Index, ir.Member)) else owner
    if isinstance(owner, ir.Name):
        bindings = visible_bindings(program, owner)
        return any(
            (binding.kind == "parameter" and binding.node is body.function)
            or (isinstance(binding.value, ir.Call) and _is_parser(binding.value))
            or (binding.value is not None and _key(binding.value) in RECEIVED)
            for binding in bindings
        )
    return owner is not None and _key(owner) in RECEIVED


def _bound(program: Program, binding: Binding) -> Iterator[ir.Expr]:
    """Where a name's value comes from: what is assigned to it, what callers pass for it."""
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
    return isinstance(node, ir.Call) and _is_parser(node) and body.function.span.contains(node.span)


# ------------------------------------------------------------------------------------------------------- interpolation
def unsafe_uses(context: Context, effects: Effects, body: Body, texts: frozenset[str]) -> tuple[Effect, ...]:
    """The effects whose query, path or command an argument among `texts` is put into; `ALL` among them means any."""
    found: dict[tuple[object, str], Effect] = {}
    for node in extent(context.program, body.statements, set()).nodes():
        for row, call in effects.rows(node) if isinstance(node, ir.Call) else ():
            if row.effect not in INTO or row.argument is None:
                continue
            cleaned = frozenset(_cleaning(context, row.effect))
            for expr in expressions(context.program, call, row.argument):
                names = {n for part in _joined(context, expr, cleaned) for n in _mentioned(context.program, body, part)}
                if names & texts or (ALL in texts and names) or (ALL in names and texts):
                    effect = Effect(call.span, called(call), row.where.pack, row.effect, Shaped.PARTLY, (expr.span,))
                    found[call.span, row.effect] = effect
    return tuple(found[key] for key in sorted(found, key=lambda key: (found[key].span, key[1])))


def _cleaning(context: Context, effect: str) -> Iterator[str]:
    family = "database" if effect.startswith("database") else effect
    for rows in context.packs.sources:
        for row in rows.flows:
            if row.kind == "sanitizer" and row.name == family:
                yield from (path.rpartition(".")[2].rpartition(":")[2] for path in row.call)


def _joined(context: Context, expr: ir.Expr, cleaned: frozenset[str]) -> Iterator[ir.Expr]:
    """The parts of the texts and paths that an expression is joined from."""
    queue: list[ir.Expr] = [expr]
    seen: set[int] = set()
    while queue and len(seen) < STEPS:
        node = queue.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        parts = tuple(_parts(node))
        yield from (part for part in parts if not _is_clean(part, cleaned))
        queue.extend(parts)
        queue.extend(_made_of(context.program, node))


def _is_clean(part: ir.Expr, cleaned: frozenset[str]) -> bool:
    return isinstance(part, ir.Literal) or (
        isinstance(part, ir.Call) and callee_name(part.callee) in cleaned | HARMLESS
    )


def _parts(node: ir.Expr) -> Iterator[ir.Expr]:
    match node:
        case ir.Template():
            yield from node.parts
        case ir.Operator(op="+" | "/" | "%"):
            yield from node.operands
        case ir.Call() if callee_name(node.callee) in JOINING and _joins(node):
            for argument in node.args:
                yield from argument.value.items if isinstance(argument.value, ir.List) else (argument.value,)
        case _:
            return


def _joins(call: ir.Call) -> bool:
    """Whether a call adds its argument to something: `root.joinpath(x)`, `os.path.join(root, x)`; not `Path(x)`."""
    name = callee_name(call.callee)
    lists = any(isinstance(a.value, ir.List) and len(a.value.items) > 1 for a in call.args)
    return lists or len(call.args) > 1 or name in {"joinpath", "format"}


def _made_of(program: Program, node: ir.Expr) -> Iterator[ir.Expr]:
    """Where the value of an expression is made, when it is not made here."""
    match node:
        case ir.Name():
            bindings = visible_bindings(program, node)
            yield from (b.value for b in bindings if b.value is not None and b.kind in {"assign", "with"})
            if any(b.kind == "parameter" for b in bindings):
                yield from _elsewhere(program.value_of(node))
        case ir.Await():
            yield node.value
        case ir.Conditional():
            yield from (node.then, node.otherwise)
        case ir.Member():
            yield from (node.target, *_elsewhere(program.value_of(node)))
        case ir.Call():
            for function in program.callees(node):
                yield from program.structure(function).returns
            if isinstance(node.callee, ir.Member):
                yield node.callee.target
            yield from (argument.value for argument in node.args)
        case _:
            return


def _elsewhere(values: Iterable[Value]) -> Iterator[ir.Expr]:
    for value in values:
        if isinstance(value, (Text, Items, Entries)) or (
            not isinstance(value, Const) and getattr(value, "node", None) is not None
        ):
            yield value.node  # type: ignore[union-attr, misc]
