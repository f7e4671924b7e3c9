"""An outcome as rows of the store's tables. Text of the project is made visible here; nothing is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.contract import scalars, short
from agent_architecture.findings import every_evidence
from agent_architecture.fleet.tables import FOUND
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.picture.parts import Node
    from agent_architecture.report import Outcome, ProjectFacts, Report
    from agent_architecture.sources.source import Span

Cell: TypeAlias = "str | int | float | bool | list[str] | None"
Row: TypeAlias = "dict[str, Cell]"
Rows: TypeAlias = "dict[str, list[Row]]"
"""The rows of a scan, by the name of their table."""

DIGITS: Final = 6
"""Digits after the point, as in a JSON report."""


def rows_of(outcome: Outcome, scan: str) -> Rows:
    """What a scan found, in the tables of `FOUND`, each in an order of its own."""
    report = outcome.report
    made: dict[str, Iterator[Sequence[Cell]]] = {
        "scores": _scores(report),
        "signals": ((short(key), _number(value)) for key, value in report.scores.signals),
        "findings": _findings(report),
        "agents": _agents(report.project),
        "tools": _tools(report.project),
        "servers": _servers(report.project),
        "credentials": _credentials(report.project),
        "edges": _edges(report),
        "notices": (
            (visible(one.path), one.line, visible(one.message), one.incomplete)
            for one in sorted(report.notices, key=lambda one: (one.path, one.line or 0, one.message))
        ),
    }
    return {
        table.name: [dict(zip(table.names, (scan, *row), strict=True)) for row in made[table.name]] for table in FOUND
    }


def summary_of(outcome: Outcome) -> Row:
    """What `scans` says of an outcome, but for its name and what was asked."""
    report = outcome.report
    return {
        "version": report.tool.version,
        "applicable": report.applicable,
        "incomplete": report.scores.incomplete,
        "files": sum(report.project.roles.values()),
        "sites": len(report.project.sites),
        "suppressed": len(report.suppressed),
        "health": _number(report.scores.health),
        "weakest": _number(report.scores.weakest),
        **{axis.axis: _number(axis.score) for axis in report.scores.axes},
    }


def _number(value: float) -> float:
    return round(float(value), DIGITS) + 0.0


def _place(span: Span) -> tuple[str, int]:
    return visible(span.path), span.line


def _scores(report: Report) -> Iterator[Sequence[Cell]]:
    for metric in report.scores.metrics:
        if metric.applicable:
            axis = scalars()[short(metric.key)].axis
            risk, counts = _number(metric.risk), (metric.judged, metric.unknown)
            yield short(metric.key), metric.rule_id, axis, risk, str(metric.severity), str(metric.confidence), *counts


def _findings(report: Report) -> Iterator[Sequence[Cell]]:
    for finding in report.findings:
        rule = (finding.rule_id, short(finding.key), str(finding.severity))
        for one in every_evidence(finding):
            if one.span is not None:
                said = (visible(one.symbol), visible(one.message), _number(one.risk), one.fingerprint)
                yield *rule, str(one.confidence), *_place(one.span), *said


def _agents(facts: ProjectFacts) -> Iterator[Sequence[Cell]]:
    for agent in facts.agents:
        yield visible(agent.symbol), agent.framework, str(agent.degree), len(agent.tools), *_place(agent.span)


def _tools(facts: ProjectFacts) -> Iterator[Sequence[Cell]]:
    for tool in facts.tools:
        parameters, effects = list(map(visible, tool.parameters)), sorted({effect.kind for effect in tool.effects})
        about = (visible(tool.name), tool.framework, str(tool.degree))
        yield *about, parameters, effects, *_place(tool.span)


def _servers(facts: ProjectFacts) -> Iterator[Sequence[Cell]]:
    for server in facts.servers:
        about = (visible(server.name), visible(server.transport), visible(server.target))
        yield server.role, *about, server.framework, *_place(server.span)


def _credentials(facts: ProjectFacts) -> Iterator[Sequence[Cell]]:
    for one in facts.credentials:
        yield visible(one.symbol), str(one.source), visible(one.owner), one.framework, *_place(one.span)


def _edges(report: Report) -> Iterator[Sequence[Cell]]:
    nodes = {node.id: node for node in report.picture.nodes}
    for edge in report.picture.edges:
        source, target = nodes[edge.source], nodes[edge.target]
        yield *_end(source), str(edge.kind), *_end(target), str(edge.degree), *_place(edge.span)


def _end(node: Node) -> tuple[str, str]:
    return str(node.kind), visible(node.name)
