"""The picture as boxes and arrows for the languages of diagrams: every node, or each file or library as one box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import strongest
from agent_architecture.records import NamedTuple
from agent_architecture.render.picture_words import KINDS, check_words, lines_of
from agent_architecture.render.safe import visible
from agent_architecture.render.seen import seen_nodes, worst

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agent_architecture.detector import Severity
    from agent_architecture.model.confidence import Degree
    from agent_architecture.picture.parts import Edge, Node
    from agent_architecture.render.seen import Seen
    from agent_architecture.report import Report

GROUPS: Final[dict[str, Callable[[Node], str]]] = {
    "file": lambda node: node.span.path,
    "framework": lambda node: node.framework or "by hand",
    "none": lambda _: "",
}
"""By what nodes are put together, and the name of a node's group."""
LONGEST: Final = 60
"""Characters of one line in a box."""


class Box(NamedTuple):
    """A node, or the nodes of a group as one (`kind` is then `group`). All text is safe to print."""

    group: str
    kind: str
    name: str
    lines: tuple[str, ...]
    severity: Severity


class Arrow(NamedTuple):
    """An arrow from one box to another, by their positions, with what is written on it."""

    source: int
    target: int
    words: str
    degree: Degree


class Diagram(NamedTuple):
    """What is drawn."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def diagram(report: Report, by: str, *, fold: bool = False) -> Diagram:
    """The picture of a report; `by` is a word of `GROUPS`, `fold` makes one box of each group."""
    seen = seen_nodes(report)
    if not fold:
        at = {one.node.id: number for number, one in enumerate(seen)}
        return Diagram(tuple(_box(one, by) for one in seen), tuple(_arrow(edge, at) for edge in report.picture.edges))
    groups: dict[str, list[Seen]] = {}
    for one in seen:
        groups.setdefault(GROUPS[by](one.node), []).append(one)
    names = sorted(groups)
    at = {one.node.id: names.index(GROUPS[by](one.node)) for one in seen}
    return Diagram(tuple(_folded(name, groups[name]) for name in names), _between(report.picture.edges, at))


def _box(one: Seen, by: str) -> Box:
    words = lines_of(one.node)
    lines = (words.kind, *words.does)
    return Box(_short(GROUPS[by](one.node)), one.node.kind, _short(words.name), tuple(map(_short, lines)), one.severity)


def _folded(name: str, own: Sequence[Seen]) -> Box:
    counts = ((word, sum(one.node.kind is kind for one in own)) for kind, word in KINDS.items())
    lines = tuple(f"{word} {count}" for word, count in counts if count)
    return Box("", "group", _short(name), lines, worst(one.severity for one in own))


def _arrow(edge: Edge, at: dict[str, int]) -> Arrow:
    checks = f" [{'; '.join(map(check_words, edge.checks))}]" if edge.checks else ""
    return Arrow(at[edge.source], at[edge.target], visible(f"{edge.kind}{checks}"), edge.degree)


def _between(edges: Iterable[Edge], at: dict[str, int]) -> tuple[Arrow, ...]:
    """The arrows between groups: one for all edges between two, known as its strongest is."""
    ties: dict[tuple[int, int], list[Edge]] = {}
    for edge in edges:
        ends = at[edge.source], at[edge.target]
        if ends[0] != ends[1]:
            ties.setdefault(ends, []).append(edge)
    return tuple(
        Arrow(*ends, ", ".join(dict.fromkeys(edge.kind for edge in own)), strongest(edge.degree for edge in own))
        for ends, own in sorted(ties.items())
    )


def _short(text: str) -> str:
    """A name or line as a box shows it: visible, and cut in its middle where it is very long."""
    shown = visible(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST // 2]}…{shown[-LONGEST // 2 + 1 :]}"
