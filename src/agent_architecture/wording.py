"""Words that the reasons of several detectors share, and the length that a reason may have.

Knows texts alone: no verdict, no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST: Final = 140
"""A reason is read in one look, beside others, on one or two lines of a terminal."""

FROM: Final = {
    "web": "web text",
    "mail": "incoming mail",
    "peer": "text from another agent",
    "retrieval": "retrieved text",
    "tool": "tool output",
    "user": "user text",
    "model": "model output",
    "memory": "stored text",
    "file": "file content",
}
"""Texts by their origin, as the subject of a sentence."""

_DIGEST: Final = regex(r"(sha(?:256|384|512)[:-][0-9A-Za-z+/]{12}|@[0-9a-f]{12})[0-9A-Za-z+/=]{8,}")


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Several words as one: `a, b and c`."""
    return f" {last} ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def fitting(begin: str, parts: Sequence[str], between: str = ", ") -> str:
    """A sentence with as many of its parts, the weightiest first, as a reason has room for; the others are counted."""
    for shown in range(len(parts), 1, -1):
        rest = [f"{len(parts) - shown} more"] if shown < len(parts) else []
        text = f"{begin}{between.join((*parts[:shown], *rest))}."
        if len(text) <= LONGEST:
            return text
    rest = [f"{len(parts) - 1} more"] if len(parts) > 1 else []
    return f"{begin}{between.join((parts[0], *rest))}."


def named(names: Sequence[str], most: int = 3) -> str:
    """The first few names, and how many others there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def short_digest(text: str) -> str:
    """The text with digests cut to what tells them apart."""
    return _DIGEST.sub(r"\1…", text)
