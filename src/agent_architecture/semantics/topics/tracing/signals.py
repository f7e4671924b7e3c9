"""What code by hand records of an agent's run: how long it took, whether it failed, how many tokens it used.

Looked for in the function of the run, in functions that this one calls and in those that call it; and on the way from
the run's own code to its requests, where every request is recorded. A value counts when it reaches a metric, a span or
a log; what is only read, printed or added up counts for nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import SiteKind
from agent_architecture.model.tracing import Measured, Signal
from agent_architecture.names.in_place import calls_done
from agent_architecture.names.log_calls import warns
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.run_steps import graph_of, run_steps
from agent_architecture.semantics.callgraph.callers import places as ways_up
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.effects.records import is_marked, records, speaks_of_failure, texts
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.makers import makers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.tracing import run_rows
from agent_architecture.semantics.topics.tracing.run_rows import TOKENS, RunRows
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

USAGE: Final = regex(
    r"(?:^|_|\b)(?:usage|tokens(?:_used|_count)?|token_(?:count|usage)|cost|cost_usd|spend)(?:$|_|\b)"
    r"|(?:total|input|output|prompt|completion)Tokens|(?:total|usd)Cost|tokenUsage"
)
TIMES: Final = regex(r"duration|latency|elapsed|response_?time|took", re.IGNORECASE)
UNITS: Final = regex(r"seconds|_ms\b|Ms$|^s$|^ms$")
"""What only names and units of metrics say: in a log it may be any time."""
LIMITS: Final = regex(r"max|limit|budget|timeout", re.IGNORECASE)
"""Names of what is allowed, not of what was used."""
FAILS: Final = regex(r"error|fail|exception|outcome|status|success", re.IGNORECASE)
MEASURING: Final = regex(r"^(?:time|startTimer)$")
FAILING: Final = frozenset({"record_exception", "recordException", "set_status", "setStatus", "count_exceptions"})
CALLEES: Final = 30
REQUESTS: Final = 12
"""Requests of a run whose ways are looked at."""
HANDLING: Final = 2
"""Functions that a handler calls, one in the other."""
WAY: Final = 8
"""Calls between a run and one of its requests."""


def of_site(work: Work, site: Site, loop: HandWritten | None, match: Match | None) -> tuple[Measured, ...]:
    """What by hand is recorded of the run at a site: around it, or around each of its requests."""
    context = work.context
    if loop is not None:
        own = measured(context, loop.scope, site.span)
        asks = [ask.node for ask in loop.asks]
        inside: list[ir.Scope] = [function for function, _ in loop.inside.called]
        return _joined(own, _on_every_way(context, asks, [*inside, loop.scope]))
    if site.kind is SiteKind.EXPORTED_GRAPH or match is None:
        return ()
    own = measured(context, context.program.scope_of(match.node), site.span)
    graphs = dict.fromkeys(graph_of(context, each) for each in (match, *run_agents(context, match)))
    steps = [step for graph in graphs for step in run_steps(context).get(graph, ())]
    asks = [ask.node for step in steps for ask in work.inside(*step.body).asks]
    entered = [function for step in steps for function, _ in extent(context.program, step.body, set()).called]
    return _joined(own, _on_every_way(context, asks, [*steps, *entered]))


def _joined(own: tuple[Measured, ...], further: Iterable[Measured]) -> tuple[Measured, ...]:
    known = {each.signal for each in own}
    return (*own, *(each for each in further if each.signal not in known))


def _on_every_way(context: Context, asks: Iterable[ir.Node], within: Iterable[ir.Scope]) -> Iterator[Measured]:
    """What is recorded of every request, in the functions between a run and the request."""
    inside = set(map(id, within))
    each = [_on_way(context, ask, inside) for ask in {ask.span: ask for ask in asks}.values()]
    if each and len(each) <= REQUESTS:
        yield from (found for signal, found in each[0].items() if all(signal in other for other in each[1:]))


def _on_way(context: Context, ask: ir.Node, inside: set[int]) -> dict[Signal, Measured]:
    """What the functions that a run enters record of one request, and those that they call."""
    program = context.program
    found: dict[Signal, Measured] = {}
    own = program.scope_of(ask)
    for node, scope in ways_up(program, ask, own, WAY):
        if scope is not own and id(scope) not in inside:
            continue
        called = {id(f): f for call in program.structure(scope).calls[:CALLEES] for f in program.callees(call)}
        told = (one for function in called.values() for one in _in_scope(context, function))
        for one in (*_in_scope(context, scope), *_of_handlers(context, scope, node.span), *told):
            found.setdefault(one.signal, one)
    return found


def measured(context: Context, scope: ir.Scope, at: Span) -> tuple[Measured, ...]:
    """What the code around a run records of it, each signal once."""
    found: dict[Signal, Measured] = {}
    for place, inside in places(context, scope, at):
        for each in (*_in_scope(context, place), *_of_handlers(context, place, inside)):
            found.setdefault(each.signal, each)
    return tuple(found.values())


def places(context: Context, scope: ir.Scope, at: Span) -> Iterator[tuple[ir.Scope, Span]]:
    """The scopes that are looked through, each with the place in it that reaches the run. A function that is written
    where a call takes it is part of the function around: `retried(() => client.create(…))`.
    """
    program = context.program
    while isinstance(scope, ir.Function) and isinstance(program.structure(scope.outer).parent(scope), ir.Call):
        yield from _near(context, scope, at)
        scope, at = scope.outer, scope.span
    yield from _near(context, scope, at)


def _near(context: Context, scope: ir.Scope, at: Span) -> Iterator[tuple[ir.Scope, Span]]:
    """A scope itself, those in it that hold a place, those that call it and those that it calls."""
    program = context.program
    yield scope, at
    structure = program.structure(scope)
    yield from ((inner, inner.span) for inner in structure.definitions if at.contains(inner.span))
    if isinstance(scope, ir.Function):
        for site in program.callers(scope):
            yield site.scope, site.call.span
        called = {id(f): f for call in structure.calls[:CALLEES] for f in program.callees(call)}
        yield from ((function, function.span) for function in called.values())


def _in_scope(context: Context, scope: ir.Scope) -> Iterator[Measured]:
    for call in calls_done(context.program, context.program.structure(scope).calls):
        if not records(context, call):
            yield from _in_row(context, call)
            continue
        by = f"{dotted(call.callee)} ({call.span.path}:{call.span.line})"
        metric = tuple(_metric(context, call))
        said = " ".join(word for word in (*metric, *texts(context, scope, call)) if not LIMITS.search(word))
        last = callee_name(call.callee)
        if USAGE.search(said):
            yield Measured(Signal.COST, by, call.span)
        if TIMES.search(said) or any(map(UNITS.search, metric)) or MEASURING.match(last):
            yield Measured(Signal.LATENCY, by, call.span)
        if last in FAILING or FAILS.search(" ".join(metric)):
            yield Measured(Signal.ERRORS, by, call.span)
    if isinstance(scope, ir.Function):
        for decorator in scope.decorators:
            called = decorator.callee if isinstance(decorator, ir.Call) else decorator
            if is_marked(context, called, decorator=True):
                by, last = f"{dotted(called)} ({decorator.span.path}:{decorator.span.line})", callee_name(called)
                signal = Signal.ERRORS if last in FAILING else Signal.LATENCY
                yield Measured(signal, by, decorator.span)


def _in_row(context: Context, call: ir.Call) -> Iterator[Measured]:
    """What a row says that a call writes of a run to a table of the project's own."""
    said = context.once(RunRows).said(call)
    by = f"{dotted(call.callee)} ({call.span.path}:{call.span.line})"
    for signal, words in ((Signal.COST, TOKENS), (Signal.LATENCY, run_rows.TIMES), (Signal.ERRORS, FAILS)):
        if any(map(words.search, said.split())):
            yield Measured(signal, by, call.span)


