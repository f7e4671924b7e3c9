"""Where a LangGraph graph chooses among nodes: conditional edges, and nodes that answer with a `Command`.

Rows cannot say this: how many nodes there are to choose from is read from maps, annotations and returns. What one node
follows after is no choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.langgraph import CONDITIONAL, NODE, builder_calls
from agent_architecture.semantics.adapters.langgraph_routes import at, branches, commanded, commanding, mapped
from agent_architecture.semantics.adapters.step_names import ANY
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


class Branch(NamedTuple):
    """A choice among nodes. `graph` is the id of the node that makes the builder; `functions` decide."""

    span: Span
    symbol: str
    framework: str
    graph: int
    functions: tuple[ir.Function, ...]
    targets: tuple[str, ...] = ()
    mapped: bool = False
    """Whether what the functions answer is looked up among the targets."""


def decided_edges(context: Context) -> Iterator[Branch]:
    """Every choice of every graph, once for each graph that it stands in."""
    packs = {id(match.node): match.row.where.pack for match in context.of_kind("graph")}
    for key, site in builder_calls(context, CONDITIONAL):
        if _is_choice(branches(context, site.call)):
            found = at(context, site.call, "1 | path | 0.path")
            functions = tuple(value.function for value in found if isinstance(value, Func))
            name = next((function.name for function in functions if function.name), dotted(site.call.callee))
            callee = site.call.callee.span
            span, targets = site.call.span._replace(line=callee.end_line), branches(context, site.call)
            yield Branch(span, name, packs[key], key, functions, targets, mapped(context, site.call) is not None)
    for key, site in builder_calls(context, NODE):
        action = at(context, site.call, "1 | action") or at(context, site.call, "0 | node")
        for function in (f for v in action if isinstance(v, Func) for f in commanding(context, v.function)):
            targets = tuple(commanded(context, function))
            if _is_choice(targets) and not _is_made_for_one(context, function):
                yield Branch(function.name_span, function.name, packs[key], key, (function,), targets)


def _is_made_for_one(context: Context, function: ir.Function) -> bool:
    """Whether a node always leads to one place that stood fast when the node was made: `goto=other.name`, where `other`
    is what the loop or function around it was at. It chooses nothing.
    """
    ways = [way for call in own_nodes(function, ir.Call) for way in _ways(call)]
    root = root_of(ways[0]) if len(ways) == 1 else None
    return root is not None and root.id not in {function.receiver, *context.program.bindings(function)}


def _ways(call: ir.Call) -> Iterator[ir.Expr]:
    """Where a `Command` leads, as it is written."""
    if isinstance(call.callee, ir.Name) and call.callee.id == "Command":
        yield from (argument.value for argument in call.args if argument.keyword == "goto")


def _is_choice(targets: tuple[str, ...]) -> bool:
    return ANY in targets or len(set(targets)) > 1
