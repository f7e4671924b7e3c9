"""What frameworks put into the instructions of an agent when it runs: `{key}` of the session's state, `{name}` of the
inputs that a crew is started with.

Rules: google/adk/utils/instructions_utils.py (`inject_session_state`: `{key}`, `{key?}`, not in what a function
returns; an agent with an `output_key` puts its answer under it), crewai/agents/agent_builder/base_agent.py
(`interpolate_inputs`: role, goal and backstory).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Boundary, Entering
from agent_architecture.names.string_parts import filled, pieces_of, with_surroundings
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.crewai_tasks import started_with
from agent_architecture.semantics.conversations.state_outputs import HOLDER, STATE
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.taint import delimiters
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.conversations.writers import Writers
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

PLACE: Final = regex(r"\{+\s*(?:user:|app:|temp:)?([A-Za-z_][\w-]*)\??\s*\}+")
TEXTS: Final = parse_address("role | goal | backstory | config.role | config.goal | config.backstory")
CREWS: Final = "crewai"


class _Held(NamedTuple):
    """A place in a text, by the name that it is filled by, and whether the text around marks it."""

    name: str
    around: Boundary


class RunTimeValues:
    """The places of instructions that are filled late, with who fills them."""

    def __init__(self, context: Context, writers: Writers) -> None:
        self._context = context
        self._writers = writers
        self._inputs: dict[int, list[tuple[str, ir.Expr]]] | None = None

    def entering(self, slot: TextSlot) -> Iterator[Entering]:
        """What enters the instructions of an agent when it runs."""
        match = self._context.at(slot.node, "agent")
        if match is None or match.arguments is None:
            return
        if match.row.where.pack == STATE:
            for text in slot.texts:
                for place in self._places(text):
                    yield from self._of_state(place)
        elif match.row.where.pack == CREWS:
            for text in expressions(self._context.program, match.arguments, TEXTS):
                for place in self._places(text):
                    yield from self._of_inputs(match, place)

    def _places(self, text: ir.Expr) -> Iterator[_Held]:
        pieces = filled(pieces_of(self._context.program, text), PLACE, lambda name: ir.Name(text.span, name))
        for place in with_surroundings(pieces):
            if isinstance(place.expr, ir.Name) and place.expr.span == text.span:
                marked = delimiters.marks(place.before, place.after)
                yield _Held(place.expr.id, Boundary.DELIMITED if marked else Boundary.NONE)

    # --------------------------------------------------------------------------------------------------------- states
    def _of_state(self, place: _Held) -> Iterator[Entering]:
        yield from self._writers.kept.entering(place.name, place.around)
        for value in self._writers.state.written(HOLDER, place.name):
            for origin in self._writers.origins(value):
                yield from self._writers.entering(origin, place.around)

    # --------------------------------------------------------------------------------------------------------- inputs
    def _of_inputs(self, agent: Match, place: _Held) -> Iterator[Entering]:
        for text in (given for name, given in self._started().get(id(agent.node), ()) if name == place.name):
            for origin in self._writers.origins(text):
                yield from self._writers.entering(origin, place.around)

    def _started(self) -> dict[int, list[tuple[str, ir.Expr]]]:
        """What the crews of each agent are started with."""
        if self._inputs is None:
            self._inputs = {}
            for run, given in started_with(self._context):
                for agent in run_agents(self._context, run):
                    self._inputs.setdefault(id(agent.node), []).extend(given)
        return self._inputs
