"""Requests to the project's own servers: which call asks for the path that which function answers.

A request is no call of the language: what it gives is the content of its arguments, and the handler's parameters hold
some of it. So this is a relation of its own, for who follows the ways of a program over HTTP; it changes no value. Both
ends are known by the form of the code, in whatever library.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from agent_architecture.names.options import keyed
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.scopes import enclosing_scopes
from agent_architecture.names.string_parts import pieces_of, with_gaps
from agent_architecture.names.url_paths import Segments, answers, asked_path, of_file, segments
from agent_architecture.names.values import Func, Text
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

METHODS: Final = frozenset({"get", "post", "put", "patch", "delete"})
"""Methods of requests, in small letters: names of decorators, registering calls, exports and asking calls."""
SERVING: Final = METHODS | {
    "route",
    "api_route",
    "all",
    "add_api_route",
    "add_url_rule",
    "add_route",
    "websocket",
    "on",
}
"""Decorators and calls that say which path a function answers."""
ASKING: Final = METHODS | {
    "fetch",
    "$fetch",
    "ofetch",
    "axios",
    "ky",
    "request",
    "stream",
    "urlopen",
    "apiFetch",
    "authFetch",
    "EventSource",
    "fetchEventSource",
}
"""Calls that ask a server for a path; those of event streams tell its answer part by part."""
LOOKED_UP: Final = METHODS - {"post"}
"""Those that are mostly said of tables: what they are given has to look like an address as it stands."""
OWN: Final = frozenset({"origin", "nextUrl", "request", "req", "url_for"})
"""Names by which a handler finds the address that it was asked under."""
ENTRY: Final = frozenset({"default", *(name.upper() for name in METHODS)})
"""What a file exports that answers by its place."""
HELPERS: Final = 4
"""Helpers in each other by which the gateway of a model's API makes its request."""
MODEL_APIS: Final = frozenset({("chat", "completions"), ("v1", "completions"), ("v1", "messages"), ("v1", "responses")})
"""How the paths of model APIs end."""
FILES: Final = frozenset({"defineEventHandler", "eventHandler", "defineCachedEventHandler"})
"""Calls that make the handler of such a file."""

Routes = MappingProxyType[int, tuple[CallSite, ...]]
"""The requests that come to a function, by its id."""
NO_ROUTES: Final[Routes] = MappingProxyType({})


class Served(NamedTuple):
    """A function, and the path that it answers; `method` is "" where it may be any, `by` the call that says so."""

    handler: ir.Function
    path: Segments
    method: str
    by: ir.Call | None = None


def routes(context: Context) -> Routes:
    """The requests of the project's code that its own functions answer. Asked with `Context.once`."""
    program = context.program
    served = tuple(served_by(program))
    registering = {id(one.by) for one in served}
    found: dict[int, list[CallSite]] = {}
    for site, path in _asked(program) if served else ():
        if id(site.call) in registering:
            continue  # `app.post("/chat")` above a function asks nobody
        fitting = [one for one in served if answers(one.path, path) and _is_method(program, one.method, site.call)]
        passing = _passing_on(program, site, path) if fitting else frozenset()
        fitting = [one for one in fitting if id(one.handler) not in passing]
        longest = max((len(one.path) for one in fitting), default=0)
        for one in fitting:
            if len(one.path) == longest:
                found.setdefault(id(one.handler), []).append(site._replace(inferred=True))
    return MappingProxyType({key: tuple(sites) for key, sites in found.items()})


# ------------------------------------------------------------------------------------------------------- who answers
def served_by(program: Program) -> Iterator[Served]:
    """The functions that answer requests, with their paths."""
    for module in program.modules:
        yield from _by_place(program, module)
        for function in module.index.functions:
            yield from (one for call in function.decorators for one in _of_call(call, function))
    for name in sorted(SERVING):
        for site in program.calls(name):
            yield from (one for f in _handed(program, site.call) for one in _of_call(site.call, f))


def _of_call(call: ir.Expr, function: ir.Function) -> Iterator[Served]:
    """What a decorator, or a registering call, says that a function answers."""
    if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Member) or not call.args:
        return
    name, first = call.callee.name, call.args[0].value
    is_path = isinstance(first, ir.Literal) and isinstance(first.value, str) and first.value.startswith("/")
    if name in SERVING and is_path and isinstance(first, ir.Literal):
        yield Served(function, segments(str(first.value)), name if name in METHODS else "", call)


def _handed(program: Program, call: ir.Call) -> Iterator[ir.Function]:
    """The functions that a registering call is given after its path, within what wraps them."""
    for argument in call.args[1:]:
        inner = argument.value
        while isinstance(inner, ir.Call) and inner.args:
            inner = inner.args[-1].value
        yield from (value.function for value in program.value_of(inner) if isinstance(value, Func))


