"""Approvals that the project tells a library to ask for, or not: of agents and runs, of tools, as a part of its own.

One subject for each place: the call that makes the agent or the approval, the definition of the tool.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import Approval, Bypass, BypassKind
from agent_architecture.model.settings import Origin
from agent_architecture.names.values import Const, Func, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.refusal import asks_person
from agent_architecture.semantics.control.switched_off import is_switched_off
from agent_architecture.semantics.matching.context import label
from agent_architecture.semantics.matching.effective import effective, translated, written_values
from agent_architecture.semantics.matching.read import Read, at_call, to_setting
from agent_architecture.semantics.topics.approvals.words import ALL, Word, agrees, said
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

OWNERS: Final = ("agent", "run", "tool_set", "model_call")
STATE: Final = "state"
"""The mode of a call that writes a person's answer into the state of a run."""
STOPPED: Final = "interruptions"
"""What libraries call the calls that a run stopped for."""
HANDLING: Final = regex(r"request|func$|callback|handler|can_?use", re.IGNORECASE)
"""What places are called that take a function which answers in the place of the person."""


def configured(context: Context, agents: Agents) -> Iterator[Approval]:
    """Every approval that is configured in code."""
    own = {id(match.node): match for match in context.of_kind("tool")}
    stated = [
        m
        for m in context.of_kind("approval")
        if id(m.node) not in own and not _is_read_by_owner(context, m) and not is_switched_off(context, m.node)
    ]
    places = [match.node.span for match in stated]
    yield from (approval for match in stated if (approval := _of_part(context, agents, match)) is not None)
    yield from _of_owners(context, agents, places)
    yield from _of_tools(agents, places)


def _is_read_by_owner(context: Context, match: Match) -> bool:
    """Whether the row of the agent that the same call makes reads the same setting."""
    return any("approval" in owner.row.properties for owner in context.all_at(match.node, *OWNERS))


# ------------------------------------------------------------------------------------ parts that ask by themselves
def _of_part(context: Context, agents: Agents, match: Match) -> Approval | None:
    """A middleware, a hook, a decorator that asks; what it remembers, what counts as its answer."""
    asks_of = effective(context, match, "applies_to")
    if asks_of.is_known and all(value is None for value in asks_of.values):
        return None  # it is made only where its caller gives it something to ask of, and none does
    words = list(_words(context, match, "applies_to"))
    mode = effective(context, match, "mode")
    if "mode" in match.row.properties:
        words.extend(_words(context, match, "mode"))
    elif isinstance(mode.value, str) and mode.value == "classifier":
        words.append(Word(BypassKind.JUDGED, "A model decides which calls wait for a person", match.node.span))
    if not words and "mode" in match.row.properties:
        return None
    remembers = effective(context, match, "remembers")
    if any(value is True for value in remembers.values):
        whose = f" (the default of {remembers.source})" if remembers.origin is Origin.DEFAULT else ""
        text = f"One answer holds for all later calls{whose}"
        words.append(Word(BypassKind.REMEMBERED, text, remembers.span or match.node.span))
    elif mode.value == STATE and (
        remembers.origin is Origin.UNKNOWN or any(value not in {False, None} for value in remembers.values)
    ):
        text = "One answer holds for all later calls where whoever answers says so"
        words.append(Word(BypassKind.REMEMBERED, text, remembers.span or match.node.span))
    if mode.value == STATE and _is_unasked(context, match):
        words.append(Word(BypassKind.AGREES, "All that the run stopped for is approved, and nobody is asked"))
    silence = effective(context, match, "default")
    if silence.origin is Origin.WRITTEN and any(str(value).lower() in ALL for value in silence.values):
        text = f"Without an answer it goes on with {silence.value!r}"
        words.append(Word(BypassKind.SILENCE, text, silence.span or match.node.span))
    if mode.value == STATE and not words:
        return None  # it passes on what somebody said
    tools = agents.tools_of(match) if "tools" in match.row.relations else ()
    known = {tool.name: tool for tool in agents.all_tools()}
    return _approval(match, words, (*tools, *(known[w.tool] for w in words if w.tool in known)), is_open=True)


def _is_unasked(context: Context, match: Match) -> bool:
    """Whether a loop over what a run stopped for approves everything in it, in a function that asks nobody."""
    if not isinstance(match.node, ir.Call):
        return False
    scope = context.program.scope_of(match.node)
    structure = context.program.structure(scope)
    for around in structure.ancestors(match.node):
        if isinstance(around, (ir.If, ir.Match, ir.Conditional, ir.Try)):
            return False
        if isinstance(around, ir.Loop):
            source = (
                [n for n in ir.walk(around.source) if isinstance(n, ir.Member)] if around.source is not None else []
            )
            over = any(node.name == STOPPED for node in source)
            return over and not any(asks_person(context, call) for call in structure.calls)
    return False


# -------------------------------------------------------------------------------------------------------- agents, runs
def _of_owners(context: Context, agents: Agents, places: list[Span]) -> Iterator[Approval]:
    done: set[int] = set()
    for match in context.of_kind(*OWNERS):
        if id(match.node) in done:
            continue
        words = [w for w in _words(context, match, "approval") if not _within(w.span, places)]
        words.extend(_switched_off(match))
        words.extend(_answered(context, match) if words or "approval" in match.row.properties else ())
        tools = agents.agent_of(match).tools if match.row.kind == "agent" else agents.tools_of(match)
        words.extend(_approved(context, match, tools))
        if words:
            done.add(id(match.node))
            yield _approval(match, words, tools, is_open=_has_more(context, match, agents))


