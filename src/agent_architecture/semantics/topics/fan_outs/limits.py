"""What bounds a fan-out: the width of its pool, a limiter that the work passes, a list that is cut before.

Reads the packs' limiters and the structure around the spawn; whether a limit is enough is for the detector.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Origin, Setting, default, unknown
from agent_architecture.names.made_once import made_for_all
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Instance
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.spawn_limits import limit_on, measures_data, tested_count
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.bounds.spawns import Spawn
    from agent_architecture.semantics.loops.reached_work import Reached, Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

SHARED_POOL: Final = frozenset({"to_thread", "run_in_executor"})
"""Calls that use the interpreter's own thread pool: at most 32 threads."""
THREADS: Final = 32
_ENTERING: Final = frozenset({"__enter__", "__aenter__"})
_LIMITER: Final = regex(r"sem(?:aphore)?\b|limiter|throttl|bulkhead", re.IGNORECASE)


def own_limit(work: Work, match: Match, call: ir.Call) -> Setting:
    """The width that the call or its pool is made with; the size of the data is none."""
    address = match.row.properties.get("width")
    if address is None:
        return ABSENT
    pool = next((made for made in [work.context.made(match.api, "limiter")] if made is not None), None)
    written_at = pool.arguments if pool is not None else call
    names = pool.row.properties.get("width") if pool is not None else address
    sizes = expressions(work.context.program, written_at, names) if written_at is not None and names is not None else ()
    if any(map(measures_data, sizes)):
        return ABSENT
    own = meant(effective(work.context, match, "width"))
    if own.origin is Origin.ABSENT and pool is not None:
        own = meant(effective(work.context, pool, "width"))
        if own.origin is Origin.ABSENT:
            return default(THREADS, "the pool, which is as wide as the machine")
    return own


def meant(limit: Setting) -> Setting:
    """A limit of None is none."""
    return ABSENT if limit.is_known and all(value is None for value in limit.values) else limit


def limit_of(work: Work, spawn: Spawn, reached: Reached) -> Setting:
    """What bounds a spawn: what cuts its source, what counts those that run, the limiter that they pass."""
    if spawn.source is not None:
        before = limit_on(work.context, spawn.source, spawn.node)
        if before is not ABSENT:
            return before
    else:
        counted = tested_count(work.context, spawn.node)
        if counted is not ABSENT:
            return counted
    for _, setting in limiters(work, spawn, reached):
        if setting is not ABSENT:
            return setting
    if _is_pooled(work, reached):
        return default(THREADS, "the interpreter's thread pool")
    return _named_limiter(work, spawn, reached)


def _is_pooled(work: Work, reached: Reached) -> bool:
    """Whether all that asks a model or another machine runs in the interpreter's pool; not where a pool leads further
    than the work was followed: what lies beside it is not known, either.
    """
    calls = (node for node in reached.nodes if isinstance(node, ir.Call))
    pools = [work.inside(call) for call in calls if callee_name(call.callee) in SHARED_POOL]
    every = _all_waited_for((reached,)) if pools else set()
    return bool(every) and _all_waited_for(pools) == every


def _all_waited_for(stretches: Iterable[Reached]) -> set[int]:
    return {id(node) for stretch in stretches for node in _waited_for(stretch)}


def _waited_for(reached: Reached) -> tuple[ir.Node, ...]:
    return (*(ask.node for ask in reached.asks), *reached.requests)


def limiters(work: Work, spawn: Spawn, reached: Reached) -> Iterator[tuple[Match, Setting]]:
    """The limiters that the started work passes: entered, called, or handed the work."""
    for node in reached.nodes:
        for expr in _passed(node):
            values = work.context.program.value_of(expr)
            if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member):
                values = tuple(value for value in values if not _is_answer(work.context, value))
            for made in work.context.made_by(values, "limiter"):
                if _is_anew(work, spawn, reached, made.node):
                    continue
                width = meant(effective(work.context, made, "width"))
                yield made, width if width is not ABSENT else meant(effective(work.context, made, "rate"))


def _is_answer(context: Context, value: Value) -> bool:
    """Whether a value is what a limiter gave back for what ran in it: to look at that holds nobody up."""
    step: Value | None = value
    while isinstance(step, Api) and context.at(step.node, "limiter") is None:
        if step.path.endswith("()"):
            return True
        step = step.receiver
    return False


def _is_anew(work: Work, spawn: Spawn, reached: Reached, made: ir.Node) -> bool:
    """Whether each of what is started makes a limiter of its own, which holds nobody else up."""
    program = work.context.program
    scope = program.scope_of(made)
    if scope is program.scope_of(spawn.node) or not any(node is made for node in reached.nodes):
        return False
    if made_for_all(program, made):
        return False
    kept = program.structure(scope).parent(made)
    return not (isinstance(kept, ir.Assign) and isinstance(kept.target, ir.Member))


def _passed(node: ir.Node) -> Iterator[ir.Expr]:
    match node:
        case ir.With():
            yield from (item.value for item in node.items)
        case ir.Call(callee=ir.Member(target=target)):
            yield target
        case ir.Call(callee=ir.Name() as callee):
            yield callee
        case _:
            return


def _named_limiter(work: Work, spawn: Spawn, reached: Reached) -> Setting:
    """Something entered that is called a semaphore, whose size is not to be seen."""
    for node in reached.nodes:
        for item in node.items if isinstance(node, ir.With) else ():
            values = work.context.program.value_of(item.value)
            made = work.context.made_by(values, "limiter")
            if any(_is_anew(work, spawn, reached, each.node) for each in made) or _lets_in(work.context, values):
                continue
            if _LIMITER.search(dotted(item.value)):
                return unknown(f"{dotted(item.value)}, whose size cannot be read", item.value.span)
    return ABSENT


def _lets_in(context: Context, values: Values) -> bool:
    """Whether what is entered is an object of the project that holds nobody up: entering it awaits nothing."""
    classes = [value.cls for value in values if isinstance(value, Instance)]
    methods = [m for cls in classes for m in cls.body if isinstance(m, ir.Function) and m.name in _ENTERING]
    waiting = (isinstance(n, (ir.Await, ir.Call)) for m in methods for n in context.program.structure(m).nodes)
    return len(classes) == len(values) and bool(methods) and not any(waiting)


def limits_of_runs(work: Work) -> Iterator[tuple[Span, Setting]]:
    """The runs of graphs that may say how much they do at once, and what they say."""
    for match in work.context.of_kind("run"):
        if "concurrency" in match.row.properties:
            yield match.node.span, meant(effective(work.context, match, "concurrency"))
