"""The calls by which servers and chat platforms are handed what answers requests or messages.

Knows names of such calls alone; whose word a handler is given is for `external_parameters` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.references import around
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

ROUTES: Final = frozenset({
    "get", "post", "put", "patch", "delete", "route", "api_route", "websocket", "websocket_route", "on_message",
    "on_chat_message", "message", "chat", "Post", "Get", "Put", "Patch", "event", "mention", "on_event", "activity",
})  # fmt: skip
"""Decorators by which servers and chat platforms are told what answers a request or a message."""
TAKING: Final = ROUTES | {
    "add_handler", "add_api_route", "add_route", "add_url_rule", "on", "use", "all", "handle", "ChatInterface",
    "click", "createServer", "Route", "WebSocketRoute", "MessageHandler", "CommandHandler", "serve",
    "setRequestHandler", "mutation", "submit", "defineEventHandler", "eventHandler", "defineCachedEventHandler",
}  # fmt: skip
"""Calls that are handed what answers requests or messages."""
HANDED: Final = frozenset({
    "ChatInterface", "add_handler", "click", "MessageHandler", "createServer", "message", "event", "command",
    "mention", "chat", "on_message", "CommandHandler", "mutation", "defineEventHandler", "eventHandler",
    "defineCachedEventHandler",
})  # fmt: skip
"""Those of them that need no path."""
FILES: Final = frozenset({"defineEventHandler", "eventHandler", "defineCachedEventHandler"})
"""Those by which a file says what answers the requests for it."""
WRAPPED: Final = 2
"""Calls around a handler up to the one that registers it: `app.post("/ask", caught(async (req) => …))`."""
EXTENSION: Final = regex(r"\.onMessage(?:External)?\.addListener$")
"""How the background of a browser's extension is handed what answers messages."""
HANDLER: Final = "handler"
METHOD: Final = frozenset({"method", "methods"})
"""Keys of a record that is a route: `registerApiRoute("/chat", { method: "POST", handler })`, `app.route({…})`."""
FORM: Final = "submit"
RESOLVERS: Final = frozenset({"resolve", "subscribe"})
"""Keys of a GraphQL field under which stands what answers requests for it."""
ROOTS: Final = frozenset({"Query", "Mutation", "Subscription"})
"""The types of a GraphQL schema that clients ask first."""
FIELDS: Final = frozenset({"inputs", "outputs"})
"""By what the fields of a form are told from the work of a pool."""
PATH: Final = regex(r"^/|^(?:message|chat|connection|request)$")


def handing(program: Program, function: ir.Function) -> ir.Call | None:
    """The call that registers a function as a handler: `app.post("/chat", answer)`."""
    return program.kept(_handing, function)


def _handing(program: Program, function: ir.Function) -> ir.Call | None:
    for scope, node in program.mentions(function) if function.name else ():
        outer = program.structure(scope).parent(node)
        if isinstance(outer, ir.Call) and outer.callee is not node and registers(outer):
            return outer
        if isinstance(outer, ir.Map) and (call := _by_record(program, scope, node)) is not None:
            return call
    home = function.outer
    if not isinstance(home, ir.Class) and (call := _by_record(program, home, function)) is not None:
        return call
    if function.name or isinstance(home, ir.Class):
        return None
    for _, (inner, outer) in zip(range(WRAPPED), around(program, home, function), strict=False):
        if not isinstance(outer, ir.Call) or outer.callee is inner:
            return None
        if registers(outer):
            return outer
    return None


def _by_record(program: Program, scope: ir.Scope, node: ir.Node) -> ir.Call | None:
    """The call that is given a record in which this is what answers: `app.route({ method: "POST", handler: node })`."""
    is_route = False
    for inner, outer in around(program, scope, node):
        match outer:
            case ir.Map() if not is_route and _handler_of(outer) is inner:
                is_route = True
            case ir.Call() if is_route:
                return outer if outer.callee is not inner else None
            case ir.Call() if inner is not outer.callee:
                continue  # `handler: caught(async (c) => …)`
            case _:
                return None
    return None


def _handler_of(record: ir.Expr) -> ir.Expr | None:
    """What answers by a record that is a route; None for any other expression."""
    entries = record.entries if isinstance(record, ir.Map) else ()
    keys = {str(e.key.value): e.value for e in entries if isinstance(e.key, ir.Literal)}
    return None if METHOD.isdisjoint(keys) else keys.get(HANDLER)


def resolves(program: Program, function: ir.Function) -> bool:
    """Whether a function answers the requests for a field of a GraphQL schema: the `resolve` of a field, or an entry of
    `{Query: {…}}`. Its second parameter is what the client asks with.
    """
    if isinstance(function.outer, ir.Class):
        return False
    keys = list[str]()
    for inner, outer in around(program, function.outer, function):
        if isinstance(outer, ir.Map):
            keys += [str(e.key.value) for e in outer.entries if e.value is inner and isinstance(e.key, ir.Literal)]
        elif isinstance(outer, ir.Call) and keys and keys[0] in RESOLVERS:
            return callee_name(outer.callee).startswith("GraphQL")
        else:
            break
    return len(keys) == len(("field", "type")) and keys[1] in ROOTS


def is_route(call: ir.Call) -> bool:
    """Whether a call registers what answers requests under a path, or what a server's file stands for."""
    first = call.args[0].value if call.args else None
    at = first.value if isinstance(first, ir.Literal) else ""
    return (
        (isinstance(at, str) and at.startswith("/"))
        or callee_name(call.callee) in FILES
        or any(_handler_of(argument.value) is not None for argument in call.args)
    )


def registers(call: ir.Call) -> bool:
    """Whether a call says that a function answers requests or messages."""
    if EXTENSION.search(dotted(call.callee)):
        return True
    name = callee_name(call.callee)
    if name not in TAKING:
        return False
    if name == FORM:
        return any(argument.keyword in FIELDS for argument in call.args) or _lists_fields(call)
    first = call.args[0].value if call.args else None
    is_path = isinstance(first, ir.Literal) and isinstance(first.value, str) and PATH.search(first.value) is not None
    return is_path or name in HANDED


def _lists_fields(call: ir.Call) -> bool:
    """Whether a form hands what is in its fields to a function, and what that answers to others: `(send, [a], [b])`."""
    kinds = [type(argument.value) for argument in call.args[1:3]]
    return kinds in ([ir.List, ir.List], [ir.List, ir.Name])
