"""SARIF 2.1.0: one run with all rules, one result for each piece of evidence, taxonomies, and what was left unread.

Levels and numbers are those of `scoring.py`. Paths are relative to `%SRCROOT%`, the scanned root.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from agent_architecture.detector import Severity
from agent_architecture.findings import first_paragraph
from agent_architecture.render.findings_text import short
from agent_architecture.render.json import json_text
from agent_architecture.render.places import in_order, joined, suppressed
from agent_architecture.render.safe import visible
from agent_architecture.render.standards import TAXONOMIES, address_of, taxon

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_architecture.changes import Changes
    from agent_architecture.detector import Detector
    from agent_architecture.render.json import Json
    from agent_architecture.render.places import Placed
    from agent_architecture.report import Outcome, Suppressed
    from agent_architecture.sources.source import Notice, Span

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT: Final = "%SRCROOT%"
FINGERPRINT: Final = "agentArchitecture/v2"
GITHUB_FINGERPRINT: Final = "primaryLocationLineHash"
"""The only one that GitHub's code scanning compares; without it, it hashes the lines around a place."""

LEVELS: Final = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.GOOD: "none",
}
SECURITY: Final = {Severity.CRITICAL: "9.5", Severity.HIGH: "8.0", Severity.MEDIUM: "5.5", Severity.LOW: "3.0"}
"""GitHub's scale of 0 to 10."""


def render(outcome: Outcome, detectors: Sequence[Detector], *, prefix: str = "") -> str:
    """The outcome as SARIF text; `detectors` are those whose rules are described, in contract order.

    `prefix` leads from the folder where the tool was started to the scanned root: code scanning reads a path as one
    from the top of the repository.
    """
    report = outcome.report
    scores = {metric.rule_id: metric for metric in report.scores.metrics}
    known = [detector for detector in detectors if detector.rule_id in scores]
    index = {detector.rule_id: number for number, detector in enumerate(known)}
    severities = {rule_id: metric.severity for rule_id, metric in scores.items()}
    hidden = {one.evidence.fingerprint: one for one in report.suppressed}
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": report.tool.name,
                "semanticVersion": report.tool.version,
                "rules": [_rule(detector, severities[detector.rule_id]) for detector in known],
                "supportedTaxonomies": [{"name": name} for name, *_ in TAXONOMIES],
            }
        },
        "automationDetails": {"id": f"{report.tool.name}/{prefix}"},
        "invocations": [_invocation(outcome, prefix)],
        "originalUriBaseIds": {
            ROOT: {
                "description": {
                    "text": "The folder where the tool was started, if it holds what was analysed; else that."
                }
            }
        },
        "columnKind": "unicodeCodePoints",
        "taxonomies": [_taxonomy(number, known) for number in range(len(TAXONOMIES))],
        "results": [
            _result(one, index[one.finding.rule_id], prefix)
            | _suppression(hidden.get(one.evidence.fingerprint))
            | _state(one.evidence.fingerprint, outcome.comparison, hidden)
            for one in (*in_order(report.findings), *suppressed(report))
        ],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


# --------------------------------------------------------------------------------------------------------------- rules
def _rule(detector: Detector, severity: Severity) -> dict[str, Json]:
    security = SECURITY.get(severity)
    relations = [_relation(*found) for reference in detector.references if (found := taxon(reference)) is not None]
    return {
        "id": detector.rule_id,
        "name": "".join(word.capitalize() for word in detector.key.split("_")),
        "shortDescription": {"text": detector.title},
        "fullDescription": {"text": first_paragraph(detector.page) or detector.title},
        "helpUri": address_of(detector),
        "help": _help(detector),
        "defaultConfiguration": {"level": LEVELS[severity], "enabled": True},
        **({"relationships": relations} if relations else {}),
        "properties": {
            "tags": ["security", detector.group, *detector.references],
            "precision": "high",
            "impact": detector.impact.value,
            "effort": detector.effort.value,
            **({"security-severity": security} if security is not None else {}),
        },
    }


def _help(detector: Detector) -> dict[str, Json]:
    """What a reader of a result needs: the fix, how to learn more and how to ignore it. The page has the rest.

    Viewers show the Markdown where they can (SARIF 2.1.0, 3.12.4; GitHub's code scanning does).
    """
    name = short(detector.rule_id)
    more = f"agent-architecture explain {name}"
    markdown = (
        f"{detector.fix}\n\nWhy: `{more}`. To accept it, in a comment: `agent-architecture: ignore[{name}] the reason`"
    )
    return {"text": detector.fix, "markdown": markdown}


