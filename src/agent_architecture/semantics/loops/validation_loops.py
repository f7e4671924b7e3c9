"""Loops that ask a model again until its answer will do: parses, passes a check, carries a flag.

They are feedback paths, though no agent: nothing is dispatched and no conversation grows. A row cannot say this; it is
structure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import leaves
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.bounds.empty_answers import answer_names, asks_whether_empty
from agent_architecture.semantics.bounds.readiness_probes import looks_whether_up
from agent_architecture.semantics.callgraph.reach import PARSES
from agent_architecture.semantics.control.leaving import asked_last, leavings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions
    from agent_architecture.semantics.loops.loop_path import Path


def asks_until_it_will_do(program: Program, conditions: Conditions, path: Path) -> bool:
    """Whether what the model answered decides if the loop goes round again; that somebody answered is no answer of a
    model, and one with nothing in it has failed.
    """
    loop = path.node
    if not isinstance(loop, ir.Loop) or (loop.kind == "each" and not counts(loop.source)):
        return False
    structure = program.structure(path.scope)
    asked = tuple(step.node for step in path.steps if not looks_whether_up(program, structure, step.node))
    answers = _answers(path, asked)
    models = {id(match.node) for match in path.asks}
    plain = answer_names(path.extent.own, models & {id(node) for node in asked})
    if loop.test is not None and _mentions((loop.test,), answers) and not asks_whether_empty(loop.test, plain):
        return True
    if any(_goes_round(node, answers, asked) for node in path.extent.own):
        return True
    return any(
        leaves(leaving.node)
        and any(
            _mentions((reason.expr,), answers) and not asks_whether_empty(reason.expr, plain)
            for reason in asked_last(leaving, loop)
        )
        for leaving in (leavings(conditions, path.extent.own) if answers else ())
    )


def counts(source: ir.Expr | None) -> bool:
    """Whether what a loop runs over are numbers, not things of which each is asked about."""
    return isinstance(source, ir.Call) and isinstance(source.callee, ir.Name) and source.callee.id in {"range", "count"}


def _answers(path: Path, asked: tuple[ir.Node, ...]) -> frozenset[str]:
    """The names that hold the answer, or something made of it, inside the loop."""
    names: set[str] = set()
    for _ in range(3):
        for node in path.extent.own:
            if isinstance(node, ir.Assign) and node.value is not None:
                holds = any(inner is ask for inner in ir.walk(node.value) for ask in asked) or _mentions(
                    (node.value,), names
                )
                names.update(_targets(node.target) if holds else ())
    return frozenset(names)


def _targets(target: ir.Expr) -> Iterator[str]:
    return (node.id for node in ir.walk(target) if isinstance(node, ir.Name))


def _mentions(nodes: Iterable[ir.Node], names: Iterable[str]) -> bool:
    wanted = frozenset(names)
    return any(isinstance(inner, ir.Name) and inner.id in wanted for node in nodes for inner in ir.walk(node))


def _goes_round(node: ir.Node, answers: frozenset[str], asked: tuple[ir.Node, ...]) -> bool:
    """Whether it is a parse of the answer whose failure goes round."""
    if not isinstance(node, ir.Try):
        return False
    parsed = any(isinstance(inner, ir.Call) and _parses(inner, answers, asked) for inner in ir.walk(*node.body))
    return parsed and any(not any(map(leaves, handler.body)) for handler in node.handlers)


def _parses(call: ir.Call, answers: frozenset[str], asked: tuple[ir.Node, ...]) -> bool:
    """Whether a call parses an answer: one that a name holds, or one that is asked for in its argument."""
    if not PARSES.search(callee_name(call.callee)):
        return False
    given = [node for argument in call.args for node in ir.walk(argument.value)]
    return _mentions(given, answers) or any(node is ask for node in given for ask in asked)
