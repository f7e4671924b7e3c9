"""Which arguments may close which gap: those of the calls that a gap speaks of, or that made what it speaks of."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Final

from agent_architecture.contract import short
from agent_architecture.findings import every_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.detector import Verdict
    from agent_architecture.model.fix_places import Mend
    from agent_architecture.report import Report
    from agent_architecture.sources.source import Span

MOST: Final = 8
"""Calls that one gap may need to be changed at; a gap that is spread further has no single mend."""


MOST_ELSEWHERE: Final = 200
"""Calls of one library that are looked at for one gap."""


class Places:
    """The mends of a report, by where they stand, and what leads from a gap to them."""

    def __init__(self, report: Report) -> None:
        self._by_key: defaultdict[str, list[Mend]] = defaultdict(list)
        for mend in report.mends:
            self._by_key[mend.way.detector].append(mend)
        self._agents: defaultdict[Span, list[Span]] = defaultdict(list)
        for site in report.project.sites:
            self._agents[site.span] += [agent.span for agent in site.agents]
        for handoff in report.project.handoffs:
            self._agents[handoff.source.span].append(handoff.target.span)

    def of(self, key: str, gap: Verdict) -> tuple[tuple[Mend, ...], ...]:
        """The mends for a gap, in groups, the nearest first: what the gap stands at, what is related to it, the agents
        that a site runs, what stands inside of it.
        """
        mends = [mend for mend in self._by_key.get(key, ()) if _brings(mend, gap)]
        spans = {gap.span, gap.subject.span}
        agents = self._reached(spans)
        groups = (
            [mend for mend in mends if mend.span in spans or mend.call in spans],
            [mend for mend in mends if _touches(mend, gap.related)],
            [mend for mend in mends if mend.span in agents],
            [mend for mend in mends if _is_own(mend, gap) and any(span.contains(mend.span) for span in spans)],
        )
        return tuple(tuple(group) for group in groups if 0 < len(group) <= MOST)

    def elsewhere(self, key: str, gap: Verdict) -> tuple[Mend, ...]:
        """The mends of the library that a gap is about, wherever they stand: one may write over what the gap is."""
        mends = (mend for mend in self._by_key.get(key, ()) if _brings(mend, gap) and _is_own(mend, gap))
        return tuple(islice(mends, MOST_ELSEWHERE)) if gap.subject.framework else ()

    def _reached(self, sites: set[Span]) -> set[Span]:
        """The agents that sites run, and those that these pass work to."""
        reached: set[Span] = set()
        left = [agent for site in sites for agent in self._agents.get(site, ())]
        while left:
            agent = left.pop()
            if agent not in reached:
                reached.add(agent)
                left += self._agents.get(agent, ())
        return reached


def shown_gaps(report: Report) -> Iterator[tuple[str, Verdict]]:
    """The gaps that a report shows, with their rules: none that is hidden, or that the user did not ask for."""
    shown = {
        (finding.key, evidence.span, evidence.message)
        for finding in report.findings
        for evidence in every_evidence(finding)
    }
    for row in report.subjects:
        if row.verdict.risk and (row.key, row.verdict.span, row.verdict.reason) in shown:
            yield short(row.key), row.verdict


def _brings(mend: Mend, gap: Verdict) -> bool:
    """Whether a way brings something that the gap lacks."""
    return not mend.way.parts or not set(mend.way.parts).isdisjoint(gap.lacks)


def _is_own(mend: Mend, gap: Verdict) -> bool:
    """Whether a mend is of the library that the gap is about, if that is known."""
    return not gap.subject.framework or mend.framework == gap.subject.framework


def _touches(mend: Mend, related: Sequence[Span]) -> bool:
    return any(span in {mend.span, mend.call} or span.contains(mend.call) for span in related)
