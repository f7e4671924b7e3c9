"""Functions that a library's object was made of, and that its own methods run: `search.invoke({ query })` of `search =
tool(async ({ query }) => …)`, or of a function that `@tool` decorates.

Which methods of which objects do that is told by the library; must not know libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import argument_of
from agent_architecture.names.indirect_calls import names_holding
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Api, Entries, Func
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

DECORATED: Final = "self"
RUNNING: Final = frozenset({"invoke", "ainvoke", "run", "arun", "call", "acall", "execute"})
"""What libraries call the methods that run such a function; of which object is for the library to say."""


def running(program: Program, function: ir.Function, handed_to: tuple[ir.Call, ...]) -> Iterator[CallSite]:
    """The calls of a library's methods that run a function: it is decorated, or handed to one of these calls."""
    names = frozenset({function.name}) if _makes(program, function.parts.decorators) else frozenset()
    for call in handed_to:
        if _makes(program, (call,)):
            names |= names_holding(program, program.scope_of(call), call)
    for method in sorted(RUNNING) if names else ():
        for site in program.calls(method):
            callee = site.call.callee
            if isinstance(callee, ir.Member) and callee_name(callee.target) in names:
                values = (value for value in program.value_of(callee) if isinstance(value, Api))
                if any(run is function for value in values for run in run_by_library(program, value)):
                    yield _entered(program, site, function)


def _makes(program: Program, exprs: tuple[ir.Expr, ...]) -> bool:
    """Whether a decorator or call makes an object whose methods run a function."""
    callees = (expr.callee if isinstance(expr, ir.Call) else expr for expr in exprs)
    values = (value for callee in callees for value in program.value_of(callee) if isinstance(value, Api))
    return any(program.library.runs_given(f"{value.path}().invoke") for value in values)


def _entered(program: Program, site: CallSite, function: ir.Function) -> CallSite:
    """The call as one of the function: what is handed in is an object with the arguments, by their names."""
    given = site.call.args[:1]
    if program.module_of(function).language in {Language.PYTHON, Language.NOTEBOOK} and given:
        whole = given[0].value
        if isinstance(whole, ir.Map):
            entries = ((entry.key, entry.value) for entry in whole.entries)
            given = tuple(ir.Argument(str(key.value), value) for key, value in entries if isinstance(key, ir.Literal))
        elif len(function.params) > 1:
            given = (ir.Argument(None, whole, "**"),)
    made = ir.Argument(None, site.call.callee)
    return site._replace(bound=ir.Call(site.call.span, site.call.callee, (made, *given)), skipped=len(site.call.args))


def run_by_library(program: Program, method: Api) -> Iterator[ir.Function]:
    """The project's function that a method of a library's object runs, which the object was made of: `search.invoke`
    of `search = tool(async () => …)`, or of a function that `@tool` decorates.
    """
    made = method.receiver.node if method.receiver is not None else None
    if made is None:
        return
    for way in program.library.runs_given(method.path):
        if way == DECORATED:
            scope = program.scope_of(made)
            defined = (each for each in program.structure(scope).definitions if isinstance(each, ir.Function))
            yield from (function for function in defined if any(d is made for d in function.decorators))
            continue
        given = _given(program, made, way) if isinstance(made, ir.Call) else ()
        found = [value.function for expr in given for value in program.value_of(expr) if isinstance(value, Func)]
        yield from found
        if found:
            return


def _given(program: Program, call: ir.Call, way: str) -> tuple[ir.Expr, ...]:
    """What a call gives by position or keyword: in JavaScript a key of the object that is its first argument."""
    plain = argument_of(call, way)
    options = argument_of(call, "0") if plain is None and not way.isdigit() else None
    held = program.value_of(options) if options is not None else ()
    found = (dict(value.entries).get(way) for value in held if isinstance(value, Entries))
    return (plain,) if plain is not None else tuple(expr for expr in found if expr is not None)
