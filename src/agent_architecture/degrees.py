"""What the degree of evidence of an entity makes of the verdicts about it (spec: "Degrees of evidence").

What is inferred is judged at medium confidence at most. What is guessed exists, and nothing more is said of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Outcome, Verdict
from agent_architecture.model.confidence import Confidence, Degree, at_most, weakest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Agent, AgentSystem, ModelCall, Site, Subject, Tool
    from agent_architecture.sources.source import Span

PARTS: Final = ("tool", "agent", "site", "source", "target")
"""Under which names an entity refers to those that it is about."""

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
            yield verdict._replace(confidence=at_most(verdict.confidence, degree), degree=degree)


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
