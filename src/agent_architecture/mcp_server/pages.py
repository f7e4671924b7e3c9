"""Pages of long answers. A cursor belongs to what it was made for: after a change it is refused, never stale."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from typing import Final, TypeVar

from agent_architecture.errors import UsageError

_T = TypeVar("_T")
LARGEST: Final = 100
DIGITS: Final = 16


def page(items: Sequence[_T], cursor: str | None, size: int, identity: str) -> tuple[Sequence[_T], str | None]:
    """The items at a cursor (None: the first ones), and the cursor of the next page. `identity` says what they are of.

    Raises:
        UsageError: the cursor is none of this server's, or what it was made for has changed since.
    """
    mark = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
    start = 0 if cursor is None else _start(cursor, mark)
    end = start + max(1, min(size, LARGEST))
    more = base64.urlsafe_b64encode(f"{mark}:{end}".encode()).decode() if end < len(items) else None
    return items[start:end], more


def _start(cursor: str, mark: str) -> int:
    try:
        made_for, _, number = base64.urlsafe_b64decode(cursor.encode()).decode().partition(":")
    except (binascii.Error, ValueError):
        raise UsageError("this cursor is none that this tool gave") from None
    if not (number.isascii() and number.isdigit()):
        raise UsageError("this cursor is none that this tool gave")
    if made_for != mark:
        raise UsageError("what this cursor was made for has changed since; ask again without a cursor")
    return int(number)
