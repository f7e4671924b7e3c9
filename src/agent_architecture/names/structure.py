"""Where a node stands: its parents, the loops and handlers around it, what dominates it. Within one scope.

A scope is a module, class or function; its own nodes are those not inside a nested function or class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

_N = TypeVar("_N")


def statements(scope: ir.Scope) -> tuple[ir.Node, ...]:
    """The top statements of a scope."""
    return scope.body


def own_nodes(scope: ir.Scope) -> Iterator[ir.Node]:
    """Every node of the scope's own code, in source order."""
    return ir.walk(*scope.body)


def header_nodes(definition: ir.Function | ir.Class) -> Iterator[ir.Node]:
    """The nodes of a definition's header: decorators, default values, bases. They are evaluated in the outer scope."""
    if isinstance(definition, ir.Class):
        parts = definition.parts
        yield from ir.walk(*parts.decorators, *parts.bases, *(argument.value for argument in parts.keywords))
    else:
        yield from ir.walk(*definition.decorators, *(p.default for p in definition.params if p.default is not None))


class Structure:
    """The parents of every node of one scope, computed once."""

    __slots__ = ("_parents", "scope")

    def __init__(self, scope: ir.Scope) -> None:
        self.scope = scope
        self._parents: dict[int, ir.Node] = {}
        for node in own_nodes(scope):
            for child in ir.children(node):
                self._parents[id(child)] = node

    def ancestors(self, node: ir.Node) -> Iterator[ir.Node]:
        """The nodes around `node` inside the scope, innermost first."""
        current = self._parents.get(id(node))
        while current is not None:
            yield current
            current = self._parents.get(id(current))

    def enclosing(self, node: ir.Node, kind: type[_N]) -> Iterator[_N]:
        """The enclosing nodes of one kind, innermost first."""
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, kind):
                yield ancestor

    def dominates(self, earlier: ir.Node, later: ir.Node) -> bool:
        """Whether every way to `later` inside the scope passes `earlier` first (structural: same or outer block,
        before it).
        """
        if (earlier.span.line, earlier.span.col) >= (later.span.line, later.span.col):
            return False
        around_later = {id(node) for node in self.ancestors(later)}
        child: ir.Node = earlier
        for ancestor in self.ancestors(earlier):
            if id(ancestor) in around_later:
                return _branch(ancestor, child) is None or _branch(ancestor, child) == _branch_of(ancestor, later)
            if _branch(ancestor, child) is not None:
                return False
            child = ancestor
        return True


def _branch_of(ancestor: ir.Node, node: ir.Node) -> str | None:
    for name, block in _branches(ancestor):
        if any(statement.span.contains(node.span) for statement in block):
            return name
    return None


def _branch(ancestor: ir.Node, child: ir.Node) -> str | None:
    """The name of the conditional block of `ancestor` that holds `child`; None when it always runs."""
    for name, block in _branches(ancestor):
        if any(statement is child for statement in block):
            return name
    return None


def _branches(node: ir.Node) -> Iterator[tuple[str, tuple[ir.Node, ...]]]:
    """The blocks of a node that may not run."""
    match node:
        case ir.If():
            yield "then", node.then
            yield "otherwise", node.otherwise
        case ir.Match():
            for number, case in enumerate(node.cases):
                yield f"case{number}", case.body
        case ir.Loop() if node.kind != "do":
            yield "body", node.body
            yield "otherwise", node.otherwise
        case ir.Try():
            yield "body", node.body
            for number, handler in enumerate(node.handlers):
                yield f"handler{number}", handler.body
            yield "otherwise", node.otherwise
        case ir.Conditional():
            yield "then", (node.then,)
            yield "otherwise", (node.otherwise,)
        case ir.Operator() if node.op in {"and", "or", "??"}:
            yield "right", node.operands[1:]
        case _:
            return


def blocks(node: ir.Node) -> Iterator[tuple[ir.Node, ...]]:
    """The statement lists directly inside a node."""
    match node:
        case ir.If():
            yield node.then
            yield node.otherwise
        case ir.Match():
            yield from (case.body for case in node.cases)
        case ir.Loop():
            yield node.body
            yield node.otherwise
        case ir.Try():
            yield node.body
            yield from (handler.body for handler in node.handlers)
            yield node.otherwise
            yield node.final
        case ir.With() | ir.Block():
            yield node.body
        case _:
            return
