"""The JSON Schema of a configuration file, for editors: made from the table of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from agent_architecture.configuration.keys import Key, Kind, below, section_path

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
TYPES: Final[Mapping[Kind, Mapping[str, Json]]] = {
    Kind.TRUTH: {"type": "boolean"},
    Kind.TEXT: {"type": "string"},
    Kind.GLOB: {"type": "string"},
    Kind.RULE: {"type": "string", "minLength": 1},
    Kind.NUMBER: {"type": "number"},
    Kind.WHOLE: {"type": "integer"},
    Kind.DATE: {"type": "string", "format": "date"},
}


def schema() -> dict[str, Json]:
    """The schema of a whole file."""
    return {"$schema": DIALECT, "title": "agent-architecture configuration", **_section("")}


def _section(path: str) -> dict[str, Json]:
    known = below(path)
    required = sorted(name for name, key in known.items() if key.required)
    made: dict[str, Json] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _key(key) for name, key in known.items()},
    }
    return {**made, "required": required} if required else made


def _key(key: Key) -> dict[str, Json]:
    told: dict[str, Json] = {"description": key.doc, **({} if key.default is None else {"default": key.default})}
    value = _value(key)
    return {**told, **(value if key.required else {"anyOf": [value, {"type": "null"}]})}


def _value(key: Key) -> dict[str, Json]:
    match key.kind:
        case Kind.SECTION:
            return _section(section_path(key))
        case Kind.LIST:
            return {"type": "array", "items": _section(section_path(key))}
        case Kind.WORD:
            return {"enum": list(key.words)}
        case Kind.WORDS | Kind.GLOBS:
            one: dict[str, Json] = {"enum": list(key.words)} if key.words else {"type": "string"}
            return {"anyOf": [one, {"type": "array", "items": one}]}
        case _:
            return {**TYPES[key.kind], **({} if key.least is None else {"minimum": key.least})}
