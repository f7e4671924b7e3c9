"""The JSON report (`schema/report-v1.schema.json`): for programs, baselines and other tools.

Numbers are rounded here and nowhere else. It must not know how a number was reached; it adds nothing to the outcome.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from agent_architecture.changes import Changes, Gap
from agent_architecture.contract import METRIC
from agent_architecture.findings import Evidence, EvidenceKind, Finding
from agent_architecture.model.effects import Shaped
from agent_architecture.model.system import Agent, Dependency, Handoff, Site, Tool
from agent_architecture.parts import ProjectPart
from agent_architecture.regexes import regex
from agent_architecture.report import (
    DataRow,
    Outcome,
    ProjectFacts,
    Report,
    Server,
    SubjectRow,
    Suppressed,
    Table,
    Violation,
)
from agent_architecture.sources.source import Notice, Span

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"

SCHEMA_VERSION: Final = 1
SCHEMA_FILE: Final = Path(__file__).parents[1] / "schema" / "report-v1.schema.json"
"""The JSON Schema of what `render` returns."""

DIGITS: Final = 6
"""Digits after the point: below any difference that matters, above the noise of binary fractions."""

_COMMAND: Final = regex(r"##(?=(?:vso)?\[)")
"""Where a command begins that a CI obeys anywhere in a log."""
_INVISIBLE: Final = regex(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""Control, format and separator characters and lone surrogates: they could change how the text around them is shown."""


def render(outcome: Outcome, *, subjects: bool = False) -> str:
    """The outcome as JSON text with a final newline; `subjects` adds every verdict.

    Text is Unicode, except that control and invisible characters are escaped.
    """
    return json_text(document(outcome, subjects=subjects))


def json_text(value: Json) -> str:
    """A JSON value as text with a final newline: Unicode, except that control and invisible characters are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    return _COMMAND.sub(r"#\\u0023", _INVISIBLE.sub(_escape, text)) + "\n"


def _escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def document(outcome: Outcome, *, subjects: bool) -> dict[str, Json]:
    """The report as a JSON value (`schema/report-v1.schema.json`)."""
    report = outcome.report
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": report.tool.name, "version": report.tool.version},
        "project": _project(report),
        "results": [_result(report, subjects=subjects)],
        "violations": [_violation(violation) for violation in outcome.violations],
        "violations_count": len(outcome.violations),
        "decision": {"exit_code": outcome.decision.exit_code, "reasons": list(outcome.decision.reasons)},
        **({} if outcome.comparison is None else {"changes": changes(outcome.comparison)}),
    }


def _violation(violation: Violation) -> dict[str, Json]:
    return {
        "metric": violation.metric,
        "op": violation.op,
        "value": _number(violation.value),
        "actual": _number(violation.actual),
        "severity": violation.severity,
        "message": violation.message or violation.text,
        **({"baseline": True} if violation.baseline else {}),
    }


def changes(found: Changes) -> dict[str, Json]:
    """What changed, as a JSON value (`#/$defs/changes` of the schema)."""
    return {
        "before": found.before,
        "after": found.after,
        "worse": found.worse,
        "scores": [dict(score._asdict()) for score in found.scores],
        "new": [_gap(gap) for gap in found.new],
        "fixed": [_gap(gap) for gap in found.fixed],
        "added": [dict(part._asdict()) for part in found.added],
        "removed": [dict(part._asdict()) for part in found.removed],
        "grown": [{"tool": dict(item.tool._asdict()), "more": list(item.more)} for item in found.grown],
        "remarks": list(found.remarks),
    }


def _gap(gap: Gap) -> dict[str, Json]:
    return {name: value for name, value in gap._asdict().items() if name != "risk"}


def _number(value: float) -> float:
    return round(value, DIGITS) + 0  # adding 0 turns -0.0 into 0.0 and leaves a whole number whole


# ------------------------------------------------------------------------------------------------------------- project
def _project(report: Report) -> dict[str, Json]:
    facts, scores = report.project, report.scores
    return {
        "name": facts.name,
        "applicable": scores.applicable,
        "incomplete": scores.incomplete,
        "missing_detectors": list(scores.missing),
        "failed_detectors": [{"key": failure.key, "error": failure.error} for failure in scores.failed],
        "files": _files(facts),
        "frameworks": [_framework(dependency) for dependency in facts.frameworks],
        "sites": [_site(site) for site in facts.sites],
        "agents": [_agent(agent) for agent in facts.agents],
        "tools": [_tool(tool) for tool in facts.tools],
        "handoffs": [_handoff(handoff) for handoff in facts.handoffs],
        "servers": [_server(server) for server in facts.servers],
        "parts": [_part(part) for part in report.parts],
        "notices": [_notice(notice) for notice in report.notices],
        "configuration": facts.configuration or None,
        "suppressed": {
            "comments": sum(one.kind == "inSource" for one in report.suppressed),
            "configuration": sum(one.kind == "external" for one in report.suppressed),
        },
        "left_out": {**report.left_out._asdict(), "by": list(report.left_out.by)},
    }


def _part(part: ProjectPart) -> dict[str, Json]:
    scores: dict[str, Json] = {axis.axis: _number(axis.score) for axis in part.axes}
    applicable: dict[str, Json] = {axis.axis: axis.applicable for axis in part.axes}
    return {
        "path": part.path,
        "sites": part.sites,
        "health": _number(part.health),
        "axes": scores,
        "applicable": applicable,
    }


def _files(facts: ProjectFacts) -> dict[str, Json]:
    return {
        "total": sum(facts.roles.values()),
        "judged_role": facts.judged_role,
        "roles": {str(role): count for role, count in facts.roles.items()},
        "languages": dict(facts.languages),
    }


def _framework(dependency: Dependency) -> dict[str, Json]:
    return dict(dependency._asdict())


def _site(site: Site) -> dict[str, Json]:
    return {
        "path": site.span.path,
        "line": site.span.line,
        "end_line": site.span.end_line,
        "kind": site.kind,
        "framework": site.framework,
        "symbol": site.symbol,
        "degree": site.degree,
        "tools": sorted({tool.name for tool in site.tools}),
    }


def _place(span: Span, framework: str, symbol: str) -> dict[str, Json]:
    return {"path": span.path, "line": span.line, "framework": framework, "symbol": symbol}


def _agent(agent: Agent) -> dict[str, Json]:
    tools = sorted({tool.name for tool in agent.tools})
    return {**_place(agent.span, agent.framework, agent.symbol), "degree": agent.degree, "tools": tools}


def _tool(tool: Tool) -> dict[str, Json]:
    effects: list[Json] = [{"kind": kind, "shaped": shaped} for kind, shaped in sorted(_effects(tool).items())]
    known = {"degree": tool.degree, "name": tool.name, "effects": effects}
    return {**_place(tool.span, tool.framework, tool.symbol), **known}


def _effects(tool: Tool) -> dict[str, Shaped]:
    """The kinds of a tool's effects, each with the most that a model decides of one; records are none."""
    most: dict[str, Shaped] = {}
    for effect in tool.effects:
        if not effect.is_record:
            known = (most.get(effect.kind, Shaped.NOT), effect.shaped)
            most[effect.kind] = max(known, key=(Shaped.NOT, Shaped.UNKNOWN, Shaped.PARTLY, Shaped.WHOLLY).index)
    return most


