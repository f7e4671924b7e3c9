"""Who wrote a text that a model obeys: the project, or a user, a client, another model, a source of others' texts.

The way back is that of untrusted texts; besides, what starts a graph comes from outside, what tools put into the state
of a run a model wrote, and what a library makes of a text is no longer that text. Must not know where texts go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.outputs import Boundary, Entering, Slot
from agent_architecture.names import flow
from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.conversations.answers import SAME
from agent_architecture.semantics.conversations.messages import entries_of, role_found
from agent_architecture.semantics.conversations.requests import Requests
from agent_architecture.semantics.conversations.run_state import RunState
from agent_architecture.semantics.conversations.state_outputs import HOLDER, KeptAnswers
from agent_architecture.semantics.conversations.text_provenance import CONTENT, Reading
from agent_architecture.semantics.conversations.tool_results import Tools
from agent_architecture.semantics.conversations.tool_runs import ToolRuns
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.taint.boundaries import Boundaries, of_way
from agent_architecture.semantics.taint.external_parameters import REQUESTED, RUNNING, Outsiders
from agent_architecture.semantics.taint.sources import sources_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context

ELSE: Final = "made into something else"
"""What a way passes where a library makes something else of what it is given."""
OF_SYSTEM: Final = "of the system's turn"
"""What a way passes that takes a text out of a message whose role is the system's: that message is judged where it is
made, and only a client's conversation can bring one that the project did not make.
"""
ANSWER: Final = "what an agent answered"
"""The name of an origin that is a call which gives back what a model answered before."""
KEPT: Final = "kept:"
"""Before the key, the name of an origin that is the answer of an agent, kept in the state of a run."""
OUTSIDE: Final = "a parameter that nobody in the project gives"
HOLDING: Final = frozenset({"req", "request"})
"""Names and attributes of what holds what a client sent."""
OWN: Final = frozenset({"runtime"})
"""Attributes of a request to a model that hold what the run was given by the project."""
FILLING: Final = frozenset({"compile", "render", "render_async", "renderAsync", "interpolate", "fill", "partial"})
"""Calls of libraries that put texts into a template."""
BODIES: Final = frozenset({
    "body", "form", "get_data", "get_json", "formData", "getQuery", "parseBody", "readBody", "readFormData",
    "readRawBody", "readValidatedBody",
})  # fmt: skip
"""Calls of servers' libraries that give what a request holds."""

_ORDER: Final = tuple(Boundary)