def _by_place(program: Program, module: ir.Module) -> Iterator[Served]:
    """What the place of a file says that its exports answer."""
    path = of_file(module.path)
    if not path:
        return
    for export in module.index.exports:
        if export.exported in ENTRY:
            method = "" if export.exported == "default" else export.exported.lower()
            value = export.value if export.value is not None else _exported(module, export.local)
            for function in _handlers(program, value):
                yield Served(function, path, method)


def _exported(module: ir.Module, name: str | None) -> ir.Expr | ir.Function | None:
    """What a name that a module exports stands for."""
    for statement in module.body:
        match statement:
            case ir.Function() if statement.name == name:
                return statement
            case ir.Assign(target=ir.Name(id=bound), value=value) if bound == name:
                return value
            case _:
                continue
    return None


def _handlers(program: Program, value: ir.Expr | ir.Function | None) -> Iterator[ir.Function]:
    if isinstance(value, ir.Function):
        yield value
    elif isinstance(value, ir.Call) and value.args:  # `withAuth(handler)`, `defineEventHandler(handler)`
        yield from _handlers(program, value.args[-1].value)
    elif value is not None:
        yield from (found.function for found in program.value_of(value) if isinstance(found, Func))


# --------------------------------------------------------------------------------------------------------- who asks
def _asked(program: Program) -> Iterator[tuple[CallSite, Segments]]:
    for name in sorted(ASKING):
        for site in program.calls(name):
            first = _address(site.call)
            if first is not None and (name not in LOOKED_UP or not isinstance(first, (ir.Name, ir.Member))):
                pieces = pieces_of(program, _put_together(program, first))
                path = asked_path(with_gaps(pieces))
                if path is not None and any(path):
                    yield site, path


def _put_together(program: Program, address: ir.Expr) -> ir.Expr:
    """The text that an address is, where a variable holds it: `url = f"{base}/api/messages"`."""
    values = program.value_of(address) if isinstance(address, ir.Name) else ()
    texts = [value.node for value in values if isinstance(value, Text)]
    return texts[0] if len(texts) == 1 == len(values) else address


def _address(call: ir.Call) -> ir.Expr | None:
    """The address that a call asks: its first argument, the second after the name of a method, or what is called so."""
    given = [argument for argument in call.args if not argument.spread]
    named = next((argument.value for argument in given if argument.keyword == "url"), None)
    texts = [argument.value for argument in given if argument.keyword is None]
    if named is not None or not texts:
        return named
    first = texts[0]
    is_method = isinstance(first, ir.Literal) and str(first.value).lower() in METHODS
    return texts[1] if is_method and len(texts) > 1 else first


def _is_method(program: Program, served: str, call: ir.Call) -> bool:
    """Whether a request may be of the method that is answered."""
    asked = callee_name(call.callee)
    if asked not in METHODS:
        asked = _option(program, call) or ("get" if asked == "fetch" and len(call.args) == 1 else "")
    return not served or not asked or served == asked


def _passing_on(program: Program, site: CallSite, path: Segments) -> frozenset[int]:
    """The ids of the functions around a request, or around the calls of the helper that makes it: one of them that
    answers the same path hands its own request on to another server. None for an address that comes from the request.
    Who answers as a model's API does, hands on to the model behind it, however many helpers lead there.
    """
    address = _address(site.call)
    if address is None or _names(_put_together(program, address)) & OWN:
        return frozenset()
    asking: dict[int, ir.Scope] = {}
    scopes: list[ir.Scope] = [site.scope]
    for _ in range(1 + (HELPERS if path[-2:] in MODEL_APIS else 1)):
        scopes = [each for one in scopes for each in (one, *enclosing_scopes(one)) if id(each) not in asking]
        asking.update((id(scope), scope) for scope in scopes)
        helped = (one for one in scopes if isinstance(one, ir.Function))
        scopes = [caller.scope for one in helped for caller in program.callers(one)]
    return frozenset(asking)


def _names(address: ir.Expr) -> set[str]:
    """The names by which an address says whose it is."""
    read = (node for node in ir.walk(address) if isinstance(node, (ir.Name, ir.Member)))
    return {node.id if isinstance(node, ir.Name) else node.name for node in read}


def _option(program: Program, call: ir.Call) -> str:
    """The method among the options of a request."""
    for argument in call.args[1:]:
        for key, value in keyed(program, argument.value):
            if key == "method" and isinstance(value, ir.Literal):
                return str(value.value).lower()
    return ""
