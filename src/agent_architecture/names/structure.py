"""Where a node stands: its parents, the loops and handlers around it, what dominates it. Within one scope.

A scope is a module, class or function; its own nodes are those not inside a nested function or class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from agent_architecture.names import patterns
from agent_architecture.syntax import ir
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

_N = TypeVar("_N")
_M = TypeVar("_M")
_O = TypeVar("_O")

_DEFINITIONS: Final = frozenset({ir.Function, ir.Class})
_ELEMENTS: Final = frozenset({ir.Index, ir.Member})


def statements(scope: ir.Scope) -> tuple[ir.Node, ...]:
    """The top statements of a scope."""
    return scope.body


@overload
def own_nodes(scope: ir.Scope) -> tuple[ir.Node, ...]: ...
@overload
def own_nodes(scope: ir.Scope, kind: type[_N], /) -> tuple[_N, ...]: ...
@overload
def own_nodes(scope: ir.Scope, kind: type[_N], other: type[_M], /) -> tuple[_N | _M, ...]: ...
@overload
def own_nodes(scope: ir.Scope, kind: type[_N], other: type[_M], third: type[_O], /) -> tuple[_N | _M | _O, ...]: ...
def own_nodes(scope: ir.Scope, *kinds: type) -> tuple[Any, ...]:
    """Every node of the scope's own code, or those of some kinds, in source order; found once for each scope."""
    known = scope.own
    if known is None:
        known = scope.own = {}
    found = known.get(kinds)
    if found is None:
        every = ir.walk(*scope.body) if not kinds else (each for each in own_nodes(scope) if type(each) in kinds)
        found = known[kinds] = tuple(every)
    return found


def header_nodes(definition: ir.Function | ir.Class) -> Iterator[ir.Node]:
    """The nodes of a definition's header: decorators, default values, bases. They are evaluated in the outer scope."""
    if isinstance(definition, ir.Class):
        parts = definition.parts
        yield from ir.walk(*parts.decorators, *parts.bases, *(argument.value for argument in parts.keywords))
    else:
        yield from ir.walk(*definition.decorators, *(p.default for p in definition.params if p.default is not None))


class Structure:
    """What one walk over a scope's own code finds: its nodes and their parents, its calls, what it returns and yields,
    its assignments to elements and attributes (`x[k] = v`, `x.k = v`: `stores`; one for each in `x.k, x.l = v`), and
    the definitions directly inside it, each in source order.
    """

    __slots__ = ("_adopted", "_parents", "calls", "definitions", "nodes", "returns", "scope", "stores", "yields")

    def __init__(self, scope: ir.Scope) -> None:
        self.scope = scope
        parents: dict[int, ir.Node] = {}
        self._parents = parents
        self._adopted: list[ir.Node] = []
        nodes: list[ir.Node] = []
        calls: list[ir.Call] = []
        definitions: list[ir.Function | ir.Class] = []
        returns: list[ir.Expr] = []
        yields: list[ir.Yield] = []
        stores: list[ir.Assign] = []
        stack = list(reversed(scope.body))
        while stack:
            node = stack.pop()
            nodes.append(node)
            kind = type(node)
            if kind is ir.Call:
                calls.append(node)  # type: ignore[arg-type]
            elif kind is ir.Return:
                if node.value is not None:  # type: ignore[union-attr]
                    returns.append(node.value)  # type: ignore[union-attr, arg-type]
            elif kind is ir.Yield:
                yields.append(node)  # type: ignore[arg-type]
            elif kind is ir.Assign and type(node.target) in _ELEMENTS:  # type: ignore[union-attr]
                stores.append(node)  # type: ignore[arg-type]
            elif kind is ir.Assign and type(node.target) is ir.List:  # type: ignore[union-attr]
                for store in _unpacked(node):  # type: ignore[arg-type]
                    parents[id(store)] = node
                    stores.append(store)
            elif kind in _DEFINITIONS:
                definitions.append(node)  # type: ignore[arg-type]
            if kind not in ir.LEAVES:
                inside = ir.children(node)
                for child in inside:
                    parents[id(child)] = node
                inside.reverse()
                stack.extend(inside)
        scope.own = scope.own or {}
        self.nodes = scope.own.setdefault((), tuple(nodes))
        self.calls = tuple(calls)
        self.definitions = tuple(definitions)
        self.returns = tuple(returns)
        self.stores = tuple(stores)
        self.yields = tuple(yields)

    def parent(self, node: ir.Node) -> ir.Node | None:
        """The node directly around `node`; None for a top statement of the scope, and for what is not part of it."""
        return self._parents.get(id(node))

    def adopt(self, made: ir.Node, beside: ir.Node) -> None:
        """What nobody wrote has the place of the node that it stands for."""
        around = self._parents.get(id(beside))
        if around is not None and id(made) not in self._parents:
            self._parents[id(made)] = around
            self._adopted.append(made)

    def ancestors(self, node: ir.Node) -> Iterator[ir.Node]:
        """The nodes around `node` inside the scope, innermost first."""
        current = self._parents.get(id(node))
        while current is not None:
            yield current
            current = self._parents.get(id(current))

    def is_statement(self, node: ir.Node) -> bool:
        """Whether an expression stands by itself, awaited or not: nobody takes what it is."""
        around = self.parent(node)
        while isinstance(around, ir.Await):
            node, around = around, self.parent(around)
        block = self.scope.body if around is None else (one for body in blocks(around) for one in body)
        return any(statement is node for statement in block)

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

    def excludes(self, earlier: ir.Node, later: ir.Node) -> bool:
        """Whether the two stand in different branches of one choice, so that no way passes both (outside of loops)."""
        around_later = {id(node) for node in self.ancestors(later)}
        for ancestor in self.ancestors(earlier):
            if id(ancestor) in around_later:
                if not isinstance(ancestor, (ir.If, ir.Match, ir.Conditional)):
                    return False
                mine, other = _branch_of(ancestor, earlier), _branch_of(ancestor, later)
                return mine is not None and other is not None and mine != other
        return False


def _unpacked(assign: ir.Assign) -> Iterator[ir.Assign]:
    """What an assignment to several places at once stores in each element and attribute among them."""
    for place, steps, _ in patterns.leaves(assign.target) if assign.value is not None else ():
        numbers = [number for step in steps if (number := whole_number(step[1:-1])) is not None]
        if type(place) in _ELEMENTS and len(numbers) == len(steps):
            part: ir.Expr | None = assign.value
            for number in numbers:
                part = ir.Index(place.span, part, ir.Literal(place.span, number))  # type: ignore[arg-type]
            yield ir.Assign(assign.span, place, part)


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
        case ir.Operator() if node.op in {ir.Op.AND, ir.Op.OR, ir.Op.NULLISH}:
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
