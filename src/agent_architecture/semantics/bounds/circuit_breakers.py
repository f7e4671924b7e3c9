"""Circuit breakers that a project writes itself: methods that run what they are given and refuse to once that failed
too often, and objects that are told of each failure and asked before the next try.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import decided, leavings
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

COUNTED: Final = regex(r"fail|error|consecutive|strike|open", re.IGNORECASE)
"""What a counter of failures is called."""


class Recorder(NamedTuple):
    """An object that is told of a failure, and what it changes of itself then."""

    name: str
    changed: frozenset[str]


class OwnBreakers:
    """The breakers of a program, recognised on demand and remembered."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._program = context.program
        self._known: dict[int, bool] = {}

    def runs(self, function: ir.Scope) -> bool:
        """Whether a method runs one of its arguments, counts its failures, and refuses it by what it noted of them."""
        if not isinstance(function, ir.Function):
            return False
        if id(function) not in self._known:
            self._known[id(function)] = any(self._is_guarded(function, each) for each in _tries(function))
        return self._known[id(function)]

    def recorders(self, failed: Iterable[ir.Node]) -> Iterator[Recorder]:
        """The objects whose methods count a failure where these nodes handle it; one that is new each time forgets."""
        for call in (node for node in failed if isinstance(node, ir.Call)):
            if isinstance(call.callee, ir.Member) and not self._is_new(call.callee.target):
                functions = self._program.callees(call)
                nodes = [node for each in functions for node in self._reached(each.body)]
                if any(_counts(node) for node in nodes):
                    yield Recorder(dotted(call.callee.target), frozenset(_changed(nodes)))

    def refuses(
        self, call: ir.Node, body: Sequence[ir.Node], counters: set[str], told: Sequence[Recorder]
    ) -> Span | None:
        """The test that leads away from a call, or out of the code around it, by a counter or by what one of these
        objects noted.
        """
        asked = (one for one in self._asked(call, body) if self._is_of(one.expr, counters, told))
        return min((one.at.span for one in asked), default=None)

    def _asked(self, call: ir.Node, nodes: Iterable[ir.Node]) -> Iterator[Condition]:
        """What was asked on every way to a call, and where some nodes leave."""
        conditions = conditions_of(self._context)
        yield from decided(conditions.at(call))
        for leaving in leavings(conditions, nodes):
            yield from leaving.reasons

    def _is_of(self, test: ir.Expr, counters: set[str], told: Sequence[Recorder]) -> bool:
        return any(
            (isinstance(node, (ir.Name, ir.Member)) and dotted(node) in counters)
            or any(self._asks(part, each) for part in (node, *self._bound_to(node)) for each in told)
            for node in ir.walk(test)
        )

    def _bound_to(self, node: ir.Node) -> Iterator[ir.Node]:
        """The call whose answer, or a part of it, a variable is: `allowed, rest = breaker.allow(name)`."""
        for binding in visible_bindings(self._program, node) if isinstance(node, ir.Name) else ():
            if isinstance(binding.value, ir.Call):
                yield binding.value

    def _asks(self, node: ir.Node, told: Recorder) -> bool:
        """Whether a node looks at what an object noted: at an attribute, or by a method that does."""
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) and dotted(node.callee.target) == told.name:
            functions = self._program.callees(node)
            return any(_looks_at(each, told.changed) for f in functions for each in self._reached(f.body))
        if isinstance(node, ir.Member) and dotted(node.target) == told.name:
            return node.name in {name.rpartition(".")[2] for name in told.changed} or bool(COUNTED.search(node.name))
        return False

    def _is_guarded(self, function: ir.Function, attempt: ir.Try) -> bool:
        given = {parameter.name for parameter in function.params}
        calls = (node for node in ir.walk(*attempt.body) if isinstance(node, ir.Call))
        run = next((call for call in calls if isinstance(call.callee, ir.Name) and call.callee.id in given), None)
        if run is None:
            return False
        failed = self._reached(node for handler in attempt.handlers for node in handler.body)
        if self._is_told_behind(function, attempt, run):
            return True
        changed, known = frozenset(_changed(failed)), {id(node) for node in failed}
        before = (node for node in self._reached(function.body) if id(node) not in known)
        return any(_counts(node) for node in failed) and any(
            any(_looks_at(part, changed) for part in ir.walk(condition.expr)) for condition in self._asked(run, before)
        )

    def _is_told_behind(self, function: ir.Function, attempt: ir.Try, run: ir.Call) -> bool:
        """Whether an object is told behind the tries that all of them failed, for a try that succeeds leaves with its
        answer; and is asked before the first.
        """
        if not any(True for _ in answers(ir.walk(*attempt.body))):
            return False
        own = own_nodes(function)
        handled = [node for handler in attempt.handlers for node in ir.walk(*handler.body)]
        behind = [node for node in own if node.span > attempt.span and not attempt.span.contains(node.span)]
        told = tuple(self.recorders([*handled, *behind]))
        return bool(told) and self.refuses(run, own, set(), told) is not None

    def _reached(self, body: Iterable[ir.Node]) -> tuple[ir.Node, ...]:
        return tuple(extent(self._program, tuple(body), set()).nodes())

    def _is_new(self, target: ir.Expr) -> bool:
        """Whether a variable holds an object that its own function has just made."""
        bound = visible_bindings(self._program, target) if isinstance(target, ir.Name) else ()
        own = self._program.scope_of(target)
        return any(
            isinstance(own, ir.Function)
            and isinstance(made := binding.value, ir.Call)
            and self._program.scope_of(made) is own
            and any(isinstance(value, ClassValue) for value in self._program.value_of(made.callee))
            for binding in bound
        )


def _tries(function: ir.Function) -> tuple[ir.Try, ...]:
    return own_nodes(function, ir.Try)


def _counts(node: ir.Node) -> bool:
    """Whether a counter goes up: `failures += 1`, `failures[name] = failures.get(name, 0) + 1`."""
    if not isinstance(node, ir.Assign):
        return False
    target = node.target.target if isinstance(node.target, ir.Index) else node.target
    adds = node.op == ir.Op.ADD or (
        isinstance(node.target, ir.Index) and isinstance(node.value, ir.Operator) and node.value.op == ir.Op.ADD
    )
    return adds and COUNTED.search(dotted(target)) is not None


def _changed(nodes: Iterable[ir.Node]) -> Iterator[str]:
    """The attributes that are set, and those of which an entry is."""
    for node in nodes:
        if isinstance(node, ir.Assign):
            target = node.target.target if isinstance(node.target, ir.Index) else node.target
            if isinstance(target, ir.Member):
                yield dotted(target)


def _looks_at(node: ir.Node, names: frozenset[str]) -> bool:
    return isinstance(node, ir.Member) and dotted(node) in names
