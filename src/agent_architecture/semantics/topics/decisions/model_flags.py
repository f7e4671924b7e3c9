"""Flags by which a graph goes on and which a model set: `if state["off_topic"]`, after a step that put there what a
model answered to a question with yes or no; `if answer["is_correct"]`, in the step that asked.

Says which requests set the flag. What the code alone counts, or that an answer came at all, is no verdict of a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin
from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import of_part, parts_of
from agent_architecture.names.values import Entries
from agent_architecture.semantics.adapters.langgraph import built_graphs
from agent_architecture.semantics.adapters.langgraph_choices import key_of
from agent_architecture.semantics.control.deciding_tests import deciding
from agent_architecture.semantics.effects.calls import rows_of
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.taint.shaping import is_answered
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.langgraph_decisions import Branch
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

DEPTH: Final = 5
"""Names and functions through which a flag is followed."""
EQUAL: Final = frozenset({ir.Op.EQ, ir.Op.NE, ir.Op.IN})
WHOLE: Final = frozenset(
    {"structured_response", "structuredResponse", "parsed", "object", "content", "output", "tool_calls"}
)
"""Parts that the library names: whether they are there is no word of the model."""


class ModelFlags:
    """The requests that set what tests ask."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._asks = {id(match.node): match for match in context.of_kind("model_call", "run")}

    def of(self, branch: Branch, functions: tuple[ir.Function, ...]) -> tuple[Match, ...]:
        """Those of the flags by which the functions of a branch choose."""
        found = {id(match.node): match for function in functions for match in self._of(branch, function)}
        return tuple(found.values())

    def _of(self, branch: Branch, function: ir.Function) -> Iterator[Match]:
        for test in tests_asked(self._context.program, own_nodes(function)):
            for part, _ in parts_of(test):
                key = key_of(self._context.program, function, part)
                if key:
                    yield from (m for step in self._before(branch) for m in self._set_by(step, key))
                elif isinstance(part, (ir.Name, ir.Member, ir.Index)):
                    yield from (match for leaf in self._leaves(part, DEPTH) for match in self._said(leaf))

    def _before(self, branch: Branch) -> Iterator[ir.Function]:
        """The functions of the steps after which a branch chooses, and what they hand on."""
        graph = built_graphs(self._context).get(branch.graph)
        if graph is None:
            return
        for label, choices in graph.decides.items():
            if any(choice.function in branch.functions for choice in choices):
                yield from graph.actions.get(label, ())

    def _set_by(self, step: ir.Function, key: str, left: int = DEPTH) -> Iterator[Match]:
        """The requests by whose answer a step writes a flag."""
        program = self._context.program
        for answer in program.structure(step).returns:
            for value in program.value_of(answer):
                for name, written in value.entries if isinstance(value, Entries) else ():
                    if name == key:
                        yield from self._decided(answer, written)
            if isinstance(answer, ir.Call) and left:
                for function in program.callees(answer):
                    yield from self._set_by(function, key, left - 1)

    def _decided(self, answer: ir.Expr, written: ir.Expr) -> Iterator[Match]:
        """The requests behind a flag that a step writes."""
        yield from (match for leaf in self._made(answer, written, DEPTH) for match in self._said(leaf))

    def _made(self, answer: ir.Expr, value: ir.Expr, left: int) -> Iterator[ir.Expr]:
        """What a value in an answer of a function is made of; of a constant, what is asked before it is given."""
        asked = (condition.expr for condition in deciding(self._context, answer))
        for expr in asked if isinstance(value, ir.Literal) else (value,):
            yield from self._leaves(expr, left)

    def _leaves(self, expr: ir.Expr, left: int) -> Iterator[ir.Expr]:
        """What a flag is taken from: parts of answers, and what is compared with a text."""
        for part, _ in parts_of(expr) if left else ():
            match part:
                case ir.Name():
                    for bound in visible_bindings(self._context.program, part):
                        value = bound.value.value if isinstance(bound.value, ir.Await) else bound.value
                        if bound.kind == "assign" and isinstance(value, ir.Call) and bound.steps:
                            yield from self._answered(value, bound.steps, left - 1)
                        elif bound.kind == "assign" and value is not None and not bound.steps:
                            yield from self._leaves(value, left - 1)
                case ir.Operator(op=op, operands=operands) if op in EQUAL and any(map(_is_text, operands)):
                    yield from (operand for operand in operands if not isinstance(operand, ir.Literal))
                case ir.Member() | ir.Index() if of_part(part)[1] not in WHOLE:
                    yield part
                case ir.Await(value=inner):
                    yield from self._leaves(inner, left)
                case ir.Call():
                    yield from self._answered(part, (), left - 1)
                case _:
                    continue

    def _answered(self, call: ir.Call, steps: tuple[str, ...], left: int) -> Iterator[ir.Expr]:
        """What the functions that a call runs make their answer of, or one part of it."""
        for function in self._context.program.callees(call):
            for answer in self._context.program.structure(function).returns:
                value = _item(answer, steps)
                if value is not None:
                    yield from self._made(answer, value, left)

    def _said(self, leaf: ir.Expr) -> Iterator[Match]:
        """The requests whose answer an expression is, or is a part of; of a run only where a schema has the part."""
        for origin in flow.origins(self._context.program, leaf, self._read):
            match = self._asks.get(id(origin.node)) if origin.kind == "call" else None
            if match is not None and (match.row.kind == "model_call" or self._is_typed(match)):
                yield match

    def _read(self, node: ir.Expr, passed: frozenset[str]) -> list[flow.Origin] | tuple[()] | None:
        """A `flow.Reader` that stops where somebody else answers: a program that runs what a model wrote."""
        del passed
        if not isinstance(node, ir.Call):
            return None
        if id(node) in self._asks:
            return [flow.Origin("call", node)]
        return () if is_answered(rows_of(self._context, node)) else None

    def _is_typed(self, run: Match) -> bool:
        agents = run_agents(self._context, run)
        return effective(self._context, run, "output_schema", *agents).origin in {Origin.WRITTEN, Origin.UNKNOWN}


def _is_text(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and isinstance(expr.value, str)


def _item(answer: ir.Expr, steps: tuple[str, ...]) -> ir.Expr | None:
    """The part of an answer that several names are given at once: `ok, why = check(text)`."""
    if not steps:
        return answer
    place = steps[0].strip("[]")
    items = answer.items if isinstance(answer, ir.List) and len(steps) == 1 and place.isdigit() else ()
    return items[int(place)] if place.isdigit() and int(place) < len(items) else None
