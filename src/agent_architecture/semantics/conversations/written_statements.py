"""Database statements that a model wrote and that code runs by itself: the answer to a request, cleaned and handed on
through the state of a graph, as a whole or from its beginning on.

Says where they are run and by whose request they were written; what a tool is given to run is its touch. Must not
judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Effect
from agent_architecture.names import flow
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.control.read_only_statements import reads_only
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.loops.answer_sinks.answer_sources import way_of
from agent_architecture.semantics.loops.answer_sinks.execution_sinks import Executions
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.shaping import is_answered
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

STATEMENTS: Final = "database"


class WrittenStatement(NamedTuple):
    """A call that runs a statement, and the request whose answer it is."""

    call: ir.Call
    ask: ir.Call
    effect: Effect
    """`database_read` where every way to the call refuses what would change something."""
    way: tuple[Span, ...] = ()
    """What was passed from the statement back to the request: calls of the project's own client, too."""


def written_statements(context: Context, effects: Effects, tools: frozenset[int]) -> tuple[WrittenStatement, ...]:
    """Every such statement, each once for a request; `tools` are the functions that run as tools, by id."""
    return tuple(_Written(context, effects, tools).all())


class _Written:
    def __init__(self, context: Context, effects: Effects, tools: frozenset[int]) -> None:
        self._context = context
        self._effects = effects
        self._tools = tools
        self._executions = Executions(context, effects)
        self._states = context.once(States)
        self._asks = {id(match.node) for match in context.of_kind("model_call", "run")}

    def all(self) -> Iterator[WrittenStatement]:
        """By the name of the call, then by position."""
        seen: set[tuple[int, int]] = set()
        for name in sorted(self._context.packs.effect_names(STATEMENTS)) if self._asks else ():
            for site in self._context.program.calls(name):
                if id(site.scope) not in self._tools and id(site.call) not in self._asks:
                    for found in self._at(site.call):
                        key = id(found.call), id(found.ask)
                        if key not in seen:
                            seen.add(key)
                            yield found

    def _at(self, call: ir.Call) -> Iterator[WrittenStatement]:
        for row, made in self._effects.rows(call):
            if row.effect != STATEMENTS or row.argument is None:
                continue
            for text in self._executions.of(call):
                for origin in flow.origins(self._context.program, text, self._read):
                    if isinstance(origin.node, ir.Call) and id(origin.node) in self._asks:
                        given = expressions(self._context.program, made, row.argument)
                        kind = "database_read" if reads_only(self._context, call, given) else row.effect
                        effect = Effect(made.span, called(made), row.where.pack, kind, trail=origin.trail)
                        way = tuple(each.span for each in way_of(origin))
                        yield WrittenStatement(call, origin.node, effect, way)

    def _read(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | tuple[()] | None:
        """A `flow.Reader` through the states of graphs, that stops where somebody else answers."""
        del passed
        if isinstance(node, ir.Name):
            return [flow.Step(value) for value in self._states.handed(node)] or None
        if not isinstance(node, (ir.Member, ir.Index, ir.Call)):
            return None
        read = self._states.read(node)
        if read is not None and read.values:
            return [flow.Step(value) for value in read.values]
        if isinstance(node, ir.Call) and id(node) not in self._asks:
            return () if is_answered(self._effects.rows(node)) else None
        return None
