"""Where text goes: a stream or a file, what it can show, and writing to it. Knows no report and no flag."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from agent_architecture.errors import UsageError
from agent_architecture.regexes import regex
from agent_architecture.render.style import Style, wants_color, writes_unicode

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDEST: Final = 120
"""Where the terminal decides, text is no wider: nobody reads longer lines."""
WITHOUT_TERMINAL: Final = 100
_ADDRESS: Final = regex(r"https?://[\w.:~/-]+")
NARROWEST: Final = 40


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person watches this stream."""
    return stream is not None and not stream.closed and stream.isatty()


def progress_stream(*, quiet: bool = False) -> TextIO | None:
    """Where progress is shown: a person's terminal that can overwrite a line."""
    return sys.stderr if not quiet and is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb" else None


def style_of(target: Path | None, color: str) -> Style:
    """What the target can show: a file (UTF-8, coloured only by `always`), or standard output (None)."""
    if target is not None:
        return Style(color=color == "always")
    stream = sys.stdout
    wants = wants_color(color, os.environ, is_terminal=is_terminal(stream))
    return Style(color=wants, unicode=stream is None or writes_unicode(stream.encoding))


def width_of(target: Path | None) -> int:
    """Columns to use: COLUMNS or the terminal's, within reason; 100 where there is no terminal."""
    if target is not None or not is_terminal(sys.stdout):
        return WITHOUT_TERMINAL
    import shutil

    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


def repository_files(environment: Mapping[str, str]) -> str:
    """Where the files of a CI job's commit can be read, by what GitHub and GitLab tell; "" elsewhere."""
    server, name, commit = (environment.get(f"GITHUB_{key}", "") for key in ("SERVER_URL", "REPOSITORY", "SHA"))
    if not (server and name and commit):
        server, name, commit = environment.get("CI_PROJECT_URL", ""), "-", environment.get("CI_COMMIT_SHA", "")
    found = f"{server}/{name}/blob/{commit}/"
    return found if server and commit and _ADDRESS.fullmatch(found) else ""


def target_of(file: str | None) -> Path | None:
    """The file to write to, or None for standard output. A hopeless one is refused before any work is done.

    Raises:
        UsageError: it is a folder, or its folder does not exist.
    """
    if file is None or file == "-":
        return None
    target = Path(file)
    if target.is_dir():
        raise UsageError(f"cannot write {file}: it is a folder")
    if not target.parent.is_dir():
        raise UsageError(f"cannot write {file}: there is no folder {target.parent}")
    return target


def write(text: str, target: Path | None = None, *, encoding: str | None = None) -> None:
    r"""Write `text` to the file, in UTF-8, or to standard output, in its own encoding or the given one.

    What the encoding cannot hold (half a surrogate pair of a broken file name) is written out as `\udc80`.

    Raises:
        UsageError: the target cannot be written (no space, no permission).
        BrokenPipeError: the reader of standard output went away.
    """
    try:
        if target is not None:
            _write_whole(target, text.encode("utf-8", "backslashreplace"))
        elif sys.stdout is not None:
            data = text.encode(encoding or sys.stdout.encoding or "utf-8", "backslashreplace")
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"cannot write {target or 'standard output'}: {error.strerror}") from None


def _write_whole(target: Path, data: bytes) -> None:
    """Write a file whole or not at all; what is no regular file (a pipe) is written as it comes."""
    real = Path(os.path.realpath(target))
    unfinished = real.with_name(f".{real.name[:100]}.{os.getpid()}")
    is_new = not real.exists()
    if not (is_new or real.is_file()) or not os.access(real.parent, os.W_OK):
        real.write_bytes(data)
        return
    try:
        unfinished.write_bytes(data)
        if not is_new:
            unfinished.chmod(stat.S_IMODE(real.stat().st_mode))
        unfinished.replace(real)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def show(text: str, *, pager: bool = True) -> None:
    """Write `text` to standard output: through the user's pager where a person would have to scroll back."""
    if not pager or not is_terminal(sys.stdout) or not is_terminal(sys.stdin) or os.environ.get("TERM") == "dumb":
        write(text)
        return
    import shutil

    if text.count("\n") < shutil.get_terminal_size().lines or not _paged(text):
        write(text)


def _paged(text: str) -> bool:
    """Whether a pager showed it: `$PAGER`, else `less`."""
    import shlex
    import shutil
    import subprocess

    command = shlex.split(os.environ.get("PAGER") or "less -R")
    if not command or shutil.which(command[0]) is None:
        return False
    data = text.encode(sys.stdout.encoding or "utf-8", "backslashreplace")
    return subprocess.run(command, input=data, check=False).returncode == 0  # noqa: S603 - the user's own pager


def complain(text: str) -> None:
    """One message on standard error, if there is anyone to read it."""
    if sys.stderr is not None:
        sys.stderr.write(text + "\n")


def drop_output() -> None:
    """Point standard output nowhere, so that Python's last flush does not complain about a closed pipe."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
