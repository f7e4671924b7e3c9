"""A process that has read everything the analysis needs, and forks for each repository: `python -m …fleet.nursery`.

It reads a task a line and writes an answer, its length before it. A repository's process has bounds on time and memory
and a process group of its own, which is ended with it. When who asks goes away, all of it ends.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from agent_architecture.config import Config
from agent_architecture.fleet.judging import NO_MEMORY, answer
from agent_architecture.fleet.tasks import MEGABYTE, Answer, Task
from agent_architecture.pipeline import judged, program_of
from agent_architecture.registry import load
from agent_architecture.semantics.manifests.versions import read_versions
from agent_architecture.semantics.packs.compiled import shipped_packs
from agent_architecture.sources.walk import walk_text

if TYPE_CHECKING:
    from agent_architecture.semantics.packs.packs import Packs

POLL: Final = 0.05
"""Seconds between two looks at the memory of a process."""
LARGEST: Final = 256 * MEGABYTE
"""Bytes of an answer: no project that people wrote comes near it."""
ROOM: Final = 2048 * MEGABYTE
"""Addresses beside the memory that is allowed: the program itself, and the stack that is reserved for recursion."""
LENGTH: Final = 8
"""Bytes that say how long an answer is."""
GRACE: Final = 30
"""Seconds after which a process ends by itself, should this one not have ended it."""
SAMPLE: Final = b"""\
from agents import Agent, Runner, function_tool

@function_tool
def look(path: str) -> str:
    return open(path).read()

agent = Agent(name="sample", tools=[look])

def main(question: str) -> None:
    print(Runner.run_sync(agent, question, max_turns=5))
"""
"""What is judged once, so that everything that it takes is loaded."""


def main() -> None:
    """Answer tasks until nobody asks any more."""
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever prints, prints nothing
    packs = _warmed()
    gc.collect()
    gc.freeze()
    for line in iter(sys.stdin.buffer.readline, b""):
        data = _judged_apart(Task.from_json(line), packs)
        with os.fdopen(os.dup(answers), "wb") as stream:
            stream.write(len(data).to_bytes(LENGTH, "big") + data)


def _warmed() -> Packs:
    packs = shipped_packs(cached=True)
    walked = walk_text(Path("sample.py"), SAMPLE)
    versions = read_versions(walked.manifests, packs.newest, packs.known)
    judged(walked, Config(), packs, versions, program_of(walked, packs), lambda _: None)
    for detector in load():
        detector.read_page()
    return packs


def _judged_apart(task: Task, packs: Packs) -> bytes:
    """The answer to a task as bytes, from a process that is gone afterwards."""
    room = Path(tempfile.mkdtemp(prefix="agent-architecture-"))
    try:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            _child(task, packs, room, writing)
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            return _awaited(task, child, pipe.fileno())
    finally:
        shutil.rmtree(room, ignore_errors=True)


# --------------------------------------------------------------------------------------------------------------- child
def _child(task: Task, packs: Packs, room: Path, writing: int) -> NoReturn:
    """The repository's own process."""
    try:
        os.setsid()
        signal.alarm(int(task.bounds.seconds) + GRACE)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = task.bounds.memory * MEGABYTE + ROOM
        with contextlib.suppress(ValueError, OSError):  # not every system has this bound
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        data = answer(task, packs, room).to_json()
        with os.fdopen(writing, "wb") as stream:
            stream.write(len(data).to_bytes(LENGTH, "big") + data)
    finally:
        os._exit(0)


# -------------------------------------------------------------------------------------------------------------- parent
def _awaited(task: Task, child: int, pipe: int) -> bytes:
    """What the process wrote, or what became of it."""
    written, problem = _read(task, child, pipe)
    if problem:
        _end(child)
    if hasattr(os, "waitid"):  # macOS has it from Python 3.13 on
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # its number stays its own until its group is ended
        _end(child)
    _, status, usage = os.wait4(child, 0)
    size = int.from_bytes(written[:LENGTH], "big")
    whole = len(written) == LENGTH + size and size > 0
    if not problem and usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) > task.bounds.memory * MEGABYTE:
        problem = NO_MEMORY
    if not problem and not whole:
        problem = _death(status)
    return Answer(task.name, error=problem).to_json() if problem else bytes(written[LENGTH:])


def _read(task: Task, child: int, pipe: int) -> tuple[bytearray, str]:
    """All that the process writes, and why it has to be ended before it has ended itself."""
    written = bytearray()
    end = time.monotonic() + task.bounds.seconds
    while True:
        ready, _, _ = select.select([pipe, 0], [], [], POLL)
        if 0 in ready:  # nobody asks for two things at once: who asked is gone
            _end(child)
            raise SystemExit(1)
        if pipe in ready:
            piece = os.read(pipe, MEGABYTE)
            if not piece:
                return written, ""
            written += piece
            if len(written) > LARGEST:
                return written, "there is more to say of it than fits anywhere"
        if time.monotonic() > end:
            return written, f"it was not done after {task.bounds.seconds:g} seconds (--timeout)"
        if _memory(child) > task.bounds.memory * MEGABYTE:
            return written, NO_MEMORY


def _memory(process: int) -> int:
    """The bytes of memory that a process has; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:  # noqa: PTH123 - twenty times a second
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def _end(child: int) -> None:
    """End a process and all that it started; it may not have its own group yet."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)


def _death(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"its process ended without an answer (exit code {code})"
    try:
        return f"its process was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"its process was ended by signal {-code}"


if __name__ == "__main__":
    main()
