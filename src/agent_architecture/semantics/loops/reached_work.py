"""What a stretch of code does in the end: asks models, runs tools, calls other machines, changes the world.

Follows calls through the project's functions and into functions that are written as arguments. States what is
reached; whether that may be repeated or run in parallel is for others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import FORWARDING
from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Func
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.effects.idempotency import key_of
from agent_architecture.semantics.effects.requests import asks, texts_in
from agent_architecture.semantics.effects.served_tool_calls import REMOTE_TOOLS
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.effects import Effect
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import EffectRow

REMOTE: Final = (
    "network_read", "network_write", "mail", "message", "payment", "deploy", "database", "database_read",
    "database_write", "browser",
)  # fmt: skip
"""Effects that need another machine."""
ONCE: Final = ("mail", "message", "payment", "deploy", "database_write", "network_write")
"""Effects that are there twice when they are done twice."""

_HARMLESS: Final = regex(
    r"idempoten|on conflict|upsert|insert or (?:ignore|replace)|merge into|^\s*(?:update|delete|create|drop|alter)\b",
    re.IGNORECASE,
)
"""What makes a repetition harmless: a key, or a statement that ends in the same state."""
STRETCHES: Final = 40
"""Functions written as arguments that are followed from one stretch of code."""


class Reached(NamedTuple):
    """What a stretch of code reaches.

    `handed` when it calls a function that it was handed and that nobody can name; `foreign` when it calls a library
    that no pack knows, which may be a client of something remote.
    """

    asks: tuple[Match, ...]
    tools: bool
    remote: bool
    once: tuple[Effect, ...]
    handed: bool
    foreign: bool
    nodes: tuple[ir.Node, ...]
    requests: tuple[ir.Call, ...] = ()
    """The calls that need another machine."""

    @property
    def acts(self) -> bool:
        """Whether it asks a model, runs an agent or a tool."""
        return bool(self.asks) or self.tools


class Work:
    """Answers for any stretch of code, and remembers what it asked of calls and tools."""

    def __init__(self, context: Context, agents: Agents) -> None:
        self.context = context
        self.agents = agents
        self.effects = agents.facts.effects
        self._tools = agents.functions()
        self._names = context.packs.effect_names(*REMOTE)
        self._marked = context.packs.mark_names("remote")
        self._of_tools: dict[int, tuple[Effect, ...]] = {}
        self._inside: dict[tuple[ir.Node, ...], Reached] = {}

    def inside(self, *nodes: ir.Node) -> Reached:
        """What these nodes reach, callbacks included."""
        found = self._inside.get(nodes)
        if found is None:
            found = self._inside[nodes] = self._reached(nodes)
        return found

    def _reached(self, nodes: tuple[ir.Node, ...]) -> Reached:
        found = self.context.program.kept(_followed, nodes)
        calls = [node for node in found if isinstance(node, ir.Call)]
        asks = tuple(m for call in calls if (m := self.context.at(call, "model_call", "run")) is not None)
        hands = any(self._hands_model(call) for call in calls)
        remote = [(row, call) for call in calls for row in self._rows(call)]
        once = [self._effect(row, call) for row, call in remote if self._is_once(row, call)]
        once.extend(effect for ask in asks for effect in self._of_run(ask))
        tools = hands or any(self._is_tool(call) for call in calls)
        handed = any(_calls_parameter(self.context.program, call) for call in calls)
        known = bool(asks) or tools or bool(remote)
        foreign = not known and any(self._is_foreign(call) for call in calls)
        requests = (*(call for _, call in remote), *(call for call in calls if self.is_marked_remote(call)))
        return Reached(asks, tools, bool(remote), tuple(once), handed, foreign, found, requests)

    def once_by(self, call: ir.Call) -> Effect | None:
        """What a call itself does that is there twice when it is done twice."""
        return next((self._effect(row, call) for row in self._rows(call) if self._is_once(row, call)), None)

    def is_marked_remote(self, call: ir.Call) -> bool:
        """Whether a call asks another machine though no effect says so: for an embedding, a page, a sandbox's file."""
        return callee_name(call.callee) in self._marked and any(
            mark.covers == "remote"
            for api in resolved(self.context.program, call.callee)
            for mark in self.context.packs.marks(api.path)
        )

    def _hands_model(self, call: ir.Call) -> bool:
        """Whether a call hands a library's own model call to a runner: `submit(client.responses.create, …)`."""
        given = call.args[:2] if callee_name(call.callee) in FORWARDING else ()
        return any(
            row.kind in {"model_call", "run"}
            for argument in given
            if isinstance(argument.value, (ir.Name, ir.Member))
            for value in self.context.program.value_of(argument.value)
            if isinstance(value, Api)
            for row in self.context.packs.entities(value.path)
        )

    def _is_tool(self, call: ir.Call) -> bool:
        """Whether a call runs a tool: one of the project's, or one of an MCP server."""
        if callee_name(call.callee) in REMOTE_TOOLS:
            return True
        return any(id(function) in self._tools for function in self.context.program.callees(call))

    def _is_foreign(self, call: ir.Call) -> bool:
        return any(
            is_foreign(value.path) and self.context.packs.package_of(value.path) is None
            for value in self.context.program.value_of(call.callee)
            if isinstance(value, Api)
        )

    def _rows(self, call: ir.Call) -> Iterator[EffectRow]:
        if callee_name(call.callee) in self._names:
            yield from (row for row, _ in self.effects.rows(call) if row.effect in REMOTE)

    def _effect(self, row: EffectRow, call: ir.Call) -> Effect:
        from agent_architecture.model.effects import Effect
        from agent_architecture.semantics.matching.context import called

        return Effect(call.span, called(call), row.where.pack, row.effect)

    def _is_once(self, row: EffectRow, call: ir.Call) -> bool:
        """Whether doing it twice leaves more than doing it once, as far as the call says."""
        if row.effect not in (*ONCE, "database"):
            return False
        texts = tuple(texts_in(self.context.program, call))
        if any(_HARMLESS.search(text) for text in texts):
            key = key_of(self.context, call)
            return key is not None and key.fresh
        if row.effect == "database":
            return any(text.lstrip().lower().startswith("insert") for text in texts)
        if row.effect != "network_write":
            return True
        return (
            bool(texts) and callee_name(call.callee) not in {"put", "delete"} and not asks(self.context.program, call)
        )

    def _of_run(self, ask: Match) -> tuple[Effect, ...]:
        """What the tools of an agent do that is run as a whole. A model that is only told of tools runs none."""
        found = self._of_tools.get(id(ask.node))
        if found is None:
            run = self.context.at(ask.node, "run") if isinstance(ask.node, ir.Call) else None
            matches = () if run is None else (run, *run_agents(self.context, run))
            values = [v for match in matches for _, given in self.agents.bound(match, "tools") for v in given]
            functions = {id(v.function): v.function for v in values if isinstance(v, Func)}
            functions |= {
                id(made.node): made.node
                for made in self.context.made_by(values, "tool")
                if isinstance(made.node, ir.Function)
            }
            found = self._of_tools[id(ask.node)] = tuple(
                effect for function in functions.values() for effect in self._inside_tool(function)
            )
        return found

    def _inside_tool(self, function: ir.Function) -> Iterator[Effect]:
        for node in self.context.program.kept(_followed, function.body):
            if isinstance(node, ir.Call):
                yield from (self._effect(row, node) for row in self._rows(node) if self._is_once(row, node))


def _followed(program: Program, body: tuple[ir.Node, ...]) -> tuple[ir.Node, ...]:
    """All nodes that running these may run: called functions, and functions written as arguments."""
    found: dict[int, ir.Node] = {}
    entered: set[int] = set()
    queue: list[tuple[ir.Node, ...]] = [body]
    while queue and len(entered) <= STRETCHES:
        for node in extent(program, queue.pop(0), set()).nodes():
            if id(node) in found:
                continue
            found[id(node)] = node
            for written in _written_functions(node):
                if id(written) not in entered:
                    entered.add(id(written))
                    queue.append(written.body)
    return tuple(found.values())


def _written_functions(node: ir.Node) -> Iterator[ir.Function]:
    if isinstance(node, ir.Call):
        yield from (argument.value for argument in node.args if isinstance(argument.value, ir.Function))


def _calls_parameter(program: Program, call: ir.Call) -> bool:
    """Whether a call runs a function that the enclosing function was handed, and nobody can say which."""
    if not isinstance(call.callee, ir.Name) or program.callees(call):
        return False
    return any(binding.kind == "parameter" for binding in visible_bindings(program, call.callee))
