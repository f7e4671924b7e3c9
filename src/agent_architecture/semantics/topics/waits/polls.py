"""Loops that ask for a state again and again, with a pause in between, until it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import ABSENT, written
from agent_architecture.model.system import BoundKind
from agent_architecture.names.exits import goes_round, is_raised, leaves
from agent_architecture.names.in_place import called_from, with_helpers
from agent_architecture.names.pauses import SLEEPING, sleeps, where_pauses_stand
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.program import callee_name
from agent_architecture.names.test_parts import ORDERED
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.bounds.loop_bounds import CLOCKS, bounds_of
from agent_architecture.semantics.bounds.readiness_probes import asks_whether_up
from agent_architecture.semantics.bounds.state_polls import polls_state
from agent_architecture.semantics.bounds.ways_out import ways_out
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import leavings
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

TOLD: Final = "is_set"
TASKS: Final = frozenset({"create_task", "ensure_future", "start_soon"})
"""Calls that run a function beside whoever calls them, and give a handle of it."""
STEPS: Final = frozenset({ir.Op.ADD, ir.Op.SUB})
ENDING: Final = frozenset({BoundKind.RANGE, BoundKind.COUNTER, BoundKind.DEADLINE, BoundKind.COLLECTION})


def polls(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every such loop. One that asks a model in its passes is an agent's, one that pauses after a failure a retry."""
    program = work.context.program
    seen: set[int] = set()
    for name in SLEEPING:
        for site in program.calls(name):
            for node, scope in called_from(program, *_awaited_in(work, site.call, site.scope)):
                loop = next(program.structure(scope).enclosing(node, ir.Loop), None)
                if loop is None or id(loop) in seen or not _may_poll(work, loop):
                    continue
                seen.add(id(loop))
                wait = _poll(work, loop, scope, node)
                if wait is not None:
                    yield scope, wait


def _may_poll(work: Work, loop: ir.Loop) -> bool:
    conditions = conditions_of(work.context)
    return loop.kind in {"while", "do"} or polls_state(work.context.program, conditions, loop)


def _awaited_in(work: Work, call: ir.Call, scope: ir.Scope) -> tuple[ir.Node, ir.Scope]:
    """The place of a pause: outside of the function that a promise is made of."""
    if isinstance(scope, ir.Function) and not scope.name:
        outer = work.context.program.structure(scope.outer)
        made = next((c for c in outer.calls if any(a.value is scope for a in c.args)), None)
        if made is not None:
            return made, scope.outer
    return call, scope


def _poll(work: Work, loop: ir.Loop, scope: ir.Scope, pause: ir.Node) -> Wait | None:
    program = work.context.program
    if _pauses_after_failure(program, program.structure(scope), pause):
        return None
    inside = extent(program, (*loop.body, *((loop.test,) if loop.test is not None else ())), set())
    if not _leaves(loop) or _only_counts(loop) or _is_told(program, loop, inside) or work.inside(*loop.body).acts:
        return None
    bounds = [b for b in bounds_of(program, loop, scope, inside, ()) if b.kind in ENDING]
    limit = ABSENT
    if bounds:
        best = min(bounds, key=lambda b: (b.from_caller, not b.every_path))
        limit = best.limit if best.limit is not ABSENT else written(best.kind.value, best.span)
    elif (clocked := _clocked(work.context, loop)) is not None:
        limit = written(BoundKind.DEADLINE.value, clocked.span)
    if isinstance(scope, ir.Function) and (stopped := _cancelled(program, scope)) is not None:
        limit = written("cancel", stopped)
    around = deadline_around(work.context, loop, scope)
    if around is not None and around.every_path and limit is ABSENT:
        limit = around.limit
    if limit is ABSENT and _until_then(work.context.program, loop):
        return None
    return Wait(loop.header, dotted(loop.test) if loop.test is not None else "", "", WaitKind.POLL, limit)


def _cancelled(program: Program, function: ir.Function) -> Span | None:
    """Where whoever starts a function as a task of its own cancels that task, whatever happens: in a `finally`. Each
    place that starts it has to.
    """
    found: list[Span | None] = []
    for site in program.callers(function):
        structure = program.structure(site.scope)
        started = next((a for a in structure.ancestors(site.call) if isinstance(a, ir.Assign)), None)
        task = dotted(started.target) if started is not None and _is_task(started.value) else ""
        tries = (node for node in structure.nodes if isinstance(node, ir.Try))
        last = (node for each in tries for node in ir.walk(*each.final) if isinstance(node, ir.Call))
        found.append(next((node.span for node in last if task and dotted(node.callee) == f"{task}.cancel"), None))
    return found[0] if found and None not in found else None


