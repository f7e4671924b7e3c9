"""LlamaIndex's workflows in TypeScript as graphs: a handler follows those that make an event which it accepts.

Rows cannot say this: the edges are the events that `workflow.handle([asked], handler)` lists, and those that the code
of a handler makes (`answered.with(…)`), be they returned or sent. Rule: @llamaindex/workflow-core/dist/index.d.ts
(`Workflow.handle`, `WorkflowEvent.with`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Func, Items
from agent_architecture.semantics.adapters.agent_graphs import agent_graphs
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.langgraph_choices import Choice
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

WORKFLOW: Final = "npm:@llamaindex/workflow-core:createWorkflow"
EVENT: Final = "npm:@llamaindex/workflow-core:workflowEvent()"
EITHER: Final = "npm:@llamaindex/workflow-core:or()"
HANDLE: Final = "handle"
MAKING: Final = "with"
RETRYING: Final = "pRetryHandler"
DEPTH: Final = 4
"""Lists and alternatives of events in each other that are followed."""


def event_handlers(context: Context) -> dict[int, Built]:
    """The graph of every workflow that is made, by the node that makes it."""
    return agent_graphs(context, {WORKFLOW}, _graph)


def steps_of(program: Program, packs: Packs, match: Match) -> tuple[ir.Function, ...]:
    """The handlers of a workflow."""
    return tuple(handler for _, handler in handlers(program, packs, match.node))


def handlers(program: Program, packs: Packs, workflow: ir.Node) -> Iterator[tuple[frozenset[int], ir.Function]]:
    """The handlers of a workflow, each with the events that it accepts, by the ids of the calls that make those."""
    for site in program.calls(HANDLE):
        if not site.call.args[1:] or not any(
            packs.canonical(api.path) == f"{WORKFLOW}().{HANDLE}"
            and any(one.node is workflow for one in receivers(api))
            for api in resolved(program, site.call.callee)
        ):
            continue
        accepted = frozenset(events(program, packs, site.call.args[0].value))
        yield from ((accepted, each) for each in _functions(program, site.call.args[1].value))


def events(program: Program, packs: Packs, expr: ir.Expr, depth: int = DEPTH) -> Iterator[int]:
    """The events that an expression names, one, a list or one of several, by the ids of the calls that make them."""
    for value in program.value_of(expr) if depth else ():
        match value:
            case Items(items=items):
                for item in items:
                    yield from events(program, packs, item, depth - 1)
            case Api(path=path, node=ir.Call() as call) if packs.canonical(path) == EVENT:
                yield id(call)
            case Api(path=path, node=ir.Call() as call) if packs.canonical(path) == EITHER:
                for argument in call.args:
                    yield from events(program, packs, argument.value, depth - 1)
            case _:
                pass


def made_events(program: Program, packs: Packs, call: ir.Call) -> Iterator[int]:
    """The event that a call gives data to."""
    if isinstance(call.callee, ir.Member) and call.callee.name == MAKING:
        yield from events(program, packs, call.callee.target)


def given_data(context: Context, function: ir.Function) -> tuple[ir.Expr, ...]:
    """What the events that a handler accepts are given as their data, wherever one is made."""
    accepted, given = context.once(_handed)
    return tuple(value for event in accepted.get(id(function), ()) for value in given.get(event, ()))


def _handed(context: Context) -> tuple[dict[int, frozenset[int]], dict[int, list[ir.Expr]]]:
    """The events that handlers accept, by the id of the function, and what each event is given."""
    program, packs = context.program, context.packs
    made = [m.node for m in context.of_kind("agent") if packs.canonical(m.api.path) == WORKFLOW]
    accepted = {id(function): those for node in made for those, function in handlers(program, packs, node)}
    given: dict[int, list[ir.Expr]] = {}
    for site in program.calls(MAKING) if accepted else ():
        for event in made_events(program, packs, site.call):
            given.setdefault(event, []).extend(argument.value for argument in site.call.args[:1])
    return accepted, given


def _functions(program: Program, expr: ir.Expr) -> Iterator[ir.Function]:
    """The function of a handler, also of one that is tried again."""
    if isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Name) and expr.callee.id == RETRYING and expr.args:
        expr = expr.args[0].value
    yield from (value.function for value in program.value_of(expr) if isinstance(value, Func))


def _graph(context: Context, match: Match) -> Built:
    program, packs = context.program, context.packs
    graph = Built(passes=False)
    found = [
        (f"{function.name or HANDLE} {function.span.line}:{function.span.col}", accepted, function)
        for accepted, function in handlers(program, packs, match.node)
    ]
    for name, _, function in found:
        nodes = extent(program, function.body, ()).nodes()
        made = {event for node in nodes if isinstance(node, ir.Call) for event in made_events(program, packs, node)}
        following = {(name, other) for other, accepted, _ in found if accepted & made}
        graph.nodes.add(name)
        graph.actions[name] = [function]
        graph.edges |= following
        if len(made) > 1:
            graph.decides[name] = [Choice(context, function)]
            graph.decided |= following
    return graph
