"""What a name is made of, where its words say what a thing does."""

from __future__ import annotations

import re
from typing import Final

DEEDS: Final = frozenset({
    "refund", "refunds", "payment", "payments", "purchase", "order", "orders", "booking", "bookings", "reservation",
    "transfer", "withdrawal", "cancellation", "charge", "transaction", "deletion", "deployment",
})  # fmt: skip
"""What, once done, changes something outside: the last words of such names."""


def plain(name: str) -> str:
    """A name whichever way it is written: `logDecision` and `log_decision` are `logdecision`."""
    return name.replace("_", "").lower()


def words_of(name: str) -> list[str]:
    """The words of a name in small letters: `insertOne` and `insert_one` are `insert`, `one`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[^a-z0-9]+", spaced.lower()) if word]


def is_served(name: str) -> bool:
    """Whether a tool is named with its server before it (`mcp__desk__close`): it is defined there."""
    return name.startswith("mcp__") and name.count("__") > 1


def own_name(name: str) -> str:
    """The name of a tool without that of its server before it."""
    return name.rpartition("__")[2] if is_served(name) else name
