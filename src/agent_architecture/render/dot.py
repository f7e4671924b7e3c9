"""The picture in the language of Graphviz. Text of the project stands in quoted strings, whose signs are escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.picture.parts import NodeKind
from agent_architecture.render.diagram import diagram
from agent_architecture.render.picture_words import COLOURS, MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.render.diagram import Box, Diagram
    from agent_architecture.report import Report

SHAPES: Final = {
    NodeKind.SOURCE: "note",
    NodeKind.AGENT: "oval",
    NodeKind.TOOL: "box",
    NodeKind.ROUTER: "diamond",
    NodeKind.MCP_SERVER: "component",
    NodeKind.MCP_CLIENT: "component",
    NodeKind.PEER: "hexagon",
    NodeKind.MEMORY: "cylinder",
}
RUN: Final = "cds"
LINES: Final = {Degree.RESOLVED: "solid", Degree.INFERRED: "dashed", Degree.GUESSED: "dotted"}


def render(report: Report, by: str, *, fold: bool = False) -> str:
    """The digraph, with a final newline."""
    return "\n".join(_lines(diagram(report, by, fold=fold), report.project.name)) + "\n"


def _lines(drawn: Diagram, name: str) -> Iterator[str]:
    yield f"digraph {quoted(name)} {{"
    yield '  rankdir=LR; node [fontname="sans-serif", style=filled]; edge [fontname="sans-serif", fontsize=10]'
    groups = list(dict.fromkeys(box.group for box in drawn.boxes))
    for number, group in enumerate(groups):
        if group:
            yield f"  subgraph cluster_{number} {{ label={quoted(group)}; style=rounded"
        yield from (f"    {_box(at, box)}" for at, box in enumerate(drawn.boxes) if box.group == group)
        if group:
            yield "  }"
    for arrow in drawn.arrows:
        ends = f"n{arrow.source} -> n{arrow.target}"
        yield f"  {ends} [label={quoted(arrow.words)}, style={LINES[arrow.degree]}]"
    yield "}"


def _box(at: int, box: Box) -> str:
    shape = "folder" if box.kind == "group" else SHAPES.get(NodeKind(box.kind), RUN)
    ground, border = COLOURS[box.severity]
    words = [box.name, *box.lines, *filter(None, [MARKS[box.severity]])]
    label = "\\n".join(quoted(word)[1:-1] for word in words)
    return f'n{at} [label="{label}", shape={shape}, fillcolor="{ground}", color="{border}"]'


def quoted(text: str) -> str:
    """A text as a quoted string; a backslash in it is one, not the start of an escape."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
