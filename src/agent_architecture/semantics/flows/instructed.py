"""What stands where a model is told what to do: system messages and instructions, with the texts in them that the
project did not write, and conversations of clients that are handed on whole.

Joins slots, sources and boundaries; what is no instruction is `untrusted`'s. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.outputs import Boundary, Entering, Instruction, Slot
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Func
from agent_architecture.semantics.flows import delimiters, messages
from agent_architecture.semantics.flows.answers import SAME
from agent_architecture.semantics.flows.boundaries import Boundaries, names_in, of_way
from agent_architecture.semantics.flows.fed import Tools
from agent_architecture.semantics.flows.outsiders import Outsiders
from agent_architecture.semantics.flows.reading import Reading
from agent_architecture.semantics.flows.requests import Requests
from agent_architecture.semantics.flows.run_state import RunState
from agent_architecture.semantics.flows.slots import text_slots
from agent_architecture.semantics.flows.sources import Sources
from agent_architecture.semantics.flows.tool_runs import ToolRuns
from agent_architecture.semantics.sites import run_agents
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.semantics.agents import Agents
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.flows.slots import TextSlot
    from agent_architecture.sources.source import Span

ELSE: Final = "made into something else"
"""What a way passes where a library makes something else of what it is given."""
OUTSIDE: Final = "a parameter that nobody in the project gives"

_ORDER: Final = tuple(Boundary)


def instructions(context: Context, agents: Agents) -> tuple[Instruction, ...]:
    """Every text that tells a model what it is to do, by position, each once."""
    found: dict[tuple[Span, str], Instruction] = {}
    for each in _Instructed(context, agents).all():
        found.setdefault((each.span, each.symbol), each)
    return tuple(found.values())


class _Instructed:
    def __init__(self, context: Context, agents: Agents) -> None:
        self._context = context
        tools = agents.running()
        self._state = RunState(context.program, tools.values())
        self._boundaries = Boundaries(context)
        sources = Sources(context, frozenset(tools))
        self._reading = Reading(context, sources, self._boundaries, ToolRuns(context))
        self._tools = Tools(context, agents, sources, self._boundaries, self._reading)
        self._requests = Requests(context)
        self._handed: set[int] = set()
        """The functions that write instructions when a framework calls them: it knows what it hands them."""
        self._outsiders = Outsiders(context.program, _given_by_models(agents), self._boundaries)

    def all(self) -> Iterator[Instruction]:
        """One for each place where the project decides what the text says."""
        for slot in text_slots(self._context):
            if slot.slot is Slot.SYSTEM:
                yield from map(self._of_slot, self._requests.of_slot(slot))

    def _of_slot(self, slot: TextSlot) -> Instruction:
        origins = tuple(self._origins(slot))
        entering = [entered for boundary, origin in origins for entered in self._entering(origin, boundary)]
        found = _worst(entering)
        scope = self._context.program.scope_of(slot.node)
        names = frozenset[str]().union(*map(names_in, slot.texts))
        if found and self._boundaries.is_checked(scope, slot.node, names):
            found = tuple(
                each._replace(boundary=max(each.boundary, Boundary.SANITISED, key=_ORDER.index)) for each in found
            )
        hidden = "" if found else next((what for _, origin in origins if (what := self._hidden(origin))), "")
        return Instruction(slot.node.span, slot.symbol, slot.framework, found, hidden)

    # ------------------------------------------------------------------------------------------------ where it begins
    def _origins(self, slot: TextSlot) -> Iterator[tuple[Boundary, Origin]]:
        """Where the parts of an instruction begin, with what the text around each says of it."""
        for text in (t for given in slot.texts for t in self._said_by(given)):
            if slot.fill is None:
                yield from ((Boundary.NONE, origin) for origin in self._back(text))
                continue
            for place in messages.places_in(self._context, text, slot.fill):
                marked = delimiters.marks(place.before, place.after)
                boundary = Boundary.DELIMITED if marked else Boundary.NONE
                yield from ((boundary, origin) for origin in self._back(place.expr))

    def _said_by(self, text: ir.Expr) -> tuple[ir.Expr, ...]:
        """A text, or what the function returns that makes it."""
        values = () if isinstance(text, (ir.Literal, ir.Template)) else self._context.program.value_of(text)
        functions = [value.function for value in values if isinstance(value, Func)]
        self._handed.update(map(id, functions))
        structures = [self._context.program.structure(function) for function in functions]
        return tuple(each for structure in structures for each in structure.returns) if functions else (text,)

    def _back(self, text: ir.Expr) -> tuple[Origin, ...]:
        return flow.origins(self._context.program, text, self._read)

    def _read(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        """A `flow.Reader` around that of untrusted texts: what starts a graph comes from outside, and what a library
        makes of a text is no longer that text.
        """
        said = self._reading(node, passed)
        if isinstance(said, str):
            return said
        if said is None and (written := self._state.read(node)):
            return [flow.Step(value) for value in written]
        if isinstance(said, list):
            state = self._reading.state(node)
            outside = state is not None and state.values and (state.is_given or state.is_conversation)
            return [*said, flow.Origin("name", node, state.key)] if outside and state is not None else said
        return ELSE if isinstance(node, ir.Call) and self._makes_something_else(node) else None

    def _makes_something_else(self, call: ir.Call) -> bool:
        if self._context.program.callees(call) or SAME.match(name := callee_name(call.callee)):
            return False
        return not name[:1].isupper()

    # ------------------------------------------------------------------------------------------------ whose word it is
    def _entering(self, origin: Origin, around: Boundary) -> Iterator[Entering]:
        stands = max(of_way(origin.passed), around, key=_ORDER.index)
        for brought in self._tools.among((origin,)):
            if brought.origin == "user" and ELSE in origin.passed:
                return
            yield Entering(brought.origin, stands, brought.source, brought.trail, brought.confidence)
            return
        ask = self._requests.by_call.get(id(origin.node))
        if ask is not None and ELSE not in origin.passed:
            places = (ask, *(run_agents(self._context, ask) if ask.row.kind == "run" else ()))
            closed = any(self._boundaries.is_quarantine(place, has_tools=False) for place in places)
            boundary = Boundary.SCHEMA_ONLY if closed else stands
            yield Entering("model", boundary, origin.node.span, origin.trail)
        elif ELSE not in origin.passed:
            yield from self._from_outside(origin, stands)

    def _from_outside(self, origin: Origin, stands: Boundary) -> Iterator[Entering]:
        state = self._reading.state(origin.node) if origin.kind == "name" else None  # type: ignore[arg-type]
        if state is not None:
            if state.is_given or state.is_conversation:
                yield Entering("user", stands, origin.node.span, origin.trail, Confidence.MEDIUM)
            return
        given = None if id(origin.node) in self._handed else self._outsiders.of(origin)
        if given is not None and given.origin:
            yield Entering(given.origin, stands, origin.node.span, origin.trail, given.confidence)

    def _hidden(self, origin: Origin) -> str:
        """What of a text cannot be read."""
        if origin.kind == "unknown":
            return "more than can be followed"
        is_ours = id(origin.node) in self._handed or ELSE in origin.passed
        given = None if is_ours else self._outsiders.of(origin)
        return f"{origin.name}, {OUTSIDE}" if given is not None and not given.origin else ""


def _given_by_models(agents: Agents) -> dict[int, frozenset[str]]:
    """The functions that run as tools, with the parameters that a model gives them."""
    found: dict[int, frozenset[str]] = {}
    tools = {id(tool): tool for tool in agents.all_tools()}
    for key, function in agents.code.items():
        if key in tools:
            found[id(function)] = found.get(id(function), frozenset()) | frozenset(tools[key].parameters)
    return found


def _worst(found: Iterable[Entering]) -> tuple[Entering, ...]:
    """One of each origin: the one that is marked least, of those the one that is known best."""
    table: dict[str, Entering] = {}
    for each in sorted(
        found, key=lambda e: (_ORDER.index(e.boundary), tuple(Confidence).index(e.confidence), e.source)
    ):
        table.setdefault(each.origin, each)
    return tuple(table[word] for word in sorted(table))
