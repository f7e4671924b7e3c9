"""What evidence makes of verdicts: the degree of the entity that they are about, and how
many places a gap rests on. The one place where confidence is calibrated.

What is inferred is judged at medium confidence at most. What is guessed exists, and nothing more is said of it. A gap
that rests on a way through several places is of medium confidence at most: any of them may be read wrongly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Outcome, Verdict
from agent_architecture.model.confidence import Confidence, Degree, at_most, weakest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Agent, AgentSystem, ModelCall, Site, Subject, Tool
    from agent_architecture.sources.source import Span

GAPS: Final = frozenset({Outcome.PARTIAL, Outcome.ABSENT})
PARTS: Final = ("tool", "agent", "site", "source", "target")
"""Under which names an entity refers to those that it is about."""

FAR: Final = 5
"""Places beside its own from which on a gap is less sure. Of gaps that said high confidence those with fewer were right
in 343 of 371 (round q6, mended), 334 of 357 (q7, before mending) and 1580 of 1587 (labelled projects); the others in
33 of 41, 9 of 27 and 137 of 143. The number was chosen on these.
"""

Degrees = dict["Span | tuple[Span, str]", Degree]
"""By where an entity stands; for an edge by its symbol, too: what else is said of its line is not about the edge."""


def degrees(system: AgentSystem) -> Degrees:
    """The entities of a system that are not resolved, by where they stand."""
    entities: tuple[Site | Agent | Tool | ModelCall, ...]
    entities = (*system.sites, *system.agents, *system.tools, *system.model_calls)
    found: Degrees = {one.span: one.degree for one in entities if one.degree is not Degree.RESOLVED}
    for edge in system.handoffs:
        if edge.degree is not Degree.RESOLVED:
            found[edge.span, edge.symbol] = edge.degree
    return found


def weighed(verdicts: Iterable[Verdict], known: Degrees) -> Iterator[Verdict]:
    """The verdicts as far as the evidence for what they are about bears them."""
    for verdict in verdicts:
        degree = degree_of(verdict.subject, known)
        if degree is Degree.GUESSED:
            yield _unjudged(verdict)
        else:
            found = at_most(verdict.confidence, degree)
            found = at_most(found, Degree.INFERRED) if _is_far(verdict) else found
            yield verdict._replace(confidence=found, degree=degree)


def _is_far(verdict: Verdict) -> bool:
    return verdict.outcome in GAPS and len(verdict.related) >= FAR


def degree_of(subject: Subject, known: Degrees) -> Degree:
    """The degree of evidence of what a verdict is about: its own, and that of what it refers to."""
    parts = (getattr(subject, name, None) for name in PARTS)
    found = [getattr(one, "degree", Degree.RESOLVED) for one in (subject, *parts)]
    places = (subject.span, (subject.span, subject.symbol))
    return weakest((*found, *(known.get(place, Degree.RESOLVED) for place in places)))


def _unjudged(verdict: Verdict) -> Verdict:
    reason = f"Only its name says that {verdict.subject.symbol} belongs to an agent."
    return verdict._replace(
        outcome=Outcome.UNKNOWN, risk=None, reason=reason, confidence=Confidence.LOW, degree=Degree.GUESSED
    )
