"""`graph`: the agent system as a picture, for documents and other tools."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED
from agent_architecture.flags import PROGRAM, add_configuration, add_files, command_parser
from agent_architecture.render.terminal import complain, target_of, write

if TYPE_CHECKING:
    from agent_architecture.report import Report

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} graph                                  a Mermaid flowchart of the current folder
  {PROGRAM} graph . --format dot -o agents.dot     for Graphviz
  {PROGRAM} graph . --fold                         one box a file: for large projects
  {PROGRAM} graph . --format json | jq '.ways'     untrusted text that reaches effects

Solid lines are resolved, dashed ones inferred, dotted ones guessed. `{PROGRAM} analyze --format html` draws the
same picture for people who want to look around in it.
"""


def parser() -> argparse.ArgumentParser:
    """The flags of `graph`."""
    made = command_parser(
        "graph",
        "Draw the agents, runs, tools, servers and memories below PATH, what ties them together, and how grave\n"
        "what was found at each is.",
        EXAMPLES,
        usage=f"{PROGRAM} graph [PATH ...] [FLAGS]",
    )
    made.add_argument(
        "paths", metavar="PATH", nargs="*", type=Path, help="folders or files (default: the current folder)"
    )
    made.add_argument("--format", choices=("mermaid", "dot", "json"), default="mermaid", help="(default: mermaid)")
    made.add_argument("-o", "--output", metavar="FILE", help="write to this file; - is standard output (default)")
    made.add_argument(
        "--group",
        choices=("file", "framework", "none"),
        default="file",
        help="what stands in one frame (default: file)",
    )
    made.add_argument("--fold", action="store_true", help="one box for each file or framework; not for json")
    add_files(made.add_argument_group("files"))
    add_configuration(made.add_argument_group("configuration"))
    return made


def run(flags: argparse.Namespace) -> int:
    """Draw it."""
    from agent_architecture.commands.scanned import scanned

    target = target_of(flags.output)
    report = scanned(flags).report
    if not report.picture.nodes:
        complain("there is nothing to draw: no agent, tool, server or run was found")
    write(_text(report, flags), target, encoding="utf-8")
    return PASSED


def _text(report: Report, flags: argparse.Namespace) -> str:
    if flags.format == "json":
        from agent_architecture.render import picture_json

        return picture_json.render(report)
    if flags.format == "dot":
        from agent_architecture.render import dot

        return dot.render(report, flags.group, fold=flags.fold)
    from agent_architecture.render import mermaid

    return mermaid.render(report, flags.group, fold=flags.fold)
