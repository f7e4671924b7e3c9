"""The picture as a JSON value, for other tools: nodes, edges and ways, with the severity of what was found at each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.render.json import json_text
from agent_architecture.render.seen import seen_nodes

if TYPE_CHECKING:
    from agent_architecture.picture.parts import Check, Doing, Edge, Way
    from agent_architecture.render.json import Json
    from agent_architecture.render.seen import Seen
    from agent_architecture.report import Report
    from agent_architecture.sources.source import Span

SCHEMA_VERSION: Final = 1


def render(report: Report) -> str:
    """The picture as JSON text with a final newline."""
    return json_text(document(report))


def document(report: Report) -> dict[str, Json]:
    """Nodes have ids by which edges and ways name them; a way names its edges by their positions."""
    picture = report.picture
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": dict(report.tool._asdict()),
        "project": report.project.name,
        "nodes": [_node(one) for one in seen_nodes(report)],
        "edges": [_edge(edge) for edge in picture.edges],
        "ways": [_way(way) for way in picture.ways],
    }


def _node(one: Seen) -> dict[str, Json]:
    node = one.node
    return {
        "id": node.id,
        "kind": node.kind,
        "name": node.name,
        **place(node.span),
        "framework": node.framework,
        "degree": node.degree,
        "does": [_doing(doing) for doing in node.does],
        "checks": [_check(check) for check in node.checks],
        "notes": list(node.notes),
        "origins": list(node.origins),
        "severity": one.severity,
        "verdicts": len(one.rows),
    }


def _edge(edge: Edge) -> dict[str, Json]:
    ends = {"source": edge.source, "target": edge.target, "kind": edge.kind, "degree": edge.degree}
    return {**ends, **place(edge.span), "checks": [_check(check) for check in edge.checks]}


def _way(way: Way) -> dict[str, Json]:
    return {
        "origins": list(way.origins),
        "entry": place(way.entry),
        "nodes": list(way.nodes),
        "edges": list(way.edges),
        "does": _doing(way.does),
        "checks": [_check(check) for check in way.checks],
    }


def _doing(doing: Doing) -> dict[str, Json]:
    return {"kind": doing.kind, "shaped": doing.shaped, "symbol": doing.symbol, **place(doing.span)}


def _check(check: Check) -> dict[str, Json]:
    where: dict[str, Json] = {} if check.span is None else place(check.span)
    return {"name": check.name, "kind": check.kind, "blocks": check.blocks, **where}


def place(span: Span) -> dict[str, Json]:
    """Where something stands."""
    return {"path": span.path, "line": span.line}
