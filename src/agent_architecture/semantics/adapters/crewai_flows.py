"""CrewAI flows as graphs: which methods run after which, so that a run of a flow repeats only where they form a cycle.

Rule: crewai/flow/dsl (a method runs when a method or event that it listens to is there; a router's answers are events,
and so are the outcomes of human feedback).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.names.classes import lineage
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, ClassValue, Const
from agent_architecture.semantics.adapters.graphs import Built, cyclic, resolved
from agent_architecture.semantics.adapters.langgraph_choices import Choice
from agent_architecture.semantics.adapters.langgraph_counters import counted
from agent_architecture.semantics.adapters.step_names import ANY
from agent_architecture.semantics.control.refusal import asks_person
from agent_architecture.semantics.matching.matches import resolved as called_as
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context

FLOW: Final = "py:crewai.flow.Flow"
LISTENERS: Final = frozenset({"start", "listen", "router"})
FEEDBACK: Final = "human_feedback"
OF_METHODS: Final = frozenset({"classmethod", "property", "setter", "staticmethod"})
"""Decorators that say how a method is called."""


def flows(context: Context) -> dict[int, Built]:
    """The graph of every flow that is made, by the node that makes it."""
    found: dict[int, Built] = {}
    for match in context.of_kind("agent"):
        if isinstance(match.node, ir.Call) and context.packs.canonical(match.api.path) == FLOW:
            classes = [v.cls for v in context.program.value_of(match.node.callee) if isinstance(v, ClassValue)]
            if classes:
                graph = found[id(match.node)] = _flow(context, classes[0])
                graph.bound = counted(context, match, graph) or _waits(context, graph)
    return found


def _waits(context: Context, graph: Built) -> Bound | None:
    """The question to a person that a method on every cycle always asks."""
    asked = {
        name: node
        for name, methods in graph.actions.items()
        for method in methods
        for node in own_nodes(method, ir.Call)
        if asks_person(context, node) and _is_always_run(context, method, node)
    }
    around = {(a, b) for a, b in graph.edges if not {a, b} & asked.keys()}
    if not asked or cyclic(resolved(around, graph.nodes - asked.keys())):
        return None
    return Bound(BoundKind.PERSON, next(iter(asked.values())).span)


def _is_always_run(context: Context, method: ir.Function, call: ir.Call) -> bool:
    ancestors = context.program.structure(method).ancestors(call)
    return not any(isinstance(node, (ir.If, ir.Loop, ir.Conditional, ir.Match)) for node in ancestors)


def _flow(context: Context, cls: ir.Class) -> Built:
    """A flow's methods and events as nodes: an event leads to who listens, a method to its own name and answers."""
    graph = Built(passes=False)
    methods = [node for base in lineage(context.program, cls) for node in base.body if isinstance(node, ir.Function)]
    for method in methods:
        for name, decorator in _steps(context, method):
            graph.nodes.add(method.name)
            run = graph.actions.setdefault(method.name, [])  # with a base's, which `super()` may run
            run.extend([method] if method not in run else ())
            graph.edges.update((event, method.name) for event in _events(decorator))
            if name == "router":
                answers = {(method.name, answer) for answer in _answers(context, method)}
                graph.edges |= answers
                graph.decided |= answers
                graph.decides[method.name] = [Choice(context, method)]
            if name == FEEDBACK:
                graph.edges.update((method.name, answer) for answer in _emitted(decorator))
    graph.is_read = _is_read(context, cls) and all(_is_only_listening(context, method) for method in methods)
    return graph


def _is_read(context: Context, cls: ir.Class) -> bool:
    """Whether a class derives from flows and the project's classes alone, so that no step is written elsewhere."""
    bases = [base for one in lineage(context.program, cls) for base in one.bases]
    named = [base.target if isinstance(base, ir.Index) else base for base in bases]
    return all(
        (values := context.program.value_of(base))
        and all(isinstance(v, ClassValue) or _is_flow(context, v) for v in values)
        for base in named
    )


def _is_flow(context: Context, value: Value) -> bool:
    return isinstance(value, Api) and context.packs.canonical(value.path) == FLOW


def _is_only_listening(context: Context, method: ir.Function) -> bool:
    """Whether each decorator of a method says when it runs, and no more: a person's words are sorted by a model."""
    told = {id(decorator) for name, decorator in _steps(context, method) if name in LISTENERS}
    return all(id(decorator) in told or callee_name(decorator) in OF_METHODS for decorator in method.decorators)


def _steps(context: Context, method: ir.Function) -> Iterator[tuple[str, ir.Expr]]:
    for decorator in method.decorators:
        callee = decorator.callee if isinstance(decorator, ir.Call) else decorator
        for api in called_as(context.program, callee):
            name = last_name(context.packs.canonical(api.path))
            if name in LISTENERS or name == FEEDBACK:
                yield name, decorator


def _events(decorator: ir.Expr) -> Iterator[str]:
    """What a decorator listens to: methods by name, events as texts, in `or_` and `and_`, too."""
    if not isinstance(decorator, ir.Call) or callee_name(decorator.callee) not in LISTENERS:
        return
    for argument in (a.value for a in decorator.args if a.keyword in {None, "condition"}):
        for node in ir.walk(argument):
            if isinstance(node, ir.Literal) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ir.Name) and node.id not in {"or_", "and_"}:
                yield node.id


def _answers(context: Context, router: ir.Function) -> Iterator[str]:
    """The events that a router answers with; any, where one cannot be read."""
    for expr in context.program.structure(router).returns:
        for value in context.program.value_of(expr):
            yield str(value.value) if isinstance(value, Const) else ANY


def _emitted(decorator: ir.Expr) -> Iterator[str]:
    emitted = [a.value for a in decorator.args if a.keyword == "emit"] if isinstance(decorator, ir.Call) else []
    for expr in emitted:
        yield from (str(n.value) for n in ir.walk(expr) if isinstance(n, ir.Literal))
