"""A comment for a pull request: the scores, what changed against a baseline, and the findings that are new.

Everything from the scanned project is escaped: it cannot open a link, an image, a mention or HTML of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.contract import contract, full
from agent_architecture.detector import Severity
from agent_architecture.records import NamedTuple
from agent_architecture.render.changes_markdown import architecture
from agent_architecture.render.counted import counted
from agent_architecture.render.findings_text import short
from agent_architecture.render.first import fix_first
from agent_architecture.render.markdown_text import SHOWN, code, linked, safe
from agent_architecture.render.overview import FEW
from agent_architecture.render.places import by_reason, in_order, joined
from agent_architecture.render.projects import rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.changes import Changes
    from agent_architecture.render.first import First
    from agent_architecture.render.places import Placed
    from agent_architecture.report import Outcome, Report
    from agent_architecture.scoring import AxisScore

RANKS: Final = tuple(reversed(Severity))
SAME: Final = 5
"""Places of one reason that are linked."""


class Links(NamedTuple):
    """How a path becomes a link: what leads from the repository's top to the scanned root, and the address there."""

    prefix: str = ""
    base: str = ""

    def to(self, one: Placed) -> str:
        """A link to the line of a place."""
        return linked(joined(self.prefix, one.span.path), one.line, self.base)


def render(outcome: Outcome, links: Links | None = None) -> str:
    """The comment, with a final newline."""
    return "\n".join(_lines(outcome, links or Links())) + "\n"


def _lines(outcome: Outcome, links: Links) -> Iterator[str]:
    report, changes = outcome.report, outcome.comparison
    yield f"## Agent architecture: {_health(report, changes)}"
    yield ""
    if not report.applicable:
        yield "No agent call sites found: not applicable, not a pass."
        yield from _policy(outcome)
        return
    yield from _axes(report, changes)
    if report.parts:
        yield from _projects(report)
    yield from _policy(outcome)
    known = None if changes is None else changes.known
    fresh = [one for one in in_order(report.findings) if known is None or one.evidence.fingerprint not in known]
    if len({one.finding.rule_id for one in fresh}) > FEW:
        yield from _first(fix_first(report, known), links)
    yield from _findings(fresh, "Findings" if changes is None else "New findings", links)
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


def _projects(report: Report) -> Iterator[str]:
    head, *others = rows(report)
    yield "\n### Projects\n"
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    yield from (f"| {safe(name)} | {' | '.join(numbers)} |" for name, *numbers in others)


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


def _first(firsts: Sequence[First], links: Links) -> Iterator[str]:
    yield "\n### Fix first\n"
    for number, one in enumerate(firsts, 1):
        found = one.place
        more = f" and {len(one.others)} more" if one.others else ""
        yield f"{number}. {links.to(found)}{more}: {_told(found)}"


def _findings(places: Sequence[Placed], head: str, links: Links) -> Iterator[str]:
    findings = len({(one.finding.rule_id, one.finding.path) for one in places})
    yield f"\n### {head}: {findings} in {counted(len(places), 'place')}"
    groups = by_reason(places)
    for severity in RANKS:
        mine = [group for group in groups[:SHOWN] if group[0].finding.severity is severity]
        if mine:
            yield f"\n**{severity.value}**\n"
            yield from (_item(group, links) for group in mine)
    left = sum(map(len, groups[SHOWN:]))
    if left:
        yield f"\n{counted(left, 'more place')}: see the full report."


def _item(group: Sequence[Placed], links: Links) -> str:
    where = ", ".join(map(links.to, group[:SAME])) + (f" and {len(group) - SAME} more" if len(group) > SAME else "")
    return f"- {where}: {_told(group[0])}"


def _told(one: Placed) -> str:
    fix = safe(one.finding.recommendation)
    return f"{safe(one.evidence.message)} *{fix}* ({code(short(one.finding.rule_id))})"
