"""Which models a program asks, by the names that it writes down. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.settings import Setting
    from agent_architecture.sources.source import Span


class ModelUse(NamedTuple):
    """A place that chooses a model: an agent, a request, a client. `name`: UNKNOWN where something else decides."""

    span: Span
    symbol: str
    framework: str
    name: Setting
