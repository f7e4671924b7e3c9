"""Calls that hold up the thread of an asynchronous function: until they answer, nothing else runs in it, no time-out
either.

That a call is not awaited says nothing by itself; that its answer is used at once does. One in an ordinary function
holds up whoever calls that function from asynchronous code that serves several users: there it stands, at that call.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import written
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Func
from agent_architecture.semantics.effects.records import is_marked
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.waits.locks import TIMEOUT, limited
from agent_architecture.semantics.topics.waits.needed import Needed
from agent_architecture.semantics.topics.waits.stopping import stopping
from agent_architecture.semantics.topics.waits.used_at_once import is_dropped, is_used
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context

PROCESSES: Final = ("execute_process", "execute_shell")
EFFECTS: Final = (
    "network_read", "network_write", "mail", "message", "database", "database_read", "database_write",
    *PROCESSES,
)  # fmt: skip
STARTS: Final = frozenset({"Popen", "PopenSpawn", "send", "sendline", "spawn", "spawnu"})
"""What starts a process, or tells one that runs something, and goes on."""
LEVELS: Final = 3
"""Ordinary functions between asynchronous code and a blocking call."""
RUNNERS: Final = frozenset({"run", "run_until_complete"})
"""What runs asynchronous code from ordinary code: a loop of its own."""
SLEEP: Final = "py:time.sleep"
ASKED: Final = "input"
"""What waits for a person at a terminal."""
HOLDS: Final = frozenset({"holds_thread"})
"""The mark of libraries' questions of that kind."""
ENDS: Final = frozenset({"ends_itself"})
"""The mark of calls that have a limit of their library's."""
DATABASE: Final = "database"
"""Short requests, mostly: they end by themselves, and one that many functions come to is one wait."""
EMBEDDED: Final = "python-sqlite3"
"""The pack of a database that is a file of the process: no machine is asked, and in an ordinary function it passes."""


def blocking(work: Work, served: Served) -> Iterator[tuple[ir.Scope, Wait]]:
    """All of them, where asynchronous code makes them, by itself or by a call of an ordinary function."""
    asking = (*_asking(work), *_questions(work))
    yield from (one for one in asking if not _is_ordinary(one[0]))
    ordinary: dict[int, tuple[ir.Scope, Wait]] = {}
    needed = Needed(work.context)
    for scope, wait in asking:
        if _is_ordinary(scope):
            needed.at_wait(scope, wait.span)
        if _is_ordinary(scope) and (id(scope) not in ordinary or _is_longer(wait, ordinary[id(scope)][1])):
            ordinary[id(scope)] = scope, wait
    yield from _through(work, served, ordinary, needed)
    yield from stopping(work, served)
    yield from _pausing(work)


