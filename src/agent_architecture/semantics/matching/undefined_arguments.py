"""Arguments that are written and say nothing: JavaScript's `undefined`, and what clients use in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Value

MARKERS: Final = frozenset({"NOT_GIVEN", "omit"})
"""The objects of OpenAI's and Anthropic's clients (`_types.py`: NotGiven, Omit) that stand for "not given"."""


def is_left_out(value: Value) -> bool:
    """Whether a value that is passed leaves the argument out."""
    if isinstance(value, Const):
        return value.value is ir.UNDEFINED
    return isinstance(value, Api) and last_name(value.path) in MARKERS
