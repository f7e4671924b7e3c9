"""Locks and limiters: where they are entered, and what those do meanwhile who hold them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.names.pauses import sleeps
from agent_architecture.names.structure import own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective, translated
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call, to_setting
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Api
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import EntityRow
    from agent_architecture.sources.source import Span

ACQUIRE: Final = "acquire"
LIMIT: Final = "time_limit"
REENTRANT: Final = "RLock()"
TIMEOUT: Final = "timeout"
CALLED: Final = 40
"""Functions into which a holder is followed."""
BUSY: Final = ("execute_process", "execute_shell", "execute_code", "write_file", "read_file")
"""What takes as long as others let it."""
SERVED: Final = ("wait", "memory")
"""What waits, and what is made with a service behind it, which may not answer."""
OPENED: Final = "mcp_client"
"""What asks its service when it is entered; that it is made asks nobody."""


class Entry(NamedTuple):
    """One place that holds a lock: `lock` is the id of what makes it, `body` what is done meanwhile."""

    node: ir.Node
    scope: ir.Scope
    lock: int
    reentrant: bool
    blocks: bool
    """Whether it holds up a thread in which other asynchronous functions run."""
    framework: str
    body: tuple[ir.Node, ...]
    limit: Setting = ABSENT
    """How long it waits for the lock, where what makes the lock says so (`FileLock(path, timeout=10)`)."""


class Locks:
    """Who enters which lock."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._entries = {id(entry.node): entry for entry in self._all()}
        self._stuck: dict[int, Span | None] = {}
        self._idle: dict[int, bool] = {}

    def entered(self) -> Iterator[tuple[ir.Scope, Wait]]:
        """Every `with lock:`."""
        for entry in self._entries.values():
            span = entry.node.span
            symbol = dotted(entry.node) if isinstance(entry.node, (ir.Name, ir.Member, ir.Call)) else ""
            around = deadline_around(self._work.context, entry.node, entry.scope)
            wait = Wait(span, symbol, entry.framework, WaitKind.LOCK, entry.limit)
            if around is not None and around.every_path:
                wait = wait._replace(time_limit=around.limit)
            yield entry.scope, self._judged(wait, entry)

    def held(self, node: ir.Call, receiver: Api | None, wait: Wait) -> Wait:
        """An `acquire` by name, with what its function does from there on."""
        scope = self._work.context.program.scope_of(node)
        after = [each for each in scope.body if isinstance(scope, ir.Function) and each.span.end_line >= node.span.line]
        lock = id(receiver.node) if receiver is not None else 0
        return self._judged(wait, Entry(node, scope, lock, True, False, wait.framework, tuple(after)))

    def _all(self) -> Iterator[Entry]:
        program = self._work.context.program
        for module in self._modules():
            for function in module.index.functions:
                for node in program.structure(function).nodes:
                    for item in node.items if isinstance(node, ir.With) else ():
                        yield from self._entry(node, item.value, function)

    def _modules(self) -> Iterator[ir.Module]:
        """The modules that make something of the kind, and those that name what another one keeps it as."""
        program = self._work.context.program
        makers = sorted(self._work.context.packs.makers(ACQUIRE, "wait"))
        made = [site for name in makers for site in program.calls(name)]
        own = {program.module_of(site.scope).path for site in made}
        around = (next(program.structure(site.scope).ancestors(site.call), None) for site in made)
        names = {dotted(each.target).rpartition(".")[2].encode() for each in around if isinstance(each, ir.Assign)}
        for module in program.modules if made else ():
            file = program.table.file(module.path)
            if module.path in own or (file is not None and any(name in file.data for name in names - {b""})):
                yield module

    def _entry(self, around: ir.Node, expr: ir.Expr, scope: ir.Function) -> Iterator[Entry]:
        for api in resolved(self._work.context.program, expr) if isinstance(around, ir.With) else ():
            rows = self._work.context.packs.entities(f"{api.path}.{ACQUIRE}")
            row = next((each for each in rows if each.kind == "wait"), None)
            if row is not None and isinstance(around, ir.With):
                blocks = scope.is_async and not around.is_async and _awaits(around.body)
                reentrant = api.path.endswith(REENTRANT) or "emaphore" in api.path
                limit = self._of_maker(api, row)
                yield Entry(expr, scope, id(api.node), reentrant, blocks, row.where.pack, around.body, limit)
                return

    def _of_maker(self, lock: Api, row: EntityRow) -> Setting:
        """What the call that makes a lock says of the time that `with` waits for it."""
        address = row.properties.get(LIMIT)
        read = at_call(self._work.context.program, None, lock, address) if address is not None else None
        limit = to_setting(self._work.context.program, read) if read is not None else ABSENT
        return without_infinity(translated(limit, row.values.get(LIMIT, {})))

    # ---------------------------------------------------------------------------------------------------- what holds it
    def _judged(self, wait: Wait, entry: Entry) -> Wait:
        again = self._again(entry) if not entry.reentrant else None
        if again is not None:
            return wait._replace(stuck=again, circular=True)
        if entry.blocks:
            return wait._replace(stuck=next(n.span for n in ir.walk(*entry.body) if isinstance(n, ir.Await)))
        same = [each for each in self._entries.values() if each.lock == entry.lock] or [entry]
        stuck = next((span for each in same if (span := self._of(each)) is not None), None)
        if stuck is not None:
            return wait._replace(stuck=stuck)
        return wait._replace(ends="whoever holds it", idle=all(self._is_idle(each) for each in same))

    def _is_idle(self, entry: Entry) -> bool:
        """Whether a holder does nothing that needs others: no model, no other machine, no lock, no unknown code."""
        if id(entry.node) not in self._idle:
            self._idle[id(entry.node)] = self._only_computes(entry)
        return self._idle[id(entry.node)]

    def _only_computes(self, entry: Entry) -> bool:
        inside = self._work.inside(*entry.body)
        if inside.acts or inside.remote or inside.handed or inside.foreign or self._awaits_library(inside.nodes):
            return False
        calls = (node for node in inside.nodes if isinstance(node, ir.Call))
        busy = any(row.effect in BUSY for call in calls for row, _ in self._work.effects.rows(call))
        if busy or any(self._work.context.at(n, *SERVED) or id(n) in self._entries for n in inside.nodes):
            return False
        entered = (item for n in inside.nodes if isinstance(n, ir.With) for item in n.items)
        return not any(self._work.context.at(part, OPENED) for item in entered for part in ir.walk(item.value))

    def _awaits_library(self, nodes: tuple[ir.Node, ...]) -> bool:
        """Whether something is awaited that the project does not do itself, and that is more than a pause that is
        written out: others may wait for as long as each holder sleeps.
        """
        calls = tuple(n.value for n in nodes if isinstance(n, ir.Await) and isinstance(n.value, ir.Call))
        pauses = filter(sleeps, calls)
        if any(c.args and not isinstance(c.args[0].value, ir.Literal) for c in pauses):
            return True
        return any(not sleeps(c) and not self._work.context.program.callees(c) for c in calls)

    def _again(self, entry: Entry) -> Span | None:
        """Where the same thread enters the lock once more while it holds it. What other threads are handed is not."""
        queue, seen = list(ir.walk(*entry.body)), set[int]()
        for node in queue:  # grows
            for item in node.items if isinstance(node, ir.With) else ():
                each = self._entries.get(id(item.value))
                if each is not None and each.node is not entry.node and each.lock == entry.lock:
                    return item.value.span
            for function in self._work.context.program.callees(node) if isinstance(node, ir.Call) else ():
                if id(function) not in seen and len(seen) < CALLED:
                    seen.add(id(function))
                    queue.extend(own_nodes(function))
        return None

    def _of(self, entry: Entry) -> Span | None:
        """What somebody does with the lock that need not come to an end."""
        if id(entry.node) not in self._stuck:
            self._stuck[id(entry.node)] = next(unending(self._work, entry.body), None)
        return self._stuck[id(entry.node)]


