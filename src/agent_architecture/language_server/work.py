"""When a project is analysed: a moment after the last edit, never twice at once, and not to the end when a newer edit
comes.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from agent_architecture.watch import CancelledError, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agent_architecture.language_server.analysis import Gone, Refused
    from agent_architecture.language_server.progress import Bar
    from agent_architecture.language_server.projects import Project, View

QUIET: Final = 0.15
"""Seconds without an edit before an analysis begins: between two keystrokes pass 0.1 to 0.2."""


class Work:
    """The analyses of one project. For the thread of the event loop."""

    def __init__(
        self,
        project: Project,
        texts: Callable[[], Mapping[Path, str]],
        done: Callable[[View | Refused | Gone], None],
        failed: Callable[[Exception], None],
        bar: Callable[[], Bar | None],
    ) -> None:
        """`texts` gives what the editor holds, `done` takes what was found, `bar` shows how far one analysis is."""
        self._project = project
        self._texts = texts
        self._done = done
        self._failed = failed
        self._bar = bar
        self._changed = asyncio.Event()
        self._edited = False
        self._watch: Watch | None = None
        self._task = asyncio.create_task(self._run())

    def edit(self) -> None:
        """Somebody types: what is being worked out is of no use any more."""
        self._edited = True
        self._changed.set()
        if self._watch is not None:
            self._watch.stop()

    def look_again(self) -> None:
        """Something on the disk has changed. It may do so all the time (a log), so that nothing is given up for it."""
        self._changed.set()

    def stop(self) -> None:
        """Work no more."""
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._changed.wait()
            self._edited = True
            while self._edited:
                self._edited = False
                await asyncio.sleep(QUIET)
            self._changed.clear()
            await self._once()

    async def _once(self) -> None:
        bar = self._bar()
        self._watch = watch = Watch(None if bar is None else bar.tell)
        texts = dict(self._texts())
        try:
            found = await asyncio.to_thread(self._project.look, texts, watch)
        except CancelledError:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the next change is answered
            self._failed(error)
            return
        finally:
            watch.stop()
            self._watch = None
            if bar is not None:
                bar.end()
        if not self._edited:
            self._done(found)
