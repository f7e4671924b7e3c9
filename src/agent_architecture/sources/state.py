"""How a path looks from outside, as Git's index has it: what looks as it did has not changed."""

from __future__ import annotations

import os
import stat
from typing import Final

YOUNG: Final = 2_000_000_000
"""Nanoseconds. A file that changed so shortly before it was looked at may change again without looking different: the
times of some file systems go in steps of two seconds (FAT).
"""

State = tuple[int, ...]
"""How a path looks: its type, size, times and number; empty where there is nothing."""


def state_of(path: str) -> State:
    """How a path looks; of a repository only whether it is there, for it changes with every command of Git."""
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    kind = stat.S_IFMT(found.st_mode)
    if path.endswith("/.git"):
        return (kind,)
    return kind, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def is_old(state: State, now: int, young: int = YOUNG) -> bool:
    """Whether what looked like this at a time (in nanoseconds) would look different after any change since."""
    return max(state[2:4], default=0) < now - young
