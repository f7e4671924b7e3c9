"""The objects of a git repository, asked of two git processes that are started with the server: no tool starts a
program, and what a client names reaches git as the name of an object, never as an argument.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from agent_architecture.errors import UsageError
from agent_architecture.policy.git_tree import LACKING, MAX_REF, checked_ref, command_of, environment, folder_in_git
from agent_architecture.records import NamedTuple

MAX_TREE: Final = 50_000_000
"""Bytes of one folder's list."""
WORDS: Final = 3
"""Of an answer: id, type, size."""
PATIENCE: Final = 10.0
"""Seconds for which a question waits for git to start."""
SHORTEST: Final = 0.02
LONGEST: Final = 2.0
"""Seconds until git is started anew, more for each time that it ends at once."""


class Found(NamedTuple):
    """An object: its id, its type, and how many bytes it has."""

    id: str
    kind: str
    size: int


class Entry(NamedTuple):
    """One entry of a folder: its mode (`40000`: a folder), its name, and the id of its content."""

    mode: str
    name: str
    object: str


class Objects:
    """The repository that holds a folder. Any thread may ask; one asks at a time."""

    def __init__(self, folder: Path, prefix: str) -> None:
        """`prefix` leads from the top of the repository to the folder: "" or "a/b/"."""
        self.folder = folder
        self.prefix = prefix
        self._looking = _Git(folder, "--batch-check")
        self._reading = _Git(folder, "--batch")

    def close(self) -> None:
        """End both processes."""
        self._looking.close()
        self._reading.close()

    def commit(self, ref: str) -> str:
        """The id of the commit that a ref means.

        Raises:
            UsageError: there is none, or it can be no ref.
        """
        checked_ref(ref)
        found = self._looking.ask(f"{ref}^{{commit}}")[0]
        if found is None:
            raise UsageError(f"there is no git ref {ref} here (and no such file); fetch it first, or name a report")
        return found.id

    def look(self, name: str) -> Found:
        """What an object is, by its id or what leads to it (`COMMIT^{tree}`).

        Raises:
            UsageError: it is missing.
        """
        found = self._looking.ask(name)[0]
        if found is None:
            raise UsageError(LACKING.format(name))
        return found

    def content(self, found: Found) -> bytes:
        """The content of an object.

        Raises:
            UsageError: it is missing.
        """
        again, data = self._reading.ask(found.id, found.size)
        if again != found or len(data) <= found.size:
            raise UsageError(LACKING.format(found.id))
        return data[: found.size]

    def entries(self, tree: str) -> Iterator[Entry]:
        """What stands in the folder that an id, or what leads to it, is of.

        Raises:
            UsageError: it is missing, damaged, or larger than a folder is.
        """
        found = self.look(tree)
        if found.kind != "tree" or found.size > MAX_TREE:
            raise UsageError("a folder of the git ref is none, or too large to compare with")
        width, data, at = len(found.id) // 2, self.content(found), 0
        while at < len(data):
            space, zero = data.find(b" ", at), data.find(b"\0", at)
            end = zero + 1 + width
            if not at < space < zero or end > len(data):
                raise UsageError(LACKING.format(tree))
            name = data[space + 1 : zero].decode("utf-8", "surrogateescape")
            yield Entry(data[at:space].decode("ascii", "replace"), name, data[zero + 1 : end].hex())
            at = end


class _Git:
    """One git process that answers one question at a time. Some questions end it: then a thread that was started with
    the server starts it anew.
    """

    def __init__(self, folder: Path, way: str) -> None:
        self._command = command_of(folder, "cat-file", way)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._keep, daemon=True).start()

    def ask(self, name: str, size: int | None = None) -> tuple[Found | None, bytes]:
        """What git says of a name (None: it has none of that name, or ends), and the content of what has this size,
        with the line feed behind it.

        Raises:
            UsageError: git does not run.
        """
        with self._lock:
            process = self._running()
            if process.stdin is None or process.stdout is None:
                return None, b""
            found = None
            with suppress(OSError, ValueError):  # it has ended, and its pipes are closed
                process.stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
                process.stdin.flush()
                line = process.stdout.readline(2 * MAX_REF + 100)
                if line.endswith(b"\n"):
                    found = _found(line.split())
                    wanted = found is not None and found.size == size
                    return found, process.stdout.read(found.size + 1) if found is not None and wanted else b""
            process.kill()
            process.wait()
            return None, b""

    def close(self) -> None:
        """End it for good."""
        self._closed.set()
        if self._process is not None:
            self._process.kill()

    def _running(self) -> subprocess.Popen[bytes]:
        until = time.monotonic() + PATIENCE
        while (process := self._process) is None or process.poll() is not None:
            if time.monotonic() > until:
                raise UsageError("git does not answer")
            time.sleep(SHORTEST)
        return process

    def _keep(self) -> None:
        pause = 0.0
        while not self._closed.wait(pause):
            begun = time.monotonic()
            try:
                process = subprocess.Popen(  # noqa: S603 - no shell; see git_tree.HARMLESS
                    self._command,
                    env=environment(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            except OSError:
                return
            with process:
                self._process = process
                process.wait()
            lasted = time.monotonic() - begun
            pause = SHORTEST if lasted > LONGEST else min(2 * pause + SHORTEST, LONGEST)


def objects_of(folder: Path) -> Objects | None:
    """The repository that holds a folder; None where there is none, or no git."""
    try:
        return Objects(folder, folder_in_git(folder))
    except UsageError:
        return None


def _found(words: list[bytes]) -> Found | None:
    if len(words) != WORDS or not words[2].isdigit():
        return None
    return Found(words[0].decode(), words[1].decode(), int(words[2]))
