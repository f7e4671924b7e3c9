"""`diff OLD NEW`: what changed between two reports, or between two refs of the repository around the current folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED, VIOLATED
from agent_architecture.flags import PROGRAM, add_configuration, add_terminal, command_parser
from agent_architecture.render.terminal import progress_stream, style_of, target_of, width_of, write

if TYPE_CHECKING:
    from agent_architecture.changes import Changes
    from agent_architecture.config import Config
    from agent_architecture.policy.snapshots import Snapshot
    from agent_architecture.render.progress import Progress

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} diff origin/main                        the branch that is checked out, with what is not committed
  {PROGRAM} diff v1.0 v1.1 --format markdown
  {PROGRAM} diff before.json after.json --exit-code
"""
HERE: Final = "the working tree"


def parser() -> argparse.ArgumentParser:
    """The flags of `diff`."""
    made = command_parser(
        "diff",
        "Show what changed: scores, new and fixed findings, agents, tools, edges, servers, and tools that "
        "can do more.\nOLD and NEW are saved JSON reports or git refs; of a ref the current folder is analysed.",
        EXAMPLES,
    )
    made.add_argument("old", metavar="OLD", help="a saved JSON report, else a git ref")
    made.add_argument("new", metavar="NEW", nargs="?", help=f"the same (default: {HERE})")
    made.add_argument("--format", choices=("console", "json", "markdown"), default="console", help="(default: console)")
    made.add_argument("-o", "--output", metavar="FILE", help="write to this file; - is standard output (default)")
    made.add_argument("--exit-code", action="store_true", help="exit with 1 when something got worse")
    made.add_argument("-v", "--verbose", action="store_true", help="list everything instead of the first ten")
    add_configuration(made.add_argument_group("configuration"))
    add_terminal(made)
    return made


def run(flags: argparse.Namespace) -> int:
    """Compare; 1 only when `--exit-code` asks for it."""
    from agent_architecture.commands.configured import configured
    from agent_architecture.policy.diff import compare
    from agent_architecture.render.progress import progress_on

    target = target_of(flags.output)
    config = configured(flags, Path.cwd())
    with progress_on(progress_stream()) as progress:
        old, new = (_snapshot(name, config, progress) for name in (flags.old, flags.new))
    changes = compare(_followed(old, flags.old, flags.new), new)
    write(_text(changes, flags, target), target, encoding=None if flags.format == "console" else "utf-8")
    return VIOLATED if flags.exit_code and changes.worse else PASSED


def _snapshot(name: str | None, config: Config, progress: Progress) -> Snapshot:
    from agent_architecture.policy.baseline import of_ref, saved

    here = [Path()]
    if name is None:
        from agent_architecture.pipeline import analyze
        from agent_architecture.policy.snapshots import of_report

        return of_report(analyze(here, config, progress).report, HERE)
    return saved(Path(name)) if Path(name).is_file() else of_ref(name, here, config, progress)


def _followed(old: Snapshot, before: str, after: str | None) -> Snapshot:
    """The older side with the names that its files have in the newer one."""
    from agent_architecture.policy.baseline import followed
    from agent_architecture.policy.git_tree import last_change

    earlier, later = (
        "" if name is None else last_change(Path(name)) if Path(name).is_file() else name for name in (before, after)
    )
    return old if after is not None and not later else followed(old, Path.cwd(), earlier, later)


def _text(changes: Changes, flags: argparse.Namespace, target: Path | None) -> str:
    if flags.format == "json":
        from agent_architecture.render import json

        return json.json_text(json.changes(changes))
    if flags.format == "markdown":
        from agent_architecture.render import changes_markdown

        return changes_markdown.render(changes)
    from agent_architecture.render import changes_text
    from agent_architecture.render.view import View

    view = View(flags.width or width_of(target), style_of(target, flags.color), flags.verbose, lambda _, __: None)
    return changes_text.render(changes, view)
