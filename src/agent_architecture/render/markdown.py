"""A comment for a pull request: the scores, what changed against a baseline, and the findings that are new.

Everything from the scanned project is escaped: it cannot open a link, an image, a mention or HTML of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.contract import contract, full
from agent_architecture.detector import Severity
from agent_architecture.render.changes_markdown import architecture
from agent_architecture.render.markdown_text import SHOWN, code, place, safe
from agent_architecture.render.places import placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.changes import Changes
    from agent_architecture.render.places import Placed
    from agent_architecture.report import Outcome, Report
    from agent_architecture.scoring import AxisScore

RANKS: Final = tuple(reversed(Severity))


def render(outcome: Outcome) -> str:
    """The comment, with a final newline."""
    return "\n".join(_lines(outcome)) + "\n"


def _lines(outcome: Outcome) -> Iterator[str]:
    report, changes = outcome.report, outcome.comparison
    yield f"## Agent architecture: {_health(report, changes)}"
    yield ""
    if not report.applicable:
        yield "No agent call sites found: not applicable, not a pass."
        yield from _policy(outcome)
        return
    yield from _axes(report, changes)
    yield from _policy(outcome)
    known = frozenset[str]() if changes is None else changes.known
    fresh = [one for one in placed(report.findings) if one.evidence.fingerprint not in known]
    yield from _findings(fresh, "Findings" if changes is None else "New findings")
    if changes is not None:
        if changes.fixed:
            yield f"\nFixed since the baseline: {len(changes.fixed)}."
        yield from architecture(changes)
        yield f"\nCompared with {safe(changes.before)}."
        yield from (f"\n{safe(remark)}" for remark in changes.remarks)
    hidden = len(report.suppressed) + report.left_out.evidence
    if hidden:
        yield f"\nNot shown, but counted in the scores: {hidden} (suppressed, or left out by flags)."
    if report.notices:
        yield f"\n{len(report.notices)} notices: what was skipped or only partly read is in the full report."


def _health(report: Report, changes: Changes | None) -> str:
    health = f"{100 * report.scores.health:.0f} of 100"
    if changes is None:
        return health
    return f"{health} ({100 * _moved(changes, full('overall_agent_health')):+.1f} against the baseline)"


def _moved(changes: Changes, key: str) -> float:
    change = changes.score(key)
    if change is None or change.before is None or change.after is None:
        return 0
    return change.after - change.before


def _axes(report: Report, changes: Changes | None) -> Iterator[str]:
    yield "| axis | score | detectors that applied | worst |"
    yield "| --- | ---: | ---: | --- |"
    for axis, composite in zip(report.scores.axes, contract().composites, strict=False):
        moved = "" if changes is None else f" ({_moved(changes, composite.key):+.1f})"
        applied = f"{axis.applicable} of {axis.detectors}"
        yield f"| {safe(axis.axis)} | {axis.score:.1f}{moved} | {applied} | {_worst(axis)} |"


def _worst(axis: AxisScore) -> str:
    counts = zip(Severity, axis.severities, strict=True)
    worst = next(((severity, count) for severity, count in reversed(tuple(counts)) if count), None)
    return "" if worst is None else f"{worst[1]} {worst[0].value}"


def _policy(outcome: Outcome) -> Iterator[str]:
    """What does not hold, and why the run fails."""
    if outcome.violations or outcome.decision.reasons:
        yield "\n### Policy\n"
        yield from (f"- **{violation.severity}**: {safe(violation.text)}" for violation in outcome.violations)
        yield from (f"- **failed**: {safe(reason)}" for reason in outcome.decision.reasons)


def _findings(places: Sequence[Placed], head: str) -> Iterator[str]:
    yield f"\n### {head}: {len(places)}"
    worst_first = sorted(places, key=lambda one: -list(Severity).index(one.finding.severity))
    for severity in RANKS:
        mine = [one for one in worst_first[:SHOWN] if one.finding.severity is severity]
        if mine:
            yield f"\n**{severity.value}**\n"
            yield from map(_item, mine)
    if len(places) > SHOWN:
        yield f"\n{len(places) - SHOWN} more are in the full report."


def _item(one: Placed) -> str:
    fix = safe(one.finding.recommendation)
    return f"- {place(one.span.path, one.line)} {safe(one.evidence.message)} *{fix}* ({code(one.finding.rule_id)})"
