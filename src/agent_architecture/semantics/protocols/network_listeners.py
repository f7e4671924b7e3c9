"""How MCP servers that are written by hand are opened to the network: `http.createServer(answer).listen(8080)`,
`HTTPServer(address, Handler)`, a route of a web server that some call in the same file starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import McpStart
from agent_architecture.model.settings import Setting, default, unknown, written
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.callgraph.routes import served_by
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.protocols.servers_by_hand import PROTOCOLS, answering
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.protocols.access import Access

OPENING: Final = frozenset({"listen", "serve_forever"})
TAKING: Final = frozenset({"", "post"})
"""Methods of a route that takes messages."""
HEIGHT: Final = 3
"""Callers followed from the function that answers up to a route."""
EVERYWHERE: Final = "::"
"""Where Node listens when nobody names a host."""


def opened(context: Context, access: Access) -> Iterator[McpStart]:
    """The calls that open such servers, each with what a request passes before it is answered."""
    for found in answering(context, PROTOCOLS[0]):
        if isinstance(found.root, ir.Call):
            inside = context.program.structure(context.program.scope_of(found.asking)).calls
            for call in _opening(context, found.root):
                yield _start(context, access, call, (call, *inside[:1]))
        elif isinstance(found.root, ir.Function):
            yield from _by_route(context, access, found.root)


def _by_route(context: Context, access: Access, answers: ir.Function) -> Iterator[McpStart]:
    """The start of a server to which a route of a web server leads, through the functions that call each other: the
    calls of its file that open a port, else the route, which somebody else's program serves.
    """
    program = context.program
    near = {id(scope) for scope in above(program, [answers], HEIGHT, MANY)}
    for served in served_by(program):
        handler = served.handler
        inside = program.structure(handler).calls
        if id(handler) not in near or served.method not in TAKING or not inside:
            continue
        beside = [m.node for m in context.of_kind("listener") if m.node.span.path == handler.module.path]
        opening = [node for node in beside if isinstance(node, ir.Call)]
        opening = opening or (list(_opening(context, served.by)) if served.by is not None else [])
        for call in opening:
            yield _start(context, access, call, (call, inside[0]))
        if not opening:
            yield _start(context, access, inside[0], (inside[0],), handler)
        return


def _start(
    context: Context, access: Access, call: ir.Call, ways: tuple[ir.Call, ...], handler: ir.Function | None = None
) -> McpStart:
    """A start at the call that opens a port, or at the route that is all there is; checks stand on the ways to both."""
    checks = {check.span: check for each in ways for check in access.around(each)}
    span = call.span if handler is None else handler.name_span
    return McpStart(
        span,
        context.symbol(call) if handler is None else handler.qualname,
        "",
        transport=written("http", span),
        host=_host(context, call) if handler is None else unknown("its deployment, which is not in the code", span),
        checks=tuple(checks[at] for at in sorted(checks)),
    )


def _opening(context: Context, root: ir.Call) -> Iterator[ir.Call]:
    """The calls that open what a call makes, or what it gives a route to: on its name, or on itself; a call that opens
    a port by itself is its own.
    """
    program = context.program
    if context.at(root, "listener") is not None:
        yield root
        return
    scope = program.scope_of(root)
    around = program.structure(scope).parent(root)
    if isinstance(around, ir.Member) and around.name in OPENING:
        chained = program.structure(scope).parent(around)
        yield from (chained,) if isinstance(chained, ir.Call) else ()
        return
    name = callee_name(around.target) if isinstance(around, ir.Assign) else _owner(root)
    module = program.module_of(root)
    scopes: tuple[ir.Scope, ...] = (scope,) if scope is module else (scope, module)
    for each in scopes if name else ():
        for call in program.structure(each).calls:
            if callee_name(call.callee) in OPENING and _owner(call) == name:
                yield call


def _owner(call: ir.Call) -> str:
    return callee_name(call.callee.target) if isinstance(call.callee, ir.Member) else ""


def _host(context: Context, call: ir.Call) -> Setting:
    match = context.at(call, "listener")
    if match is not None:
        return effective(context, match, "host")
    second = call.args[1].value if len(call.args) > 1 else None
    if isinstance(second, ir.Literal) and isinstance(second.value, str):
        return written(second.value, second.span)
    if isinstance(second, ir.Name):
        return unknown("a name that is filled at run time", second.span)
    return default(EVERYWHERE, "Node")
