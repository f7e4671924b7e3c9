"""`analyze --fix`, `--diff`: the repairs of a project, tried in memory, then written or shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.errors import PASSED, VIOLATED, UsageError
from agent_architecture.fixing.applied import applied
from agent_architecture.fixing.difference import difference
from agent_architecture.fixing.edit import Applicability
from agent_architecture.fixing.repairs import repairs_of
from agent_architecture.fixing.trying import trying
from agent_architecture.fixing.written import Files
from agent_architecture.render.counted import counted
from agent_architecture.render.fixable import Fixable
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import complain, write
from agent_architecture.session import Session

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from agent_architecture.config import Config
    from agent_architecture.fixing.applied import Applied
    from agent_architecture.pipeline import Progress
    from agent_architecture.report import Outcome, Report


def check(flags: argparse.Namespace) -> None:
    """Refuse flags that do not go together. Raises `UsageError`."""
    wants = "--diff" if flags.diff else "--fix" if flags.fix else ""
    if wants and flags.add_ignore:
        raise UsageError(f"{wants} and --add-ignore do not go together: mend first, then ignore what is left")
    if wants and any(str(path) == "-" for path in flags.paths):
        raise UsageError(f"{wants} needs files: standard input is judged alone, and nothing can be written to it")


def fixed(paths: Sequence[Path], root: Path, config: Config, progress: Progress, *, unsafe: bool) -> Outcome:
    """Write the repairs of a project, and give what is left of it."""
    files = Files(root, config.data.max_file_size)
    done = _applied(paths, root, config, files, progress, unsafe=unsafe)
    files.write(done.texts)
    _tell(done)
    return done.outcome


def show(paths: Sequence[Path], root: Path, config: Config, progress: Progress, *, unsafe: bool) -> int:
    """Show what `fixed` would write, and give the exit code: 1 where it would write something."""
    files = Files(root, config.data.max_file_size)
    done = _applied(paths, root, config, files, progress, unsafe=unsafe)
    for path, text in sorted(done.texts.items()):
        write(difference(path, files.text(path) or b"", text), encoding="utf-8")
    _tell(done, "would fix")
    return VIOLATED if done.texts else PASSED


def fixable(report: Report, root: Path, config: Config, *, unsafe: bool) -> Fixable:
    """The places of a report that `--fix` mends, and how many more it would with `--unsafe-fixes`."""
    content, files = config.data.content, Files(root, config.data.max_file_size)
    found = repairs_of(report, files.text if content is None else lambda _: content)
    marked = [one for one in found if unsafe or one.applicability is Applicability.SAFE]
    return Fixable(frozenset((one.key, one.place) for one in marked), len(marked), len(found) - len(marked))


def _applied(  # noqa: PLR0913 - a run is asked with these
    paths: Sequence[Path], root: Path, config: Config, files: Files, progress: Progress, *, unsafe: bool
) -> Applied:
    return applied(trying(Session(paths, config), root, progress), files.text, unsafe=unsafe)


def _tell(done: Applied, verb: str = "fixed") -> None:
    """Say on standard error what was done, so that reports for programs stay what they are."""
    for repair in done.dropped:
        place = f"{repair.place.path}:{repair.place.line}"
        complain(visible(f"not fixed: {place}: {repair.message} does not close the gap, or opens another"))
    more = f" ({done.left} more with --unsafe-fixes)" if done.left else ""
    complain(f"{verb} {counted(len(done.repairs), 'gap')} in {counted(len(done.texts), 'file')}{more}")
