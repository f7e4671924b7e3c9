"""How far an analysis is, shown in the editor when it takes long."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import TYPE_CHECKING, Final

from lsprotocol.types import WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

LONG: Final = 1.0
"""Seconds after which it is shown: what ends sooner would only flicker."""


class Bar:
    """One analysis. `tell` may be called from any thread, the others from the event loop's alone."""

    def __init__(self, server: LanguageServer, name: str) -> None:
        """Nothing is shown yet."""
        self._server = server
        self._name = name
        self._loop = asyncio.get_running_loop()
        self._started = time.monotonic()
        self._token = str(uuid.uuid4())
        self._making: asyncio.Task[None] | None = None
        self._is_shown = False
        self._is_over = False

    def tell(self, stage: str, done: int, total: int) -> None:
        """It is so far."""
        if time.monotonic() - self._started >= LONG:
            self._loop.call_soon_threadsafe(self._show, stage, done, total)

    def end(self) -> None:
        """It is over."""
        self._is_over = True
        if self._is_shown:
            self._server.work_done_progress.end(self._token, WorkDoneProgressEnd())

    def _show(self, stage: str, done: int, total: int) -> None:
        if self._is_over:
            return
        if self._making is None:
            self._making = asyncio.create_task(self._make())
        elif self._is_shown:
            share = min(100, 100 * done // total) if total else None
            self._server.work_done_progress.report(self._token, WorkDoneProgressReport(message=stage, percentage=share))

    async def _make(self) -> None:
        await self._server.work_done_progress.create_async(self._token)
        if not self._is_over:
            self._server.work_done_progress.begin(self._token, WorkDoneProgressBegin(self._name))
            self._is_shown = True
