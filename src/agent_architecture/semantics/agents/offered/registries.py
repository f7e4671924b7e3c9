"""Registries that a project keeps of its tools: mappings from names to functions and objects, and decorators that fill
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.classes import CONSTRUCTOR, lineage
from agent_architecture.names.values import ClassValue, Entries, Func, Instance
from agent_architecture.semantics.agents.offered.tool_descriptions import (
    PARAMETERS,
    SAYING,
    Described,
    joined,
    of_object,
    running,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value


def of_registry(program: Program, registry: Entries) -> Iterator[Described]:
    """The tools that stand in a mapping under their names."""
    for name, expr in registry.entries:
        for value in program.value_of(expr):
            found = _entry(program, name, value)
            if found is not None:
                yield found
                break


def of_methods(program: Program, owner: Instance) -> Iterator[Described]:
    """The methods of an object of which one is called by its name: those that are there for others, nearest first."""
    seen: set[str] = set()
    for cls in lineage(program, owner.cls):
        for node in cls.body:
            if isinstance(node, ir.Function) and node.name not in seen and _is_open(node):
                seen.add(node.name)
                yield Described(node, node.name, {}, (node,))


def _is_open(method: ir.Function) -> bool:
    """Whether a method is there for others to call."""
    return bool(method.name) and not method.name.startswith(("_", "#")) and method.name != CONSTRUCTOR


def _entry(program: Program, name: str, value: Value) -> Described | None:
    match value:
        case Func(function=function):
            return Described(function, name, {}, (function,))
        case Instance() | ClassValue():
            found = of_object(program, value if isinstance(value, Instance) else Instance(value.cls))
            if found is not None:
                return found
            return None
        case Entries(node=ir.Map() as node):
            entries = joined(program, value)
            functions = running(program, entries)
            return (
                Described(node, name, entries, functions)
                if functions or entries.keys() & {*SAYING, *PARAMETERS}
                else None
            )
        case _:
            return None


def decorated_by(program: Program, decorator: ir.Function) -> Iterator[ir.Function]:
    """The functions that a decorator of the project stands above, or the decorator that a function of it returns."""
    outer = decorator.outer if isinstance(decorator.outer, ir.Function) else None
    names = {function.name for function in (decorator, outer) if function is not None and function.name}
    scopes = (scope for name in names for scope in program.scopes_calling(name))
    for module in sorted({program.module_of(scope) for scope in scopes}, key=lambda module: module.path):
        for function, expr, made_by in program.once(_decorations, module):
            # `@register("x")` is what `register` returns.
            wanted = outer if isinstance(expr, ir.Call) else decorator
            if wanted is not None and any(one is wanted for one in made_by):
                yield function


def _decorations(
    program: Program, module: ir.Module
) -> tuple[tuple[ir.Function, ir.Expr, tuple[ir.Function, ...]], ...]:
    """The functions of a module with each decorator that stands above them, and the functions that it may be."""
    return tuple(
        (function, expr, tuple(value.function for value in program.value_of(callee) if isinstance(value, Func)))
        for function in module.index.functions
        for expr in function.parts.decorators
        for callee in (expr.callee if isinstance(expr, ir.Call) else expr,)
    )
