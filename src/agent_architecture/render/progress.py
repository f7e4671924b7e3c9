"""One line of progress on a terminal's standard error, overwritten in place. Knows stages by name only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

INTERVAL: Final = 0.08
"""Seconds between two writes of one stage: a person reads no faster, and a terminal is slow."""
MINUTE: Final = 60
LONG: Final = 2.0
"""Seconds of a stage from which on it says how long it will take: before that nobody wonders, and nobody can tell."""


@contextmanager
def progress_on(stream: TextIO | None, *, rate: bool = False) -> Iterator[Progress]:
    """The progress of what runs inside, wiped at its end; without a stream nothing is shown. `rate`: see `Progress`."""
    progress = Progress(stream, rate=rate)
    try:
        yield progress
    finally:
        progress.close()


class Progress:
    """The callback of a run: `progress(stage, done, total)`. A disabled one does nothing."""

    __slots__ = ("_began", "_clock", "_last", "_rate", "_shown", "_stage", "_stream")

    def __init__(
        self, stream: TextIO | None, clock: Callable[[], float] = time.monotonic, *, rate: bool = False
    ) -> None:
        """Write to `stream`; None writes nothing. `clock` tells seconds. `rate` says how many are done in a second."""
        self._stream = stream
        self._clock = clock
        self._rate = rate
        self._began = 0.0
        self._stage = ""
        self._last = 0.0
        self._shown = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of `stage` are finished; a `total` of 0 means that nobody knows."""
        if self._stream is None:
            return
        now = self._clock()
        if stage == self._stage and done < total and now - self._last < INTERVAL:
            return
        if stage != self._stage or not done:
            self._began = now
        self._stage, self._last = stage, now
        self._write(f"{stage} {done}/{total}{self._left(done, total, now)}" if total else stage)

    def close(self) -> None:
        """Wipe the line, so that the report starts on a clean one."""
        if self._stream is not None and self._shown:
            self._write("")
            self._shown = 0

    def _left(self, done: int, total: int, now: float) -> str:
        """How long the stage still takes, if the rest of it is as quick as what is done."""
        spent = now - self._began
        if not done or done >= total or spent < LONG:
            return ""
        seconds = round(spent / done * (total - done))
        rate = f", {done / spent:.1f}/s" if self._rate else ""
        return (
            f"{rate}, about {seconds} s left"
            if seconds < MINUTE
            else f"{rate}, about {round(seconds / MINUTE)} min left"
        )

    def _write(self, text: str) -> None:
        stream = self._stream
        if stream is None:
            return
        text = text[:78]
        stream.write("\r" + text.ljust(self._shown) + ("\r" if not text else ""))
        stream.flush()
        self._shown = max(self._shown, len(text))