def without_infinity(limit: Setting) -> Setting:
    """A limit of time in which a row's word for "for ever" (`-1`, as `inf`) is no limit."""
    return limit._replace(values=tuple(None if value == math.inf else value for value in limit.values))


def _awaits(body: tuple[ir.Node, ...]) -> bool:
    return any(isinstance(node, ir.Await) for node in ir.walk(*body))


def unending(work: Work, body: tuple[ir.Node, ...]) -> Iterator[Span]:
    """The calls in a stretch of code that may wait for another machine, or for others, with no limit of time."""
    context = work.context
    inside = work.inside(*body)
    for ask in inside.asks:
        if not limited(work, ask):
            yield ask.node.span
    for node in inside.nodes:
        wait = context.at(node, "wait")
        if wait is not None and not wait.api.path.endswith(f".{ACQUIRE}") and not limited(work, wait):
            yield node.span


def limited(work: Work, match: Match) -> bool:
    """Whether a call ends after a time: its own limit, its client's or agent's, or one around it."""
    context = work.context
    agents = run_agents(context, match) if match.row.kind == "run" else ()
    client = context.made(match.api, "model_client") if match.row.kind == "model_call" else None
    limit = effective(context, match, "time_limit", *([client] if client is not None else []), *agents)
    if not limit.is_known and limit.source:
        return True
    if any(value is not None for value in limit.values):
        return True
    given = match.node.args if isinstance(match.node, ir.Call) else ()
    if any(argument.keyword == TIMEOUT for argument in given):
        return True
    around = deadline_around(context, match.node, context.program.scope_of(match.node))
    return around is not None and around.every_path
