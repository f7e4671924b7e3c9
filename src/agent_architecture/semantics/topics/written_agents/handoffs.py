"""Work that one hand-written agent passes to another: it runs an object that is one, in a method of its own.

The edge stands where the other is named to the first one, as an argument of its constructor or of a method of it; else
where it is run. Where only a type says who is run, and several agents have it, each of them is guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Handoff
from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import lineage
from agent_architecture.names.values import ClassValue, Instance
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Agent
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.topics.written_agents.agents import Found
    from agent_architecture.semantics.topics.written_agents.asking import Running
    from agent_architecture.sources.source import Span

NESTED: Final = 3
"""Lists and mappings inside each other in which agents are named."""


def handing(program: Program, found: Found) -> tuple[Handoff, ...]:
    """The edges between agents that are written by hand, each once, by position."""
    return _Reader(program, found).edges()


class _Reader:
    def __init__(self, program: Program, found: Found) -> None:
        self._program = program
        self._running = found.asking.running
        self._classes = found.classes
        self._named: dict[tuple[ir.Class, int], Span | None] = {}

    def edges(self) -> tuple[Handoff, ...]:
        """One for each place and pair of agents."""
        edges: dict[tuple[Span, Span, Span], Handoff] = {}
        for running in self._running:
            sources = [one for one in self._classes if running.cls in lineage(self._program, one.cls)]
            targets = tuple(self._targets(running)) if sources else ()
            for source in sources:
                degree = Degree.GUESSED if _is_one_of_several(running, targets) else Degree.INFERRED
                for target, made in targets:
                    named = self._named_at(source.cls, made) if made is not None else None
                    for one in source.agents:
                        if one.span != target.span:
                            span = named or running.call.span
                            edge = Handoff(span, f"{one.symbol} → {target.symbol}", "", one, target, degree)
                            edges.setdefault((span, one.span, target.span), edge)
        return tuple(sorted(edges.values(), key=lambda edge: (edge.span, edge.symbol)))

    def _targets(self, running: Running) -> Iterator[tuple[Agent, ir.Call | None]]:
        """The agents that a call may run, each with the call that makes it where that is known."""
        callee = running.run.callee
        values = self._program.value_of(callee.target) if isinstance(callee, ir.Member) else ()
        known = [value for value in values if isinstance(value, Instance)]
        made = [value for value in known if value.call is not None]
        for value in self._named_on_the_way(running) or made or known or (Instance(running.target),):
            for one in self._classes:
                if value.call is None and value.cls in lineage(self._program, one.cls):
                    yield from ((agent, None) for agent in one.agents)
                elif value.call is not None and value.cls is one.cls:
                    agent = one.objects.get(id(value.call), one.whole)
                    yield from () if agent is None else ((agent, value.call),)

    def _named_on_the_way(self, running: Running) -> list[Instance]:
        """The classes of agents, or the constructions of them, that a function on the way hands to the one that runs
        them: `run_with_retry(InvoiceAgent, task)`.
        """
        found: dict[ir.Class, Instance] = {}
        names = {one.cls.name: one.cls for one in self._classes}
        for scope in running.through:
            for node in self._program.structure(scope).nodes:
                cls = names.get(node.id) if isinstance(node, ir.Name) else None
                if cls is not None and isinstance(node, ir.Name) and ClassValue(cls) in self._program.value_of(node):
                    found[cls] = Instance(cls)
        return list(found.values())

    def _named_at(self, source: ir.Class, made: ir.Call) -> Span | None:
        """Where an object is named to those of a class: an argument of its constructor, or of one of its methods."""
        key = source, id(made)
        if key not in self._named:
            exprs = (
                expr for call in self._calls_to(source) for argument in call.args for expr in _parts(argument.value)
            )
            self._named[key] = next((expr.span for expr in exprs if self._is(expr, made)), None)
        return self._named[key]

    def _calls_to(self, cls: ir.Class) -> Iterator[ir.Call]:
        yield from (call for _, call in constructions(self._program, cls))
        for one in lineage(self._program, cls):
            for method in (node for node in one.body if isinstance(node, ir.Function)):
                yield from (site.call for site in self._program.callers(method))

    def _is(self, expr: ir.Expr, made: ir.Call) -> bool:
        return any(isinstance(value, Instance) and value.call is made for value in self._program.value_of(expr))


def _is_one_of_several(running: Running, targets: tuple[tuple[Agent, ir.Call | None], ...]) -> bool:
    """Whether it is not told which of several agents is run: only a type says so, or a function is handed them."""
    return len(targets) > 1 and (bool(running.through) or any(made is None for _, made in targets))


def _parts(expr: ir.Expr, depth: int = 0) -> Iterator[ir.Expr]:
    """An expression, and what a list or mapping that stands there holds."""
    inner: tuple[ir.Expr, ...] = ()
    if isinstance(expr, ir.List):
        inner = expr.items
    elif isinstance(expr, ir.Map):
        inner = tuple(entry.value for entry in expr.entries)
    if not inner:
        yield expr
    for one in inner if depth < NESTED else ():
        yield from _parts(one, depth + 1)
