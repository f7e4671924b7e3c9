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

    thread = threading.Thread(target=run, name="analysis", daemon=True)  # an interrupted program does not wait for it
    with _LIMIT:
        _start(thread)
        thread.join()
    if errors:
        raise errors[0]
    return answers[0]


class _Limit:
    """Python's limit of calls, which holds for all threads: raised as long as anybody's work is inside."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._inside = 0
        self._before = 0

    def __enter__(self) -> None:
        with self.lock:
            if not self._inside:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, CALLS))
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self._inside -= 1
            if not self._inside:
                sys.setrecursionlimit(self._before)


_LIMIT: Final = _Limit()


def _start(thread: threading.Thread) -> None:
    """Start a thread with the large stack; the size holds for whatever thread is started next."""
    with _LIMIT.lock:
        size = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(size)
