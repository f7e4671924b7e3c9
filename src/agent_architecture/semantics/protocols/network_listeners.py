"""How MCP servers that are written by hand are opened to the network: `http.createServer(answer).listen(8080)`, a route
of a web server that some call in the same file starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import McpStart
from agent_architecture.model.settings import Setting, default, unknown, written
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.protocols.servers_by_hand import PROTOCOLS, answering
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.protocols.access import Access

OPENING: Final = frozenset({"listen", "serve_forever"})
EVERYWHERE: Final = "::"
"""Where Node listens when nobody names a host."""


def opened(context: Context, access: Access) -> Iterator[McpStart]:
    """The calls that open such servers, each with what a request passes before it is answered."""
    for found in answering(context, PROTOCOLS[0]):
        if not isinstance(found.root, ir.Call):
            continue
        inside = context.program.structure(context.program.scope_of(found.asking)).calls
        for call in _opening(context, found.root):
            checks = {check.span: check for each in (call, *inside[:1]) for check in access.around(each)}
            yield McpStart(
                call.span,
                context.symbol(call),
                "",
                transport=written("http", call.span),
                host=_host(context, call),
                checks=tuple(checks[span] for span in sorted(checks)),
            )


def _opening(context: Context, root: ir.Call) -> Iterator[ir.Call]:
    """The calls that open what a call makes, or what it gives a route to: on its name, or on itself."""
    program = context.program
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
