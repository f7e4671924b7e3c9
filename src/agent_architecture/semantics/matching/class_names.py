"""What the objects of a project's class are called that a library takes for a tool: by an attribute, by what a method
of the class gives, by what its constructor hands to the library's class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names import objects
from agent_architecture.names.callers import constructions
from agent_architecture.names.super_arguments import passed_to_base, super_arguments
from agent_architecture.names.values import Const, Instance
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.addresses import Address


def said_by_class(program: Program, cls: ir.Class, address: Address | None) -> dict[str, ir.Call | None]:
    """The names of the tools that are objects of a class, each with the call that makes it (None: every one does): an
    attribute, what a method returns, what its constructor or that of a base hands to the library's class.
    """
    if address is None:
        return {}
    calls: list[ir.Call | None] = [call for one, call in constructions(program, cls) if one is cls]
    found: dict[str, ir.Call | None] = {}
    for call in calls or [None]:
        texts = {*_texts(program, _said(program, Instance(cls, call), address))}
        if len(texts) == 1:  # of several what each is called is read from what it is made of
            found.setdefault(texts.pop(), call)
    return found


def _said(program: Program, value: Instance, address: Address) -> tuple[ir.Expr, ...]:
    keys = [steps[0] for steps in address.alternatives if len(steps) == 1 and isinstance(steps[0], str)]
    for key in keys:
        found = objects.attribute(program, value, key)
        if found:
            return found
    made = value.call or ir.Call(value.cls.span, ir.Name(value.cls.name_span, value.cls.name), ())
    given = super_arguments(program, value.cls, made)
    written = expressions(program, given, address) if given is not None else ()
    return tuple(one for expr in written for one in objects.given_by(program, value, expr))


def _texts(program: Program, exprs: tuple[ir.Expr, ...]) -> Iterator[str]:
    for expr in exprs:
        for value in program.value_of(expr):
            if isinstance(value, Const) and isinstance(value.value, str) and value.value:
                yield value.value


def said_in_place(program: Program, cls: ir.Class) -> ir.Map | ir.Call:
    """What a class says in place of arguments: its fields, and what a method of it returns; what its constructor hands
    to its base by names.
    """
    given = passed_to_base(cls)
    if given is not None and any(argument.keyword or isinstance(argument.value, ir.Map) for argument in given.args):
        return given
    said: list[tuple[str, ir.Expr]] = []
    for node in cls.body:
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.value is not None:
            said.append((node.target.id, node.value))
        elif isinstance(node, ir.Function):
            returns = program.structure(node).returns
            said += [(node.name, returns[0])] if len(returns) == 1 else []
    return ir.Map(cls.span, tuple(ir.Entry(ir.Literal(cls.span, name), value) for name, value in said))
