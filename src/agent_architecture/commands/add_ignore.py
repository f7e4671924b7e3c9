"""`analyze --add-ignore --reason TEXT`: hides what is found now, each finding by a comment on its line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.render.counted import counted
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import complain, write

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from agent_architecture.report import Outcome


def run(flags: argparse.Namespace, root: Path, analyze: Callable[[], Outcome], limit: int) -> int:
    """Analyse, write the comments, and say how many. Scores stay as they are.

    Raises:
        UsageError: the flags do not go together, the reason cannot stand in a comment, or a file cannot be written.
    """
    reason = _reason(flags)

    from agent_architecture.suppressions.write import Change, changes

    made = list(changes(analyze().report, root, reason, limit))
    written = [one for one in made if isinstance(one, Change)]
    for change in written:
        _write(change.file, change.data)
    for left in made:
        if not isinstance(left, Change):
            place = f"{left.path}:{left.line}" if left.line else left.path
            complain(visible(f"not written: {place}: {left.why}"))
    lines = sum(change.places for change in written)
    write(f"wrote {counted(lines, 'comment')} in {counted(len(written), 'file')}\n")
    return PASSED


def _reason(flags: argparse.Namespace) -> str:
    if not flags.add_ignore:
        raise UsageError("--reason goes with --add-ignore")
    reason = (flags.reason or "").strip()
    if not re.search(r"\w", reason):
        raise UsageError("--add-ignore needs --reason TEXT: why the findings are acceptable")
    from agent_architecture.suppressions.write import checked_reason

    return checked_reason(reason, "--reason")


def _write(file: Path, data: bytes) -> None:
    try:
        with file.open("r+b") as stream:  # what is there keeps its permissions
            stream.write(data)
            stream.truncate()
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from None