def _relation(taxonomy: int, taxon: str) -> dict[str, Json]:
    component: dict[str, Json] = {"name": TAXONOMIES[taxonomy][0], "index": taxonomy}
    return {"target": {"id": taxon, "toolComponent": component}, "kinds": ["relevant"]}


def _taxonomy(number: int, detectors: Sequence[Detector]) -> dict[str, Json]:
    name, _, publisher, title = TAXONOMIES[number]
    references = {reference for detector in detectors for reference in detector.references}
    ids = {found[1] for reference in references if (found := taxon(reference)) is not None and found[0] == number}
    order = sorted(ids, key=lambda text: [int(part) for part in re.findall(r"\d+", text)])
    return {
        "name": name,
        "organization": publisher,
        "shortDescription": {"text": title},
        "taxa": [{"id": taxon} for taxon in order],
    }


# ------------------------------------------------------------------------------------------------------------- results
def _result(one: Placed, rule: int, prefix: str) -> dict[str, Json]:
    finding, evidence = one.finding, one.evidence
    related: list[Json] = [
        {"id": number, "physicalLocation": _place(span, span.line, prefix)}
        for number, span in enumerate(evidence.related)
    ]
    return {
        "ruleId": finding.rule_id,
        "ruleIndex": rule,
        "kind": "fail",
        "level": LEVELS[finding.severity],
        "rank": round(100 * evidence.risk, 1),
        "message": {"text": visible(f"{evidence.message} {finding.recommendation}")},
        "locations": [
            {
                "physicalLocation": _place(one.span, one.line, prefix),
                **_symbol(evidence.symbol),
            }
        ],
        **_some("relatedLocations", related),
        "partialFingerprints": {FINGERPRINT: evidence.fingerprint, GITHUB_FINGERPRINT: evidence.fingerprint},
        "properties": {
            "confidence": evidence.confidence.value,
            **({"security-severity": SECURITY[finding.severity]} if finding.severity in SECURITY else {}),
        },
    }


def _suppression(hidden: Suppressed | None) -> dict[str, Json]:
    if hidden is None:
        return {}
    told = {"kind": hidden.kind, "status": "accepted", "justification": visible(hidden.reason)}
    return {"suppressions": [told]}


def _state(fingerprint: str, changes: Changes | None, hidden: Mapping[str, Suppressed]) -> dict[str, Json]:
    """Against the baseline, for what is shown. What is fixed is left out: viewers without states would show it."""
    if changes is None or fingerprint in hidden:
        return {}
    return {"baselineState": "unchanged" if fingerprint in changes.known else "new"}


def _symbol(name: str) -> dict[str, Json]:
    return _some("logicalLocations", [{"name": visible(name)}] if name else [])


def _some(key: str, items: Sequence[Json]) -> dict[str, Json]:
    """An entry for these; none where there are none."""
    return {key: items} if items else {}


def _place(span: Span, line: int, prefix: str) -> dict[str, Json]:
    place: dict[str, Json] = {"artifactLocation": {"uri": _uri(prefix + span.path), "uriBaseId": ROOT}}
    if line:
        place["region"] = {
            "startLine": span.line,
            "startColumn": span.col,
            "endLine": span.end_line,
            "endColumn": span.end_col,
        }
    return place


def _uri(path: str) -> str:
    return quote(path, safe="/", errors="surrogatepass")


# ---------------------------------------------------------------------------------------------------------- invocation
def _invocation(outcome: Outcome, prefix: str) -> dict[str, Json]:
    report, decision = outcome.report, outcome.decision
    failed: list[Json] = [
        {"level": "error", "message": {"text": visible(f"{failure.key} failed: {failure.error}")}}
        for failure in report.scores.failed
    ]
    return {
        "executionSuccessful": not failed,
        "exitCode": decision.exit_code,
        **({"exitCodeDescription": visible("; ".join(decision.reasons))} if decision.reasons else {}),
        "toolExecutionNotifications": [*(_notification(notice, prefix) for notice in report.notices), *failed],
    }


def _notification(notice: Notice, prefix: str) -> dict[str, Json]:
    told: dict[str, Json] = {
        "level": "warning" if notice.incomplete else "note",
        "message": {"text": visible(notice.message)},
    }
    if notice.path:
        place: dict[str, Json] = {"artifactLocation": {"uri": _uri(joined(prefix, notice.path)), "uriBaseId": ROOT}}
        if notice.line:
            place["region"] = {"startLine": notice.line}
        told["locations"] = [{"physicalLocation": place}]
    return told
