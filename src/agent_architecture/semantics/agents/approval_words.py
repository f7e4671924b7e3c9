"""Approvals in the words of `Gate`: what a value says, and which of several holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT
from agent_architecture.names.values import Api, Const
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.model.settings import Scalar, Setting
    from agent_architecture.names.values import Value

NEVER: Final = frozenset({
    "never", "none", "false", "no", "off", "auto", "terminate", "allow-all", "bypasspermissions", "not-applicable",
    "approved", "approve", "never_require", "acceptedits", "dontask", "classifier",
})  # fmt: skip
"""Words with which a setting says that nobody is asked."""


def strongest(settings: list[Setting]) -> Setting:
    """Of several approvals for one tool, the one that asks; else what cannot be read; else the one that does not."""
    order = {"always": 0, "conditional": 1, "never": 3}
    ranked = sorted(settings, key=lambda s: order.get(str(s.value), 3) if s.is_known else 2)
    return ranked[0] if ranked else ABSENT


def in_words(value: Value, words: Mapping[str, Scalar]) -> Value:
    """What is written as the row translates it: a constant (`disable_approval=True` is "never"), a library's member."""
    match value:
        case Const():
            said = str(value.value).lower()
            return value._replace(value=words[said]) if said in words else value
        case Api():
            said = value.path.lower()
            return Const(words[said], value.node.span) if said in words else value
        case _:
            return value


def is_asking(value: object) -> bool:
    """Whether a value says that somebody is asked."""
    if isinstance(value, str):
        return value.lower() not in NEVER
    return bool(value) and value is not ir.UNDEFINED
