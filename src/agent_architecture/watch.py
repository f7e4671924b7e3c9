"""How an analysis in a thread of its own tells how far it is, and learns that nobody waits for it any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

EVERY: Final = 0.25
"""Seconds between two messages of progress."""


class CancelledError(Exception):
    """Nobody waits for the answer any more."""


class Watch:
    """What an analysis tells the one who waits, and how it learns that nobody does. For two threads."""

    def __init__(self, tell: Callable[[str, int, int], None] | None = None) -> None:
        """`tell` is called with a stage, how much of it is done and of how much, at most every quarter of a second."""
        self._tell = tell
        self._stopped = threading.Event()
        self._told = 0.0

    def stop(self) -> None:
        """End the analysis at its next step."""
        self._stopped.set()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """One step of the analysis. Raises `CancelledError` when it was stopped."""
        if self._stopped.is_set():
            raise CancelledError
        now = time.monotonic()
        if self._tell is not None and now - self._told >= EVERY:
            self._told = now
            self._tell(stage, done, total)
