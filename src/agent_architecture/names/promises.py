"""JavaScript's promises, which are what they come to: of `x.then(f)` what `f` makes of `x`, of `new Promise(run)` what
`run` resolves it with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exports import SCRIPTS
from agent_architecture.names.references import seeing
from agent_architecture.names.values import Func, Unknown, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

CONSTRUCTOR: Final = "npm:globalThis:Promise"
_THEN: Final = "then"


def chained(program: Program, call: ir.Call) -> Values:
    """What `x.then(f)` comes to: what `f` returns; nothing where this is no promise, or `f` no function of the project.

    An object of the project that has its own `then` is none.
    """
    from agent_architecture.names.evaluate import returned

    if not is_chain(program, call):
        return ()
    handlers = program.value_of(call.args[0].value)
    if not handlers or not all(isinstance(value, Func) for value in handlers):
        return ()
    if any(isinstance(value, Func) for value in program.value_of(call.callee)):
        return ()
    return tuple(v for value in handlers if isinstance(value, Func) for v in returned(program, value.function))


def is_chain(program: Program, call: ir.Call) -> bool:
    """Whether a call is written as `x.then(f, …)`, in JavaScript or TypeScript."""
    is_then = isinstance(call.callee, ir.Member) and call.callee.name == _THEN
    plain = is_then and bool(call.args) and not call.args[0].spread
    return plain and program.module_of(call).language in SCRIPTS


def settled_with(program: Program, call: ir.Call, function: ir.Function) -> Values:
    """What `x.then(f)` hands to `f` first: what `x` comes to; nothing for a second handler, which gets an error."""
    if not isinstance(call.callee, ir.Member) or not is_chain(program, call):
        return ()
    first = program.value_of(call.args[0].value)
    is_first = any(isinstance(value, Func) and value.function is function for value in first)
    return tuple(v for v in program.value_of(call.callee.target) if not isinstance(v, Unknown)) if is_first else ()


def resolved(program: Program, call: ir.Call) -> Values:
    """What a promise comes to that `new Promise(run)` makes; nothing where that is not readable."""
    return tuple(dict.fromkeys(v for expr in resolutions(program, call) for v in program.value_of(expr)))


def resolutions(program: Program, call: ir.Call) -> Iterator[ir.Expr]:
    """What `new Promise((resolve) => …)` is resolved with: what the function that runs hands to its first parameter, in
    its own code and in what is written inside it.
    """
    runners = program.value_of(call.args[0].value) if call.is_new and call.args else ()
    for runner in (value.function for value in runners if isinstance(value, Func)):
        if runner.params and runner.params[0].pattern is None:
            yield from _given_to(program, runner, runner.params[0].name)


def _given_to(program: Program, runner: ir.Function, name: str) -> Iterator[ir.Expr]:
    for scope in seeing(runner):
        if scope is runner or name not in program.bindings(scope):
            for call in program.calls_in(scope).get(name, ()):
                if isinstance(call.callee, ir.Name) and call.args and not call.args[0].spread:
                    yield call.args[0].value
