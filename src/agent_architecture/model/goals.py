"""What agents that go on by themselves work towards. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.outputs import Instruction
    from agent_architecture.model.system import Site
    from agent_architecture.sources.source import Span


class Goal(NamedTuple):
    """The instructions that a site's steps obey. `span` is the site's; only sites that may take more than one step have
    one.
    """

    span: Span
    symbol: str
    framework: str
    site: Site
    instructions: tuple[Instruction, ...] = ()
    """Those of its agents and requests, and those that its code writes on the way."""
    rows: frozenset[Span] = frozenset()
    """The places of `entering` texts that come out of a database: where also people write."""
    open_ended: bool = False
    """Whether it may have tools that cannot be read."""
