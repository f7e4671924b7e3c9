"""The arguments of a call as they are written, and those that a function is run with there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import CallSite

FORWARDING: Final = frozenset({
    "to_thread", "submit", "run_in_executor", "call_soon", "start_soon", "apply_async",
    "execute_activity", "execute_activity_method", "start_activity", "start_activity_method",
    "execute_local_activity", "execute_local_activity_method", "start_local_activity", "start_local_activity_method",
    "run_step", "add_task", "run_in_threadpool", "run_sync",
})  # fmt: skip
"""Calls that run the function that they are handed, with the arguments after it: in a thread, as a durable step,
after a response.
"""

MAPPING: Final = frozenset({"imap", "imap_unordered", "map", "starmap"})
"""Calls that run the function that they are handed for each element of what comes after it."""

IN_CONTEXT: Final = frozenset(
    {"beginRpc", "beginRun", "begin_rpc", "begin_run", "lfc", "lfi", "rfc", "rfi", "rpc", "run"}
)
"""Methods of a durable engine's context that run the function that they are handed with that context and the arguments
after it (`@resonatehq/sdk` 0.11: `ctx.run(ask, question)` runs `ask(ctx, question)`).
"""

PARTIAL: Final = frozenset({"partial", "bind"})
"""Calls that give a function of which some arguments are fixed."""

CALLED: Final = frozenset({"", "limit", "limiter", "retryer", "retrying", "schedule"})
"""Names of libraries' objects and methods that run the function that they are given, with the arguments after it:
`Retrying()(ask, question)`, `limit(ask, question)`; without a name, what a call gave.
"""

LATER: Final = frozenset({
    "apply_async", "defer", "defer_async", "delay", "kiq", "remote", "s", "send", "send_with_options", "si", "spawn",
    "submit",
})  # fmt: skip
"""Methods that queues and clusters give to a decorated function: they run it later, or elsewhere."""

WITH_LISTS: Final = frozenset({"apply_async", "send_with_options"})
"""Those of them that are given a list of the arguments, and a mapping of those with names."""

CONTEXT: Final = regex(r"_*(?:ctx|context)")
"""How a function calls the context that a durable engine runs it with."""

THEN: Final = "then"
"""What a promise calls the method that runs a function with what it comes to."""

STARTED: Final = frozenset({"Process", "Thread"})
"""Objects that run their `target` with their `args`."""

LISTED: Final = frozenset({"start", "execute"})
"""Calls of durable engines that start a function with a list of arguments: `start(chat, [messages])`, and
`client.workflow.start(chat, { args: [messages] })`.
"""


def argument_of(call: ir.Call, name: str) -> ir.Expr | None:
    """The argument at a position (`"0"`) or with a keyword; None when it is not written as such."""
    if (position := whole_number(name)) is not None:
        plain = [argument for argument in call.args if argument.keyword is None]
        if position < len(plain) and not any(argument.spread for argument in plain[: position + 1]):
            return plain[position].value
        return None
    return next((argument.value for argument in call.args if argument.keyword == name), None)


def inside_written(whole: ir.Expr | None, steps: Iterable[int | str]) -> ir.Expr | None:
    """What stands at these keys of what is written, as far as it says that itself; of what is elsewhere the name."""
    for step in steps:
        if not isinstance(whole, ir.Map):
            break
        entries = whole.entries
        spread = next((entry.value for entry in entries if entry.key is None), None)
        whole = next((e.value for e in entries if isinstance(e.key, ir.Literal) and e.key.value == step), spread)
    return whole


def arguments_at(site: CallSite, function: ir.Function) -> tuple[ir.Argument, ...] | None:
    """The arguments that a function is run with at a call; None where the call is handed it and chooses them itself."""
    if site.escapes:
        return _forwarded(site.call, function)
    fixed = site.bound.args[1:] if site.bound is not None else ()
    return (*fixed, *site.call.args[site.skipped :])


def bound_again(before: ir.Call | None, call: ir.Call) -> ir.Call:
    """The `functools.partial` or `bind` that fixes further arguments of what another one made."""
    if before is None or len(before.args) <= 1:
        return call
    if all(argument in before.args for argument in call.args[1:]):
        return before  # it fixes none, or a recursion fixes them again
    return ir.Call(call.span, call.callee, (*call.args[:1], *before.args[1:], *call.args[1:]))


def _forwarded(call: ir.Call, function: ir.Function) -> tuple[ir.Argument, ...] | None:
    """The arguments that `to_thread(f, x)` hands on, and `x.then(f)`; None for a call that chooses them itself."""
    if callee_name(call.callee) == THEN and not is_python(call.span.path):
        return _settled(call, function)
    if callee_name(call.callee) in STARTED:
        return _started(call, function)
    if callee_name(call.callee) in LISTED:
        return _listed(call, function)
    if isinstance(call.callee, ir.Member) and call.callee.name in LATER and _names(call.callee.target, function):
        return _later(call, function)
    if isinstance(call.callee, ir.Member) and call.callee.name in IN_CONTEXT:
        return _in_context(call, call.callee, function)
    if callee_name(call.callee) not in FORWARDING | CALLED:
        return None
    for number, argument in enumerate(call.args):
        if argument.value is function or _names(argument.value, function):
            return call.args[number + 1 :]
        if _names(named_inside(argument.value), function):
            return (*argument.value.args[1:], *call.args[number + 1 :])  # type: ignore[union-attr]
    return None


def _in_context(call: ir.Call, method: ir.Member, function: ir.Function) -> tuple[ir.Argument, ...] | None:
    """What `ctx.run(f, x)` hands to `f`: itself and `x`, where `f` takes a context first."""
    first = call.args[0].value if call.args else None
    takes = bool(function.params) and CONTEXT.fullmatch(function.params[0].name) is not None
    if not takes or not (first is function or _names(first, function)):
        return None
    return (ir.Argument(None, method.target), *call.args[1:])


def _settled(call: ir.Call, function: ir.Function) -> tuple[ir.Argument, ...] | None:
    """What `x.then(f)` hands to `f`: a promise is what it comes to. A second handler gets an error."""
    first = call.args[0].value if call.args else None
    is_first = first is function or _names(first, function)
    return (ir.Argument(None, call.callee.target),) if is_first and isinstance(call.callee, ir.Member) else None


def _names(expr: ir.Expr | None, function: ir.Function) -> bool:
    return isinstance(expr, (ir.Name, ir.Member)) and bool(function.name) and callee_name(expr) == function.name


def named_inside(expr: ir.Expr) -> ir.Expr | None:
    """The function of which a call fixes arguments: `f` of `partial(f, x)` and `f.bind(null, x)`."""
    if not isinstance(expr, ir.Call) or callee_name(expr.callee) not in PARTIAL or not expr.args:
        return None
    return (
        expr.callee.target
        if callee_name(expr.callee) == "bind" and isinstance(expr.callee, ir.Member)
        else (expr.args[0].value)
    )


def _later(call: ir.Call, function: ir.Function) -> tuple[ir.Argument, ...]:
    """The arguments that `task.delay(x)` and `task.apply_async((x,), {"y": y})` run the task with."""
    given = call.args
    if callee_name(call.callee) in WITH_LISTS:
        plain = argument_of(call, "args") or argument_of(call, "0")
        named = argument_of(call, "kwargs") or argument_of(call, "1")
        entries = named.entries if isinstance(named, ir.Map) else ()
        given = tuple(ir.Argument(None, item) for item in (plain.items if isinstance(plain, ir.List) else ()))
        given += tuple(ir.Argument(str(e.key.value), e.value) for e in entries if isinstance(e.key, ir.Literal))
    is_told_itself = bool(function.params) and function.params[0].name == "self"
    itself = (ir.Argument(None, call.callee),) if is_told_itself and not isinstance(function.outer, ir.Class) else ()
    return (*itself, *given)


def _started(call: ir.Call, function: ir.Function) -> tuple[ir.Argument, ...] | None:
    """The arguments that `Thread(target=f, args=(x, y))` hands on."""
    target, given = argument_of(call, "target"), argument_of(call, "args")
    if target is None or callee_name(target) != function.name or not isinstance(given, ir.List):
        return None
    return tuple(ir.Argument(None, item) for item in given.items)


def _listed(call: ir.Call, function: ir.Function) -> tuple[ir.Argument, ...] | None:
    """The arguments that `start(f, [x, y])` hands on."""
    first, given = argument_of(call, "0"), argument_of(call, "1")
    if first is None or not function.name or callee_name(first) != function.name:
        return None
    if isinstance(given, ir.Map):
        entries = {e.key.value: e.value for e in given.entries if isinstance(e.key, ir.Literal)}
        given = entries.get("args")
    return tuple(ir.Argument(None, item) for item in given.items) if isinstance(given, ir.List) else None
