"""Mastra's workflows as graphs: which steps run after which, and which workflows ask a model by themselves.

Rows cannot say this: steps join a workflow by calls on it, one after the other. A workflow whose steps only compute, or
run agents that are sites themselves, is no agent. Rule: @mastra/core/dist/workflows/workflow.d.ts (`then`, `parallel`,
`branch`, `dowhile`, `dountil`, `foreach`). What ends a repeated step is not read: no circle is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Func, Items
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

WORKFLOW: Final = "npm:@mastra/core/workflows:createWorkflow"
STEP: Final = "npm:@mastra/core/workflows:createStep"
JOINING: Final = ("then", "parallel", "branch", "foreach", "dowhile", "dountil")
EXECUTE: Final = parse_address("0.execute")
NESTED: Final = 3
"""Lists in lists, and workflows in workflows, that are followed to their steps."""


def without_plain_workflows(program: Program, packs: Packs, matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """The matches without those of workflows that ask no model by themselves, and without their runs."""
    made = {id(match.node) for match in matches if match.row.kind == "agent" and _is_workflow(packs, match)}
    if not made:
        return matches
    asks = {id(match.node) for match in matches if match.row.kind == "model_call"}
    plain = made - {key for key, graph in _built(program, packs).items() if _asks(program, graph, asks)}
    return tuple(match for match in matches if match.row.kind not in {"agent", "run"} or not _belongs(match, plain))


def mastra_workflows(context: Context) -> dict[int, Built]:
    """The graph of every workflow that asks a model, by the node that makes it."""
    made = {id(match.node) for match in context.of_kind("agent") if _is_workflow(context.packs, match)}
    return {key: graph for key, graph in _built(context.program, context.packs).items() if key in made} if made else {}


def _is_workflow(packs: Packs, match: Match) -> bool:
    return packs.canonical(match.api.path) == WORKFLOW


def _belongs(match: Match, plain: set[int]) -> bool:
    return id(match.node) in plain or any(id(api.node) in plain for api in receivers(match.api))


def _asks(program: Program, graph: Built, asks: set[int]) -> bool:
    body = tuple(node for functions in graph.actions.values() for function in functions for node in function.body)
    return any(id(node) in asks for node in extent(program, body, ()).nodes())


def _built(program: Program, packs: Packs) -> dict[int, Built]:
    """The steps of each workflow, in the order in which they join it."""
    joins: dict[int, list[tuple[str, ir.Call]]] = {}
    for name in JOINING:
        for site in program.calls(name):
            for api in resolved(program, site.call.callee):
                if packs.canonical(api.path) == f"{WORKFLOW}().{name}":
                    for owner in {id(one.node) for one in receivers(api) if isinstance(one.node, ir.Call)}:
                        joins.setdefault(owner, []).append((name, site.call))
    return {owner: _graph(program, packs, calls, joins) for owner, calls in joins.items()}


def _graph(
    program: Program, packs: Packs, calls: list[tuple[str, ir.Call]], joins: dict[int, list[tuple[str, ir.Call]]]
) -> Built:
    graph = Built(passes=False)
    before = ""
    for name, call in sorted(calls, key=lambda join: (join[1].span.end_line, join[1].span.end_col)):
        step = f"{name} {len(graph.nodes)}"
        graph.nodes.add(step)
        graph.edges |= {(before, step)} if before else set()
        given = [program.value_of(argument.value) for argument in call.args if not argument.spread]
        graph.actions[step] = [one for values in given for one in _run(program, packs, values, joins, NESTED)]
        before = step
    return graph


def _run(
    program: Program, packs: Packs, values: Values, joins: dict[int, list[tuple[str, ir.Call]]], nested: int
) -> Iterator[ir.Function]:
    """The functions that steps run: those of one, of several in a list, of another workflow."""
    for value in values if nested else ():
        match value:
            case Items(items=items):
                for item in items:
                    yield from _run(program, packs, program.value_of(item), joins, nested - 1)
            case Api(path=path, node=ir.Call() as node) if packs.canonical(path) == f"{STEP}()":
                found = at_call(program, node, None, EXECUTE).values
                yield from (each.function for each in found if isinstance(each, Func))
            case Api(path=path, node=ir.Call() as node) if packs.canonical(path) == f"{WORKFLOW}()":
                for _, call in joins.get(id(node), ()):
                    for argument in call.args:
                        yield from _run(program, packs, program.value_of(argument.value), joins, nested - 1)
            case _:
                pass
