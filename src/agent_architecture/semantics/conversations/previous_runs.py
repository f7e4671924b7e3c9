"""What a function under LangGraph's `@entrypoint` carries on from run to run: what it saved comes back as `previous`.

Rows cannot say this: whether it grows is what the function's code makes of its parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Collection
from agent_architecture.model.settings import ABSENT
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Const
from agent_architecture.semantics.adapters.attached_savers import attached
from agent_architecture.semantics.bounds.trims import trims, windows
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context

PREVIOUS: Final = "previous"
"""The parameter in which LangGraph gives what the last run of the thread saved."""


def carried_on(context: Context, agents: Agents, graphs: Graphs, asked: frozenset[int]) -> Iterator[Collection]:
    """One for each such function that is run, and that asks a model with what it was given and saves it with more."""
    found = [m for m in context.of_kind("agent") if isinstance(m.node, ir.Function) and m.row.where.pack == "langgraph"]
    functions = [(m, m.node) for m in found if isinstance(m.node, ir.Function) and _is_given(m.node)]
    if not functions:
        return
    run = {id(m.node) for r in context.of_kind("run") for m in run_agents(context, r)}
    run |= {id(m.node) for m in graphs.exported}
    is_given_later = any(attached(context.program))
    for match, function in functions:
        saves = any(not (isinstance(v, Const) and not v.value) for v in agents.values(match, "checkpointer"))
        if id(function) in run and (saves or is_given_later):
            yield from _collection(context, function, asked)


def _is_given(function: ir.Function) -> bool:
    return any(param.name == PREVIOUS for param in function.params)


def _collection(context: Context, function: ir.Function, asked: frozenset[int]) -> Iterator[Collection]:
    nodes = tuple(own_nodes(function))
    carriers = _carriers(nodes)
    is_asked = any(_reads(node, carriers) and id(node) in asked for node in nodes)
    joined = next((node for node in nodes if _joins(node, carriers)), None)
    if joined is None or not is_asked:
        return
    if not any(_mentions(saved, carriers) for saved in _saved(context, function, nodes)):
        return

    def is_it(expr: ir.Expr | None) -> bool:
        return expr is not None and _reads(expr, carriers)

    asks = [node for node in nodes if isinstance(node, ir.Call) and context.at(node, "model_call", "run") is not None]
    trim = next(trims(context, nodes, is_it), None) or next(windows(context, asks, is_it), None)
    bound, overflow, confidence = (ABSENT, ABSENT, Confidence.HIGH) if trim is None else trim
    yield Collection(
        joined.span,
        PREVIOUS,
        "langgraph",
        lives_on=True,
        bound=bound,
        overflow=overflow,
        confidence=confidence,
    )


def _carriers(nodes: tuple[ir.Node, ...]) -> frozenset[str]:
    """The variables that are made of what was saved, the parameter among them."""
    found = {PREVIOUS}
    for node in nodes:
        match node:
            case ir.Assign(value=None | ir.Await()):
                continue  # an answer is no part of it until it is put there
            case ir.Assign(target=ir.Name(id=name), value=value) if value and _mentions(value, frozenset(found)):
                found.add(name)
    return frozenset(found)


def _saved(context: Context, function: ir.Function, nodes: tuple[ir.Node, ...]) -> Iterator[ir.Expr]:
    """What the next run is given: `save` of `entrypoint.final`, else what the function returns."""
    given = [a.value for n in nodes if isinstance(n, ir.Call) for a in n.args if a.keyword == "save"]
    yield from given or context.program.structure(function).returns


def _joins(node: ir.Node, carriers: frozenset[str]) -> bool:
    """Whether something is added to it."""
    match node:
        case ir.Operator(op=ir.Op.ADD, operands=operands):
            return any(_mentions(operand, carriers) for operand in operands)
        case ir.List(items=items):
            return any(isinstance(item, ir.Spread) and _reads(item.value, carriers) for item in items)
        case ir.Call(callee=ir.Member(name="append" | "extend", target=target)):
            return _reads(target, carriers)
        case ir.Call(callee=callee, args=args) if callee_name(callee) == "add_messages":
            return any(_reads(argument.value, carriers) for argument in args)
        case _:
            return False


def _reads(node: ir.Node, carriers: frozenset[str]) -> bool:
    root = root_of(node.callee.target if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) else node)
    return root is not None and root.id in carriers


def _mentions(expr: ir.Expr, carriers: frozenset[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in carriers for node in ir.walk(expr))
