"""`rules`: the list of rules, as a table for people or as JSON for programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED
from agent_architecture.flags import PROGRAM, add_terminal, command_parser
from agent_architecture.render.terminal import style_of, width_of, write

if TYPE_CHECKING:
    from agent_architecture.contract import Scalar
    from agent_architecture.detector import Detector
    from agent_architecture.render.json import Json

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} rules
  {PROGRAM} rules --format json | jq -r '.[] | select(.axis == "safety") | .key'
"""


def parser() -> argparse.ArgumentParser:
    """The flags of `rules`."""
    made = command_parser(
        "rules",
        "List the rules.",
        EXAMPLES,
    )
    made.add_argument("--format", choices=("console", "json"), default="console", help="(default: console)")
    add_terminal(made)
    return made


def run(flags: argparse.Namespace) -> int:
    """Print the list."""
    from agent_architecture.contract import contract, scalars
    from agent_architecture.registry import load

    detectors = load()
    if flags.format == "json":
        from agent_architecture.render.json import json_text

        rows: list[Json] = [_row(detector, scalars()[detector.key]) for detector in detectors]
        write(json_text(rows), encoding="utf-8")
        return PASSED

    from agent_architecture.render.rules import render_rules

    width = flags.width or width_of(None)
    write(render_rules(detectors, contract().scalars, width=width, style=style_of(None, flags.color)))
    return PASSED


def _row(detector: Detector, scalar: Scalar) -> dict[str, Json]:
    return {
        "key": scalar.key,
        "rule_id": scalar.rule_id,
        "title": detector.title,
        "axis": scalar.axis,
        "group": scalar.group,
        "impact": detector.impact.value,
        "effort": detector.effort.value,
        "range": [0, 1],
        "higher_is_better": scalar.higher_is_better,
        "recommendation": detector.fix,
        "references": list(detector.references),
    }
