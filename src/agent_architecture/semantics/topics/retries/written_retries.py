"""Hand-written retries as entities: how often they try, how they wait, what they let go round.

Where they are is `bounds.retry_loops`, how they wait `bounds.retry_pauses`; this module puts the parts together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.resilience import Retry
from agent_architecture.model.settings import ABSENT, Setting, unknown, written
from agent_architecture.model.system import BoundKind
from agent_architecture.names.call_branches import comes_to
from agent_architecture.names.values import Items
from agent_architecture.semantics.bounds.loop_bounds import bounds_of, limit_setting
from agent_architecture.semantics.bounds.retry_loops import Repetition, catches_all, repetitions
from agent_architecture.semantics.bounds.retry_pauses import pause_of
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Bound
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.reached_work import Reached, Work
    from agent_architecture.sources.source import Span

TWICE: Final = 2
"""The tries of a function that calls itself once."""
ENDING: Final = (BoundKind.RANGE, BoundKind.COUNTER, BoundKind.COLLECTION)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number, which a boolean is not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def by_hand(work: Work, sites: frozenset[Span]) -> Iterator[tuple[Retry, ir.Node, Reached]]:
    """Every hand-written retry that reaches a model, a tool, another machine or what may be one; `sites` are the
    headers of agent loops, which are none.
    """
    for found in repetitions(work.context.program, work.context.packs):
        header = found.node.header if isinstance(found.node, ir.Loop) else found.node.name_span
        if header in sites:
            continue
        reached = work.inside(*found.body)
        if not (reached.acts or reached.remote or reached.handed or reached.foreign):
            continue
        yield _retry(work, found, header, reached), found.node, reached


def _retry(work: Work, found: Repetition, header: Span, reached: Reached) -> Retry:
    program = work.context.program
    attempts, time_limit = _bounded(work, found)
    nodes = tuple(ir.walk(*found.node.body))
    handling = tuple(node for handler in found.handlers for node in ir.walk(*handler.body))
    body = nodes if isinstance(found.node, ir.Loop) or not found.handlers else handling
    backoff, jitter = pause_of(program, body, _counters(found))
    once = reached.once[0] if reached.once else None
    every = bool(found.handlers) and catches_all(program, work.context.packs, found.handlers)
    is_certain = reached.acts or reached.remote
    return Retry(
        header,
        found.scope.qualname or found.scope.span.path,
        "",
        attempts,
        backoff,
        jitter,
        written("all" if every else "some", found.handlers[0].span if found.handlers else header),
        repeats_effect=once.symbol if once is not None else "",
        repeats=reached.once,
        time_limit=time_limit,
        related=(once.span,) if once is not None else (),
        confidence=Confidence.HIGH if is_certain else Confidence.MEDIUM,
    )


def _counters(found: Repetition) -> frozenset[str]:
    """The names that tell the tries apart."""
    if isinstance(found.node, ir.Function):
        return frozenset(parameter.name for parameter in found.node.params)
    names = [*ir.walk(found.node.target)] if found.node.target is not None else []
    names.extend(node.target for node in ir.walk(*found.node.update) if isinstance(node, ir.Assign))
    return frozenset(node.id for node in names if isinstance(node, ir.Name))


def _bounded(work: Work, found: Repetition) -> tuple[Setting, Setting]:
    """The attempts and the time limit of a hand-written retry."""
    program = work.context.program
    if isinstance(found.node, ir.Function) and (again := _calls_again(program, found.node)) is not None:
        return written(TWICE, again), ABSENT
    loop = found.node if isinstance(found.node, ir.Loop) else None
    inside = extent(program, (*found.node.body, *((loop.test,) if loop is not None and loop.test else ())), set())
    bounds = bounds_of(program, loop, found.scope, inside, ())
    counted = [_counted(work, found, bound) for bound in bounds if bound.kind in ENDING]
    timed = next(
        (
            b.limit if b.limit is not ABSENT else written("deadline", b.span)
            for b in bounds
            if b.kind is BoundKind.DEADLINE
        ),
        ABSENT,
    )
    known = [setting for setting in counted if setting.is_known]
    return (known or counted or [ABSENT])[0], timed


def _calls_again(program: Program, function: ir.Function) -> Span | None:
    """Where a function calls itself and what it hands in there keeps that pass from doing so, too: it asks for another
    number of tries (`if tries == 0: return ask(text, tries=1)`). None where it may go on.
    """
    own = [site for site in program.callers(function) if site.scope is function]
    ends = bool(own) and not any(comes_to(program, site, other.call) for site in own for other in own)
    return own[0].call.span if ends else None


def _counted(work: Work, found: Repetition, bound: Bound) -> Setting:
    program = work.context.program
    if bound.kind is BoundKind.COLLECTION:
        return _size(work, found, bound)
    if isinstance(found.node, ir.Function) and all(is_number(v) and v <= 1 for v in bound.limit.values):
        return _counted_down(program, found.node, bound)
    loop = found.node if isinstance(found.node, ir.Loop) else None
    source = loop.source if loop is not None else None
    if isinstance(source, ir.Call) and len(source.args) > 1 and bound.kind is BoundKind.RANGE:
        start = limit_setting(program, source.args[0].value).value
        if is_number(start) and all(map(is_number, bound.limit.values)):
            return bound.limit._replace(values=tuple(v - start for v in bound.limit.values if is_number(v)))
    if bound.limit.is_known and all(map(is_number, bound.limit.values)):
        return bound.limit
    return unknown(bound.limit.source or "an expression", bound.span)


def _counted_down(program: Program, function: ir.Function, bound: Bound) -> Setting:
    """The tries of a recursion that counts to zero: from where a parameter starts by default."""
    starts = [limit_setting(program, p.default) for p in function.params if p.default is not None]
    numbers = [v for start in starts for v in start.values if isinstance(v, int) and not isinstance(v, bool)]
    return written(max(numbers) + 1, bound.span) if numbers else unknown("its caller", bound.span)


def _size(work: Work, found: Repetition, bound: Bound) -> Setting:
    """As many tries as there are delays in a list."""
    source = found.node.source if isinstance(found.node, ir.Loop) else None
    values = work.context.program.value_of(source) if source is not None else ()
    lengths = [len(v.items) for v in values if isinstance(v, Items) and v.complete]
    return written(max(lengths), bound.span) if lengths else unknown("the size of a collection", bound.span)
