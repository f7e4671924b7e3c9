"""Findings as a report opens with them: what to fix first, then all rules in as much detail as there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.records import NamedTuple
from agent_architecture.render.counted import counted
from agent_architecture.render.findings_text import (
    COLORS,
    Detail,
    Told,
    count_of,
    labelled,
    rule_lines,
    rule_table,
    rules_of,
    short,
    where,
)
from agent_architecture.render.first import fix_first
from agent_architecture.render.layout import Cell
from agent_architecture.render.places import placed
from agent_architecture.render.projects import ELSEWHERE, by_project
from agent_architecture.render.style import BOLD, DIM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.render.first import First
    from agent_architecture.render.places import Placed
    from agent_architecture.render.view import View
    from agent_architecture.report import Report

FEW: Final = 3
"""With no more rules than this the list itself says what to fix first."""


OWN: Final = "of each rule the worst place, with its own severity; below stands the whole rule's"


class Plan(NamedTuple):
    """How much is shown: of the rules of each severity, whether what was found is listed, whether by project."""

    high: Detail
    medium: Detail
    low: Detail
    inventory: bool = False
    grouped: bool = True
    """Whether the projects of a repository have sections of their own."""

    def of(self, severity: Severity) -> Detail:
        """How much is told of a rule of this severity."""
        return {Severity.MEDIUM: self.medium, Severity.LOW: self.low}.get(severity, self.high)


ALL: Final = Plan(Detail.FULL, Detail.FULL, Detail.FULL, inventory=True)
PLANS: Final = (
    ALL,
    Plan(Detail.FULL, Detail.FULL, Detail.FULL),
    Plan(Detail.FULL, Detail.BRIEF, Detail.LINE),
    Plan(Detail.FULL, Detail.LINE, Detail.LINE),
    Plan(Detail.BRIEF, Detail.BRIEF, Detail.LINE),
    Plan(Detail.BRIEF, Detail.LINE, Detail.LINE),
    Plan(Detail.LINE, Detail.LINE, Detail.LINE),
    Plan(Detail.LINE, Detail.LINE, Detail.LINE, grouped=False),
)
"""From all to little: a report takes the first that fits."""


def first_blocks(report: Report, view: View) -> Iterator[list[str]]:
    """*Fix first*: at most ten things to do, where there are more rules than can be taken in at a glance."""
    if len({finding.rule_id for finding in report.findings}) <= FEW:
        return
    firsts = fix_first(report, view.known)
    if firsts:
        new = "" if view.known is None else ", of what is new"
        lines = [line for number, one in enumerate(firsts, 1) for line in _first(number, one, view)]
        note = view.flowing([Cell(f"Fix first{new}", (BOLD,)), Cell(OWN, (DIM,))], indent="")
        yield [*note, *lines]


def _first(number: int, one: First, view: View) -> Iterator[str]:
    found, dim = one.place, (DIM,)
    more = f"and {len(one.others)} more {'place' if len(one.others) == 1 else 'places'}" if one.others else ""
    gain = f"health +{one.gain:.2f}" if one.gain >= 0.005 else ""  # noqa: PLR2004 - what two digits show
    level = Cell(one.severity.upper(), COLORS[one.severity])
    rest = [Cell(text, dim) for text in (more, gain) if text]
    yield from view.flowing([level, *where(found, view), *rest], f"{number:3}. ", "     ")
    yield from view.prose(f"{found.evidence.message} ({short(found.finding.rule_id)})", "     ")
    yield from labelled("fix:", found.finding.recommendation, view, "     ")


def finding_blocks(report: Report, plan: Plan, view: View) -> Iterator[list[str]]:
    """Every rule: what is new since the baseline before what it has."""
    places = list(placed(report.findings))
    if not places:
        return
    if view.known is not None:
        new = [one for one in places if view.is_new(one.evidence.fingerprint)]
        old = [one for one in places if not view.is_new(one.evidence.fingerprint)]
        brief = plan if view.verbose else Plan(Detail.LINE, Detail.LINE, Detail.LINE, grouped=plan.grouped)
        yield from _by_project("New findings", report, new, plan, view)
        yield from _by_project("Findings that the baseline has", report, old, brief, view)
    else:
        yield from _by_project("Findings", report, places, plan, view)
    if not view.verbose:
        example = short(rules_of(report, places)[0].finding.rule_id)
        left = plan is not ALL or any(one.evidence.risk < view.least_risk for one in places)
        places_too = "-v lists every place; " if left else ""
        hint = f"{places_too}`agent-architecture explain {example}` says why, and how to fix it."
        yield [view.style.paint(line, DIM) for line in view.prose(hint)]


def _by_project(title: str, report: Report, places: Sequence[Placed], plan: Plan, view: View) -> Iterator[list[str]]:
    """A section; one for each project where a repository has several."""
    if not (report.parts and plan.grouped):
        yield from _section(title, rules_of(report, places), plan, view)
        return
    for name, group in by_project(report, places):
        where = name if name == ELSEWHERE else view.path(name)
        yield from _section(f"{title}: {where}", rules_of(report, group), plan, view)


def _section(title: str, rules: Sequence[Told], plan: Plan, view: View) -> Iterator[list[str]]:
    """The rules that are told in full, those that are told briefly, and a table of the others: each in their order."""
    if not rules:
        return
    places = [one for rule in rules for one in rule.places]
    # Of one finding some places may be new and some not: where they are told apart, places alone are counted.
    count = count_of(places) if view.known is None else counted(len(places), "place")
    yield [view.style.paint(title, BOLD) + view.style.paint(f" ({count})", DIM)]
    for detail in (Detail.FULL, Detail.BRIEF):
        for rule in rules:
            if plan.of(rule.finding.severity) is detail:
                yield rule_lines(rule, detail, view)
    yield list(rule_table([rule for rule in rules if plan.of(rule.finding.severity) is Detail.LINE], view))
