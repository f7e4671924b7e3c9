"""Which classes of the project ask a model themselves, and where they run others that do.

From each model call upwards through the callers: the methods on the way ask, until the object that asks is one which
others run (`stops`); who runs it asks by it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import enclosing_class, lineage
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program

ITSELF: Final = frozenset({"self", "cls", "super"})
FAR: Final = 4
"""Functions of others between a class and the model: a client, a router, a retry, a helper (browser-agent's kernel asks
through three).
"""

THROUGH: Final = 2
"""Functions between a class and the call by which it runs an agent: `run_invoice_agent(task)` (finbot-ctf)."""


class Running(NamedTuple):
    """A call by which a class runs an object of another one that asks a model: `run` is where its method is called,
    which may stand in a function that `call` enters.
    """

    cls: ir.Class
    call: ir.Call
    run: ir.Call
    target: ir.Class
    through: tuple[ir.Scope, ...] = ()
    """Those functions, the one that calls the method first."""


class Asking(NamedTuple):
    """The classes that ask a model themselves, and the calls by which classes run others that do."""

    classes: tuple[ir.Class, ...]
    running: tuple[Running, ...]


def asking(program: Program, calls: Iterable[ir.Call], stops: Callable[[ir.Class], bool]) -> Asking:
    """The classes on the ways to these calls, up to those at which a way `stops`."""
    found: dict[ir.Class, None] = {}
    running: dict[tuple[int, ir.Class], Running] = {}
    queue = deque((program.scope_of(call), 0) for call in calls)
    seen: set[int] = set()
    while queue:
        scope, away = queue.popleft()
        if id(scope) in seen:
            continue
        seen.add(id(scope))
        cls = enclosing_class(program, scope)
        if cls is not None:
            found.setdefault(cls)
        sites = program.callers(scope) if isinstance(scope, ir.Function) else ()
        around = scope.outer if isinstance(scope, ir.Function) else None
        if cls is not None and sites and isinstance(around, ir.Function):
            queue.appendleft((around, away))  # which hands it to what runs it
        for site in sites:
            caller = enclosing_class(program, site.scope)
            is_own = cls is not None and caller is not None and _is_of(program, caller, cls) and _is_itself(site)
            if cls is None or is_own or not stops(cls):
                if is_own:
                    queue.appendleft((site.scope, away))
                elif away < FAR:
                    queue.append((site.scope, away + 1))
            elif isinstance(site.call.callee, ir.Member):  # else a wrapper runs the method that it is handed
                running.update(((id(one.call), one.target), one) for one in _running(program, site, cls))
    return Asking(tuple(found), tuple(running.values()))


def _running(program: Program, run: CallSite, target: ir.Class) -> Iterator[Running]:
    """The calls by which classes run an object where it is called: that call, or those of the functions around it."""
    queue: deque[tuple[CallSite, tuple[ir.Scope, ...]]] = deque([(run, ())])
    seen: set[int] = set()
    while queue:
        site, through = queue.popleft()
        if id(site.call) in seen:
            continue
        seen.add(id(site.call))
        caller = enclosing_class(program, site.scope)
        if caller is not None:
            yield Running(caller, site.call, run.call, target, through)
        elif isinstance(site.scope, ir.Function) and len(through) < THROUGH:
            queue.extend((one, (*through, site.scope)) for one in program.callers(site.scope))


def _is_of(program: Program, one: ir.Class, other: ir.Class) -> bool:
    """Whether two classes are one, or one derives from the other."""
    return other in lineage(program, one) or one in lineage(program, other)


def _is_itself(site: CallSite) -> bool:
    """Whether an object calls a method of its own, or a function in one: `self.ask(…)`, `super().ask(…)`."""
    callee = site.call.callee
    if not isinstance(callee, ir.Member):
        return True
    target = callee.target.callee if isinstance(callee.target, ir.Call) else callee.target
    return isinstance(target, ir.Name) and target.id in ITSELF
