"""The list of rules as an aligned table. Knows detectors by what they declare, not by what they look for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from agent_architecture.render.safe import pad
from agent_architecture.render.style import BOLD, CYAN, DIM, Style

if TYPE_CHECKING:
    from agent_architecture.contract import Scalar
    from agent_architecture.detector import Detector

HEAD: Final = ("key", "axis", "rule id", "impact", "effort", "title")


def render_rules(detectors: Sequence[Detector], contract: Sequence[Scalar], *, width: int, style: Style) -> str:
    """One line a detector, in contract order, and how many of the contract's rules are not written yet."""
    axes = {scalar.name: scalar.axis or "none" for scalar in contract}
    if not detectors:
        return f"none of the {len(contract)} rules is written yet\n"
    rows = [(it.key, axes[it.key], it.rule_id, it.impact.value, it.effort.value, it.title) for it in detectors]
    sizes = [max(len(row[column]) for row in (HEAD, *rows)) for column in range(len(HEAD) - 1)]
    head = style.paint(_line(HEAD, sizes, width, style), BOLD)
    lines = [head, *(_row(row, sizes, width, style) for row in rows)]
    missing = len(contract) - len(detectors)
    written = f"{len(detectors)} of {len(contract)} rules" + (f"; {missing} are not written yet" if missing else "")
    return "\n".join([*lines, "", style.paint(written, DIM)]) + "\n"


def _row(row: tuple[str, ...], sizes: list[int], width: int, style: Style) -> str:
    line = _line(row, sizes, width, style)
    return style.paint(line[: sizes[0]], CYAN) + line[sizes[0] :]


def _line(row: tuple[str, ...], sizes: list[int], width: int, style: Style) -> str:
    """The fixed columns in full, then the title, cut where the line is full unless there is no room for it at all."""
    fixed = "  ".join(pad(cell, size) for cell, size in zip(row, sizes, strict=False))
    room = width - len(fixed) - 2
    return f"{fixed}  {style.cut(row[-1], room) if room >= len(HEAD[-1]) * 4 else style.safe(row[-1])}"
