"""The types that signatures of steps name: what a step takes and what it gives back say which step follows which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Api, ClassValue
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def named_types(program: Program, annotation: ir.Expr | None) -> Iterator[str]:
    """The classes that a type names, one by one in a union, under names of their own: a library's by its path."""
    for value in types(program, annotation):
        yield type_name(value.cls) if isinstance(value, ClassValue) else value.path


def type_name(cls: ir.Class) -> str:
    """A class of the project under a name of its own."""
    return f"{cls.span.path}:{cls.span.line}"


def types(program: Program, annotation: ir.Expr | None) -> Iterator[ClassValue | Api]:
    """The classes that a type names, one by one in a union."""
    match annotation:
        case None:
            return
        case ir.Operator(operands=operands):
            for operand in operands:
                yield from types(program, operand)
        case ir.Index(target=target, key=key):  # `Annotated[Review, …]`, `End[str]`
            for part in (target, *(key.items if isinstance(key, ir.List) else (key,))):
                yield from types(program, part)
        case _:
            yield from (value for value in program.value_of(annotation) if isinstance(value, (ClassValue, Api)))
