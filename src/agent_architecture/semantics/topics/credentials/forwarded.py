"""Credentials of callers that a server sends on: the token of a request to it, in a request that it makes elsewhere.

Looks into the files of servers, those that they import, and those that lead to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import ForwardedToken
from agent_architecture.names.log_calls import says
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

HEADER: Final = "authorization"
RECEIVED: Final = regex(r"(?:^|\.)(?:req|request|http_request|incoming|ctx|context|c|extra|info|event|scope)\b")
"""Names of what a server is given with a request."""
CALLER: Final = regex(r"^(?:get_access_token|get_http_headers|getAuthInfo|get_http_request)$")
"""Calls of servers' libraries that give what their caller sent."""
TOKEN: Final = regex(r"(?:^|\.)(?:authInfo|auth_info|(?:get_)?access_token\(\))\??\.token$")
REPLYING: Final = regex(r"(?i)response|^send|^json$|set_?header|writeHead")
DEPTH: Final = 3


def forwarded_tokens(context: Context, tools: Iterable[ir.Function]) -> Iterator[ForwardedToken]:
    """Every header in which the credential of a caller goes on, by position. What only any request of the program
    carries counts where a server answers: in the code of its `tools`, and of the routes that start it.
    """
    program, served = context.program, _Served(context, tools)
    for path in sorted(_files(context)):
        module = program.table.get(path)
        if module is None or HEADER.encode() not in _data(program, path).lower():
            continue
        for scope in module.code:
            structure = program.structure(scope)
            for node in structure.nodes:
                for entry in node.entries if isinstance(node, ir.Map) else ():
                    if not (isinstance(entry.key, ir.Literal) and str(entry.key.value).lower() == HEADER):
                        continue
                    source = _received(program, entry.value, DEPTH)
                    around = next((n for n in structure.ancestors(node) if isinstance(n, ir.Call)), None)
                    if source is None or (around and (says(around) or REPLYING.search(callee_name(around.callee)))):
                        continue
                    if _is_a_servers(source) or served.has(scope):
                        yield ForwardedToken(entry.value.span, dotted(source) or HEADER, "", source.span)


class _Served:
    """The functions that run while a server answers; looked for when it is first asked."""

    def __init__(self, context: Context, tools: Iterable[ir.Function]) -> None:
        self._context = context
        self._tools = tools
        self._known: frozenset[int] | None = None

    def has(self, scope: ir.Scope) -> bool:
        if self._known is None:
            program = self._context.program
            starts = (program.scope_of(match.node) for match in self._context.of_kind("mcp_start"))
            entries = (*self._tools, *(scope for scope in starts if isinstance(scope, ir.Function)))
            found: set[int] = set()
            for function in entries:
                inside = extent(program, function.body, set())
                found |= {id(function), *(id(called) for called, _ in inside.called)}
            self._known = frozenset(found)
        while isinstance(scope, ir.Function):
            if id(scope) in self._known:
                return True
            scope = scope.outer
        return False


def _is_a_servers(source: ir.Expr) -> bool:
    """Whether only a server of MCP is given such a thing."""
    calls = (node for node in ir.walk(source) if isinstance(node, ir.Call))
    return TOKEN.search(dotted(source)) is not None or any(CALLER.match(callee_name(call.callee)) for call in calls)


def _data(program: Program, path: str) -> bytes:
    file = program.table.file(path)
    return file.data if file is not None else b""


def _files(context: Context) -> frozenset[str]:
    """The files of servers, and all that a program loads together with one."""
    return context.once(Programs).beside_any(context.files_of("mcp_server"))


def _received(program: Program, expr: ir.Expr, depth: int) -> ir.Expr | None:
    """The part of an expression that a caller sent as its credential."""
    for node in ir.walk(expr):
        if isinstance(node, (ir.Member, ir.Index, ir.Call)) and _is_credential(node):
            return node
        if isinstance(node, ir.Name) and depth:
            for binding in visible_bindings(program, node):
                found = None
                if binding.value is not None and binding.kind != "parameter":
                    found = _received(program, binding.value, depth - 1)
                if found is not None:
                    return found
    return None


def _is_credential(node: ir.Member | ir.Index | ir.Call) -> bool:
    match node:
        case ir.Member(name=name, target=target):
            if name == HEADER:
                return _is_headers(target)
            return TOKEN.search(dotted(node)) is not None
        case ir.Index(key=ir.Literal(value=str() as key), target=target):
            return key.lower() == HEADER and _is_headers(target)
        case ir.Call(callee=ir.Member(name="get" | "header", target=target), args=(first, *_)):
            asked = isinstance(first.value, ir.Literal) and str(first.value.value).lower() == HEADER
            return asked and _is_headers(target)
        case _:
            return False


def _is_headers(target: ir.Expr) -> bool:
    """Whether something is the headers of a request that a server was sent."""
    if isinstance(target, ir.Call):
        return CALLER.match(callee_name(target.callee)) is not None
    name = dotted(target)
    return RECEIVED.search(name) is not None and "response" not in name
