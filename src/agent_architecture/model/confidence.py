"""How a fact was reached."""

from __future__ import annotations

from enum import StrEnum


class Confidence(StrEnum):
    """How a fact was reached: resolved by name and value, inferred from structure, or guessed from a spelling."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
