"""What the tool finds in a project, in the form of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_architecture.config import Config, DataConfig
from agent_architecture.limits import Judgement, effective_bound, judge_bound, judge_limit
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import (
    PROTOCOL_SITES,
    AgentSystem,
    Bound,
    BoundKind,
    FeedbackPath,
    PathKind,
    Subject,
)
from agent_architecture.pipeline import read_sources, understand_agents, understand_names
from ecosystem.labels import Place

if TYPE_CHECKING:
    from pathlib import Path


class Found(NamedTuple):
    """One entity that the tool reports."""

    kind: str
    place: Place
    what: str
    limit: str = ""
    beside: bool = False
    """Whether it is found for another reason, too, so that no label is wanted for it: a list that grows in a run."""


def system_of(root: Path, *, with_examples: bool = False) -> AgentSystem:
    """The agent system of a project. `with_examples`: its examples are the application, too."""
    walked = read_sources([root], Config(data=DataConfig(include_examples=with_examples)))
    return understand_agents(walked, *understand_names(walked))


def found_in(system: AgentSystem) -> tuple[Found, ...]:
    """Every entity of the labelled kinds; two of one name on one line are one, but for edges."""
    paths = {path.span: path for path in reversed(system.feedback_paths)}
    found = [
        Found(
            "server" if site.kind in PROTOCOL_SITES else "site",
            _place(site),
            f"{site.kind} {site.symbol}",
            limit_of(paths.get(site.span)),
        )
        for site in system.sites
    ]
    found += [Found("agent", _place(agent), agent.symbol) for agent in system.agents]
    found += [Found("tool", _place(tool), tool.name or tool.symbol) for tool in system.tools]
    found += [Found("memory", _place(memory), f"{memory.holds} {memory.symbol}") for memory in system.memories]
    # What sheets 5 to 7 judge of conversations and of tools' state.
    found += [Found("memory", _place(one), one.symbol, beside=True) for one in system.collections]
    found += [Found("memory", _place(one), one.symbol, beside=True) for one in system.state_holders]
    found = list({(one.kind, one.place, one.what): one for one in reversed(found)}.values())[::-1]
    found += [
        Found("handoff", _place(edge), f"{edge.source.symbol} to {edge.target.symbol}") for edge in system.handoffs
    ]
    # What is sent to an agent elsewhere: the other end stands in no code of the project.
    drawn = {edge.span for edge in system.handoffs}
    found += [Found("handoff", _place(one), f"{one.symbol} to *") for one in system.handed if one.span not in drawn]
    return tuple(found)


def _place(entity: Subject) -> Place:
    return Place(entity.span.path, entity.span.line)


def limit_of(path: FeedbackPath | None) -> str:
    """The effective limit of a site, in the words of labels."""
    if path is None:
        return "none"
    if path.kind is PathKind.RUN:
        weakest = max(path.bounds, key=_risk, default=None)  # they end the cycles of a graph together
        counted = weakest is not None and _risk(weakest) < _worst(judge_limit(path.step_limit, ""))
        return _bound(weakest) if weakest is not None and counted else _setting(path.step_limit)
    best = effective_bound(path)
    return "absent" if best is None else _bound(best)


def _risk(bound: Bound) -> float:
    return _worst(judge_bound(bound))


def _worst(judgement: Judgement) -> float:
    return 0.1 if judgement.risk is None else judgement.risk


def _bound(bound: Bound) -> str:
    if bound.kind is BoundKind.PERSON:
        return "absent"
    if bound.kind in {BoundKind.COLLECTION, BoundKind.NO_PROGRESS}:
        return "none"
    return "unknown" if bound.from_caller and not bound.limit.is_known else _setting(bound.limit)


def _setting(setting: Setting) -> str:
    if setting.origin in {Origin.ABSENT, Origin.UNKNOWN}:
        return str(setting.origin)
    if setting.origin is Origin.DEFAULT and set(setting.values) == {None}:
        return str(Origin.ABSENT)  # a library whose default is no limit sets none
    values = ["off" if value is None else f"{value:g}" for value in setting.values if not isinstance(value, str)]
    return f"{setting.origin} {'|'.join(values)}" if values else "unknown"  # a default counts, whoever may override it
