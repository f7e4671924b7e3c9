"""What a call gives where only a type says so: a method of an interface that nobody implements, a callback's type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.annotations import instances_of_type, unquoted
from agent_architecture.names.classes import lineage
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.types import named_type
from agent_architecture.names.values import ClassValue, Instance, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

ALIASES: Final = 8
"""Names for types that one annotation is followed through."""

FUNCTIONS: Final = frozenset({ir.OpaqueKind.FUNCTION_TYPE, ir.OpaqueKind.METHOD_SIGNATURE})
"""Kinds of types whose part is what a function of them returns."""


def promised_result(program: Program, callee: ir.Expr) -> Values:
    """The objects that a callee promises to return; empty when its type does not say."""
    return tuple(
        value
        for annotation in _types_of(program, callee)
        for result in _results(program, annotation, ALIASES)
        for value in instances_of_type(program, result)
    )


def _types_of(program: Program, expr: ir.Expr) -> Iterator[ir.Expr]:
    """What is written as the type of a name or attribute."""
    match expr:
        case ir.Name():
            for binding in visible_bindings(program, expr):
                if (
                    isinstance(binding.extra, ir.Parameter)
                    and not binding.steps
                    and binding.extra.annotation is not None
                ):
                    yield binding.extra.annotation
                elif isinstance(binding.node, ir.Assign) and binding.node.annotation is not None:
                    yield binding.node.annotation
        case ir.Member():
            for value in program.value_of(expr.target):
                for cls in lineage(program, value.cls) if isinstance(value, Instance) else ():
                    bound = (binding.node for binding in program.attributes(cls).get(expr.name, ()))
                    yield from (n.annotation for n in bound if isinstance(n, ir.Assign) and n.annotation is not None)
        case _:
            return


def _results(program: Program, annotation: ir.Expr, names: int) -> Iterator[ir.Expr]:
    """What a function of a type returns, through at most so many names for it."""
    match annotation:
        case ir.Opaque(kind=kind, parts=(result,)) if kind in FUNCTIONS:
            yield result  # type: ignore[misc]  # the part of a type is a type
        case ir.Index(target=ir.Name(id="Callable") | ir.Member(name="Callable"), key=ir.List(items=(*_, result))):
            yield result
        case ir.Operator(op=ir.Op.BITOR):
            for operand in annotation.operands:
                yield from _results(program, operand, names)
        case ir.Index(key=inner):
            for one in inner.items if isinstance(inner, ir.List) else (inner,):
                yield from _results(program, one, names) if _is_choice(annotation) else ()
        case ir.Literal() if (written := unquoted(program, annotation)) is not None:
            yield from _results(program, written, names)
        case ir.Name() | ir.Member():
            for value in named_type(program, annotation) if names else ():
                for part in value.cls.body if isinstance(value, ClassValue) and value.cls.kind == "alias" else ():
                    yield from _results(program, part, names - 1)  # type: ignore[arg-type]
        case _:
            return


def _is_choice(annotation: ir.Index) -> bool:
    return callee_name(annotation.target) in {"Optional", "Union", "Annotated"}
