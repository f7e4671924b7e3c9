"""What a parameter can be: what callers pass, its default where one does not, what its annotation promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.annotations import instances_of_type
from agent_architecture.names.command_line import decorated_option
from agent_architecture.names.elements import items, taken
from agent_architecture.names.guards import is_nothing
from agent_architecture.names.program import NOT_YET
from agent_architecture.names.values import Const, Entries, Instance, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding


def parameter(program: Program, binding: Binding) -> Iterator[Value]:
    """The values of a parameter, or of a name that its destructuring takes out of it."""
    function, param = binding.node, binding.extra
    if not isinstance(function, ir.Function) or not isinstance(param, ir.Parameter):
        raise TypeError(f"a parameter binding without a parameter at {binding.node.span}")
    if param.kind:
        yield from _collected(program, function, param)
        return
    sites = program.callers(function)
    if sites is NOT_YET:
        return
    found = list(_passed_by_callers(program, sites, function, param))
    if param.default is not None and (not sites or any(value is None for value in found)):
        found.extend(program.value_of(param.default))
    values = [value for value in found if value is not None]
    if param.annotation is not None and (values or not sites) and not any(_says_something(v) for v in values):
        promised = instances_of_type(program, param.annotation)
        if values and all(is_nothing(v) for v in values):  # nobody gives it: a record of options is then not there
            promised = tuple(v for v in promised if not _is_record(v))
        values = [*(v for v in values if isinstance(v, Const) and v.value is None), *promised] if promised else values
    if not values and (not sites or any(value is None for value in found)):
        caller = Unknown(f"the caller of {function.name or 'this function'}() (parameter {param.name})", None)
        values = list(decorated_option(program, function, param.name) or (caller,))
    if binding.steps:
        yield from taken(program, tuple(values), binding.steps, param.pattern or function)
    else:
        yield from values


def _passed_by_callers(
    program: Program, sites: tuple[CallSite, ...], function: ir.Function, param: ir.Parameter
) -> Iterator[Value | None]:
    """The values that callers pass; None for a caller that leaves the parameter to its default."""
    from agent_architecture.names.calls import passed_argument

    for site in sites:
        argument = passed_argument(site, function, param)
        if argument is None:
            yield None
        elif not isinstance(argument, Unknown):
            yield from _given(program.value_of(argument))
        else:
            yield from _in_spread(program, site, param) or (argument, None)


def _is_record(value: Value) -> bool:
    """Whether a value is of an interface that holds data alone, or of a type that lists what is in it."""
    if isinstance(value, Entries):
        return isinstance(value.node, ir.Map)
    if not isinstance(value, Instance) or value.cls.kind != "interface":
        return False
    return all(isinstance(n, ir.Assign) and not isinstance(n.annotation, ir.Opaque) for n in value.cls.body)


def _says_something(value: Value) -> bool:
    return not isinstance(value, Unknown) and not is_nothing(value)


def _given(values: Values) -> Iterator[Value | None]:
    """The values of an argument; `undefined` leaves a parameter to its default."""
    for value in values:
        yield None if isinstance(value, Const) and value.value is ir.UNDEFINED else value


def _in_spread(program: Program, site: CallSite, param: ir.Parameter) -> tuple[Value | None, ...]:
    """A parameter that only a `**mapping` can give, where that is readable."""
    spreads = [argument for argument in site.call.args if argument.spread]
    if site.escapes or len(spreads) != 1 or spreads[0].spread != "**":
        return ()
    found: list[Value | None] = []
    for value in program.value_of(spreads[0].value):
        entry = dict(value.entries).get(param.name) if isinstance(value, Entries) else None
        if entry is not None:
            found.extend(_given(program.value_of(entry)))
        elif isinstance(value, Entries) and value.complete:
            found.append(None)
        else:
            return ()
    return tuple(found)


def _collected(program: Program, function: ir.Function, param: ir.Parameter) -> Iterator[Value]:
    """What `*args` or `**kwargs` collect from each caller."""
    sites = program.callers(function)
    if sites is NOT_YET:
        return
    named = {other.name for other in function.params if not other.kind}
    position = next(n for n, other in enumerate(function.params) if other is param)
    for site in sites:
        call = site.call
        if site.escapes or site.bound is not None:
            yield Unknown(f"the arguments collected in {param.name}", call)
        elif param.kind == "**":
            given = tuple((a.keyword, a.value) for a in call.args if a.keyword and a.keyword not in named)
            yield Entries(given, call, complete=not any(argument.spread for argument in call.args))
        else:
            plain = [argument for argument in call.args if argument.keyword is None and argument.spread != "**"]
            rest = tuple(argument.value for argument in plain[position:] if not argument.spread)
            yield items(rest, call, complete=not any(argument.spread for argument in plain))
    if not sites:
        yield Unknown(f"the arguments collected in {param.name}", None)
