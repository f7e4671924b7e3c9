"""The picture of the system for the page: nodes, edges and ways by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.vocabulary import ORIGINS
from agent_architecture.parts import owner_of
from agent_architecture.picture.parts import NodeKind
from agent_architecture.render.html.items import DEGREES
from agent_architecture.render.inventory import limit_words
from agent_architecture.render.picture_words import HOW_MUCH, KINDS, check_words, doing_words, lines_of
from agent_architecture.render.safe import visible
from agent_architecture.scoring import SEVERITY_RANK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.picture.parts import Check, Doing, Edge, Node, Way
    from agent_architecture.render.html.texts import Texts
    from agent_architecture.render.json import Json
    from agent_architecture.render.seen import Seen
    from agent_architecture.report import Report


def system_of(report: Report, seen: Sequence[Seen], texts: Texts) -> dict[str, Json]:
    """The picture, and the words for its kinds."""
    at = {one.node.id: number for number, one in enumerate(seen)}
    return {
        "kinds": {kind.value: word for kind, word in KINDS.items()},
        "nodes": [_node(one, report, texts) for one in seen],
        "edges": [_edge(edge, at, texts) for edge in report.picture.edges],
        "ways": [_way(way, at, texts) for way in report.picture.ways],
    }


def _node(one: Seen, report: Report, texts: Texts) -> dict[str, Json]:
    node = one.node
    part = owner_of(node.span.path, report.parts) if report.parts else None
    return {
        "kind": node.kind,
        "name": visible(node.name),
        "lines": [visible(line) for line in lines_of(node).does],
        "path": texts(node.span.path),
        "line": node.span.line,
        "end": node.span.end_line,
        "framework": texts(node.framework),
        "part": texts("" if part is None else part.path),
        "degree": DEGREES.index(node.degree),
        "severity": SEVERITY_RANK[one.severity],
        "does": [_doing(doing, texts) for doing in node.does],
        "checks": [_check(check, texts) for check in node.checks],
        "notes": [visible(note) for note in (*node.notes, *_limits(node, report), *_brings(node))],
    }


def _limits(node: Node, report: Report) -> list[str]:
    """What ends a run, or the runs of an agent."""
    facts = report.project
    found = [limit_words(site, facts) for site in facts.sites if (site.span, site.symbol) == (node.span, node.name)]
    found += [limit_words(one, facts) for one in facts.agents if (one.span, one.symbol) == (node.span, node.name)]
    return found[:1]


def _brings(node: Node) -> list[str]:
    if not node.origins or node.kind is NodeKind.SOURCE:
        return []
    return [f"its results are {', '.join(ORIGINS[origin] for origin in node.origins)}"]


def _edge(edge: Edge, at: dict[str, int], texts: Texts) -> list[Json]:
    checks: list[Json] = [_check(check, texts) for check in edge.checks]
    degree = DEGREES.index(edge.degree)
    return [at[edge.source], at[edge.target], str(edge.kind), degree, texts(edge.span.path), edge.span.line, checks]


def _way(way: Way, at: dict[str, int], texts: Texts) -> dict[str, Json]:
    return {
        "origins": [ORIGINS[origin] for origin in way.origins],
        "path": texts(way.entry.path),
        "line": way.entry.line,
        "nodes": [at[node] for node in way.nodes],
        "edges": list(way.edges),
        "does": _doing(way.does, texts),
        "checks": [_check(check, texts) for check in way.checks],
    }


def _doing(doing: Doing, texts: Texts) -> list[Json]:
    return [doing_words(doing), HOW_MUCH[doing.shaped], visible(doing.symbol), texts(doing.span.path),
            doing.span.line]  # fmt: skip


def _check(check: Check, texts: Texts) -> list[Json]:
    place: list[Json] = [-1, 0] if check.span is None else [texts(check.span.path), check.span.line]
    return [visible(check_words(check)), check.blocks, *place]
