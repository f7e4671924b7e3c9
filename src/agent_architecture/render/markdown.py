"""A comment for a pull request: the scores, what changed against a baseline, and the findings that are new.

Everything from the scanned project is escaped: it cannot open a link, an image, a mention or HTML of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.render.places import placed
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.render.places import Placed
    from agent_architecture.report import Outcome, Report
    from agent_architecture.scoring import AxisScore

SHOWN: Final = 50
"""Findings in full; a comment of GitHub holds 65,536 characters."""
RANKS: Final = tuple(reversed(Severity))
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:])")
MENTION: Final = "@<!-- -->"
"""A mention that reaches nobody."""


def render(outcome: Outcome) -> str:
    """The comment, with a final newline."""
    return "\n".join(_lines(outcome)) + "\n"


def safe(text: str) -> str:
    """Text that Markdown shows as it is: no markup, no HTML, no mention."""
    plain = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\1", plain).replace("@", MENTION)


def code(text: str) -> str:
    """Text as code: a fence longer than any run of backticks within (CommonMark 0.31, 6.1)."""
    plain = visible(text)
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def _lines(outcome: Outcome) -> Iterator[str]:
    report, before = outcome.report, outcome.comparison
    yield f"## Agent architecture: {_health(report, before)}"
    yield ""
    if not report.applicable:
        yield "No agent call sites found: not applicable, not a pass."
        return
    yield from _axes(report, before)
    yield from _violations(outcome)
    known = {one.evidence.fingerprint for one in placed(before.findings)} if before is not None else set[str]()
    places = tuple(placed(report.findings))
    fresh = [one for one in places if one.evidence.fingerprint not in known]
    yield from _findings(fresh, "New findings" if before is not None else "Findings")
    gone = known - {one.evidence.fingerprint for one in places}
    if gone:
        yield f"\nFixed since the baseline: {len(gone)}."
    hidden = len(report.suppressed) + report.left_out.evidence
    if hidden:
        yield f"\nNot shown, but counted in the scores: {hidden} (suppressed, or left out by flags)."
    if report.notices:
        yield f"\n{len(report.notices)} notices: what was skipped or only partly read is in the full report."


def _health(report: Report, before: Report | None) -> str:
    health = f"{100 * report.scores.health:.0f} of 100"
    return health if before is None else f"{health} ({_change(report.scores.health, before.scores.health)})"


def _change(now: float, then: float) -> str:
    return f"{100 * (now - then):+.1f} against the baseline"


def _axes(report: Report, before: Report | None) -> Iterator[str]:
    old = {} if before is None else {axis.axis: axis for axis in before.scores.axes}
    yield "| axis | score | detectors that applied | worst |"
    yield "| --- | ---: | ---: | --- |"
    for axis in report.scores.axes:
        then = old.get(axis.axis)
        moved = "" if then is None else f" ({axis.score - then.score:+.1f})"
        applied = f"{axis.applicable} of {axis.detectors}"
        yield f"| {safe(axis.axis)} | {axis.score:.1f}{moved} | {applied} | {_worst(axis)} |"


def _worst(axis: AxisScore) -> str:
    counts = zip(Severity, axis.severities, strict=True)
    worst = next(((severity, count) for severity, count in reversed(tuple(counts)) if count), None)
    return "" if worst is None else f"{worst[1]} {worst[0].value}"


def _violations(outcome: Outcome) -> Iterator[str]:
    if outcome.violations:
        yield "\n### Policy\n"
        yield from (f"- **{violation.severity}**: {safe(violation.text)}" for violation in outcome.violations)


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
    place = f"{one.span.path}:{one.line}" if one.line else one.span.path
    fix = safe(one.finding.recommendation)
    return f"- {code(place)} {safe(one.evidence.message)} *{fix}* ({code(one.finding.rule_id)})"
