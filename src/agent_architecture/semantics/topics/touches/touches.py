"""The touches of the system: for each tool every effect that its code can have, and for each site what it does by
itself with what its model answers.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Effect, Gate, Shaped
from agent_architecture.model.settings import unknown
from agent_architecture.model.touches import Choice, Fence, FenceKind, Touch
from agent_architecture.model.vocabulary import SANDBOXES
from agent_architecture.names import flow
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.langgraph_tool_nodes import steps_beside
from agent_architecture.semantics.callgraph.tool_arguments import of_function
from agent_architecture.semantics.control.checks_before_dispatch import Dispatchers
from agent_architecture.semantics.control.read_only_statements import in_reading, sets_reading
from agent_architecture.semantics.conversations.effects_of_tools import (
    NETWORK,
    PROCESSES,
    SERVICES,
    TOUCHING,
    InCode,
    time_limits,
)
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site, Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.callgraph.tool_arguments import Body
    from agent_architecture.semantics.conversations.request_owners import Askers
    from agent_architecture.semantics.conversations.written_statements import WrittenStatement
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import EffectRow
    from agent_architecture.sources.source import Span

FETCHING: Final = regex(r"fetch|scrape|(?<!fire)crawl|url|visit|requests|website|webpage|browse", re.IGNORECASE)
"""Names of libraries' tools that take an address from the model."""


def touches(
    context: Context, agents: Agents, askers: Askers, statements: Iterable[WrittenStatement]
) -> tuple[Touch, ...]:
    """Every touch, each once."""
    found = [touch for tool in agents.all_tools() for touch in _of_tool(context, agents, tool)]
    found.extend(_of_sites(context, agents, askers))
    found.extend(_of_statements(context, askers, statements))
    unique: dict[tuple[object, ...], Touch] = {}
    for touch in found:
        unique.setdefault((touch.span, touch.symbol, touch.effect.span, touch.effect.kind), touch)
    return tuple(unique.values())


# --------------------------------------------------------------------------------------------------------------- tools
def _of_tool(context: Context, agents: Agents, tool: Tool) -> Iterator[Touch]:
    """What one tool touches: in its code, else as its library says."""
    bodies = bodies_of(agents, tool)
    away = tuple(_away(tool))
    seen: set[Span] = set()
    for body in bodies:
        for touch in InCode(context, agents.facts.effects, tool, body).touches():
            seen.add(touch.effect.span)
            yield touch._replace(fences=(*touch.fences, *away))
    for effect in tool.effects:
        if effect.kind in TOUCHING and effect.span not in seen and not bodies:
            yield _declared(tool, effect, away)._replace(hosted=agents.is_told_hosted(tool))


def bodies_of(agents: Agents, tool: Tool) -> tuple[Body, ...]:
    """The code of the project that runs a tool: its function, else what a dispatcher does; none where its library runs
    it.
    """
    function = agents.code.get(id(tool))
    if function is not None and isinstance(function.outer, ir.Class) and not tool.schema.has_local_input:
        return (of_function(function)._replace(names=frozenset()),)  # a library hands all arguments over in one object
    if function is not None:
        return (of_function(function),)
    stated = any(effect.span == tool.span for effect in tool.effects)  # its library runs it
    return () if stated else agents.facts.dispatch.bodies(tool.name, tool.span.path)


def _away(tool: Tool) -> Iterator[Fence]:
    """The place of a library's own tool, where that is not the host."""
    places = tool.isolation.values
    if places and all(place in SANDBOXES for place in places):
        yield Fence(FenceKind.SANDBOX, tool.isolation.span or tool.span, str(places[0]))
    elif places and all(place == "root" for place in places):
        yield Fence(FenceKind.ROOT, tool.isolation.span or tool.span)


def _declared(tool: Tool, effect: Effect, away: tuple[Fence, ...]) -> Touch:
    """The effect that a library's own tool has."""
    choice = Choice.ALL
    own = effect.symbol if effect.span == tool.span else ""
    if effect.kind in SERVICES or effect.kind == "database_read" or effect.shaped is Shaped.NOT:
        # A search for words is no statement, and an address that code gives is no model's.
        choice = Choice.NOTHING
    elif effect.kind in NETWORK and FETCHING.search(f"{tool.name} {own}") is None:
        choice = Choice.PART
    asks = effect.kind == "network_read"
    return Touch(tool.span, tool.name or tool.symbol, tool.framework, effect, choice, away, asks=asks, tool=tool)


# --------------------------------------------------------------------------------------------------------------- sites
def _of_sites(context: Context, agents: Agents, askers: Askers) -> Iterator[Touch]:
    """The commands that sites run of what their models answer."""
    running = {id(function): function for function in agents.functions().values()}
    tools = tuple(running.values())
    dispatch = Dispatchers(context)
    for name in sorted(context.packs.effect_names(*PROCESSES)):
        for place in context.program.calls(name):
            for row, made in agents.facts.effects.rows(place.call):
                inside = any(id(each) in running for each in ir.functions_around(place.scope))
                if row.effect in PROCESSES and not inside:
                    for site, ask, trail in _answered(context, row, made, askers):
                        if _through_tool(tools, ask, trail):
                            continue
                        effect = Effect(made.span, called(made), row.where.pack, row.effect, trail=trail)
                        choice = Choice.ALL if row.effect == "execute_shell" else Choice.PART
                        fences = tuple(time_limits(context, made))
                        before = dispatch.in_front(ask, None, frozenset({made.span, place.call.span}))
                        yield Touch(
                            site.span, site.symbol, site.framework, effect, choice, fences, site=site, gate=before.gate
                        )


def _through_tool(tools: tuple[ir.Function, ...], ask: ir.Call, trail: tuple[Span, ...]) -> bool:
    """Whether a model's answer comes to a call through a tool that the answer picks: what a tool is called with is the
    tool's. A tool that asks the model itself is its site.
    """
    apart = (tool for tool in tools if not tool.span.contains(ask.span))
    return any(tool.span.contains(at) for tool in apart for at in trail)


def _answered(
    context: Context, row: EffectRow, made: ir.Call, askers: Askers
) -> Iterator[tuple[Site, ir.Call, tuple[Span, ...]]]:
    """The sites whose model writes what a call runs, each with the call that it answers, and the way from there."""
    for expr in () if row.argument is None else expressions(context.program, made, row.argument):
        for origin in flow.origins(context.program, expr, askers.reader):
            if isinstance(origin.node, ir.Call) and origin.kind == "call":
                yield from ((site, origin.node, origin.trail) for site in askers.of(origin.node))


def _of_statements(context: Context, askers: Askers, statements: Iterable[WrittenStatement]) -> Iterator[Touch]:
    """The database statements that sites run of what their models answer."""
    dispatch = Dispatchers(context, partial(steps_beside, context))
    for each in statements:
        begun = in_reading(context.program, each.call)
        reads = (
            ()
            if begun is None
            else (Fence(FenceKind.READS if sets_reading(context.program, begun) else FenceKind.BEGUN, begun.span),)
        )
        for site in dict.fromkeys((*askers.of(each.ask), *askers.running(each.call, each.way))):
            before = dispatch.in_front(each.ask, None, frozenset({each.effect.span, each.call.span}))
            gate = before.gate
            if gate.inside is None and (paused := askers.paused(each.call)) is not None:
                gate = Gate(unknown("a question of another step", paused))
            yield Touch(site.span, site.symbol, site.framework, each.effect, Choice.ALL, reads, site=site, gate=gate)
