"""JSON Schema as dictionaries of the project: what each property admits.

Reads the keywords of JSON Schema 2020-12 that bound a value; it says nothing of who checks them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Const, Entries, Items
from agent_architecture.semantics.schemas.shapes import (
    BOUNDED,
    CLOSED,
    FURTHER,
    NUMBER,
    TEXT,
    UNTYPED,
    Level,
    Shape,
    either,
    structure,
    top,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.syntax import ir

_BOUNDS: Final = frozenset(
    ["pattern", "maxLength", "format", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"]
)
_CHOICES: Final = frozenset({"enum", "const"})
_ANY_OF: Final = ("anyOf", "oneOf", "allOf")


def is_schema(value: Entries) -> bool:
    """Whether a mapping is a JSON Schema of an object."""
    keys = dict(value.entries).keys()
    return bool(keys & {"properties", "$schema", "$ref", *_ANY_OF}) or (
        "type" in keys and bool(keys & {"additionalProperties", "required", "description"} or len(keys) == 1)
    )


def is_readable(program: Program, value: Entries) -> bool:
    """Whether all properties of an object's schema can be read."""
    properties = dict(value.entries).get("properties")
    if properties is None:
        return value.complete
    values = program.value_of(properties)
    return all(isinstance(v, Entries) and v.complete for v in values)


def of_schema(program: Program, value: Entries, level: Level | None = None) -> Shape:
    """What a schema admits."""
    return (level or top()).once(value.node, lambda inner: _of_entries(program, value, inner))


def _of_entries(program: Program, value: Entries, level: Level) -> Shape:
    entries = dict(value.entries)
    if entries.keys() & _CHOICES:
        return CLOSED
    joined = [key for key in _ANY_OF if key in entries]
    if joined:
        parts = (part for key in joined for part in _listed(program, entries[key]))
        return either(of_schema(program, part, level.deeper()) for part in parts)
    shapes = [_of_type(program, str(kind), entries, level) for kind in _types(program, entries)]
    return either(shapes)


def _types(program: Program, entries: dict[str, ir.Expr]) -> Iterator[object]:
    if "type" not in entries:
        yield "object" if "properties" in entries else ""
        return
    for value in program.value_of(entries["type"]):
        if isinstance(value, Items):
            yield from (v.value for item in value.items for v in program.value_of(item) if isinstance(v, Const))
        else:
            yield value.value if isinstance(value, Const) else ""


def _of_type(program: Program, kind: str, entries: dict[str, ir.Expr], level: Level) -> Shape:
    match kind.lower():
        case "boolean" | "null":
            return CLOSED
        case "string":
            return BOUNDED if entries.keys() & _BOUNDS else TEXT
        case "number" | "integer":
            return BOUNDED if entries.keys() & _BOUNDS else NUMBER
        case "array":
            return either(of_schema(program, v, level.deeper()) for v in _mappings(program, entries.get("items")))
        case "object":
            return _object(program, entries, level)
        case _:
            return UNTYPED


def _object(program: Program, entries: dict[str, ir.Expr], level: Level) -> Shape:
    further = _mappings(program, entries.get("additionalProperties"))
    if "properties" not in entries:
        closed = _is_false(program, entries.get("additionalProperties"))
        return structure((), closed=True) if closed else either(of_schema(program, v, level.deeper()) for v in further)
    fields = [
        of_properties(program, value, level)
        for value in program.value_of(entries["properties"])
        if isinstance(value, Entries)
    ]
    parameters = tuple(parameter for shape in fields for parameter in shape.fields)
    if not fields:
        return UNTYPED
    return structure(parameters, closed=_is_false(program, entries.get("additionalProperties")))


def of_properties(program: Program, value: Entries, level: Level | None = None) -> Shape:
    """An object of schemas by key."""
    level = level or top()
    fields = [
        either(of_schema(program, inner, level.deeper()) for inner in _mappings(program, expr)).named(key, expr.span)
        for key, expr in value.entries
    ]
    if not value.complete:
        fields.append(UNTYPED.named(FURTHER, value.node.span))
    return structure(fields)


def _mappings(program: Program, expr: ir.Expr | None) -> tuple[Entries, ...]:
    values: tuple[Value, ...] = program.value_of(expr) if expr is not None else ()
    return tuple(value for value in values if isinstance(value, Entries))


def _listed(program: Program, expr: ir.Expr) -> Iterator[Entries]:
    for value in program.value_of(expr):
        for item in value.items if isinstance(value, Items) else ():
            yield from _mappings(program, item)


def _is_false(program: Program, expr: ir.Expr | None) -> bool:
    values = program.value_of(expr) if expr is not None else ()
    return bool(values) and all(isinstance(value, Const) and value.value is False for value in values)
