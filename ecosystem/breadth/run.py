"""`./dev ecosystem --breadth FOLDER`: what is found in projects that nobody labelled, beside a count by plain words.

Each folder below FOLDER is one project, read in a process of its own with a time limit; nothing of it is run. For each
the table says how many entities of each kind the model has and, in brackets, how many places the count took for one of
that kind and the model has nothing there. The count knows only words (`ecosystem/breadth/forms.py`), so what it saw is
a question, not a label; read the lines (`--misses`) before anything is called missing. With `--resume FILE` every
result is a line of JSON there, and what already stands in it is not read again.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ecosystem.breadth import results
from ecosystem.breadth.results import FAILED, OK, TIMEOUT, Result
from ecosystem.breadth.text import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS: Final = 300
WORKER: Final = (sys.executable, "-m", "ecosystem.breadth.project")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read every project and print the table; exit code 1 when one was not read, in time or at all, 2 without one."""
    options = _parser().parse_args(arguments)
    absent = [name for name in options.project if not (options.folder / name).is_dir()]
    if absent or not options.folder.is_dir():
        print(f"ecosystem: there is no {', '.join(absent) or options.folder}", file=sys.stderr)
        return 2
    known = {one.project: one for one in _known(options.resume)}
    found: list[Result] = []
    for project in _projects(options.folder, options.project):
        result = known.get(project.name)
        if result is None:
            result = measure(project, options.timeout)
            if options.resume is not None:
                results.append(options.resume, result)
        found.append(result)
        print(f"{len(found)}: {project.name} {result.status}", file=sys.stderr, flush=True)
    print(as_text(found, misses=options.misses))
    return int(any(one.status != OK for one in found))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev ecosystem --breadth", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the checkouts are, one folder each")
    parser.add_argument("--project", action="append", default=[], help="only this one (may be repeated)")
    parser.add_argument("--timeout", type=float, default=SECONDS, metavar="SECONDS", help="for each (default: 300)")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep the results there, and go on where it ends")
    parser.add_argument("--misses", action="store_true", help="list the lines where only the count saw something")
    return parser


def _known(file: Path | None) -> tuple[Result, ...]:
    if file is None:
        return ()
    results.mend(file)
    return results.read(file)


def _projects(folder: Path, names: Sequence[str]) -> list[Path]:
    below = (path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith("."))
    return [path for path in below if not names or path.name in names]


def measure(project: Path, seconds: float, worker: Sequence[str] = WORKER) -> Result:
    """Read one project in a process of its own, which is ended, with all that it started, after so many seconds."""
    process = subprocess.Popen(
        [*worker, str(project.resolve())], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        out, error = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Result(project.name, TIMEOUT, f"not read in {seconds:g} seconds")
    if process.returncode:
        last = error.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return Result(project.name, FAILED, last[:200] or f"ended with {process.returncode}")
    return Result(project.name, OK, **json.loads(out))
