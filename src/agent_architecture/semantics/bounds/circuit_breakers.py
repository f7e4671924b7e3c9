"""Circuit breakers that a project writes itself: methods that run what they are given and refuse to once that failed
too often, and objects that are told of each failure and asked before the next try.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import some_leave
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

COUNTED: Final = regex(r"fail|error|consecutive|strike|open", re.IGNORECASE)
"""What a counter of failures is called."""


class Told(NamedTuple):
    """An object that is told of a failure, and what it changes of itself then."""

    name: str
    changed: frozenset[str]


class OwnBreakers:
    """The breakers of a program, recognised on demand and remembered."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, bool] = {}

    def runs(self, function: ir.Scope) -> bool:
        """Whether a method runs one of its arguments, counts its failures, and refuses it by what it noted of them."""
        if not isinstance(function, ir.Function):
            return False
        if id(function) not in self._known:
            self._known[id(function)] = any(self._is_guarded(function, each) for each in _tries(function))
        return self._known[id(function)]

    def told(self, failed: Iterable[ir.Node]) -> Iterator[Told]:
        """The objects whose methods count a failure where these nodes handle it; one that is new each time forgets."""
        for call in (node for node in failed if isinstance(node, ir.Call)):
            if isinstance(call.callee, ir.Member) and not self._is_new(call.callee.target):
                functions = self._program.callees(call)
                nodes = [node for each in functions for node in self._reached(each.body)]
                if any(_counts(node) for node in nodes):
                    yield Told(dotted(call.callee.target), frozenset(_changed(nodes)))

    def refuses(self, test: ir.If, told: Iterable[Told]) -> bool:
        """Whether a test asks one of these objects, and leaves by what it noted."""
        return goes_away(test) and any(self._asks(node, each) for each in told for node in ir.walk(test.test))

    def _asks(self, node: ir.Node, told: Told) -> bool:
        """Whether a node looks at what an object noted: at an attribute, or by a method that does."""
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) and dotted(node.callee.target) == told.name:
            functions = self._program.callees(node)
            return any(_looks_at(each, told.changed) for f in functions for each in self._reached(f.body))
        if isinstance(node, ir.Member) and dotted(node.target) == told.name:
            return node.name in {name.rpartition(".")[2] for name in told.changed} or bool(COUNTED.search(node.name))
        return False

    def _is_guarded(self, function: ir.Function, attempt: ir.Try) -> bool:
        given = {parameter.name for parameter in function.params}
        runs = (node.callee for node in ir.walk(*attempt.body) if isinstance(node, ir.Call))
        if not any(isinstance(callee, ir.Name) and callee.id in given for callee in runs):
            return False
        failed = self._reached(node for handler in attempt.handlers for node in handler.body)
        changed, known = frozenset(_changed(failed)), {id(node) for node in failed}
        before = (node for node in self._reached(function.body) if id(node) not in known)
        return any(_counts(node) for node in failed) and any(
            isinstance(node, ir.If) and goes_away(node) and any(_looks_at(part, changed) for part in ir.walk(node.test))
            for node in before
        )

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


def goes_away(test: ir.If) -> bool:
    """Whether a test goes away where it holds."""
    return some_leave(*test.then)


def _tries(function: ir.Function) -> tuple[ir.Try, ...]:
    return own_nodes(function, ir.Try)


def _counts(node: ir.Node) -> bool:
    return isinstance(node, ir.Assign) and node.op == ir.Op.ADD and COUNTED.search(dotted(node.target)) is not None


def _changed(nodes: Iterable[ir.Node]) -> Iterator[str]:
    return (dotted(n.target) for n in nodes if isinstance(n, ir.Assign) and isinstance(n.target, ir.Member))


def _looks_at(node: ir.Node, names: frozenset[str]) -> bool:
    return isinstance(node, ir.Member) and dotted(node) in names
