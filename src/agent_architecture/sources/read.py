"""The bytes of one regular file, and nothing else's: no device, pipe or socket is ever opened for reading.

It knows the operating system; it must not know what the bytes mean.
"""

from __future__ import annotations

import os
import stat
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Notice

# Without O_NONBLOCK, opening a pipe waits for its writer; O_NOFOLLOW because a file may become a link after it was
# listed.
_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
)


class Content(NamedTuple):
    """What was read; `data` is None when nothing was, and then `notice` says why unless nobody needs to know."""

    data: bytes | None
    notice: Notice | None = None


def read(real: str, shown: str, limit: int, *, only_scripts: bool = False) -> Content:
    """Read the file at the absolute path `real`, whose path in notices is `shown`.

    Args:
        real: the path to open, itself no symbolic link.
        shown: the path relative to the scanned root.
        limit: the most bytes to read; a larger file gives a notice.
        only_scripts: give up, silently, unless the first two bytes are `#!`.
    """
    try:
        if not stat.S_ISREG(os.lstat(real).st_mode):  # opening a device can already have an effect
            return Content(None, Notice(shown, None, "is not a regular file: not read"))
        handle = os.open(real, _FLAGS)
    except OSError as error:
        return Content(None, Notice(shown, None, f"cannot be read: {error.strerror or error}"))
    try:
        return _content(handle, shown, limit, only_scripts=only_scripts)
    except OSError as error:
        return Content(None, Notice(shown, None, f"cannot be read: {error.strerror or error}"))
    finally:
        os.close(handle)


def _content(handle: int, shown: str, limit: int, *, only_scripts: bool) -> Content:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        return Content(None, Notice(shown, None, "is not a regular file: not read"))
    head = b""
    if only_scripts:
        head = os.read(handle, 2)
        if head != b"#!":
            return Content(None)
    if status.st_size > limit:
        return Content(
            None, Notice(shown, None, f"has {status.st_size} bytes, more than the limit of {limit}: not read")
        )
    parts = [head] if head else []
    size = len(head)
    # At least one byte more than it has, to see that it ends there.
    while size <= limit and (part := os.read(handle, max(status.st_size + 1 - size, 1 << 16))):
        parts.append(part)
        size += len(part)
    if size > limit:  # it grew while it was read
        return Content(None, Notice(shown, None, f"has more bytes than the limit of {limit}: not read"))
    return Content(b"".join(parts))
