"""The picture as a Mermaid flowchart, for Markdown pages. No text of the project can end a label or say anything else
to Mermaid: all of its signs are written as entities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.model.confidence import Degree
from agent_architecture.picture.parts import NodeKind
from agent_architecture.render.diagram import diagram
from agent_architecture.render.picture_words import COLOURS, MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.render.diagram import Box, Diagram
    from agent_architecture.report import Report

SHAPES: Final = {
    NodeKind.SOURCE: (">", "]"),
    NodeKind.AGENT: ("([", "])"),
    NodeKind.TOOL: ("[", "]"),
    NodeKind.ROUTER: ("{", "}"),
    NodeKind.MCP_SERVER: ("[[", "]]"),
    NodeKind.MCP_CLIENT: ("[[", "]]"),
    NodeKind.PEER: ("{{", "}}"),
    NodeKind.MEMORY: ("[(", ")]"),
}
"""The signs around a label; all others are runs."""
RUN: Final = ("[/", "/]")
FOLDED: Final = ("[", "]")
DASHES: Final = {Degree.INFERRED: "8 4", Degree.GUESSED: "2 4"}
"""How a line is broken by how it is known."""
PLAIN: Final = frozenset(" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,()")


def render(report: Report, by: str, *, fold: bool = False) -> str:
    """The flowchart, with a final newline."""
    return "\n".join(_lines(diagram(report, by, fold=fold))) + "\n"


def _lines(drawn: Diagram) -> Iterator[str]:
    yield "flowchart LR"
    groups = list(dict.fromkeys(box.group for box in drawn.boxes))
    for number, group in enumerate(groups):
        if group:
            yield f'  subgraph g{number}["{escaped(group)}"]'
        for at, box in enumerate(drawn.boxes):
            if box.group == group:
                yield f"    {_box(at, box)}"
        if group:
            yield "  end"
    for arrow in drawn.arrows:
        yield f'  n{arrow.source} -->|"{escaped(arrow.words)}"| n{arrow.target}'
    for degree, dashes in DASHES.items():
        numbers = ",".join(str(at) for at, arrow in enumerate(drawn.arrows) if arrow.degree is degree)
        if numbers:
            yield f"  linkStyle {numbers} stroke-dasharray:{dashes}"
    for severity in sorted({box.severity for box in drawn.boxes}):
        ground, border = COLOURS[severity]
        yield f"  classDef {severity} fill:{ground},stroke:{border},color:#1c2126,stroke-width:{_width(severity)}"


def _box(at: int, box: Box) -> str:
    left, right = FOLDED if box.kind == "group" else SHAPES.get(NodeKind(box.kind), RUN)
    lines = [f"<b>{escaped(box.name)}</b>", *map(escaped, box.lines), *filter(None, [escaped(MARKS[box.severity])])]
    return f'n{at}{left}"{"<br/>".join(lines)}"{right}:::{box.severity}'


def _width(severity: Severity) -> str:
    return "3px" if severity in {Severity.HIGH, Severity.CRITICAL} else "1px"


def escaped(text: str) -> str:
    """A text as a label holds it: every sign that Mermaid or HTML could read is an entity."""
    return "".join(char if char in PLAIN or not char.isascii() else f"#{ord(char)};" for char in text)
