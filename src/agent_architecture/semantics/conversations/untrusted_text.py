"""Text that the project did not write, from where it comes in to the message that it enters, with what stands between.

Joins sources, slots, boundaries and tools into `UntrustedFlow`s. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.outputs import Boundary, Slot, UntrustedFlow
from agent_architecture.names import flow
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.conversations import messages
from agent_architecture.semantics.conversations.passed_templates import filled
from agent_architecture.semantics.conversations.prompt_slots import text_slots
from agent_architecture.semantics.conversations.replayed_turns import replayed_turns
from agent_architecture.semantics.conversations.requests import Requests
from agent_architecture.semantics.conversations.stored_prompts import is_stored_prompt
from agent_architecture.semantics.conversations.text_provenance import CONTENT, Reading
from agent_architecture.semantics.conversations.tool_results import Brought, Tools, worst
from agent_architecture.semantics.conversations.tool_runs import ToolRuns
from agent_architecture.semantics.conversations.written_texts import entered_at
from agent_architecture.semantics.taint import delimiters
from agent_architecture.semantics.taint.boundaries import Boundaries, names_in, of_way
from agent_architecture.semantics.taint.sources import sources_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.protocols import ServedInside
    from agent_architecture.model.system import Binding
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

_ORDER: Final = tuple(Boundary)
ARROW: Final = " → "
"""What stands between an agent and its tool in the name of a binding."""
STORED: Final = frozenset({"memory", "file"})
NEAR: Final = 8
"""Places on the way to a message with a tool's result, beyond which what was stored is more likely a conversation that
goes on than what the tool read, and what a function is given more likely something else than the result.
"""

FAR: Final = 12
"""Places on the way from a call that runs some tool, beyond which its result is more likely only mentioned."""
CALLERS: Final = 3
"""Calls followed upwards from a model call to the code that writes its messages."""

WORDLESS: Final = frozenset({Boundary.SCHEMA_ONLY, Boundary.QUARANTINED})
WRITTEN: Final = frozenset({"call", "constant"})
"""Beginnings of texts that stand in the code where they begin."""
SETTINGS: Final = frozenset({"self", "cls", "config", "configuration", "settings", "options", "state", "runtime"})
"""Parameters that hold no tool's result."""


def untrusted_flows(
    context: Context, agents: Agents, bindings: Iterable[Binding], inside: Iterable[ServedInside]
) -> tuple[UntrustedFlow, ...]:
    """Every flow, by position; of several from one origin into one message the one with the weakest boundary. What code
    brings from a tool that it runs itself is judged at the message that it puts it into.
    """
    joined = _Flows(context, agents)
    written = tuple(joined.of_slots())
    by_hand = _by_hand(context, frozenset(found.span.path for found in written if found.slot is Slot.TOOL))
    asking = context.files_of("model_call", "run")
    served = joined.tools.served(inside) if asking - by_hand else ()
    fed = _fed((*joined.tools.entering(bindings, by_hand), *joined.tools.heard()), written)
    found = {(each.span, each.symbol, each.slot, each.origin): each for each in (*fed, *served, *written)}
    return tuple(sorted(found.values(), key=lambda each: (each.span, each.symbol, each.slot, each.origin)))


def _fed(fed: tuple[UntrustedFlow, ...], written: tuple[UntrustedFlow, ...]) -> Iterator[UntrustedFlow]:
    """What frameworks feed back, and what code does that is not seen to put any of its tools' results into a message:
    where it is, they are judged there.
    """
    told = frozenset(each.source for each in written)
    seen = {_owner(each) for each in fed if not each.framework and each.source in told}
    yield from (each for each in fed if each.framework or _owner(each) not in seen)


def _owner(fed: UntrustedFlow) -> str:
    return fed.symbol.rpartition(ARROW)[0]


def foreign_text(context: Context, agents: Agents) -> Tools:
    """What tools bring in, asked of one at a time."""
    return _Flows(context, agents).tools


def _by_hand(context: Context, files: frozenset[str]) -> frozenset[str]:
    """The files that write tools' results into messages themselves (`files`), and those that ask the model for them."""
    asking = {match.node.span.path for match in context.of_kind("model_call") if _is_called_from(context, match, files)}
    return files | asking


