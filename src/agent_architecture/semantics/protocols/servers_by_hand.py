"""Servers of MCP and A2A that are written by hand: code that asks which method of the protocol a request names.

Who asks for the method that lists what there is and for the one that uses it, and answers with a result, is a server;
who only names them in what it sends is a client. The site is the call that the answering function is handed to (an
HTTP server, a route), or the class whose method it is; of a class of the project each object is one, where it is made;
else that function. In a file in which a library makes a server there is another one by hand only where it lists tools
of its own: the rest hands requests on to the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Site, SiteKind
from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.values import ClassValue, Entries, Func, Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.mcp_answered import called_elsewhere
from agent_architecture.semantics.callgraph.endings import begun_in
from agent_architecture.semantics.callgraph.routes import served_by
from agent_architecture.semantics.matching.own_library import own_folders
from agent_architecture.semantics.protocols.published_by_hand import is_judged, publishing_servers
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

PARAMS: Final = "params"
MESSAGE: Final = frozenset({"params.message", "parts"})
"""What stands around the text of an A2A message: a function of a route that takes it apart answers the protocol."""
WORDS: Final = (b"params", b"message", b"parts")
DEPTH: Final = 2
"""Functions below a route in which its request is taken apart."""

LISTED: Final = "tools"
ANSWERS: Final = frozenset({LISTED, "result"})
"""What an answer holds, by both protocols' framing."""


class Spoken(NamedTuple):
    """A protocol by its methods: a server knows one name of each."""

    kind: SiteKind
    row: str
    """The kind of the packs' rows for servers that a library makes."""
    methods: tuple[frozenset[str], ...]


PROTOCOLS: Final = (
    Spoken(SiteKind.MCP_SERVER, "mcp_server", (frozenset({"tools/list"}), frozenset({"tools/call"}))),
    Spoken(
        SiteKind.A2A,
        "a2a_server",
        (frozenset({"message/send", "tasks/send", "SendMessage"}), frozenset({"tasks/get", "GetTask"})),
    ),
)


def hand_written_servers(context: Context) -> Iterator[Site]:
    """The servers of both protocols; a file that a library makes one in has none besides."""
    for spoken in PROTOCOLS:
        for found in answering(context, spoken):
            yield from _sites(context, *found, spoken.kind)
    known = {found.asking.span.path for found in answering(context, PROTOCOLS[1])}
    made = {match.node.span.path for match in context.of_kind("a2a_server")}
    for handler in _taking_messages(context, known | made):
        known.add(handler.module.path)
        yield Site(handler.name_span, handler.qualname, "", SiteKind.A2A, degree=Degree.INFERRED)
    yield from publishing_servers(context, known | made)


def _taking_messages(context: Context, known: set[str]) -> Iterator[ir.Function]:
    """The functions of routes that take the text out of an A2A message, whatever the request is called, and answer."""
    program, found = context.program, dict[int, ir.Function]()
    for module in program.modules:
        file = program.table.file(module.path)
        if file is None or module.path in known or not all(word in file.data for word in WORDS):
            continue
        served = served_by(program)
        found.update((id(one.handler), one.handler) for one in served if one.handler.module is module)
    for handler in found.values():
        if _keys_read(program, handler, DEPTH) >= MESSAGE:
            yield handler


def _keys_read(program: Program, function: ir.Function, depth: int) -> frozenset[str]:
    """The keys that a function reads, and the functions of its file that it calls."""
    structure = program.structure(function)
    found = frozenset(key for node in structure.nodes if (key := _key_read(node)))
    for call in structure.calls if depth else ():
        for callee in program.callees(call):
            if callee.module is function.module and callee is not function:
                found |= _keys_read(program, callee, depth - 1)
    return found


def _key_read(node: ir.Node) -> str:
    """The key that is read; of what stands under the parameters of a request, with these."""
    read = part_read(node)
    if read is None:
        return ""
    whole = read.mapping
    is_inner = (isinstance(whole, ir.Name) and whole.id == PARAMS) or _key_read(whole) == PARAMS
    return f"{PARAMS}.{read.key}" if is_inner else read.key


class Answering(NamedTuple):
    """A call or scope that answers a protocol's requests, and the node that asks which one came."""

    root: ir.Call | ir.Scope
    name: str
    asking: ir.Node


def answering(context: Context, spoken: Spoken) -> Iterator[Answering]:
    """Where programs answer the requests of a protocol without a library."""
    made = {match.node.span.path for match in context.of_kind(spoken.row)}
    own = own_folders(context.packs, context.versions.files)
    for module in context.program.modules:
        file = context.program.table.file(module.path)
        if file is None or module.language not in CODE or module.path.startswith(own):
            continue
        if all(any(name.encode() in file.data for name in names) for names in spoken.methods):
            for found in _servers(context, module, spoken):
                if module.path not in made or _lists(context.program, found.asking):
                    yield found


