"""Answers that agents put into the state of a run by themselves, where instructions read them: `output_key`.

Rule: google/adk/agents/llm_agent.py (`output_key`: the answer is kept under it in the session's state).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Boundary, Entering
from agent_architecture.names.values import Const
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.boundaries import Boundaries

STATE: Final = "google-adk"
HOLDER: Final = "state"
"""What the place is called where these answers are kept."""
OUTPUT_KEY: Final = parse_address("output_key | 0.outputKey")


class KeptAnswers:
    """The agents whose answers are kept, found on demand."""

    def __init__(self, context: Context, boundaries: Boundaries) -> None:
        self._context = context
        self._boundaries = boundaries
        self._found: dict[str, list[Match]] | None = None

    def under(self, key: str) -> tuple[Match, ...]:
        """The agents whose answers are put into the state under a key."""
        return tuple(self.all().get(key, ()))

    def all(self) -> dict[str, list[Match]]:
        """All of them, by the key."""
        if self._found is None:
            self._found = {}
            for agent in self._context.of_kind("agent"):
                if agent.row.where.pack == STATE and agent.arguments is not None:
                    for value in at_call(self._context.program, agent.arguments, None, OUTPUT_KEY).values:
                        if isinstance(value, Const) and isinstance(value.value, str):
                            self._found.setdefault(value.value, []).append(agent)
        return self._found

    def entering(self, key: str, around: Boundary) -> Iterator[Entering]:
        """What enters a text with what is kept under a key; `around` is what the text around says of it."""
        for agent in self.under(key):
            schemas = written_values(self._context, agent, "output_schema")
            closed = bool(schemas) and all(map(self._boundaries.holds_no_text, schemas))
            yield Entering("model", Boundary.SCHEMA_ONLY if closed else around, agent.node.span)
