"""`explain`: one rule on one screen, fitted to the libraries of the current folder, its whole page on demand; or what
is seen at one line of a file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.fixes import plain
from agent_architecture.flags import PROGRAM, add_terminal, command_parser
from agent_architecture.render.terminal import show, style_of, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.render.rule_help import LibraryFix
    from agent_architecture.semantics.rows import FixRow

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} explain loop-guard-absence
  {PROGRAM} explain loop-guard --full
  {PROGRAM} explain src/agent.py:42
"""
MANIFESTS: Final = ("pyproject.toml", "requirements*.txt", "setup.*", "Pipfile", "package.json", "uv.lock")
"""Where the current folder has none of these, it is no project, and nothing is read for it."""
MOST: Final = 4
"""Libraries whose fix is shown."""


def parser() -> argparse.ArgumentParser:
    """The flags of `explain`."""
    made = command_parser(
        "explain", "What a rule finds, why it matters, how to fix it here; or what is seen at a line.", EXAMPLES
    )
    rule = "a rule id, a key, or the unique beginning of one; or FILE:LINE: what is seen there, and why, or why not"
    made.add_argument("rule", metavar="RULE", help=rule)
    made.add_argument("--full", action="store_true", help="its whole page: how it is judged, with examples")
    made.add_argument("--no-pager", action="store_true", help="print what is longer than the terminal, too")
    add_terminal(made)
    return made


def run(flags: argparse.Namespace) -> int:
    """Show it."""
    file, _, line = flags.rule.rpartition(":")
    if file and line.isdigit():
        show(_line(Path(file), int(line), flags), pager=not flags.no_pager)
        return PASSED
    from agent_architecture.registry import load_one

    # A key as it is; `loop-guard` is short for the rule id `arxo/agent-loop-guard…`.
    is_whole = "/" in flags.rule or "_" in flags.rule
    detector = load_one(flags.rule if is_whole else f"arxo/agent-{flags.rule}")
    width, style = flags.width or width_of(None), style_of(None, flags.color)
    if flags.full:
        from agent_architecture.render.page import render_page
        from agent_architecture.render.rule_help import without_notes

        text = render_page(without_notes(detector.page), width=width, style=style)
    else:
        from agent_architecture.render.rule_help import one_screen

        text = one_screen(detector, _fixes(detector.key, Path.cwd()), width=width, style=style)
    show(text, pager=not flags.no_pager)
    return PASSED


def _line(file: Path, line: int, flags: argparse.Namespace) -> str:
    """What is seen at a line of the project that the current folder is in, or else the file."""
    from agent_architecture.render.line_help import line_screen
    from agent_architecture.seen import project_of, seen_at

    if not file.is_file():
        raise UsageError(f"{file} is not a file")
    here = Path.cwd()
    root = here if file.absolute().is_relative_to(here) else project_of(file)
    seen = seen_at(root, file, line)
    return line_screen(seen, width=flags.width or width_of(None), style=style_of(None, flags.color))


def _fixes(key: str, folder: Path) -> Sequence[LibraryFix]:
    """What closes the gap in the libraries that the project in the folder declares."""
    from agent_architecture.render.rule_help import LibraryFix

    if not any(path.is_file() for name in MANIFESTS for path in folder.glob(name)):
        return ()
    from agent_architecture.semantics.compiled import shipped_packs
    from agent_architecture.semantics.known_fixes import admits
    from agent_architecture.semantics.versions import read_versions
    from agent_architecture.sources.walk import WalkOptions, walk

    packs = shipped_packs()
    manifests = walk([folder], WalkOptions(include=("/nothing but manifests",))).manifests
    versions = read_versions(manifests, packs.newest, packs.known)
    declared = versions.dependencies()
    installed = {(found.ecosystem, found.name) for found in declared}
    owners = {
        (pack.id, package.ecosystem)
        for pack in packs.packs.values()
        for package in pack.packages
        if (package.ecosystem, package.name) in installed
    }

    def fits(row: FixRow) -> bool:
        """Whether a version of its library that the project has is among the row's."""
        main = packs.main_package(row.where.pack, row.ecosystem)
        paths = [found.path or "" for found in declared if (found.ecosystem, found.name) == (row.ecosystem, main)]
        return any(admits(row, versions.of(row.ecosystem, main, path).version) for path in paths or [""])

    rows = [row for row in packs.fixes if row.detector == key and (row.where.pack, row.ecosystem) in owners]
    return [LibraryFix(row.where.pack, row.ecosystem, plain(row.text)) for row in rows if fits(row)][:MOST]
