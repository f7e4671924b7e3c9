"""A2A agents that are written by hand and known by the card that they publish: a route under `/.well-known`, and beside
it one that takes messages.

The methods may have any names, or none. Where the routes are a class's, each class that derives from it is a server,
else each object of it that is made; the site of routes in a module is the function that takes messages. Who asks for
that route sends a task: the site is the call that says what is sent, not what only hands it on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Site, SiteKind
from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import enclosing_class
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.semantics.callgraph.routes import routes, served_by
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.routes import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

WELL_KNOWN: Final = ".well-known"
CARDS: Final = frozenset({"agent.json", "agent-card.json"})
PUBLISHED: Final = b".well-known/agent"
TAKING: Final = frozenset(
    {"a2a", "agent", "ask", "chat", "execute", "invoke", "jsonrpc", "message", "messages", "query", "rpc", "run"}
    | {"send", "task", "tasks"}
)
"""Words of a route that takes what an agent is to do."""
SPEAKING: Final = regex(rb"(?i)a2a|agent[_-]?card|\.well-known/agent")
"""What a file says that sends to an agent, and not to a server like others."""
DEPTH: Final = 4
"""Calls that only hand on what is sent, which are followed up."""


class Published(NamedTuple):
    """An agent that publishes its card: the functions that take messages, and the class whose routes they are."""

    taking: tuple[Served, ...]
    owner: ir.Class | None


class Sending(NamedTuple):
    """A call that sends a task to such an agent."""

    call: ir.Call
    site: Site


def publishing_servers(context: Context, known: set[str]) -> Iterator[Site]:
    """The sites of these agents; in the files `known` others say what is served."""
    for found in context.once(_published):
        if found.taking[0].handler.module.path in known:
            continue
        if found.owner is None:
            handler = found.taking[0].handler
            yield _site(handler.name_span, handler.qualname)
        else:
            yield from _of_class(context, found.owner)


def _of_class(context: Context, owner: ir.Class) -> Iterator[Site]:
    """One for each class that derives from that of the routes, or for each of its objects, where there are several."""
    program = context.program
    below = program.subclasses(owner)
    above = {base for cls in below for base in program.lineage(cls)[1:]}
    for cls in sorted(below, key=lambda cls: cls.span):
        if cls not in above or any(one is cls for one, _ in constructions(program, cls)):
            yield _site(cls.name_span, cls.name)
    own = [call for one, call in constructions(program, owner) if one is owner and is_judged(program, call)]
    if len(own) > 1:
        yield from (_site(call.span, context.symbol(call)) for call in own)
    elif own or not below:
        yield _site(owner.name_span, owner.name)


def is_judged(program: Program, call: ir.Call) -> bool:
    """Whether a call stands in code that is judged."""
    file = program.table.file(call.span.path)
    return file is not None and file.role in {Role.APP, Role.EXAMPLE}


def sendings(context: Context) -> tuple[Sending, ...]:
    """The calls that send tasks to these agents, by position."""
    return context.once(_sendings)


def _sendings(context: Context) -> tuple[Sending, ...]:
    program = context.program
    asked = context.once(routes) if context.once(_published) else {}
    found: dict[int, Sending] = {}
    for agent in context.once(_published):
        for request in (one for served in agent.taking for one in asked.get(id(served.handler), ())):
            file = program.table.file(request.call.span.path)
            if file is not None and SPEAKING.search(file.data):
                for call in _said_by(program, request.call, request.scope, DEPTH):
                    found.setdefault(id(call), Sending(call, _site(call.span, context.symbol(call))))
    return tuple(sorted(found.values(), key=lambda one: one.call.span))


def _said_by(program: Program, call: ir.Call, scope: ir.Scope, depth: int) -> Iterator[ir.Call]:
    """The calls that say what is sent: of a function that is handed it, its callers."""
    callers = program.callers(scope) if depth and isinstance(scope, ir.Function) and _hands_on(call, scope) else ()
    for site in callers:
        yield from _said_by(program, site.call, site.scope, depth - 1)
    if not callers:
        yield call


def _hands_on(call: ir.Call, function: ir.Function) -> bool:
    """Whether a call is only given what its function is handed, or parts of it: `post(url, json=request.dump())`."""
    names = {parameter.name for parameter in function.params} - {"self", "cls"}
    return any(_root(argument.value) in names for argument in call.args)


def _root(expr: ir.Expr) -> str:
    """The name at whose value an expression looks; "" for what puts something together."""
    match expr:
        case ir.Name(id=name):
            return name
        case ir.Member(target=target) | ir.Index(target=target):
            return _root(target)
        case ir.Call(callee=ir.Member(target=target), args=()):
            return _root(target)
        case ir.Call(args=(ir.Argument(value=only),)):  # `JSON.stringify(request)`
            return _root(only)
        case ir.Map(entries=entries):
            bodies = [
                entry.value for entry in entries if isinstance(entry.key, ir.Literal) and entry.key.value == "body"
            ]
            return _root(bodies[0]) if bodies else ""
        case _:
            return ""


def _published(context: Context) -> tuple[Published, ...]:
    """The agents that publish a card by a route, with the routes beside it that take messages."""
    program = context.program
    files = (program.table.file(module.path) for module in program.modules)
    if not any(file is not None and PUBLISHED in file.data for file in files):
        return ()
    served = tuple({id(one.handler): one for one in served_by(program)}.values())
    found: dict[tuple[str, ir.Class | None], Published] = {}
    for card in (one for one in served if _is_card(one)):
        owner = enclosing_class(program, card.handler)
        key = card.handler.module.path, owner
        beside = [one for one in served if (one.handler.module.path, enclosing_class(program, one.handler)) == key]
        taking = tuple(one for one in beside if not _is_card(one) and _takes(one))
        if taking:
            found.setdefault(key, Published(taking, owner))
    return tuple(found.values())


def _is_card(one: Served) -> bool:
    return one.path[-2:-1] == (WELL_KNOWN,) and one.path[-1] in CARDS


def _takes(one: Served) -> bool:
    """Whether a route takes what an agent is to do: it is asked with something, and is called so."""
    words = {word for text in (*one.path[-2:], one.handler.name) for word in words_of(text)}
    return one.method in {"", "post"} and bool(one.handler.params) and (not one.path or bool(words & TAKING))


def _site(span: Span, symbol: str) -> Site:
    return Site(span, symbol, "", SiteKind.A2A, degree=Degree.INFERRED)
