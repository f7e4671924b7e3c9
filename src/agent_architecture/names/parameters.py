"""What a parameter can be: what callers pass, its default where one does not, what its annotation promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import promises
from agent_architecture.names.annotations import OWN, instances_of_type
from agent_architecture.names.callback_arguments import fixed, passed_by, passed_to_callback
from agent_architecture.names.classes import is_protocol
from agent_architecture.names.command_line import decorated_option
from agent_architecture.names.elements import taken
from agent_architecture.names.exports import SCRIPTS
from agent_architecture.names.narrowing import fits
from agent_architecture.names.null_checks import is_nothing, says_something
from agent_architecture.names.program import NOT_YET
from agent_architecture.names.spread import collected, given, in_spread
from agent_architecture.names.values import Const, Entries, Instance, Items, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding

_OVER: Final = frozenset({"map", "forEach", "flatMap", "filter", "some", "every", "find", "findIndex"})
"""Methods of JavaScript's lists that hand each element to the function that they are given, in the first place."""


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
    # Of many callers most pass the very same values: each once, whatever is asked of it.
    found = list({id(value): value for value in _passed_by_callers(program, sites, function, param)}.values())
    if not sites:
        found.extend(fixed(program, function, param))
    if param.default is not None and (any(value is None for value in found) or not (sites or found)):
        found.extend(program.value_of(param.default))
    passed = [value for value in found if value is not None]
    promised = instances_of_type(program, param.annotation) if param.annotation is not None else ()
    values = [value for value in passed if fits(program, value, promised)]
    if param.annotation is not None and (passed or not sites) and not any(says_something(v) for v in values):
        if values and all(is_nothing(v) for v in values):  # nobody gives it: a record of options is then not there
            promised = tuple(v for v in promised if not _is_record(v))
        values = [*(v for v in values if isinstance(v, Const) and v.value is None), *promised] if promised else values
    elif any(isinstance(value, Unknown) for value in values):
        values += [v for v in promised if _is_left_open(program, v) and v not in values]
    if not sites and not any(says_something(value) for value in values):
        values = list(passed_to_callback(program, function, param)) or values
    if not values and (not sites or any(value is None for value in found)):
        caller = Unknown(f"the caller of {function.name or 'this function'}() (parameter {param.name})", None)
        values = list(decorated_option(program, function, param.name) or (caller,))
    if binding.steps:
        yield from taken(program, tuple(values), binding.steps, param.pattern or function)
    else:
        yield from values


def _is_left_open(program: Program, promised: Value) -> bool:
    """Whether a type only says what others implement: an object of it that cannot be read is one of theirs."""
    return isinstance(promised, Instance) and is_protocol(program, promised.cls)


def _passed_by_callers(
    program: Program, sites: tuple[CallSite, ...], function: ir.Function, param: ir.Parameter
) -> Iterator[Value | None]:
    """The values that callers pass; None for a caller that leaves the parameter to its default."""
    from agent_architecture.names.callers import passed_argument

    for site in sites:
        argument = passed_argument(site, function, param)
        if argument is None:
            yield None
        elif not isinstance(argument, Unknown):
            yield from given(program.value_of(argument))
        elif site.escapes:
            yield from _handed(program, site, function, param) or (argument, None)
        else:
            found = in_spread(program, site, function, param)
            yield from (argument, None) if found is None else found


def _handed(program: Program, site: CallSite, function: ir.Function, param: ir.Parameter) -> tuple[Value, ...]:
    """What a library hands to a function that it is given to run."""
    position = next((n for n, p in enumerate(function.params) if p is param or p.name == param.name), None)
    elements = (
        (_run_over(program, site.call) or promises.settled_with(program, site.call, function)) if position == 0 else ()
    )
    if elements:
        return elements
    return () if position is None else passed_by(program, site.call, position)


def _run_over(program: Program, call: ir.Call) -> Values:
    """What a list of the program hands to the function that it is given: `tools.map((tool) => …)`, each element. Not
    of dictionaries: they are records of a registry, which adapters read together.
    """
    if not isinstance(call.callee, ir.Member) or call.callee.name not in _OVER:
        return ()
    lists = [value for value in program.value_of(call.callee.target) if isinstance(value, Items)]
    elements = program.value_of(program.made.any_element(call.callee.target)) if lists else ()
    if any(isinstance(element, Entries) for element in elements):
        return ()
    return elements if any(not isinstance(element, Unknown) for element in elements) else ()


def _is_record(value: Value) -> bool:
    """Whether a value is of an interface that holds data alone, or of a type that lists what is in it."""
    if isinstance(value, Entries):
        return isinstance(value.node, ir.Map)
    if not isinstance(value, Instance) or value.cls.kind != "interface":
        return False
    return all(isinstance(n, ir.Assign) and not isinstance(n.annotation, ir.Opaque) for n in value.cls.body)


def _collected(program: Program, function: ir.Function, param: ir.Parameter) -> Iterator[Value]:
    """What `*args` or `**kwargs` collect from each caller; where nobody says, what the annotation promises."""
    sites = program.callers(function)
    if sites is NOT_YET:
        return
    found = [value for site in sites for value in collected(program, site, function, param)]
    if all(isinstance(value, Unknown) for value in found):
        found = [*_promised(program, function, param)] or found
    yield from found or (Unknown(f"the arguments collected in {param.name}", None),)


def _promised(program: Program, function: ir.Function, param: ir.Parameter) -> Values:
    """What the annotation of `*args` or `**kwargs` promises: of each of them in Python, of their list in JavaScript."""
    if param.annotation is None:
        return ()
    objects = instances_of_type(program, param.annotation)
    if function.module.language in SCRIPTS or not any(isinstance(value, OWN) for value in objects):
        return tuple(value for value in objects if isinstance(value, Items))
    any_of_them = program.made.promised(param.annotation)
    if param.kind == "**":
        return (Entries((), param.annotation, complete=False, others=any_of_them),)
    return (Items((any_of_them,), param.annotation, complete=False),)
