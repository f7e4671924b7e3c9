"""Functions that are agents: one that owns an agent's loop, or dispatches once, with its tools and its prompt.

The innermost named function around the loop that says what its model is told is the agent. A function that is handed
both prompt and tools only runs them for others. Where a class is around, the class is the agent, or nothing is. Of a
loop that asks the model through the project's own route, the handler says what the model is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Agent, BoundKind, SiteKind
from agent_architecture.names.classes import enclosing_class
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.shapes.constructors import AGENT
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.callgraph.routes import routes, served_by
from agent_architecture.semantics.topics.written_agents.prompting import Prompting, tools_written
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site, Tool
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

KINDS: Final = frozenset({SiteKind.HAND_WRITTEN_LOOP, SiteKind.DISPATCH})


class Owned(NamedTuple):
    """A place where an agent works that is written by hand: the function around it, what it runs and asks."""

    scope: ir.Function
    tools: tuple[Tool, ...]
    asks: tuple[Match, ...]
    handlers: tuple[ir.Function, ...] = ()
    """Those that answer its requests, where it makes none to a model."""


def function_agents(context: Context, sites: Iterable[Site], loops: Iterable[HandWritten]) -> tuple[Agent, ...]:
    """The functions of the project that are agents, by position, each once with all that it runs."""
    prompting = Prompting(context)
    found: dict[ir.Function, dict[Tool, None]] = {}
    for owned in _owned(context, sites, loops):
        function = _agent_at(prompting, owned)
        if function is not None:
            found.setdefault(function, {}).update(dict.fromkeys(owned.tools))
    made = (Agent(one.name_span, one.name, "", tuple(tools), degree=Degree.INFERRED) for one, tools in found.items())
    return tuple(sorted(made, key=lambda agent: agent.span))


def _owned(context: Context, sites: Iterable[Site], loops: Iterable[HandWritten]) -> tuple[Owned, ...]:
    """The loops and dispatches in functions that no class is around, each with the requests that it makes by no other
    of them: who runs an agent in a loop is none by it.
    """
    scopes = {loop.path.span: _working(context, loop) for loop in loops if loop.site is not None}
    here = [(one, scopes.get(one.span) or _scope_at(context, one)) for one in sites if one.kind in KINDS]
    found: list[Owned] = []
    for site, scope in here:
        if isinstance(scope, ir.Function) and enclosing_class(context.program, scope) is None:
            asks = tuple(_asks(context, scope, [other for _, other in here]))
            handlers = () if asks else tuple(_answering(context, scope))
            asks += tuple(ask for one in handlers for ask in _asks(context, one, ()))
            found += (Owned(scope, site.tools, asks, handlers),) if asks else ()
    return tuple(found)


def _answering(context: Context, scope: ir.Function) -> Iterator[ir.Function]:
    """The functions of the project that answer the requests which another one makes."""
    made = {id(node) for node in extent(context.program, scope.body, set()).nodes() if isinstance(node, ir.Call)}
    requests = context.once(routes)
    for served in served_by(context.program) if any(requests) else ():
        if any(id(site.call) in made for site in requests.get(id(served.handler), ())):
            yield served.handler


def _working(context: Context, loop: HandWritten) -> ir.Scope:
    """The function that does the work of a loop: one that a person drives is only talk, and a function that it
    calls asks with tools.
    """
    if any(bound.kind is BoundKind.PERSON for bound in loop.path.bounds):
        asks = {id(ask.node) for ask in loop.asks if any(True for _ in tools_written(context, ask))}
        for function, nodes in loop.inside.called:
            if enclosing_class(context.program, function) is None and any(id(node) in asks for node in nodes):
                return function
    return loop.scope


def _scope_at(context: Context, site: Site) -> ir.Scope:
    return context.program.scope_of(ir.Name(site.span, ""))


def _asks(context: Context, scope: ir.Function, others: Iterable[ir.Scope]) -> Iterator[Match]:
    """The requests of a function that none of the others makes for it."""
    around = set(ir.functions_around(scope))
    apart = {id(one) for one in others if one not in around and scope not in set(ir.functions_around(one))}
    nodes = {id(node) for node in extent(context.program, scope.body, apart).nodes()}
    yield from (match for match in context.of_kind("model_call") if id(match.node) in nodes)


def _agent_at(prompting: Prompting, owned: Owned) -> ir.Function | None:
    """The function that is the agent of a loop or dispatch; None where none is."""
    for function in ir.functions_around(owned.scope):
        is_one = bool(owned.tools) or bool(AGENT & {*words_of(function.name)})
        telling = owned.handlers or (function,)
        if function.name and is_one and any(prompting.has_its_own(one, owned.asks) for one in telling):
            return function
    return None
