"""Tasks that a model writes for other agents: what the code of a tool gives the agents that it starts.

Says which calls start an agent and which of them are given a text of the tool's arguments; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.conversations.text_provenance import CONTENT
from agent_architecture.semantics.schemas.shapes import texts_of
from agent_architecture.semantics.topics.premises.telling_tools import way_from
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.conversations.answers import Answers
    from agent_architecture.semantics.conversations.text_provenance import Said
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

INSIDE: Final = 3
"""Functions of the project between a tool and the call that is given its text."""


class Delegation(NamedTuple):
    """A call in the code of a tool that starts an agent, and the way of a text of the tool's arguments to it."""

    call: ir.Call
    trail: tuple[Span, ...]


class Delegations:
    """Asked one tool at a time."""

    def __init__(self, context: Context, agents: Agents, loops: Iterable[HandWritten], reader: Answers) -> None:
        self._context = context
        self._code = agents.code
        self._reader = reader
        written = [loop for loop in loops if loop.site is not None]
        self._loops = {id(loop.scope) for loop in written}
        self._passes = {id(node) for loop in written for node in loop.inside.own}
        self._starting: dict[int, bool] = {}

    def by(self, tool: Tool) -> Iterator[Delegation]:
        """The calls by which the code of a tool tells an agent what a model wrote."""
        function = self._code.get(id(tool))
        texts = frozenset(texts_of(tool.schema.parameters))
        if function is not None and texts and tool.schema.has_local_input:
            yield from self._told(function, function, texts, INSIDE)

    def _told(self, tool: ir.Function, function: ir.Function, texts: frozenset[str], left: int) -> Iterator[Delegation]:
        for call in self._context.program.structure(function).calls:
            started = [each for each in self._run_by(call) if self._starts(each)]
            if not started and not self._is_run(call):
                continue
            ways = (way_from(self._context.program, tool, a.value, texts, self._inside) for a in call.args)
            trail = next((way for way in ways if way is not None), None)
            if trail is not None:
                yield Delegation(call, trail)
                continue
            for inner in started if left else ():
                if id(inner) not in self._loops:
                    yield from self._told(tool, inner, texts, left - 1)

    def _inside(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        """A message that is made for an agent is followed into its text."""
        return self._reader(node, passed | {CONTENT})

    def _starts(self, function: ir.Function) -> bool:
        """Whether a function comes to start an agent, without what the passes of an agent's own loop do."""
        found = self._starting.get(id(function))
        if found is None:
            inside = extent(self._context.program, function.body, self._passes)
            functions = {id(function), *(id(each) for each, _ in inside.called)}
            found = not functions.isdisjoint(self._loops) or any(map(self._is_run, inside.nodes()))
            self._starting[id(function)] = found
        return found

    def _is_run(self, node: ir.Node) -> bool:
        return isinstance(node, ir.Call) and self._context.at(node, "run") is not None

    def _run_by(self, call: ir.Call) -> tuple[ir.Function, ...]:
        return (*self._context.program.callees(call), *self._handed(call))

    def _handed(self, call: ir.Call) -> Iterator[ir.Function]:
        """The functions that a library is handed by name, which runs them some time: `add_task(work, task)`."""
        if self._context.program.callees(call):
            return
        for argument in call.args:
            if isinstance(argument.value, (ir.Name, ir.Member)):
                values = self._context.program.value_of(argument.value)
                yield from (value.function for value in values if isinstance(value, Func))