def _server(server: Server) -> dict[str, Json]:
    return {
        "path": server.span.path,
        "line": server.span.line,
        "framework": server.framework,
        "role": server.role,
        "name": server.name,
        "transport": server.transport,
        "target": server.target,
    }


def _handoff(handoff: Handoff) -> dict[str, Json]:
    ends = {"source": handoff.source.symbol, "target": handoff.target.symbol}
    return {**_place(handoff.span, handoff.framework, handoff.symbol), "degree": handoff.degree, **ends}


def _notice(notice: Notice) -> dict[str, Json]:
    return {"path": notice.path, "line": notice.line, "message": notice.message}


# ------------------------------------------------------------------------------------------------------------- results
def _result(report: Report, *, subjects: bool) -> dict[str, Json]:
    result: dict[str, Json] = {
        "id": METRIC,
        "version": report.tool.version,
        "data": [_data_row(row) for row in report.data],
    }
    if report.findings:
        result["findings"] = [_finding(finding) for finding in report.findings]
    if report.suppressed:
        result["suppressed"] = [_suppressed(one) for one in report.suppressed]
    if subjects:
        result["subjects"] = [_subject(row) for row in report.subjects]
    return result


def _data_row(row: DataRow) -> dict[str, Json]:
    if isinstance(row.value, Table):
        rows = [[_number(cell) if isinstance(cell, float) else cell for cell in cells] for cells in row.value.rows]
        return {"key": row.key, "value": {"kind": "table", "columns": list(row.value.columns), "rows": rows}}
    return {"key": row.key, "value": {"kind": "number", "v": _number(row.value)}}


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "rule_id": finding.rule_id,
        "title": finding.title,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "impact": finding.impact,
        "effort": finding.effort,
        "path": finding.path,
        "description": finding.description,
        "recommendation": finding.recommendation,
        "references": list(finding.references),
        "evidence": [_evidence(evidence) for evidence in finding.evidence],
        "other_fingerprints": [evidence.fingerprint for evidence in finding.others],
    }


def _evidence(evidence: Evidence) -> dict[str, Json]:
    span = evidence.span
    if span is None:
        return {"kind": evidence.kind, "message": evidence.message}
    shown: dict[str, Json] = {"kind": evidence.kind, "path": span.path}
    if evidence.kind is EvidenceKind.CODE_SPAN:
        shown |= {"line": span.line, "col": span.col, "end_line": span.end_line, "end_col": span.end_col}
    return {
        **shown,
        "message": evidence.message,
        "symbol": evidence.symbol,
        "related": [{"path": place.path, "line": place.line} for place in evidence.related],
        "fingerprint": evidence.fingerprint,
        "risk": _number(evidence.risk),
        "weight": _number(evidence.weight),
        "confidence": evidence.confidence,
    }


def _suppressed(one: Suppressed) -> dict[str, Json]:
    span = one.evidence.span
    return {
        "rule_id": one.finding.rule_id,
        "severity": one.finding.severity,
        "path": one.finding.path,
        "line": None if span is None or span.line < 1 else span.line,
        "fingerprint": one.evidence.fingerprint,
        "kind": one.kind,
        "reason": one.reason,
    }


def _subject(row: SubjectRow) -> dict[str, Json]:
    verdict = row.verdict
    return {
        "key": row.key,
        "path": verdict.span.path,
        "line": verdict.span.line,
        "end_line": verdict.span.end_line,
        "symbol": verdict.subject.symbol,
        "outcome": verdict.outcome,
        "risk": None if verdict.risk is None else _number(verdict.risk),
        "weight": _number(verdict.weight),
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "degree": verdict.degree,
    }
