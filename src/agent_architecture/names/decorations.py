"""Decorators as calls: `@register` above a function hands it to `register`, `@tool("x")` to what `tool` returns.

A decoration is a call that stands nowhere in the program; each is made once. Python only: JavaScript's decorators get
other arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Api, Func
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value


def decorations_by(program: Program, function: ir.Function, names: Iterable[str]) -> Iterator[CallSite]:
    """The decorations that may run a function, called by one of these names or returned by what stands there; the
    values of the decorators are still to be checked.
    """
    if function.module.language != "python" or not function.params:
        return
    factory = function.outer
    wanted = {*names, factory.name} if isinstance(factory, ir.Function) else set(names)
    for name in sorted(wanted):
        yield from program.once(_called, name)


def _called(program: Program, name: str) -> tuple[CallSite, ...]:
    """The decorations of one name."""
    return tuple(
        program.decoration(definition, decorator, scope)
        for scope in program.scopes_calling(name)
        for definition in program.structure(scope).definitions
        for decorator in definition.decorators
        if decorator_name(decorator) == name
    )


def runs(program: Program, site: CallSite, function: ir.Function) -> bool:
    """Whether a decoration runs the function."""
    values = program.value_of(site.call.callee)
    return any(isinstance(value, Func) and value.function is function for value in values)


def wrappers(program: Program, function: ir.Function) -> tuple[ir.Function, ...]:
    """The functions that the project's own decorators put in the place of one that is called by its name, the
    outermost first. A method's wrapper has its object among its arguments, which a call does not show.
    """
    if isinstance(function.outer, ir.Class) or function.module.language != "python" or not function.parts.decorators:
        return ()
    return program.once(_wrappers, function)


def _wrappers(program: Program, function: ir.Function) -> tuple[ir.Function, ...]:
    makers = (v.function for d in function.decorators for v in program.value_of(d) if isinstance(v, Func))
    return tuple(dict.fromkeys(made for maker in makers for made in _made_around(program, maker)))


def _made_around(program: Program, maker: ir.Function) -> Iterator[ir.Function]:
    """What a decorator gives back that is written in it and runs what it was handed."""
    structure = program.structure(maker)
    named = {answer.id for answer in structure.returns if isinstance(answer, ir.Name)}
    run = maker.params[0].name if maker.params else ""
    for made in structure.definitions:
        if isinstance(made, ir.Function) and made.name in named:
            callees = (call.callee for call in program.structure(made).calls)
            if any(isinstance(callee, ir.Name) and callee.id == run for callee in callees):
                yield made


def wrapped_by(program: Program, wrapper: ir.Function) -> tuple[ir.Function, ...]:
    """The functions in whose place a decorator of the project puts a function that is written in it."""
    maker = wrapper.outer
    if not isinstance(maker, ir.Function) or maker.module.language != "python" or wrapper.params == ():
        return ()
    return program.once(_wrapped_by, wrapper, maker)


def _wrapped_by(program: Program, wrapper: ir.Function, maker: ir.Function) -> tuple[ir.Function, ...]:
    names = {maker.name, *((maker.outer.name,) if isinstance(maker.outer, ir.Function) else ())}
    aliases = {alias for name in names for alias in program.import_aliases(name)}
    sites = (site for name in sorted(names | aliases) for site in program.once(_called, name))
    definitions = (site.call.args[0].value for site in sites)
    return tuple(d for d in definitions if isinstance(d, ir.Function) and wrapper in wrappers(program, d))


def runs_instead(program: Program, function: ir.Function, scope: ir.Scope) -> tuple[ir.Function, ...]:
    """What a call in a scope runs that names a function: its wrappers, too, and them alone where they hand something
    else on than they were given. The wrappers themselves run what they were put around.
    """
    around = wrappers(program, function)
    if not around or scope in around:
        return (function,)
    return around if any(_changes(program, wrapper) for wrapper in around) else (*around, function)


def _changes(program: Program, wrapper: ir.Function) -> bool:
    """Whether a wrapper hands on other arguments than those that it was given."""
    maker = wrapper.outer
    run = maker.params[0].name if isinstance(maker, ir.Function) and maker.params else ""
    own = {parameter.name for parameter in wrapper.params}
    calls = (c for c in program.structure(wrapper).calls if isinstance(c.callee, ir.Name) and c.callee.id == run)
    given = (argument.value for call in calls for argument in call.args)
    return any(not isinstance(expr, ir.Name) or expr.id not in own for expr in given)


def given_by_library(program: Program, function: ir.Function, call: ir.Call) -> Iterator[Value]:
    """What a call of a function gives in whose place a library's decorator put something else, which says so."""
    for decorator in function.parts.decorators:
        put = program.library.answering(decorator_name(decorator))
        for api in program.value_of(decorator) if put else ():
            if isinstance(api, Api) and program.library.canonical(f"{api.path}()") in put:
                yield Api(f"{api.path}()()", call, Api(f"{api.path}()", decorator, api))


def decorator_name(decorator: ir.Expr) -> str:
    """The last name of what decorates: `route` of `@app.route("/")`, "" when it has none."""
    return callee_name(decorator.callee if isinstance(decorator, ir.Call) else decorator)
