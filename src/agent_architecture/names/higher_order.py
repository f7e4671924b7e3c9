"""Functions that a function runs because it was handed them: `def guarded(func, *args): return func(*args)` runs for
each of its callers only what that one hands in.

By which calls a function was entered is for whoever follows them to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Func, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import CallSite, Program

HANDED_ON: Final = 4
"""Functions through which one function is handed on; of what goes through more, all that is ever handed counts."""


def run_for(
    program: Program, callee: ir.Expr, entered: Callable[[ir.Function, int], Iterable[CallSite]], depth: int = 0
) -> frozenset[ir.Function] | None:
    """The functions that a callee is, which is a parameter of a function that was entered by these calls (for how many
    functions further out the calls are asked for: 0 is the nearest); None where it is none, or somebody hands in what
    nobody can tell.
    """
    bindings = visible_bindings(program, callee) if isinstance(callee, ir.Name) else ()
    only = bindings[0] if len(bindings) == 1 and bindings[0].kind == "parameter" and not bindings[0].steps else None
    if only is None or depth > HANDED_ON:
        return None
    if not isinstance(only.node, ir.Function) or not isinstance(only.extra, ir.Parameter) or only.extra.kind:
        return None
    found: set[ir.Function] = set()
    for site in (sites := tuple(entered(only.node, depth))):
        passed = passed_argument(site, only.node, only.extra)
        own = None if passed is None or isinstance(passed, Unknown) else _handed(program, passed, entered, depth)
        if own is None:
            return None
        found |= own
    return frozenset(found) if sites else None


def _handed(
    program: Program, passed: ir.Expr, entered: Callable[[ir.Function, int], Iterable[CallSite]], depth: int
) -> frozenset[ir.Function] | None:
    """The functions that an argument is, if it is nothing else."""
    own = run_for(program, passed, entered, depth + 1)
    values = () if own is not None else program.value_of(passed)
    if own is None and values and all(isinstance(value, Func) for value in values):
        return frozenset(value.function for value in values if isinstance(value, Func))
    return own


def made_by(program: Program, callee: ir.Expr) -> ir.Call | None:
    """The call that made the function which a callee names: `guarded(act)` of `act_safely = guarded(act)`."""
    found = program.in_sight(callee) if isinstance(callee, ir.Name) else None
    bindings = () if found is None else found.bindings
    value = bindings[0].value if len(bindings) == 1 and not bindings[0].steps else None
    return value if isinstance(value, ir.Call) else None


def callees_on(program: Program, call: ir.Call, calls: Calls) -> tuple[ir.Function, ...]:
    """The project's functions that a call may run on a way that has entered these calls, the last one last."""

    def entered(function: ir.Function, depth: int) -> tuple[CallSite, ...]:
        if depth >= len(calls):
            return ()
        by = calls[-1 - depth]
        made = made_by(program, by.callee)
        return tuple(site for site in program.callers(function) if site.call is by or site.call is made)

    found = program.callees(call)
    own = run_for(program, call.callee, entered) if calls and len(found) > 1 else None
    return found if own is None else tuple(function for function in found if function in own)