def _switched_off(match: Match) -> Iterator[Word]:
    """A row that only holds for a call which lets everything pass (`onPermissionRequest: approveAll`)."""
    if match.row.constants.get("approval") is False and match.row.requires:
        yield Word(BypassKind.AGREES, "What is asked for is approved without a look", match.node.span)


def _answered(context: Context, match: Match) -> Iterator[Word]:
    """A function of the project that a library asks before each tool, and that says yes to everything."""
    for guard in context.all_at(match.node, "guard"):
        address = guard.row.relations.get("function")
        if address is None or guard.row.constants.get("stage") != "tool_call":
            continue
        if not any(HANDLING.search(str(steps[-1])) for steps in address.alternatives):
            continue
        for value in at_call(context.program, guard.arguments, guard.api.receiver, address).values:
            if isinstance(value, Func) and agrees(value.function):
                name = value.function.name or "a function"
                yield Word(BypassKind.AGREES, f"{name} says yes to every call", value.function.span)


def _approved(context: Context, match: Match, tools: tuple[Tool, ...]) -> Iterator[Word]:
    """The tools that an agent is told not to ask for."""
    address = match.row.properties.get("approved")
    if address is None:
        return
    for value in at_call(context.program, match.arguments, match.api.receiver, address).values:
        if not isinstance(value, Items):
            continue
        yield Word(None, "a list of tools", value.node.span)
        names = [v for item in value.items for v in context.program.value_of(item)]
        texts = [(v.value, v.span) for v in names if isinstance(v, Const) and isinstance(v.value, str)]
        for text, span in texts:
            name, _, rule = text.partition("(")
            plain = name.strip().rpartition("__")[2]
            tool = next((tool for tool in tools if tool.name in {name.strip(), plain}), None)
            if text.strip() == "*":
                yield Word(BypassKind.ANYTHING, "Nobody is asked for any tool", span)
            elif tool is not None:
                everything = not rule or rule in {")", "*)", ":*)"}
                runs = any(effect.kind in {"execute_shell", "execute_code"} for effect in tool.effects)
                kind = BypassKind.ANYTHING if runs and everything else BypassKind.RULE
                what = "any command" if kind is BypassKind.ANYTHING else f"{text}"
                yield Word(kind, f"Nobody is asked for {what}: {name} is approved beforehand", span, tool.name)


def _has_more(context: Context, match: Match, agents: Agents) -> bool:
    """Whether an agent has tools that are not listed: those of its library, of a server, code that it executes."""
    sink = context.at(match.node, "code_sink") is not None
    unlisted = match.row.kind == "tool_set" or context.at(match.node, "tool_set") is not None
    return sink or unlisted or id(match.node) in agents.open_ended


# --------------------------------------------------------------------------------------------------------------- tools
def _of_tools(agents: Agents, places: list[Span]) -> Iterator[Approval]:
    for tool in agents.all_tools():
        asked = tool.gate.approval
        if asked.origin is Origin.ABSENT or (asked.origin is Origin.DEFAULT and asked.value != "always"):
            continue
        if _within(asked.span, places):
            continue
        bypasses = [Bypass(asked.span or tool.span, kind, text, tool) for kind, text in _of_gate(tool)]
        hidden = asked.source if asked.origin is Origin.UNKNOWN and not bypasses else ""
        yield Approval(tool.span, tool.symbol, tool.framework, (tool,), bypasses=tuple(bypasses), unreadable=hidden)


def _of_gate(tool: Tool) -> Iterator[tuple[BypassKind, str]]:
    asked = tool.gate.approval
    if "never" in asked.values:
        yield BypassKind.OFF, f"The approval of {tool.name} is switched off"
    elif "conditional" in asked.values:
        yield BypassKind.RULE, f"A function decides which calls of {tool.name} wait for a person"
    elif asked.origin is Origin.UNKNOWN and asked.source.startswith("the environment"):
        yield (
            BypassKind.SWITCH,
            f"{asked.source[:1].upper()}{asked.source[1:]} decides whether {tool.name} waits for a person",
        )


# -------------------------------------------------------------------------------------------------------------- shared
def _words(context: Context, match: Match, name: str) -> Iterator[Word]:
    address = match.row.properties.get(name)
    steps = [str(way[-1]) for way in address.alternatives if way] if address is not None else []
    handler = bool(steps) and all(HANDLING.search(step) for step in steps)
    table = match.row.values.get(name, {})
    for value in written_values(context, match, name):
        if isinstance(value, Const) and table:
            setting = translated(to_setting(context.program, Read((value,), missing=False)), table)
            value = value._replace(value=setting.value)  # noqa: PLW2901 - the same value in the words of the model
        yield from said(context, value, match.node.span, handler=handler)


def _approval(match: Match, words: list[Word], tools: tuple[Tool, ...], *, is_open: bool) -> Approval:
    named = {tool.name: tool for tool in tools}
    bypasses = tuple(
        Bypass(word.span or match.node.span, word.kind, word.text, named.get(word.tool)) for word in words if word.kind
    )
    hidden = next((word.unreadable for word in words if word.unreadable), "")
    return Approval(
        match.node.span, label(match), match.row.where.pack, tuple(named.values()), is_open, bypasses, hidden
    )


def _within(span: Span | None, places: list[Span]) -> bool:
    return span is not None and any(place.contains(span) for place in places)
