"""What a value that is used as a schema admits, in whichever notation it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Api, ClassValue, Entries, Instance
from agent_architecture.semantics.schemas import json_schema, python_annotations, zod
from agent_architecture.semantics.schemas.shapes import UNTYPED, holds_no_text
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.schemas.shapes import Shape


def of_schema_value(program: Program, value: Value) -> Shape:
    """The shape of what a class, a zod schema or a JSON Schema admits; anything, where a value is none of them."""
    match value:
        case ClassValue(cls=cls) | Instance(cls=cls):
            return python_annotations.of_class(program, cls)
        case Api() if zod.is_zod(value):
            return zod.of_value(program, value)
        case Entries() if json_schema.is_schema(value):
            return json_schema.of_schema(program, value)
        case _:
            return UNTYPED


def leaves_text(program: Program, check: ir.Call) -> bool:
    """Whether the schema that a call holds something against (`Order.parse(x)`, `Order(**x)`) admits text of any
    content somewhere.
    """
    callee = check.callee
    values = program.value_of(callee.target if isinstance(callee, ir.Member) else callee)
    shapes = [of_schema_value(program, value) for value in values]
    return any(shape is not UNTYPED and not holds_no_text(shape) for shape in shapes)