def _servers(context: Context, module: ir.Module, spoken: Spoken) -> Iterator[Answering]:
    program = context.program
    scopes = (*module.code, *module.index.classes)
    answering = (*scopes, *called_elsewhere(program, module))
    if not any(_answers(node) for scope in answering for node in program.structure(scope).nodes):
        return
    wanted = frozenset[str]().union(*spoken.methods)
    known: dict[ir.Call | ir.Scope, dict[str, ir.Node]] = {}
    for scope in scopes:
        for node in program.structure(scope).nodes:
            for name in _asked(program, node, wanted):
                known.setdefault(_root(context, begun_in(program, scope)), {}).setdefault(name, node)
    for root, asked in known.items():
        if all(asked.keys() & names for names in spoken.methods):
            yield Answering(root, *next(iter(asked.items())))


def _lists(program: Program, asking: ir.Node) -> bool:
    """Whether the scope that asks for a method writes out the tools that it answers with."""
    for node in program.structure(program.scope_of(asking)).nodes:
        for entry in node.entries if isinstance(node, ir.Map) else ():
            if isinstance(entry.key, ir.Literal) and entry.key.value == LISTED:
                lists = (value for value in program.value_of(entry.value) if isinstance(value, Items))
                items = (value for one in lists for item in one.items for value in program.value_of(item))
                if any(isinstance(value, Entries) for value in items):
                    return True
    return False


def _sites(context: Context, root: ir.Call | ir.Scope, asked: str, asking: ir.Node, kind: SiteKind) -> Iterator[Site]:
    """The sites of a server; one that is no function's stands where the method is asked for, and is called like it."""
    match root:
        case ir.Function():
            made = _objects(context.program, root)
            yield from (Site(call.span, context.symbol(call), "", kind) for call in made)
            if not made:
                yield Site(root.name_span, root.qualname, "", kind)
        case ir.Call():
            yield Site(root.span, context.symbol(root), "", kind)
        case _:
            yield Site(asking.span, asked, "", kind)


def _objects(program: Program, answers: ir.Function) -> tuple[ir.Call, ...]:
    """The calls of judged code that make an object of the class whose method answers, or of one derived from it."""
    owner = enclosing_class(program, answers)
    made = (call for _, call in constructions(program, owner)) if owner is not None else ()
    return tuple(call for call in made if is_judged(program, call))


def _asked(program: Program, node: ir.Node, wanted: frozenset[str]) -> Iterator[str]:
    """The methods that a node compares something with: an equation, a case, the keys of a table of functions."""
    match node:
        case ir.Operator(op=ir.Op.EQ):
            yield from _among(node.operands, wanted)
        case ir.Match():
            yield from _among((pattern for case in node.cases for pattern in case.patterns), wanted)
        case ir.Map():
            for entry in node.entries:
                named = tuple(_among((entry.key,), wanted)) if entry.key is not None else ()
                yield from named if named and _is_function(program, entry.value) else ()
        case _:
            return


def _among(exprs: Iterable[ir.Expr], wanted: frozenset[str]) -> Iterator[str]:
    values = (expr.value for expr in exprs if isinstance(expr, ir.Literal))
    return (value for value in values if isinstance(value, str) and value in wanted)


def _is_function(program: Program, expr: ir.Expr) -> bool:
    return any(isinstance(value, Func) for value in program.value_of(expr))


def _answers(node: ir.Node) -> bool:
    """Whether a node puts an answer together."""
    if isinstance(node, ir.Map):
        return any(isinstance(entry.key, ir.Literal) and entry.key.value in ANSWERS for entry in node.entries)
    return isinstance(node, ir.Call) and any(argument.keyword in ANSWERS for argument in node.args)


def _root(context: Context, scope: ir.Scope) -> ir.Call | ir.Scope:
    """The outermost call that a function is handed to, by itself or inside another one, or that opens a port with the
    class whose method it is: `HTTPServer(address, Handler)`; else the function.
    """
    program = context.program
    found: ir.Call | ir.Scope = scope
    while isinstance(scope, ir.Function) and (around := taker(program, scope)) is not None:
        found, scope = around, program.scope_of(around)
    owner = enclosing_class(program, found) if isinstance(found, ir.Function) else None
    return (_opened_with(context, owner) if owner is not None else None) or found


def _opened_with(context: Context, handler: ir.Class) -> ir.Call | None:
    """The call of a library that opens a port and is given a class by name, to make an object of for each request."""
    family = {handler, *context.program.subclasses(handler)}
    for match in context.of_kind("listener"):
        for argument in match.given:
            values = context.program.value_of(argument.value)
            if isinstance(match.node, ir.Call) and any(isinstance(v, ClassValue) and v.cls in family for v in values):
                return match.node
    return None


def taker(program: Program, function: ir.Function) -> ir.Call | None:
    """The call that a function is an argument of, where it stands or by its name."""
    parent = program.structure(function.outer).parent(function)
    if isinstance(parent, ir.Call) and parent.callee is not function:
        return parent
    calls = (call for scope in _around(function) for call in program.structure(scope).calls)
    taking = [call for call in calls if any(_is_named(argument.value, function) for argument in call.args)]
    return taking[0] if function.name and len(taking) == 1 else None


def _around(function: ir.Function) -> Iterator[ir.Scope]:
    """The scopes of the function's module in which its name may be handed on."""
    yield function.module
    yield from function.module.index.functions


def _is_named(value: ir.Expr, function: ir.Function) -> bool:
    match value:
        case ir.Name():
            return value.id == function.name
        case ir.Member():
            return value.name == function.name
        case _:
            return False