def _is_task(made: ir.Expr | None) -> bool:
    return isinstance(made, ir.Call) and callee_name(made.callee) in TASKS


def _pauses_after_failure(program: Program, structure: Structure, pause: ir.Node) -> bool:
    tries = [t for t in structure.enclosing(pause, ir.Try) if any(h.span.contains(pause.span) for h in t.handlers)]
    return any(not asks_whether_up(program, structure, attempt) for attempt in tries)


def _clocked(context: Context, loop: ir.Loop) -> ir.Node | None:
    """A test that leaves the loop by what its passes read from a clock: `left = end - monotonic(); if left <= 0`."""
    nodes = tuple(ir.walk(*loop.body))
    read = _clock_readings(context.program, nodes)
    for leaving in leavings(conditions_of(context), nodes) if read else ():
        for reason in leaving.reasons if not goes_round(leaving.node) else ():
            if reason.at.span.contains(leaving.node.span) and loop.span.contains(reason.at.span):
                asked = (reason.expr, *((leaving.node,) if reason.at is leaving.node else ()))
                if not isinstance(reason.at, ir.Loop) and any(
                    isinstance(node, ir.Name) and node.id in read for node in ir.walk(*asked)
                ):
                    return reason.at
    return None


def _clock_readings(program: Program, nodes: tuple[ir.Node, ...]) -> set[str]:
    """The variables that hold what was read from a clock."""
    assigned = [(dotted(n.target), n.value) for n in nodes if isinstance(n, ir.Assign) and n.value is not None]
    return {name for name, value in assigned if any(map(_is_clock, with_helpers(program, ir.walk(value))))}


def _until_then(program: Program, loop: ir.Loop) -> bool:
    """Whether a loop pauses as long as a clock says, so that it waits for a time and for nobody: `sleep(60 - (now -
    oldest))` of a limiter.
    """
    nodes = tuple(ir.walk(*loop.body))
    read = _clock_readings(program, nodes)
    for node in nodes:  # what is worked out of a reading stands after it
        if isinstance(node, ir.Assign) and node.value is not None and _names(node.value) & read:
            read.add(dotted(node.target))
    pauses = [n for n in where_pauses_stand(program, nodes) if isinstance(n, ir.Call) and sleeps(n)]
    return bool(pauses) and all(_names(*(a.value for a in pause.args)) & read for pause in pauses)


def _only_counts(loop: ir.Loop) -> bool:
    """Whether passes only count down, or up, to a number: a pause in pieces, which asks for no state."""
    match loop.test:
        case ir.Operator(op=op, operands=(ir.Name() | ir.Literal() as one, ir.Name() | ir.Literal() as other)):
            counted = {part.id for part in (one, other) if isinstance(part, ir.Name)}
        case _:
            return False
    body = tuple(ir.walk(*loop.body))
    if op not in ORDERED or any(leaves(node) for node in body):
        return False
    put = [node for node in body if isinstance(node, ir.Assign) and dotted(node.target) in counted]
    return bool(put) and all(map(_is_step, put))


def _is_step(put: ir.Assign) -> bool:
    """`left -= 1`, `left = left - 1`."""
    value, name = put.value, dotted(put.target)
    return put.op in STEPS or (isinstance(value, ir.Operator) and value.op in STEPS and name in _names(value))


def _names(*exprs: ir.Expr) -> set[str]:
    return {part.id for part in ir.walk(*exprs) if isinstance(part, ir.Name)}


def _is_clock(node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and CLOCKS.search(f"{dotted(node.callee)}()") is not None


def _is_told(program: Program, loop: ir.Loop, inside: Extent) -> bool:
    """Whether others end the loop when they want it to stop: `while not stop.is_set()`, `if stop.is_set(): break`."""
    own = (spelled_out(program, loop.test),) if loop.test is not None else ()
    asked = (*own, *(test for test, _, is_own in ways_out(program, loop, inside) if is_own))
    return any(isinstance(node, ir.Call) and callee_name(node.callee) == TOLD for node in ir.walk(*asked))


def _leaves(loop: ir.Loop) -> bool:
    """Whether a state that changes ends the loop: it has a test, or something in it leaves. What leaves once a pass
    failed asks for no state.
    """
    if loop.test is not None and not isinstance(loop.test, ir.Literal):
        return True
    handlers = (one for block in ir.walk(*loop.body) if isinstance(block, ir.Try) for one in block.handlers)
    failed = {id(node) for handler in handlers for node in ir.walk(*handler.body)}
    inside = (node for node in ir.walk(*loop.body) if id(node) not in failed)
    return any(leaves(node) and not is_raised(node) for node in inside)