def _of_handlers(context: Context, scope: ir.Scope, at: Span) -> Iterator[Measured]:
    """What is recorded where the run has failed."""
    structure = context.program.structure(scope)
    for node in structure.nodes:
        if isinstance(node, ir.Try) and _encloses(structure, node, at):
            for handler in node.handlers:
                for call in _told(context, calls_done(context.program, _calls(handler.body)), HANDLING):
                    if records(context, call) or speaks_of_failure(context, call):
                        by = f"{dotted(call.callee)} ({call.span.path}:{call.span.line})"
                        yield Measured(Signal.ERRORS, by, call.span)


def _told(context: Context, calls: Iterable[ir.Call], depth: int) -> Iterator[ir.Call]:
    """The calls of a handler, and those that warn in functions of the project that it calls."""
    for call in calls:
        yield call
        for function in context.program.callees(call) if depth else ():
            inside = _told(context, context.program.structure(function).calls, depth - 1)
            yield from (each for each in inside if warns(each) or callee_name(each.callee) in FAILING)


def _encloses(structure: Structure, node: ir.Try, at: Span) -> bool:
    """Whether what fails in a run ends here: the run itself, or a pass of the loop that it is."""
    around = structure.parent(node)
    is_pass = isinstance(around, ir.Loop) and around.span.path == at.path and around.span.line == at.line
    return is_pass or any(part.span.contains(at) for part in node.body)


def _calls(body: Iterable[ir.Node]) -> Iterator[ir.Call]:
    return (node for node in ir.walk(*body) if isinstance(node, ir.Call))


def _metric(context: Context, call: ir.Call) -> Iterator[str]:
    """The name and unit of the metric that a call adds to, and the names of what it puts on a span."""
    for api in resolved(context.program, call.callee):
        for node in makers(api):
            match = context.at(node, "metric", "span_attribute")
            if match is not None:
                said = (effective(context, match, name) for name in ("name", "unit"))
                yield from (str(value) for setting in said for value in setting.values)
