"""Whether a JSON value is what our own report schema says: the part of JSON Schema that this schema uses.

What the schema does not name is let through: later versions of a report only add to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
Schema: TypeAlias = "Mapping[str, Json]"

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def problem(value: Json, schema: Schema) -> str | None:
    """The first place where `value` is not what `schema` says, and how; None: it is."""
    return next(_problems(value, schema, schema, "the report"), None)


def _problems(value: Json, schema: Schema, whole: Schema, at: str) -> Iterator[str]:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        yield from _problems(value, _schema(_schema(whole["$defs"])[name]), whole, at)
        return
    if "oneOf" in schema:
        kinds = [_schema(kind) for kind in _items(schema["oneOf"])]
        if all(next(_problems(value, kind, whole, at), None) for kind in kinds):
            yield f"{at} has none of the forms that it may have"
    types = schema.get("type", list(_TYPES))
    if not any(_is(value, str(name)) for name in ([types] if isinstance(types, str) else _items(types))):
        yield f"{at} is not of the type {types if isinstance(types, str) else ' or '.join(map(str, _items(types)))}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{at} is {_shown(value)}, not {_shown(schema['const'])}"
    if "enum" in schema and value not in _items(schema["enum"]):
        yield f"{at} is {_shown(value)}, which is none of the values that it may have"
    yield from _sizes(value, schema, at)
    if isinstance(value, dict):
        yield from _of_object(value, schema, whole, at)
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from _problems(item, _schema(schema["items"]), whole, f"{at}[{number}]")


def _of_object(value: Mapping[str, Json], schema: Schema, whole: Schema, at: str) -> Iterator[str]:
    for name in _items(schema.get("required", [])):
        if name not in value:
            yield f"{at} has no {name}"
    properties = _schema(schema.get("properties", {}))
    others = schema.get("additionalProperties")
    for name, item in value.items():
        kind = properties.get(name, others)
        if isinstance(kind, dict):
            yield from _problems(item, kind, whole, f"{at}.{name}"[-200:])


def _sizes(value: Json, schema: Schema, at: str) -> Iterator[str]:
    size = len(value) if isinstance(value, (str, list)) else value
    for least in (schema.get("minimum"), schema.get("minLength"), schema.get("minItems")):
        if isinstance(least, int) and isinstance(size, (int, float)) and size < least:
            yield f"{at} is less than {least}"
    for most in (schema.get("maximum"), schema.get("maxItems")):
        if isinstance(most, int) and isinstance(size, (int, float)) and size > most:
            yield f"{at} is more than {most}"
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and isinstance(value, str) and re.search(pattern, value) is None:
        yield f"{at} is {_shown(value)}, which is not written as it has to be"


def _is(value: Json, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def _schema(value: Json) -> Schema:
    return cast("Schema", value)


def _items(value: Json) -> Sequence[Json]:
    return cast("Sequence[Json]", value)


def _shown(value: Json) -> str:
    return repr(value)[:60]
