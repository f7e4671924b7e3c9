"""The engine of one machine: some processes that fork (`nursery`), and as many threads that wait for them."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import UsageError
from agent_architecture.fleet.tasks import Answer, Task

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

COMMAND: Final = (sys.executable, "-m", "agent_architecture.fleet.nursery")
LENGTH: Final = 8
PATIENCE: Final = 300.0
"""Seconds beyond a task's own until its nursery is given up: it has to start, too, on a machine that is busy."""
AHEAD: Final = 2
"""Tasks for each process that are made before they are needed."""
PIECE: Final = 2**20
TIME_TO_END: Final = 10.0
"""Seconds that it may take to end by itself: longer while it only starts, and then it runs nothing yet."""


class Nursery:
    """One process that forks for each task. It is started when it is needed, and again after it went away.

    One thread asks at a time; any thread may stop it.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._starting = Lock()

    def answer(self, task: Task) -> Answer:
        """What became of a task. Never raises."""
        try:
            return Answer.from_json(self._asked(task))
        except (OSError, EOFError, ValueError) as error:
            self.release()
            return Answer(task.name, error=f"the process that starts others went away: {error}")

    def stop(self) -> None:
        """End it for good, with what it runs: whoever waits for its answer is told so by its pipe."""
        with self._starting:
            self._stopped = True
            _end(self._process)

    def release(self) -> None:
        """End it, and let go of its pipe. Nobody else may be waiting for its answer."""
        process, self._process = self._process, None
        _end(process)
        if process is not None and process.stdout is not None:
            process.stdout.close()

    def _asked(self, task: Task) -> bytes:
        process = self._started()
        if process.stdin is None or process.stdout is None:
            raise EOFError("it has no pipes")
        process.stdin.write(task.to_json() + b"\n")
        end = time.monotonic() + task.bounds.seconds + PATIENCE
        length = int.from_bytes(_exactly(process.stdout.fileno(), LENGTH, end), "big")
        return _exactly(process.stdout.fileno(), length, end)

    def _started(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._stopped:
                raise EOFError("it was stopped")
            if self._process is not None and self._process.poll() is not None:
                self.release()  # something ended it between two tasks
            if self._process is None:
                self._process = subprocess.Popen(  # noqa: S603 - this interpreter, without a shell
                    COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
                )
            return self._process


def _end(process: subprocess.Popen[bytes] | None) -> None:
    """Nobody asks any more: it sees that, and ends what it runs and itself."""
    if process is None:
        return
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(TIME_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _exactly(file: int, length: int, end: float) -> bytes:
    """So many bytes of a pipe. Raises `EOFError` when it ends before, or time does."""
    got = bytearray()
    while len(got) < length:
        if not select.select([file], [], [], max(0.0, end - time.monotonic()))[0]:
            raise EOFError("it does not answer")
        piece = os.read(file, min(PIECE, length - len(got)))
        if not piece:
            raise EOFError("it ended")
        got += piece
    return bytes(got)


def judged(tasks: Iterable[Task], jobs: int) -> Generator[Answer]:
    """The answers to all tasks, each as soon as it is there; at most so many repositories at once.

    Raises:
        UsageError: this system cannot fork.
    """
    if not hasattr(os, "fork"):
        raise UsageError("repositories are scanned in processes that fork: use Linux, macOS or WSL")
    waiting, free = iter(tasks), SimpleQueue[Nursery]()
    nurseries = [Nursery() for _ in range(jobs)]
    for nursery in nurseries:
        free.put(nursery)

    def run(task: Task) -> Answer:
        nursery = free.get()
        try:
            return nursery.answer(task)
        finally:
            free.put(nursery)

    open_ones: set[Future[Answer]] = set()
    try:
        with ThreadPoolExecutor(jobs) as threads:
            try:
                while True:
                    while len(open_ones) < AHEAD * jobs and (task := next(waiting, None)) is not None:
                        open_ones.add(threads.submit(run, task))
                    if not open_ones:
                        return
                    done, open_ones = wait(open_ones, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            finally:
                for future in open_ones:
                    future.cancel()
                for nursery in nurseries:
                    nursery.stop()
    finally:
        for nursery in nurseries:
            nursery.release()
