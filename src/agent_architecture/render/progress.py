"""One line of progress on a terminal's standard error, overwritten in place. Knows stages by name only."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

INTERVAL: Final = 0.08
"""Seconds between two writes of one stage: a person reads no faster, and a terminal is slow."""


@contextmanager
def progress_on(stream: TextIO | None) -> Iterator[Progress]:
    """The progress of what runs inside, wiped at its end; without a stream nothing is shown."""
    progress = Progress(stream)
    try:
        yield progress
    finally:
        progress.close()


class Progress:
    """The callback of a run: `progress(stage, done, total)`. A disabled one does nothing."""

    __slots__ = ("_last", "_shown", "_stage", "_stream")

    def __init__(self, stream: TextIO | None) -> None:
        """Write to `stream`; None writes nothing."""
        self._stream = stream
        self._stage = ""
        self._last = 0.0
        self._shown = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of `stage` are finished; a `total` of 0 means that nobody knows."""
        if self._stream is None:
            return
        now = time.monotonic()
        if stage == self._stage and done < total and now - self._last < INTERVAL:
            return
        self._stage, self._last = stage, now
        self._write(f"{stage} {done}/{total}" if total else stage)

    def close(self) -> None:
        """Wipe the line, so that the report starts on a clean one."""
        if self._stream is not None and self._shown:
            self._write("")
            self._shown = 0

    def _write(self, text: str) -> None:
        stream = self._stream
        if stream is None:
            return
        text = text[:78]
        stream.write("\r" + text.ljust(self._shown) + ("\r" if not text else ""))
        stream.flush()
        self._shown = max(self._shown, len(text))
