"""All waits of agents: in functions that come to a model call or an agent's run, or that these or their tools call.

Facts: which limit holds, and whether what is waited for ends by itself. The detector judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.names.exits import leaves
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.agents.functions_of_agents import Near
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import asked_last, leavings
from agent_architecture.semantics.loops.multi_user_code import Served
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.waits.before_serving import is_before_serving
from agent_architecture.semantics.topics.waits.blocking import blocking
from agent_architecture.semantics.topics.waits.handles import handles
from agent_architecture.semantics.topics.waits.inner_runs import inner
from agent_architecture.semantics.topics.waits.joins import joins
from agent_architecture.semantics.topics.waits.locks import ACQUIRE, Locks, without_infinity
from agent_architecture.semantics.topics.waits.polls import polls
from agent_architecture.semantics.topics.waits.sockets import sockets
from agent_architecture.semantics.topics.waits.stopping import STOPS
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

AT_ONCE: Final = frozenset({"block", "blocking"})
EMPTY: Final = "empty"
UNBOUNDED: Final = "put"
"""Waits only where its queue is made with a size."""
THREADS: Final = ("py:threading:", "py:threading.", "py:multiprocessing", "py:queue", "py:concurrent.futures")
"""Modules whose waits hold up a thread."""
JOBS: Final = frozenset({"get", "wait", "wait_for", "acquire"})
"""How workers wait for their next job."""
STOPPING: Final = frozenset({"CancelledError", "KeyboardInterrupt", "GeneratorExit", "ShutDown", "QueueShutDown"})
"""What others raise where a worker waits when they want it to stop."""
KILLS: Final = frozenset({"kill", "terminate"})
"""What has a process end: waiting for it afterwards is no more than that."""


def waits(work: Work, served: Served, near: Near, loops: Iterable[HandWritten] = ()) -> tuple[Wait, ...]:
    """Every wait, once for each place."""
    found: dict[Span, Wait] = {}
    locks = Locks(work)
    for scope, wait in (
        *_stated(work, locks),
        *locks.entered(),
        *polls(work),
        *blocking(work, served),
        *inner(work, loops),
        *joins(work),
        *handles(work),
        *sockets(work, served),
    ):
        if wait.kind is WaitKind.BLOCKING and is_before_serving(work.context.program, scope, wait.span):
            continue
        if wait.span not in found and near.to_agent(scope):
            found[wait.span] = wait
    return tuple(found.values())


def _stated(work: Work, locks: Locks) -> Iterator[tuple[ir.Scope, Wait]]:
    """The calls that a library says wait."""
    context = work.context
    matches = [match for match in context.of_kind("wait") if isinstance(match.node, ir.Call)]
    for match in matches:
        node = match.node
        if not isinstance(node, ir.Call) or STOPS in match.row.constants:
            continue
        if _goes_on(work, match, node) or _is_around(work, match, matches):
            continue
        scope = context.program.scope_of(node)
        limit = without_infinity(effective(context, match, "time_limit"))
        around = deadline_around(context, node, scope)
        if around is not None and around.every_path and not _ends(limit):
            limit = around.limit
        wait = Wait(node.span, called(node), match.row.where.pack, WaitKind.SIGNAL, limit)
        if match.api.path.endswith(f".{ACQUIRE}"):
            wait = locks.held(node, match.api.receiver, wait._replace(kind=WaitKind.LOCK))
        elif _is_of_worker(work, scope, node) or _is_killed(work, scope, node):
            continue
        elif match.api.path.startswith(THREADS) and isinstance(scope, ir.Function) and scope.is_async:
            wait = wait._replace(kind=WaitKind.BLOCKING, ends="the call" if _ends(limit) else "")
        else:
            wait = wait._replace(ends=_sentinel(work, scope, node))
        yield scope, wait


def _ends(limit: Setting) -> bool:
    return not limit.is_known or any(value is not None for value in limit.values) if limit is not ABSENT else False


def _goes_on(work: Work, match: Match, node: ir.Call) -> bool:
    """Whether a call that could wait goes on at once: it is told to, or its queue has no end."""
    told = [argument.value for argument in node.args if argument.keyword in AT_ONCE]
    told += [argument.value for argument in node.args[:1] if argument.keyword is None]
    if any(isinstance(value, ir.Literal) and value.value is False for value in told):
        return True
    if match.api.path.rsplit(".", 1)[-1] == UNBOUNDED and match.api.receiver is not None:
        made = match.api.receiver.node
        return not (isinstance(made, ir.Call) and made.args)
    return _is_done(work, node) or _is_filled(work, node)


def _is_filled(work: Work, node: ir.Call) -> bool:
    """Whether an asynchronous function has asked just before whether something is in the queue that it takes from: it
    alone runs until it waits (`while not queue.empty(): await queue.get()`).
    """
    scope = work.context.program.scope_of(node)
    if not isinstance(node.callee, ir.Member) or not isinstance(scope, ir.Function) or not scope.is_async:
        return False
    queue = dotted(node.callee.target)
    awaited = [one for one in work.context.program.structure(scope).nodes if isinstance(one, ir.Await)]
    return bool(queue) and any(
        isinstance(known, Condition)
        and known.holds is False
        and isinstance(known.expr, ir.Call)
        and dotted(known.expr.callee) == f"{queue}.{EMPTY}"
        and not any(known.expr.span < one.span < node.span for one in awaited if one.value is not node)
        for known in conditions_of(work.context).at(node)
    )


def _is_done(work: Work, node: ir.Call) -> bool:
    """Whether what is asked for its result is handed out by a loop over those that are done."""
    if not isinstance(node.callee, ir.Member) or not isinstance(node.callee.target, ir.Name):
        return False
    name = node.callee.target.id
    loops = work.context.program.structure(work.context.program.scope_of(node)).enclosing(node, ir.Loop)
    return any(
        isinstance(loop.target, ir.Name)
        and loop.target.id == name
        and loop.source is not None
        and any(isinstance(n, (ir.Name, ir.Member)) and _is_as_completed(work, n) for n in ir.walk(loop.source))
        for loop in loops
    )


def _is_as_completed(work: Work, expr: ir.Expr) -> bool:
    paths = (value.path for value in work.context.program.value_of(expr) if isinstance(value, Api))
    return any(path.endswith("as_completed") for path in paths)


def _is_around(work: Work, match: Match, matches: list[Match]) -> bool:
    """Whether a call only ends what it is given to wait for: another wait, or an awaited request to a model."""
    if work.context.at(match.node, "deadline") is None:
        return False
    inside = match.node.span
    asks = (*matches, *work.context.of_kind("model_call", "run"))
    return any(each.node is not match.node and inside.contains(each.node.span) for each in asks)


def _is_of_worker(work: Work, scope: ir.Scope, node: ir.Call) -> bool:
    """Whether it is how a worker waits for its next job: in a loop that nothing leaves."""
    loop = next(work.context.program.structure(scope).enclosing(node, ir.Loop), None)
    if callee_name(node.callee) not in JOBS or loop is None or not isinstance(loop.test, ir.Literal):
        return False
    if not loop.test.value:
        return False
    nodes = tuple(ir.walk(*loop.body))
    stopping = {
        id(inner)
        for block in nodes
        if isinstance(block, ir.Try)
        for handler in block.handlers
        if handler.types and all(dotted(kind).rpartition(".")[2] in STOPPING for kind in handler.types)
        for inner in ir.walk(*handler.body)
    }
    return not any(leaves(node) and id(node) not in stopping for node in nodes)


def _is_killed(work: Work, scope: ir.Scope, node: ir.Call) -> bool:
    """Whether what is waited for was told to end before."""
    if not isinstance(node.callee, ir.Member):
        return False
    waited = dotted(node.callee.target)
    return any(
        isinstance(call.callee, ir.Member)
        and call.callee.name in KILLS
        and dotted(call.callee.target) == waited
        and call.span < node.span
        for call in work.context.program.structure(scope).calls
    )


def _sentinel(work: Work, scope: ir.Scope, node: ir.Call) -> str:
    """The entry that ends a loop over a queue: `if item is None: break`."""
    structure = work.context.program.structure(scope)
    loop = next(structure.enclosing(node, ir.Loop), None)
    assigned = next((a for a in structure.ancestors(node) if isinstance(a, ir.Assign)), None)
    if loop is None or assigned is None or not isinstance(assigned.target, ir.Name):
        return ""
    name = assigned.target.id
    for leaving in leavings(conditions_of(work.context), ir.walk(*loop.body)):
        for reason in asked_last(leaving, loop) if leaves(leaving.node) else ():
            if any(isinstance(n, ir.Name) and n.id == name for n in ir.walk(reason.expr)):
                return "the last entry"
    return ""
