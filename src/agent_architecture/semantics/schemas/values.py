"""What a value that is used as a schema admits, in whichever notation it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Api, ClassValue, Entries, Instance
from agent_architecture.semantics.schemas import json_schema, python_annotations, zod
from agent_architecture.semantics.schemas.shapes import UNTYPED

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
