"""What can refuse at each point of an agent's course. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.effects import Guard, GuardStage
    from agent_architecture.model.system import Site, Tool
    from agent_architecture.sources.source import Span


class Point(NamedTuple):
    """A point that a site's work passes. `places` are what passes there (agents, tools, memories), each with what
    stands before it; `hidden` says why one cannot be read, as the end of the sentence "it comes from …".
    """

    stage: GuardStage
    places: tuple[tuple[Guard, ...], ...]
    hidden: str = ""


class Watched(NamedTuple):
    """An agent call site, with the points that its work passes."""

    span: Span
    symbol: str
    framework: str
    site: Site
    points: tuple[Point, ...] = ()
    tools: tuple[Tool, ...] = ()
    """All that its models may call."""
