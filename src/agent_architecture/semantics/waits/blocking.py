"""Calls that hold up the thread of an asynchronous function: until they answer, nothing else runs in it, no time-out
either.

That a call is not awaited says nothing by itself; that its answer is used at once does. One in an ordinary function
holds up whoever calls that function from asynchronous code that serves several users.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import written
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.context import called
from agent_architecture.semantics.tracing.records import is_marked
from agent_architecture.semantics.waits.locks import TIMEOUT, limited
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.coordination.served import Served
    from agent_architecture.semantics.work import Work
    from agent_architecture.sources.source import Span

EFFECTS: Final = (
    "network_read", "network_write", "mail", "message", "database", "database_read", "database_write",
    "execute_process", "execute_shell",
)  # fmt: skip
STARTS: Final = frozenset({"Popen"})
"""What starts a process and goes on."""
LEVELS: Final = 3
"""Ordinary functions between asynchronous code and a blocking call."""
SLEEP: Final = "py:time.sleep"
ASKED: Final = "input"
"""What waits for a person at a terminal."""
HOLDS: Final = frozenset({"holds_thread"})
"""The mark of libraries' questions of that kind."""
DATABASE: Final = "database"
"""Short requests, mostly: they end by themselves, and one in an ordinary function is let pass."""


def blocking(work: Work, served: Served) -> Iterator[tuple[ir.Scope, Wait]]:
    """All of them; of those that one call in asynchronous code comes to, the first."""
    seen: set[Span] = set()
    for scope, wait in (*_asking(work, served), *_pausing(work), *_questions(work)):
        if wait.within is None or wait.within not in seen:
            seen |= {wait.within} if wait.within is not None else set()
            yield scope, wait


def _asking(work: Work, served: Served) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every such call to a model, another machine or process."""
    context, program = work.context, work.context.program
    for match in context.of_kind("run", "model_call"):
        scope = program.scope_of(match.node)
        if isinstance(match.node, ir.Call) and _is_used(work, match.node, scope):
            yield from _held_up(work, served, scope, _wait(match.node, match.row.where.pack, ends=limited(work, match)))
    for name in sorted(context.packs.effect_names(*EFFECTS)):
        for site in program.calls(name) if name not in STARTS else ():
            if not isinstance(site.scope, ir.Function) or not _is_python(site.scope):
                continue
            rows = [row for row, _ in work.effects.rows(site.call) if row.effect in EFFECTS]
            if not site.scope.is_async and any(row.effect.startswith(DATABASE) for row in rows):
                continue
            if rows and _is_used(work, site.call, site.scope):
                ends = any(argument.keyword == TIMEOUT for argument in site.call.args)
                ends = ends or all(row.effect.startswith(DATABASE) for row in rows)
                yield from _held_up(work, served, site.scope, _wait(site.call, rows[0].where.pack, ends=ends))


def _pausing(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    program = work.context.program
    for site in program.calls("sleep"):
        paths = {value.path for value in program.value_of(site.call.callee) if isinstance(value, Api)}
        if isinstance(site.scope, ir.Function) and site.scope.is_async and SLEEP in paths:
            yield site.scope, _wait(site.call, "python-concurrency", ends=True)


def _questions(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """Questions to a person at a terminal that asynchronous functions ask by calls which block."""
    context, program = work.context, work.context.program
    for name in sorted({ASKED} | context.packs.mark_names(*HOLDS)):
        for site in program.calls(name):
            call, scope = site.call, site.scope
            if not isinstance(scope, ir.Function) or not scope.is_async or not _is_python(scope):
                continue
            builtin = name == ASKED and isinstance(call.callee, ir.Name) and not program.callees(call)
            if builtin or is_marked(context, call.callee, HOLDS):
                yield scope, _wait(call, "", ends=False)


def _held_up(work: Work, served: Served, scope: ir.Scope, wait: Wait) -> Iterator[tuple[ir.Scope, Wait]]:
    """A blocking call where asynchronous code makes it, by itself or through ordinary functions."""
    if not isinstance(scope, ir.Function) or scope.is_async:
        yield scope, wait
    elif (above := _asynchronous_above(work, served, scope)) is not None:
        yield scope, wait._replace(within=above.span)


def _asynchronous_above(work: Work, served: Served, function: ir.Function) -> ir.Call | None:
    """The call by which asynchronous code of a server, a step or a tool runs an ordinary function."""
    layer, program = [function], work.context.program
    for _ in range(LEVELS):
        sites = [site for each in layer for site in program.callers(each) if _runs_alone(program, site.call, each)]
        for site in sites:
            if isinstance(site.scope, ir.Function) and site.scope.is_async and served.of(site.scope):
                return site.call
        layer = [site.scope for site in sites if isinstance(site.scope, ir.Function) and not site.scope.is_async]
    return None


def _runs_alone(program: Program, call: ir.Call, function: ir.Function) -> bool:
    """Whether a call runs this function itself, and can run no other."""
    return callee_name(call.callee) == function.name and all(each is function for each in program.callees(call))


def _wait(node: ir.Call, framework: str, *, ends: bool) -> Wait:
    wait = Wait(node.span, called(node), framework, WaitKind.BLOCKING)
    return wait._replace(ends="the call", time_limit=written(TIMEOUT, node.span)) if ends else wait


def _is_used(work: Work, call: ir.Call, scope: ir.Scope) -> bool:
    """Whether a function uses the answer of a call at once, without awaiting it."""
    if not isinstance(scope, ir.Function) or not _is_python(scope):
        return False
    structure = work.context.program.structure(scope)
    parent = structure.parent(call)
    if isinstance(parent, (ir.Member, ir.Index)):
        return not any(isinstance(around, ir.Await) for around in structure.ancestors(call))
    if isinstance(parent, ir.Loop):
        return parent.source is call and not parent.is_async
    if not isinstance(parent, ir.Assign) or parent.value is not call or not isinstance(parent.target, ir.Name):
        return False
    name = parent.target.id
    awaiting = (n for n in structure.nodes if isinstance(n, (ir.Await, ir.Loop, ir.With)))
    if any(_takes(node, name) for node in awaiting):
        return False
    return any(
        isinstance(node, (ir.Member, ir.Index)) and isinstance(node.target, ir.Name) and node.target.id == name
        for node in structure.nodes
    )


def _is_python(scope: ir.Function) -> bool:
    return scope.span.path.endswith(".py")


def _takes(node: ir.Node, name: str) -> bool:
    """Whether something asynchronous takes what a name stands for."""
    match node:
        case ir.Await(value=value):
            taken: tuple[ir.Node, ...] = (value,)
        case ir.Loop(is_async=True, source=source) if source is not None:
            taken = (source,)
        case ir.With(is_async=True, items=items):
            taken = tuple(item.value for item in items)
        case _:
            return False
    return any(isinstance(inner, ir.Name) and inner.id == name for inner in ir.walk(*taken))