def _is_called_from(context: Context, match: Match, files: frozenset[str]) -> bool:
    start = context.program.scope_of(match.node)
    callers = above(context.program, [start], CALLERS, MANY)
    return any(scope.span.path in files for scope in callers if scope is not start)


class _Flows:
    def __init__(self, context: Context, agents: Agents) -> None:
        self._context = context
        self._agents = agents
        self._boundaries = context.once(Boundaries)
        self._tools = frozenset(agents.functions())
        sources = sources_of(context, self._tools)
        self._runs = ToolRuns(context)
        self._turns = context.once(replayed_turns)
        reading = Reading(context, sources, self._boundaries, self._runs)
        self._reading = reading
        self.tools = Tools(context, agents, sources, self._boundaries, reading)

    def of_slots(self) -> Iterator[UntrustedFlow]:
        """What enters the messages that the project makes itself."""
        for slot, within in self._decided():
            if messages.is_converted(self._context.program, slot.texts):
                continue
            begun = tuple(self._begins(slot))
            is_turn = id(within.node) in self._turns
            found = tuple(
                brought
                for marked, origins in begun
                for brought in self.tools.among(origins, marked=marked)
                if not _is_replay(slot, brought, is_turn=is_turn) and not self._is_asked(slot, brought)
            )
            if slot.slot is Slot.TOOL and all(brought.origin == "user" for brought in found):
                every = tuple(origin for _, origins in begun for origin in origins)
                found = (*found, *self._dispatched(slot, every))
            stands = max(self._stands(slot), self._stands(within), key=_ORDER.index) if found else Boundary.NONE
            near = self.tools.untold(o for _, origins in begun for o in origins) if found else None
            for brought in worst(found):
                yield UntrustedFlow(
                    slot.node.span,
                    slot.symbol,
                    slot.framework,
                    brought.origin,
                    slot.slot,
                    max(brought.boundary, stands, key=_ORDER.index),
                    brought.source,
                    brought.trail,
                    confidence=brought.confidence,
                    enters=entered_at(self._context.program, slot.node, slot.texts, (brought.source, *brought.trail)),
                    asked=None if slot.ask is None else slot.ask.node.span,
                    beside=_beside(brought, found),
                    near=near,
                )

    def _is_asked(self, slot: TextSlot, brought: Brought) -> bool:
        """Whether a user's message is a prompt that stands in a definition: what is asked, and no text from outside."""
        is_stored = slot.slot is Slot.USER and slot.fill is None and brought.origin in STORED
        return is_stored and is_stored_prompt(self._context.program, brought.trail)

    def _decided(self) -> Iterator[tuple[TextSlot, TextSlot]]:
        """Every place where text enters a conversation, with the message that is made there; a user's message that a
        client of the project's own makes of what it is given stands where that client is called.
        """
        requests = self._context.once(Requests)
        for slot in text_slots(self._context):
            for place in requests.of_slot(slot) if slot.slot is Slot.USER else (slot,):
                yield place, slot

    def _begins(self, slot: TextSlot) -> Iterator[tuple[bool, tuple[flow.Origin, ...]]]:
        """Where the texts of a message begin, and whether the text of its template marks them as data."""
        for text in slot.texts:
            if slot.fill is None:
                yield False, self.tools.origins(text)
                continue
            for place, calls in filled(self._context, text, slot.fill):
                yield delimiters.marks(place.before, place.after), self.tools.origins(place.expr, calls)

    def _stands(self, slot: TextSlot) -> Boundary:
        """What stands around the message itself: a screen before it, a model without hands behind it."""
        scope = self._context.program.scope_of(slot.node)
        names = frozenset[str]().union(*map(names_in, slot.texts))
        if self._boundaries.is_checked(scope, slot.node, names):
            return Boundary.SANITISED
        if slot.ask is not None:
            has_tools = bool(self._agents.tools_of(slot.ask))
            if self._boundaries.is_quarantine(slot.ask, has_tools=has_tools):
                return Boundary.QUARANTINED
        return Boundary.NONE

    # ------------------------------------------------------------------------------------------- whichever tool it was
    def _dispatched(self, slot: TextSlot, origins: tuple[flow.Origin, ...]) -> Iterator[Brought]:
        """A message with the result of a tool that code picks by a name: as bad as the worst tool it may be."""
        ran = [origin for origin in origins if self._is_run(origin)]
        nearest = min(ran, key=lambda origin: (len(origin.trail), origin.node.span), default=None)
        if nearest is not None:
            yield from self._of_any(slot, nearest)
        elif inside := self._of_tools(slot, origins):
            yield from (brought._replace(confidence=Confidence.MEDIUM) for brought in inside)
        elif (given := next(filter(self._is_given, origins), None)) is not None:
            yield Brought("tool", of_way(given.passed), given.node.span, given.trail, Confidence.LOW)

    def _of_tools(self, slot: TextSlot, origins: tuple[flow.Origin, ...]) -> tuple[Brought, ...]:
        """What the tools of the model calls in a message's file bring in by the code that its text is followed to."""
        scopes = {id(scope): scope for each in origins if (scope := self._written_in(each)) is not None}
        return tuple(
            brought
            for brought in (self._of_known(slot) or () if scopes else ())
            if any(s.span.path == brought.source.path and s.span.contains(brought.source) for s in scopes.values())
        )

    def _written_in(self, origin: flow.Origin) -> ir.Function | None:
        scope = self._context.program.scope_of(origin.node) if origin.kind in WRITTEN else None
        return scope if isinstance(scope, ir.Function) else None

    def _is_run(self, origin: flow.Origin) -> bool:
        """Whether a text is what some tool returned, and no record of it."""
        if origin.kind != "call" or not isinstance(origin.node, ir.Call) or CONTENT in origin.passed:
            return False
        return len(origin.trail) <= FAR and self._runs.runs_any(origin.node)

    def _is_given(self, origin: flow.Origin) -> bool:
        """Whether a text is what a function that nobody in the project calls is given, and no record of a message."""
        if origin.kind != "parameter" or not isinstance(origin.node, ir.Function) or CONTENT in origin.passed:
            return False
        if len(origin.trail) > NEAR or id(origin.node) in self._tools or origin.name in SETTINGS:
            return False
        return not self._context.program.callers(origin.node)

    def _of_any(self, slot: TextSlot, origin: flow.Origin) -> Iterator[Brought]:
        found = self._of_kind(origin.node) or self._of_known(slot)
        if found is None:
            yield Brought("tool", of_way(origin.passed), origin.node.span, origin.trail, Confidence.MEDIUM)
        else:
            yield from (brought._replace(confidence=Confidence.MEDIUM) for brought in found)

    def _of_kind(self, call: ir.Node) -> tuple[Brought, ...] | None:
        """What tools bring that are objects of the project's own kind: `tools[name].execute(x)` is any of their
        `execute` methods.
        """
        if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Member):
            return None
        own = self._context.program.scope_of(call)
        methods = [m for m in self._context.program.methods_named(call.callee.name, call) if m is not own]
        found = tuple(brought for method in methods for brought in self.tools.returned(method))
        return found or None

    def _of_known(self, slot: TextSlot) -> tuple[Brought, ...] | None:
        """What the tools of the model calls in a message's file bring; None when that cannot be told."""
        path = slot.node.span.path
        asks = [match for match in self._context.of_kind("model_call", "run") if match.node.span.path == path]
        tools = {id(tool): tool for match in asks for tool in self._agents.tools_of(match)}.values()
        found = tuple(brought for tool in tools for brought in self.tools.brings(tool))
        hidden = any(tool.name == "tool" and not tool.parameters for tool in tools)
        hidden = hidden or any(id(match.node) in self._agents.open_ended for match in asks)
        return found if found or (tools and not hidden) else None


def _beside(brought: Brought, found: Iterable[Brought]) -> tuple[Span, ...]:
    """Where text of the same origin comes in elsewhere, whose words nothing on its way takes away."""
    others = (one for one in found if one.origin == brought.origin and one.boundary not in WORDLESS)
    return tuple(dict.fromkeys(one.source for one in others if one.source != brought.source))


def _is_replay(slot: TextSlot, brought: Brought, *, is_turn: bool) -> bool:
    """Whether a message only says again what was said before: the text of another message, a conversation that is
    loaded and goes on, of which it `is_turn`.
    """
    if slot.slot is not Slot.SYSTEM and (brought.again or (is_turn and brought.origin in STORED)):
        return True
    if slot.slot not in {Slot.TOOL, Slot.ASSISTANT} or brought.origin not in STORED:
        return False
    return brought.said or len(brought.trail) > NEAR
