"""What the class of a library is made with when an object of a project's class is made that derives from it: the
arguments of `super().__init__(…)`, with those of the construction in the place of what the constructor hands on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import CONSTRUCTOR, constructor, lineage
from agent_architecture.names.program import CallSite
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, Func, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Values

SUPER: Final = "super"
DEEP: Final = 5
"""Constructors of the project, one above the other, that are followed."""


def super_arguments(program: Program, cls: ir.Class, made: ir.Call) -> ir.Call | None:
    """The call that says what the library's class is made with: `made` itself where no constructor stands between; None
    where it cannot be told what that hands on.
    """
    function, given = constructor(program, cls), made
    scope = program.scope_of(made)
    for _ in range(DEEP):
        calls = [] if function is None else list(_of_bases(function))
        if function is None or len(calls) != 1:
            return given if function is None else None
        given = _handed_on(function, calls[0], CallSite(given, scope))
        values = program.value_of(calls[0].callee)
        if values and all(isinstance(value, Api) for value in values):
            return given
        above = [value.function for value in values if isinstance(value, Func)]
        if len(above) != len(values) or len(above) != 1:
            return None
        function = above[0]
    return None


def passed_to_base(cls: ir.Class) -> ir.Call | None:
    """The call by which the constructor of a class says what its base is made with; None without one such call, and
    for one that only hands on what it is given.
    """
    own = next((node for node in cls.body if isinstance(node, ir.Function) and node.name == CONSTRUCTOR), None)
    calls = () if own is None else tuple(_of_bases(own))
    given = {param.name for param in own.params} if own is not None else set()
    says = (a.value for call in calls for a in call.args if not (isinstance(a.value, ir.Name) and a.value.id in given))
    return calls[0] if len(calls) == 1 and any(says) else None


def kept_by_base(program: Program, cls: ir.Class, name: str) -> Values:
    """What an object has under a name that no class of the project sets, because a constructor gives it by that name to
    the class of a library that it derives from (`super().__init__(llm=llm or OllamaLLM())`); () without one.
    """
    for ancestor in lineage(program, cls):
        for own in (n for n in ancestor.body if isinstance(n, ir.Function) and n.name == CONSTRUCTOR):
            given = (argument for call in _of_bases(own) for argument in call.args if argument.keyword == name)
            found = tuple(value for argument in given for value in program.value_of(argument.value))
            if found:
                return tuple(value for value in found if not isinstance(value, Unknown))
    return ()


def _of_bases(function: ir.Function) -> Iterator[ir.Call]:
    yield from (node for node in own_nodes(function) if isinstance(node, ir.Call) and runs_base(node))


def runs_base(call: ir.Call) -> bool:
    """Whether a call runs the constructor of a base: `super().__init__(…)`, JavaScript's `super(…)`."""
    match call:
        case ir.Call(callee=ir.Member(name=name, target=ir.Call(callee=ir.Name(id=target)))):
            return name == CONSTRUCTOR and target == SUPER
        case ir.Call(callee=ir.Name(id=name), args=args):
            return name == SUPER and bool(args)
        case _:
            return False


def _handed_on(function: ir.Function, call: ir.Call, site: CallSite) -> ir.Call:
    """The call with what the construction passes in the place of the constructor's parameters."""
    params = {param.name: param for param in function.params}
    args: list[ir.Argument] = []
    for argument in call.args:
        param = params.get(argument.value.id) if isinstance(argument.value, ir.Name) else None
        if param is not None and argument.spread == "**":
            args.extend(a for a in site.call.args if a.spread == "**" or (a.keyword and a.keyword not in params))
        else:
            passed = passed_argument(site, function, param) if param is not None and not argument.spread else None
            passed = param.default if passed is None and param is not None and not argument.spread else passed
            if passed is None or isinstance(passed, Unknown):
                args.append(argument)
            else:
                args.append(argument._replace(value=passed))
    return call._replace(args=tuple(args))
