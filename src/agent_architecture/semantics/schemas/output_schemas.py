"""What an output schema that a request asks for says: whether an answer keeps to it, or is only asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Validation
from agent_architecture.names.values import Api, Const, Entries, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Value

ORDER: Final = (Validation.NONE, Validation.SHAPE_ASKED, Validation.UNKNOWN, Validation.ENFORCED)
"""From the weakest on."""


def shape_of(value: Value) -> Validation:
    """What an output schema asks: a type of the response format, a class, a schema."""
    match value:
        case Unknown():
            return Validation.UNKNOWN
        case Const(value=None) | Const(value="text") | Const(value="no-schema") | Api(path="py:builtins.str"):
            return Validation.NONE
        case Const(value="json" | "json_object"):
            return Validation.SHAPE_ASKED
        case Entries():
            return _of_format(value)
        case _:
            return Validation.ENFORCED


def _of_format(value: Entries) -> Validation:
    """`{"type": "json_object"}` asks for JSON; `json_schema` with `strict` has it enforced by the provider."""
    constants = {
        str(node.key.value): node.value.value
        for node in _entries(value.node)
        if isinstance(node.key, ir.Literal) and isinstance(node.value, ir.Literal)
    }
    kind = constants.get("type")
    if kind == "text":
        return Validation.NONE
    if kind == "json_object" or (kind == "json_schema" and constants.get("strict") is not True):
        return Validation.SHAPE_ASKED
    return Validation.ENFORCED


def _entries(node: ir.Node) -> list[ir.Entry]:
    """The entries of a mapping, inner ones first, so that the outer ones win."""
    maps = [each for each in ir.walk(node) if isinstance(each, ir.Map)]
    return [entry for each in reversed(maps) for entry in each.entries]
