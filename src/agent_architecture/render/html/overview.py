"""The first screen: what the project is, its scores and what moves them, what to fix first, and what has changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from agent_architecture.changes import PartKind
from agent_architecture.contract import contract, short
from agent_architecture.render.first import fix_first
from agent_architecture.render.json import DIGITS
from agent_architecture.render.projects import rows
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_architecture.changes import Changes
    from agent_architecture.render.html.items import Item
    from agent_architecture.render.html.texts import Texts
    from agent_architecture.render.json import Json
    from agent_architecture.report import Outcome, ProjectFacts
    from agent_architecture.scoring import AxisScore

MOST: Final = 200
"""Entries of one list: the other formats have all."""


def overview(outcome: Outcome, items: Sequence[Item], rules: Mapping[str, int], texts: Texts) -> dict[str, Json]:
    """Everything that the first screen says and that no other part of the document does."""
    report = outcome.report
    scores, facts = report.scores, report.project
    return {
        "name": visible(facts.name),
        "applicable": scores.applicable,
        "incomplete": scores.incomplete,
        "health": round(scores.health, DIGITS),
        "weakest": round(scores.weakest, DIGITS),
        "axes": [_axis(axis) for axis in scores.axes],
        "files": sum(facts.roles.values()),
        "languages": dict(facts.languages),
        "libraries": [[visible(one.name), visible(one.version), one.origin] for one in facts.frameworks],
        "models": _models(facts),
        "parts": [list(row) for row in rows(report)] if report.parts else [],
        "first": _first(outcome, items),
        "violations": [[one.severity, visible(one.text)] for one in outcome.violations],
        "reasons": [visible(reason) for reason in outcome.decision.reasons],
        "changes": None if outcome.comparison is None else _changes(outcome.comparison, rules, texts),
        "hidden": len(report.suppressed) + report.left_out.evidence,
        "notices": [[texts(one.path), one.line or 0, texts(one.message)] for one in report.notices[:MOST]],
    }


def _models(facts: ProjectFacts) -> list[Json]:
    """The names of models, each with how many places name it; "" counts those that something else decides."""
    names = Counter(str(name) for use in facts.models for name in use.name.values or ("",))
    ordered = sorted(names.items(), key=lambda one: (-one[1], one[0]))
    return [[visible(name), count] for name, count in ordered[:MOST]]


def _axis(axis: AxisScore) -> dict[str, Json]:
    own = axis.applicable_score
    return {
        "name": axis.axis,
        "score": round(axis.score, DIGITS),
        "own": None if own is None else round(own, DIGITS),
        "applicable": axis.applicable,
        "detectors": axis.detectors,
    }


def _first(outcome: Outcome, items: Sequence[Item]) -> list[Json]:
    """What to fix first: the row of each place, how many others its rule has, and what all of them gain."""
    known = None if outcome.comparison is None else outcome.comparison.known
    at = {item.fingerprint: number for number, item in reversed(list(enumerate(items))) if item.fingerprint}
    return [
        [at[one.place.evidence.fingerprint], len(one.others), round(one.gain, DIGITS)]
        for one in fix_first(outcome.report, known)
    ]


def _changes(found: Changes, rules: Mapping[str, int], texts: Texts) -> dict[str, Json]:
    composites = {item.key for item in contract().composites}
    return {
        "before": visible(found.before),
        "after": visible(found.after),
        "scores": [
            [short(one.key), one.before, one.after, one.better] for one in found.scores if one.key in composites
        ],
        "new": len(found.new),
        "fixed": [
            [rules.get(gap.rule_id, -1), texts(gap.path), gap.line, texts(gap.message)] for gap in found.fixed[:MOST]
        ],
        "parts": [
            [mark, str(PartKind(part.kind)), texts(part.name), texts(part.path), part.line, texts(part.detail)]
            for mark, parts in (("+", found.added), ("-", found.removed))
            for part in parts[:MOST]
        ],
        "grown": [[texts(one.tool.name), texts("; now ".join(one.more))] for one in found.grown[:MOST]],
        "remarks": [visible(remark) for remark in found.remarks],
    }