def _asking(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every such call to a model, another machine or process."""
    context, program = work.context, work.context.program
    for match in context.of_kind("run", "model_call"):
        scope = program.scope_of(match.node)
        if isinstance(match.node, ir.Call) and is_used(program, match.node, scope):
            wait = _wait(match.node, match.row.where.pack, ends=limited(work, match))
            if match.row.kind == "run":
                wait = wait._replace(steps=effective(context, match, "step_limit", *run_agents(context, match)))
            yield scope, wait
    for name in sorted(context.packs.effect_names(*EFFECTS)):
        for site in program.calls(name):
            if not isinstance(site.scope, ir.Function) or not _is_python(site.scope):
                continue
            rows = [row for row, _ in work.effects.rows(site.call) if row.effect in EFFECTS]
            if name in STARTS:
                rows = [row for row in rows if row.effect not in PROCESSES]
            if not site.scope.is_async and any(row.where.pack == EMBEDDED for row in rows):
                continue
            ends = all(row.effect.startswith(DATABASE) for row in rows) or _ends_itself(context, site.call)
            if rows and (is_used(program, site.call, site.scope) or (not ends and is_dropped(program, site))):
                wait = _wait(site.call, rows[0].where.pack, ends=ends)
                is_inner = not site.scope.is_async and rows[0].effect.startswith(DATABASE)
                yield site.scope, wait._replace(ends=DATABASE) if is_inner else wait
    yield from _marked(work)


def _marked(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """Those that only a mark tells of: for an embedding, a search, a transcript. Their clients end them."""
    program = work.context.program
    for name in sorted(work.context.packs.mark_names("remote")):
        for site in program.calls(name):
            if not isinstance(site.scope, ir.Function) or not _is_python(site.scope):
                continue
            if is_used(program, site.call, site.scope) and work.is_marked_remote(site.call):
                yield site.scope, _wait(site.call, "", ends=True)


def _ends_itself(context: Context, call: ir.Call) -> bool:
    """Whether a call ends after a time that its library sets, which neither it nor its client switches off."""
    if not is_marked(context, call.callee, ENDS):
        return False
    values = context.program.value_of(call.callee)
    clients = (v.receiver.node for v in values if isinstance(v, Api) and v.receiver is not None)
    around = (call, *(node for node in clients if isinstance(node, ir.Call)))
    return not any(a.keyword == TIMEOUT and _is_none(a.value) for one in around for a in one.args)


def _is_none(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and expr.value is None


def _pausing(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    program = work.context.program
    for site in program.calls("sleep"):
        paths = {value.path for value in program.value_of(site.call.callee) if isinstance(value, Api)}
        if isinstance(site.scope, ir.Function) and site.scope.is_async and SLEEP in paths:
            yield site.scope, _wait(site.call, "python-concurrency", ends=True)


def _questions(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """Questions to a person at a terminal that functions ask by calls which block; where a script itself goes round
    for what the person wants, nothing else is to run.
    """
    context, program = work.context, work.context.program
    for name in sorted({ASKED} | context.packs.mark_names(*HOLDS)):
        for site in program.calls(name):
            call, scope = site.call, site.scope
            if not isinstance(scope, ir.Function) or not _is_python(scope):
                continue
            builtin = name == ASKED and isinstance(call.callee, ir.Name) and not program.callees(call)
            if (builtin and not _is_script(program, scope)) or is_marked(context, call.callee, HOLDS):
                yield scope, _wait(call, "", ends=False)


def _is_ordinary(scope: ir.Scope) -> bool:
    return isinstance(scope, ir.Function) and not scope.is_async


def _through(
    work: Work, served: Served, blocked: dict[int, tuple[ir.Scope, Wait]], needed: Needed
) -> Iterator[tuple[ir.Scope, Wait]]:
    """The calls by which asynchronous code runs ordinary functions that block: the first of each function for each call
    that blocks. A script's own beginning, beside which nothing runs, is let pass.
    """
    program, layer = work.context.program, [scope for scope, _ in blocked.values()]
    made: dict[tuple[object, object], tuple[ir.Scope, Wait]] = {}
    for _ in range(LEVELS):
        sites = {id(s.call): s for each in layer if isinstance(each, ir.Function) for s in program.callers(each)}
        layer = []
        for site in sorted(sites.values(), key=lambda one: one.call.span):
            run = [each for each in program.callees(site.call) if needed.passes(site, each)]
            inner = [blocked.get(id(each), (each, None))[1] for each in run]
            waits = [wait for wait in inner if wait is not None]
            if not waits or not _is_named(program, site.call) or not isinstance(site.scope, ir.Function):
                continue
            if _only_begins(program, site.call, site.scope):
                continue
            wait = reduce(lambda one, other: other if _is_longer(other, one) else one, waits)
            if site.scope.is_async and (_is_asked(served, site.scope) or not _is_script(program, site.scope)):
                within = wait.within or wait.span
                # Of one file's requests to a database the first is told: they are one dependency.
                key = (within.path, 0) if wait.ends == DATABASE else (id(site.scope), within)
                here = wait._replace(span=site.call.span, symbol=called(site.call), within=within)
                made.setdefault(key, (site.scope, here))
            elif not site.scope.is_async:
                needed.through(site)
                if id(site.scope) not in blocked:
                    blocked[id(site.scope)] = site.scope, wait._replace(within=wait.within or wait.span)
                    layer.append(site.scope)
    yield from made.values()


def _is_asked(served: Served, function: ir.Function) -> bool:
    return served.of(function) or served.in_tool(function)


def _is_script(program: Program, function: ir.Function) -> bool:
    """Whether a function is what a script runs from its first line on: `asyncio.run(main())`."""
    around = (program.structure(site.scope).parent(site.call) for site in program.callers(function))
    return any(isinstance(call, ir.Call) and callee_name(call.callee) in RUNNERS for call in around)


def _is_named(program: Program, call: ir.Call) -> bool:
    """Whether a call runs functions itself, by their own names or by what keeps one (`self.action(…)`): what hands
    them on may run them elsewhere.
    """
    callees = program.callees(call)
    if callees and all(callee_name(call.callee) == each.name for each in callees):
        return True
    kept = [value for value in program.value_of(call.callee) if isinstance(value, Func)]
    return bool(callees) and {id(value.function) for value in kept} == set(map(id, callees))


def _only_begins(program: Program, call: ir.Call, scope: ir.Function) -> bool:
    """Whether a call only makes a generator, whose code runs where somebody goes over it: here that is no loop."""
    if not any(program.structure(each).yields for each in program.callees(call)):
        return False
    parent = program.structure(scope).parent(call)
    return not (isinstance(parent, ir.Loop) and parent.source is call)


def _wait(node: ir.Call, framework: str, *, ends: bool) -> Wait:
    """One that has a limit of its own, `ends` with one of its client, or has none."""
    wait = Wait(node.span, called(node), framework, WaitKind.BLOCKING)
    given = next((argument.value for argument in node.args if argument.keyword == TIMEOUT), None)
    if given is not None and not _is_none(given):
        return wait._replace(time_limit=written(TIMEOUT, given.span))
    return wait._replace(ends="the call") if ends else wait


def _is_longer(one: Wait, other: Wait) -> bool:
    """Whether less ends one wait than the other: nothing, its client, a limit of its own."""
    return _ending(one) < _ending(other)


def _ending(wait: Wait) -> int:
    if wait.ends:
        return 1
    limit = wait.time_limit
    return 2 if (not limit.is_known and limit.source) or any(each is not None for each in limit.values) else 0


def _is_python(scope: ir.Function) -> bool:
    return scope.span.path.endswith(".py")
