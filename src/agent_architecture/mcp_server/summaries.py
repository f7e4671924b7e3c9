"""What a report says, as the answers of tools. Pure: it reads no file and asks nobody."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from agent_architecture.contract import scalars, short
from agent_architecture.mcp_server import answers
from agent_architecture.mcp_server.pages import page
from agent_architecture.render.first import fix_first
from agent_architecture.render.places import in_order
from agent_architecture.render.safe import visible
from agent_architecture.render.seen import seen_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture import changes
    from agent_architecture.detector import Detector
    from agent_architecture.render.first import First
    from agent_architecture.render.places import Placed
    from agent_architecture.report import Outcome, Report, Violation

LONGEST: Final = 300
"""Characters of a text from the project."""
MOST: Final = 100
"""Items of a list that has no pages."""
NOTICES: Final = 20


def untrusted(text: str) -> str:
    """A text from the project: control and hidden characters made visible, and cut."""
    shown = visible(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def analysis(report: Report, keep: Callable[[Placed], bool], cursor: str | None, size: int) -> answers.Analysis:
    """Totals, what to fix first, and one page of the places that `keep` keeps.

    Raises:
        UsageError: a cursor of another report, or none at all.
    """
    places = [one for one in in_order(report.findings) if keep(one)]
    identity = "\n".join(f"{one.finding.rule_id} {one.evidence.fingerprint}" for one in places)
    shown, following = page(places, cursor, size, identity)
    return answers.Analysis(
        applicable=report.applicable,
        health=_share(report.scores.health),
        scores=[
            answers.Score(
                axis=axis.axis,
                score=_share(axis.score / 100),
                applicable_detectors=axis.applicable,
                detectors=axis.detectors,
            )
            for axis in report.scores.axes
        ],
        totals=totals(report),
        fix_first=[_first(one) for one in fix_first(report) if keep(one.place)],
        places=[place(one) for one in shown],
        next_cursor=following,
        untrusted_notices=[_notice(one.path, one.line, one.message) for one in report.notices[:NOTICES]],
    )


def totals(report: Report) -> answers.Totals:
    """What was counted in a report."""
    facts = report.project
    return answers.Totals(
        findings=len(report.findings),
        places=sum(1 for _ in in_order(report.findings)),
        by_severity=dict(sorted(Counter(finding.severity.value for finding in report.findings).items())),
        sites=len(facts.sites),
        agents=len(facts.agents),
        tools=len(facts.tools),
        servers=len(facts.servers),
        handoffs=len(facts.handoffs),
    )


def place(one: Placed) -> answers.Place:
    """One place."""
    finding, evidence = one.finding, one.evidence
    return answers.Place(
        rule=finding.rule_id,
        title=finding.title,
        severity=finding.severity,
        confidence=evidence.confidence,
        risk=_share(evidence.risk),
        line=one.line,
        fingerprint=evidence.fingerprint,
        untrusted_path=untrusted(one.span.path),
        untrusted_symbol=untrusted(evidence.symbol),
        untrusted_reason=untrusted(evidence.message),
        untrusted_fix=untrusted(finding.recommendation),
    )


def rule(detector: Detector) -> answers.Rule:
    """A rule in short."""
    scalar = scalars()[detector.key]
    return answers.Rule(
        rule=scalar.rule_id,
        key=scalar.key,
        title=detector.title,
        axis=scalar.axis,
        group=scalar.group,
        impact=detector.impact,
        effort=detector.effort,
    )


def policy(outcome: Outcome) -> answers.Policy:
    """What the gate decided."""
    return answers.Policy(
        passed=outcome.decision.exit_code == 0,
        exit_code=outcome.decision.exit_code,
        reasons=list(outcome.decision.reasons),
        violations=[_violated(one) for one in outcome.violations[:MOST]],
    )


def comparison(found: changes.Changes, cursor: str | None, size: int) -> answers.Comparison:
    """One page of what changed, the new gaps first.

    Raises:
        UsageError: a cursor of another comparison, or none at all.
    """
    parts: tuple[tuple[str, Callable[[], answers.Gap | str]], ...] = (
        *(("new", partial(_gap, one)) for one in found.new),
        *(("more", partial(_grown, one)) for one in found.grown),
        *(("added", partial(_part, one)) for one in found.added),
        *(("removed", partial(_part, one)) for one in found.removed),
        *(("fixed", partial(_gap, one)) for one in found.fixed),
    )
    shown, following = page(parts, cursor, size, repr(found._replace(scores=(), known=frozenset())))
    said = [(kind, made()) for kind, made in shown]
    gaps = {kind: [one for which, one in said if which == kind and isinstance(one, answers.Gap)] for kind, _ in said}
    texts = {kind: [one for which, one in said if which == kind and isinstance(one, str)] for kind, _ in said}
    return answers.Comparison(
        untrusted_before=untrusted(found.before),
        worse=found.worse,
        new_count=len(found.new),
        fixed_count=len(found.fixed),
        scores={short(one.key): [_rounded(one.before), _rounded(one.after)] for one in found.scores},
        new=gaps.get("new", []),
        fixed=gaps.get("fixed", []),
        untrusted_added=texts.get("added", []),
        untrusted_removed=texts.get("removed", []),
        untrusted_tools_that_can_do_more=texts.get("more", []),
        untrusted_remarks=[untrusted(one) for one in found.remarks[:NOTICES]],
        next_cursor=following,
    )


def graph(report: Report, cursor: str | None, size: int) -> answers.Graph:
    """One page of nodes, with the edges that begin at them.

    Raises:
        UsageError: a cursor of another report, or none at all.
    """
    seen = seen_nodes(report)
    edges = report.picture.edges
    identity = "\n".join((*(one.node.id for one in seen), *(f"{edge.source} {edge.target}" for edge in edges)))
    shown, following = page(seen, cursor, size, identity)
    names = {one.node.id: f"n{number}" for number, one in enumerate(seen)}  # the picture's own ids hold names
    here = {one.node.id for one in shown}
    return answers.Graph(
        nodes=[
            answers.Node(
                id=names[one.node.id],
                kind=one.node.kind,
                framework=one.node.framework,
                degree=one.node.degree,
                severity=one.severity,
                verdicts=len(one.rows),
                line=one.node.span.line,
                untrusted_name=untrusted(one.node.name),
                untrusted_path=untrusted(one.node.span.path),
            )
            for one in shown
        ],
        edges=[
            answers.Edge(source=names[edge.source], target=names[edge.target], kind=edge.kind, degree=edge.degree)
            for edge in edges
            if edge.source in here
        ],
        total_nodes=len(seen),
        total_edges=len(edges),
        next_cursor=following,
    )


# ---------------------------------------------------------------------------------------------------------------- parts
def _first(one: First) -> answers.First:
    return answers.First(place=place(one.place), other_places=len(one.others), gain=_share(one.gain))


def _gap(one: changes.Gap) -> answers.Gap:
    return answers.Gap(
        rule=one.rule_id,
        severity=one.severity,
        line=one.line,
        fingerprint=one.fingerprint,
        untrusted_path=untrusted(one.path),
        untrusted_reason=untrusted(one.message),
    )


def _violated(one: Violation) -> answers.Violated:
    return answers.Violated(
        metric=short(one.metric),
        operator=one.op,
        expected=one.value,
        actual=one.actual,
        severity=one.severity,
        untrusted_message=untrusted(one.message),
    )


def _part(one: changes.Part) -> str:
    return untrusted(f"{one.kind} {one.name} ({one.path}:{one.line})")


def _grown(one: changes.Grown) -> str:
    return untrusted(f"{one.tool.name} ({one.tool.path}:{one.tool.line}): it now {', '.join(one.more)}")


def _notice(path: str, line: int | None, message: str) -> str:
    where = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
    return untrusted(where + message)


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 6)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
