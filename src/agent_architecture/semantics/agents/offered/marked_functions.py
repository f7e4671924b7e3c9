"""Functions that code finds by a mark: `[f for f in vars(desk).values() if hasattr(f, "is_tool")]`.

A decorator of the project leaves the mark (`function.is_tool = True`), and whoever gathers the tools asks for it. Where
it looks (`dir`, `inspect.getmembers`, `globals`) need not be readable: what it asked for says which functions it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.classes import enclosing_class, lineage
from agent_architecture.names.values import Func
from agent_architecture.semantics.agents.offered.tool_descriptions import Described
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context


def marked_behind(context: Context, name: ir.Name) -> tuple[Described, ...]:
    """The functions that a name may be that was asked for a mark: those of the class around, where it has some."""
    left = context.once(_left)
    asked = tuple(dict.fromkeys(_asked_for(context, name))) if left else ()
    found = tuple(dict.fromkeys(function for mark in asked for function in left.get(mark, ())))
    around = enclosing_class(context.program, name) if found else None
    own = () if around is None else lineage(context.program, around)
    mine = tuple(function for function in found if any(function.outer is cls for cls in own))
    return tuple(Described(function, function.name, {}, (function,)) for function in mine or found)


def _asked_for(context: Context, name: ir.Name) -> Iterator[str]:
    """The attributes that a name was asked for on every way to where it stands, and has."""
    for condition in conditions_of(context).at(name):
        match condition:
            case Condition(expr=ir.Call(callee=ir.Name(id="hasattr" | "getattr"), args=(asked, mark, *_)), holds=True):
                if _is(asked.value, name) and isinstance(mark.value, ir.Literal):
                    yield str(mark.value.value)
            case Condition(expr=ir.Member(target=target, name=attribute), holds=True) if _is(target, name):
                yield attribute


def _is(expr: ir.Expr, name: ir.Name) -> bool:
    return isinstance(expr, ir.Name) and expr.id == name.id


def _left(context: Context) -> dict[str, list[ir.Function]]:
    """The functions of a project by the marks that its own decorators leave on them."""
    program = context.program
    found: dict[str, list[ir.Function]] = {}
    for module in program.modules:
        for function in module.index.functions:
            for expr in function.parts.decorators:
                callee = expr.callee if isinstance(expr, ir.Call) else expr
                for value in program.value_of(callee):
                    for mark in _marks(program, value.function) if isinstance(value, Func) else ():
                        found.setdefault(mark, []).append(function)
    return found


def _marks(program: Program, decorator: ir.Function) -> Iterator[str]:
    """The attributes that a decorator, or one that a function gives back, sets on what it is given."""
    returned = (value for expr in program.structure(decorator).returns for value in program.value_of(expr))
    inner = [value.function for value in returned if isinstance(value, Func)]
    for function in dict.fromkeys((decorator, *inner)):
        given = {parameter.name for parameter in function.params[:1]}
        for node in program.structure(function).nodes:
            match node:
                case ir.Assign(target=ir.Member(target=ir.Name(id=owner), name=mark)) if owner in given:
                    yield mark
                case ir.Call(callee=ir.Name(id="setattr"), args=(first, mark, *_)):
                    if isinstance(first.value, ir.Name) and first.value.id in given:
                        yield from (str(mark.value.value),) if isinstance(mark.value, ir.Literal) else ()
                case _:
                    pass
