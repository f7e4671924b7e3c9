"""Which places of a report can be mended by the tool itself, and how that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span

MARK: Final = "[*]"
"""Beside a place that `--fix` mends, as ruff writes it."""


class Fixable(NamedTuple):
    """The places, each with the key of its rule; how many they are, and how many more `--unsafe-fixes` adds."""

    places: frozenset[tuple[str, Span]] = frozenset()
    number: int = 0
    hidden: int = 0

    def line(self) -> str:
        """What a run says of it at its end; "" where there is nothing to say."""
        if self.number:
            more = f" ({self.hidden} more with --unsafe-fixes)" if self.hidden else ""
            return f"{MARK} {self.number} fixable with --fix{more}"
        return f"{self.hidden} fixable with --fix --unsafe-fixes" if self.hidden else ""


NOTHING: Final = Fixable()
