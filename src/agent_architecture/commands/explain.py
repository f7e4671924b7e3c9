"""`explain`: one rule on one screen, fitted to the libraries of the current folder, its whole page on demand; or what
is seen at one line of a file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, add_terminal, command_parser
from agent_architecture.render.terminal import show, style_of, width_of

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} explain loop-guard-absence
  {PROGRAM} explain loop-guard --full
  {PROGRAM} explain src/agent.py:42
"""


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
        from agent_architecture.library_fixes import library_fixes
        from agent_architecture.render.rule_help import one_screen

        fixes = library_fixes(detector.key, Path.cwd())
        text = one_screen(detector, fixes.shown, fixes.written, width=width, style=style)
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
