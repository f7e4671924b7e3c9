"""Room for deep recursion: work that is run on a stack of its own, large enough for values that rest on values.

The questions of `names/memory.py` lead from one to the next; followed to their end they fall apart into
small circles. Python's own limit (1000 calls) ends that after about forty of them.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

CALLS: Final = 80_000
"""Calls inside each other at most: as many as 3000 questions take (`memory.DEPTH`, `memory.CALLS`)."""

STACK: Final = 512 * 2**20
"""Bytes of the stack. Only what is used takes memory."""


def with_room(work: Callable[[], T]) -> T:
    """What `work` returns or raises, run in a thread with room for `CALLS` calls inside each other."""
    answers: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again, where the caller waits
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
    thread = threading.Thread(target=run, name="analysis", daemon=True)  # an interrupted program does not wait for it
    try:
        sys.setrecursionlimit(max(limit, CALLS))
        thread.start()
        threading.stack_size(size)
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return answers[0]
