"""Where the answer of a model that has read others' text becomes part of what another model is told.

A model that writes such a text anew makes it no safer: what it was told may be in its answer. Joins what enters the
conversations of models with the answers that are handed on from them; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.graph import binds
from agent_architecture.model.outputs import Answer, Boundary, Slot, Target, UntrustedFlow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.outputs import Premise
    from agent_architecture.model.system import AgentSystem, Subject
    from agent_architecture.sources.source import Span

OTHERS: Final = frozenset({"web", "mail", "retrieval", "peer", "tool", "file", "memory"})
"""Origins of texts that neither the project nor its user wrote."""
OPEN: Final = frozenset({Boundary.NONE, Boundary.UNKNOWN, Boundary.DELIMITED})
"""What keeps no instruction of others from an answer."""
TOLD: Final = frozenset({Target.AGENT, Target.STEP})


def retold(system: AgentSystem) -> Iterator[UntrustedFlow]:
    """One for each place where such an answer enters, and where nothing of others enters by itself."""
    told = [premise for premise in system.premises if premise.target in TOLD and premise.slot is not Slot.SYSTEM]
    direct = {flow.span for flow in system.untrusted_flows if flow.origin in OTHERS}
    read = _read(system, told) if told else {}
    for premise in told:
        if premise.span in direct:
            continue
        found = [(answer, read[answer.source]) for answer in _answers(premise) if answer.source in read]
        if found:
            answer, flow = min(found, key=lambda each: (tuple(Boundary).index(each[0].boundary), each[0].source))
            yield flow._replace(
                span=premise.span, symbol=premise.symbol, framework=premise.framework, slot=premise.slot,
                boundary=answer.boundary, source=answer.source, trail=answer.trail, fed=False,
                confidence=Confidence.MEDIUM, enters=premise.enters, asked=premise.asked, rewritten=True,
                built_in=False,
            )  # fmt: skip


def _answers(premise: Premise) -> tuple[Answer, ...]:
    source = premise.picked or premise.source
    if premise.answers or source is None:
        return premise.answers
    return (Answer(source, Boundary.NONE, premise.trail),)


def _read(system: AgentSystem, told: list[Premise]) -> dict[Span, UntrustedFlow]:
    """What the requests, agents and runs read of others, each by where it stands: by themselves, or by the answers of
    others of them.
    """
    found: dict[Span, UntrustedFlow] = {}
    fed: dict[Span, UntrustedFlow] = {}
    for flow in system.untrusted_flows:
        if flow.origin in OTHERS and flow.boundary in OPEN:
            if flow.asked is not None:
                found.setdefault(flow.asked, flow)
            if flow.fed:
                fed.setdefault(flow.span, flow)
    holders = _holders(system)
    for span, tools in holders:
        brought = next((fed[tool] for tool in tools if tool in fed), None)
        if brought is not None:
            found.setdefault(span, brought)
    count = -1
    while count < len(found):
        count = len(found)
        _hand_on(system, told, found)
        for span, tools in holders if any(premise.picked for premise in told) else ():
            found.update((tool, found[span]) for tool in tools if span in found and tool not in found)
    return found


def _holders(system: AgentSystem) -> list[tuple[Span, tuple[Span, ...]]]:
    """The agents and sites with where their tools stand; a toolkit or server is one where it is bound to them."""
    owners: list[Subject] = [*system.agents, *system.agent_sites]
    dynamic = [one for one in system.bindings if one.dynamic]
    tools = [(one.span, one.tools) for one in system.agents] + [(one.span, one.tools) for one in system.agent_sites]
    return [
        (span, (*(tool.span for tool in own), *(one.tool.span for one in dynamic if binds(one, owner))))
        for owner, (span, own) in zip(owners, tools, strict=True)
    ]


def _hand_on(system: AgentSystem, told: list[Premise], found: dict[Span, UntrustedFlow]) -> None:
    """What is read by whoever runs an agent, hands over to one, or is told an answer."""
    for site in system.agent_sites:
        for agent in site.agents:
            if agent.span in found:
                found.setdefault(site.span, found[agent.span])
    for edge in system.handoffs:
        if edge.target.span in found:
            found.setdefault(edge.source.span, found[edge.target.span])
    for premise in told:
        for answer in _answers(premise):
            if premise.asked is not None and answer.source in found and answer.boundary in OPEN:
                found.setdefault(premise.asked, found[answer.source])