class Writers:
    """Who wrote texts, found on demand."""

    def __init__(self, context: Context, agents: Agents) -> None:
        self._context = context
        tools = agents.running()
        self.state = RunState(context.program, tools.values())
        self.boundaries = context.once(Boundaries)
        self.kept = KeptAnswers(context, self.boundaries)
        sources = self._sources = sources_of(context, frozenset(tools))
        self._reading = Reading(context, sources, self.boundaries, ToolRuns(context))
        self._tools = Tools(context, agents, sources, self.boundaries, self._reading)
        self.requests = context.once(Requests)
        self.handed: set[int] = set()
        """The functions that write instructions when a framework calls them: it knows what it hands them."""
        self._outsiders = Outsiders(context.program, _given_by_models(agents), self.boundaries)

    def origins(self, text: ir.Expr, calls: Calls = ()) -> tuple[Origin, ...]:
        """Where a text begins, where the code around it was entered by these calls. A conversation that is written into
        one is what was said in it.
        """
        return flow.origins(self._context.program, text, self._read_text, calls)

    def _read_text(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        return self.read(node, passed | {CONTENT})

    def read(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        """A `flow.Reader` around that of untrusted texts."""
        if OF_SYSTEM in passed and isinstance(node, ir.Map) and "role" in entries_of(node):
            return []
        if role_found(self._context.program, node) is Slot.SYSTEM:
            return OF_SYSTEM
        if isinstance(node, ir.Call) and "answers" in marks_of(self._context, node):
            return [flow.Origin("name", node, ANSWER)]
        said = self._reading(node, passed)
        if isinstance(said, str):
            return said
        is_kept = said is None and (self.state.has_writers or self.kept.all())
        if is_kept and (path := self.state.path_of(node)) is not None:
            written = [flow.Step(value) for value in self.state.written(*path)]
            kept = [flow.Origin("name", node, KEPT + path[1])] if path[0] == HOLDER and self.kept.under(path[1]) else []
            if written or kept:
                return [*written, *kept]
        if isinstance(said, list):
            state = self._reading.state(node)
            outside = state is not None and state.values and (state.is_given or state.is_conversation)
            return [*said, flow.Origin("name", node, state.key)] if outside and state is not None else said
        if callee_name(node) in HOLDING:
            return REQUESTED
        if isinstance(node, ir.Member) and node.name in OWN and callee_name(node.target) in HOLDING:
            return RUNNING
        return ELSE if isinstance(node, ir.Call) and self._makes_something_else(node) else None

    def _makes_something_else(self, call: ir.Call) -> bool:
        program, name = self._context.program, callee_name(call.callee)
        if self._sources.fetches(call):
            return True
        if program.callees(call) or SAME.match(name) or name in FILLING | BODIES or name.startswith("convert"):
            return False
        if isinstance(call.callee, ir.Member) and callee_name(call.callee.target) in HOLDING:
            return False  # `c.req.valid("json")`: whatever it is called, it gives of what a client sent
        apis = (value for value in program.value_of(call.callee) if isinstance(value, Api))
        return not (name[:1].isupper() or any(program.library.passes(api.path) for api in apis))

    # ------------------------------------------------------------------------------------------------ whose word it is
    def entering(self, origin: Origin, around: Boundary = Boundary.NONE) -> Iterator[Entering]:
        """What of a text that begins there the project did not write, where the text `around` it marks it so."""
        stands = max(of_way(origin.passed), around, key=_ORDER.index)
        if origin.name == ANSWER:
            yield Entering("model", stands, origin.node.span, origin.trail)
            return
        if origin.kind == "name" and origin.name.startswith(KEPT):
            yield from self.kept.entering(origin.name.removeprefix(KEPT), stands)
            return
        for brought in self._tools.among((origin,)):
            if (ELSE if brought.origin == "user" else OF_SYSTEM) in origin.passed:
                return
            yield Entering(brought.origin, stands, brought.source, brought.trail, brought.confidence)
            return
        ask = self.requests.by_call.get(id(origin.node)) if OF_SYSTEM not in origin.passed else None
        if ask is not None and ELSE not in origin.passed:
            places = (ask, *(run_agents(self._context, ask) if ask.row.kind == "run" else ()))
            closed = any(self.boundaries.is_quarantine(place, has_tools=False) for place in places)
            boundary = Boundary.SCHEMA_ONLY if closed else stands
            yield Entering("model", boundary, origin.node.span, origin.trail)
        elif ELSE not in origin.passed:
            yield from self._from_outside(origin, stands)

    def _from_outside(self, origin: Origin, stands: Boundary) -> Iterator[Entering]:
        state = self._reading.state(origin.node) if origin.kind == "name" else None  # type: ignore[arg-type]
        if state is not None:
            if state.is_wordless:
                stands = max(stands, Boundary.SCHEMA_ONLY, key=_ORDER.index)
            if state.is_given or state.is_conversation:
                yield Entering("user", stands, origin.node.span, origin.trail, Confidence.MEDIUM)
            return
        given = None if id(origin.node) in self.handed else self._outsiders.of(origin)
        if given is not None and given.origin:
            yield Entering(given.origin, stands, origin.node.span, origin.trail, given.confidence)

    def hidden(self, origin: Origin) -> str:
        """What of a text cannot be read."""
        if origin.kind == "unknown":
            return "more than can be followed"
        is_ours = id(origin.node) in self.handed or ELSE in origin.passed
        if origin.kind == "name" and (elsewhere := self._elsewhere(origin.node)):
            return f"{elsewhere}, which is defined outside of this project"
        given = None if is_ours else self._outsiders.of(origin)
        return f"{origin.name}, {OUTSIDE}" if given is not None and not given.origin else ""

    def _elsewhere(self, node: ir.Node) -> str:
        """The name of something that no file of the project defines, and no library that is known."""
        values = self._context.program.value_of(node) if isinstance(node, (ir.Name, ir.Member)) else ()
        paths = [value.path for value in values if isinstance(value, Api)]
        if not paths or len(paths) < len(values):
            return ""
        unknown = all(is_foreign(path) and self._context.packs.package_of(path) is None for path in paths)
        return dotted(node) if unknown and isinstance(node, (ir.Name, ir.Member)) else ""


def _given_by_models(agents: Agents) -> dict[int, frozenset[str]]:
    """The functions that run as tools, with the parameters that a model gives them."""
    found: dict[int, frozenset[str]] = {}
    tools = {id(tool): tool for tool in agents.all_tools()}
    for key, function in agents.code.items():
        if key in tools:
            described = (parameter.name for parameter in tools[key].schema.parameters)
            found[id(function)] = found.get(id(function), frozenset()).union(tools[key].parameters, described)
    return found


def worst(found: Iterable[Entering]) -> tuple[Entering, ...]:
    """One of each origin: the one that is marked least, of those the one that is known best."""
    table: dict[str, Entering] = {}
    for each in sorted(
        found, key=lambda e: (_ORDER.index(e.boundary), tuple(Confidence).index(e.confidence), e.source)
    ):
        table.setdefault(each.origin, each)
    return tuple(table[word] for word in sorted(table))
