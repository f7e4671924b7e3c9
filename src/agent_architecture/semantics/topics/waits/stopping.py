"""Programs that a library starts and waits for in one call, in whose thread nothing else runs meanwhile (`execSync`).

One program that a file starts at fifteen calls is one fact, and stands at the first of them: those with a limit of
time, and those without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.options import entries_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.waits.locks import TIMEOUT
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match

STOPS: Final = "stops_thread"
"""What a row says of such a wait."""
LEVELS: Final = 3
"""Ordinary functions between asynchronous code and such a call."""


def stopping(work: Work, served: Served) -> Iterator[tuple[ir.Scope, Wait]]:
    """The first call of each program in a file, of those to which asynchronous code comes; with that code's scope."""
    program = work.context.program
    found: dict[tuple[str, str, bool], tuple[ir.Scope, Wait]] = {}
    for match in sorted(work.context.of_kind("wait"), key=lambda each: each.node.span):
        call, scope = match.node, program.scope_of(match.node)
        if STOPS not in match.row.constants or not isinstance(call, ir.Call) or not isinstance(scope, ir.Function):
            continue
        held_up = scope if scope.is_async else _held_up(program, call, scope, served)
        if held_up is None:
            continue
        limit = _limit(work, match, call, scope)
        wait = Wait(call.span, called(call), match.row.where.pack, WaitKind.BLOCKING, limit)
        started = _started(program, call) or f"{call.span}"
        found.setdefault((call.span.path, started, _is_limited(limit)), (held_up, wait))
    yield from found.values()


def _started(program: Program, call: ir.Call) -> str:
    """The program that a call starts: the first word of what it is given, if that is written there."""
    first = pieces_of(program, call.args[0].value) if call.args else ()
    words = first[0].split() if first and isinstance(first[0], str) else []
    return words[0] if words else ""


def _held_up(program: Program, call: ir.Call, function: ir.Function, served: Served) -> ir.Function | None:
    """The asynchronous function of a server, step or tool that comes to a call of an ordinary one, and waits for it."""

    def waits(place: ir.Node, owner: ir.Scope) -> ir.Function | bool | None:
        if place is not call and not (isinstance(place, ir.Call) and _is_by_name(program, place)):
            return False  # handed to somebody who may run it elsewhere
        if not isinstance(owner, ir.Function) or not owner.is_async:
            return None
        return owner if served.of(owner) or served.in_tool(owner) else False

    found, _ = on_ways(program, call, function, waits, LEVELS)
    return next((one for one in found if isinstance(one, ir.Function)), None)


def _is_by_name(program: Program, call: ir.Call) -> bool:
    return all(callee_name(call.callee) == each.name for each in program.callees(call))


def _limit(work: Work, match: Match, call: ir.Call, scope: ir.Function) -> Setting:
    limit = effective(work.context, match, "time_limit")
    return ABSENT if limit.origin is Origin.UNKNOWN and _is_nowhere(work.context.program, call, scope) else limit


def _is_limited(limit: Setting) -> bool:
    return limit.origin is Origin.UNKNOWN or any(value is not None for value in limit.values)


def _is_nowhere(program: Program, call: ir.Call, scope: ir.Function) -> bool:
    """Whether the options are spread from a parameter, and no caller writes a time-out among them."""
    entries = [entry for argument in call.args for entry in entries_of(program, argument.value)]
    spread = [entry.value for entry in entries if entry.key is None]
    if not spread or _has_time(entries):
        return False
    sites = program.callers(scope)
    for value in spread:
        bound = visible_bindings(program, value) if isinstance(value, ir.Name) else ()
        params = [one.extra for one in bound if one.kind == "parameter" and isinstance(one.extra, ir.Parameter)]
        if not sites or len(params) != 1 or len(bound) != 1:
            return False
        given = [passed_argument(site, scope, params[0]) for site in sites]
        if any(each is not None and not _is_closed(each) for each in given):
            return False
    return True


def _is_closed(given: object) -> bool:
    """Whether all entries of an argument are written, and none is a time-out."""
    entries = given.entries if isinstance(given, ir.Map) else None
    return entries is not None and all(entry.key is not None for entry in entries) and not _has_time(entries)


def _has_time(entries: Iterable[ir.Entry]) -> bool:
    return any(isinstance(entry.key, ir.Literal) and entry.key.value == TIMEOUT for entry in entries)
