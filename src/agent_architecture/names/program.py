"""The program: the one place that is asked what names, expressions and calls mean.

It answers on demand and remembers. The work is done by the functions of this package (`evaluate`, `members`,
`calls`, `flow`), each of
which takes the program; this class holds their memory and their limits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from agent_architecture.names import scopes
from agent_architecture.names.structure import Structure, header_nodes, own_nodes
from agent_architecture.names.values import CAP, Unknown, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_architecture.names.exports import Exports
    from agent_architecture.names.modules import ModuleTable

DEPTH: Final = 40
"""Steps that one value may lie behind another; a longer chain is not readable."""

CHAIN: Final = 6
"""Links of a call chain that are answered by plain recursion."""

STEPS: Final = 4000
"""Evaluations that one question may cost before it is given up as not readable."""


NEVER: Final = 1 << 30
"""Deeper than any question: no circle was met."""

OPEN_CALLERS: Final = -1
"""Above every question: the answer waits for the callers of a function that are being looked for."""


class Library(Protocol):
    """What the program is told about libraries (the framework packs), without knowing them."""

    def canonical(self, path: str) -> str:
        """The one path of something that a library offers under several."""
        ...

    def passes(self, path: str) -> tuple[str, ...]:
        """The argument (position or keyword, alternatives in order) that a call of `path` returns; none when it
        makes something new.
        """
        ...


class CallSite(NamedTuple):
    """A call in its scope. `inferred` when the callee is known by its name alone.

    `escapes` when the call does not run the function itself but is handed it, and may run it.
    """

    call: ir.Call
    scope: ir.Scope
    inferred: bool = False
    escapes: bool = False


class Program:
    """All parsed modules of a project, and what is known about them."""

    def __init__(self, table: ModuleTable, exports: Exports, library: Library) -> None:
        self.table = table
        self.exports = exports
        self.library = library
        self._structures: dict[int, Structure] = {}
        self._bindings: dict[int, Mapping[str, tuple[scopes.Binding, ...]]] = {}
        self._attributes: dict[int, Mapping[str, tuple[scopes.Binding, ...]]] = {}
        self._values: dict[int, Values] = {}
        self._scopes: dict[str, scopes.ScopeIndex] = {}
        self._keep: list[object] = []
        self._provisional: dict[int, tuple[Values, int]] = {}
        self._active: dict[int, int] = {}
        self._low = NEVER
        self._steps = 0
        self._calls: dict[int, dict[str, list[ir.Call]]] = {}
        self._callees: dict[int, tuple[ir.Function, ...]] = {}
        self._callers: dict[int, tuple[CallSite, ...]] = {}
        self._open_callers: set[int] = set()
        self._provisional_callers: dict[int, tuple[tuple[CallSite, ...], int]] = {}
        self._subclasses: dict[str, tuple[ir.Class, ...]] | None = None
        self._methods: dict[str, tuple[ir.Function, ...]] | None = None

    # ------------------------------------------------------------------------------------------------------ modules
    @property
    def modules(self) -> tuple[ir.Module, ...]:
        """The parsed modules, sorted by path."""
        return self.table.loaded()

    def module_of(self, node: ir.Node | ir.Scope) -> ir.Module:
        """The module in which a node stands."""
        module = self.table.get(node.span.path)
        if module is None:
            raise KeyError(f"{node.span.path} is not part of the program")
        return module

    # ----------------------------------------------------------------------------------------------------- structure
    def scope_of(self, node: ir.Node) -> ir.Scope:
        """The innermost scope whose code `node` is."""
        module = self.module_of(node)
        index = self._scopes.get(module.path)
        if index is None:
            index = self._scopes[module.path] = scopes.ScopeIndex(module)
        return index.at(node.span)

    def structure(self, scope: ir.Scope) -> Structure:
        """The parents of a scope's nodes."""
        found = self._structures.get(id(scope))
        if found is None:
            found = self._structures[id(scope)] = Structure(scope)
            self._keep.append(scope)
        return found

    def bindings(self, scope: ir.Scope) -> Mapping[str, tuple[scopes.Binding, ...]]:
        """What each name is bound by in a scope."""
        if isinstance(scope, ir.Module):
            return self.exports.bindings(scope)
        found = self._bindings.get(id(scope))
        if found is None:
            found = self._bindings[id(scope)] = scopes.bindings(scope)
            self._keep.append(scope)
        return found

    def attributes(self, cls: ir.Class) -> Mapping[str, tuple[scopes.Binding, ...]]:
        """What each attribute of a class is bound by, in the class itself."""
        found = self._attributes.get(id(cls))
        if found is None:
            found = self._attributes[id(cls)] = scopes.attribute_bindings(cls)
            self._keep.append(cls)
        return found

    # -------------------------------------------------------------------------------------------------------- values
    def value_of(self, expr: ir.Expr) -> Values:
        """What an expression can be. Never empty; at most `CAP` alternatives.

        Values may depend on themselves (`x = x or f(x)`): what was found inside such a circle is provisional until
        the circle's first
        question is answered, and is then forgotten. So an answer never depends on which question was asked first.
        """
        from agent_architecture.names.evaluate import evaluate

        key = id(expr)
        known = self._values.get(key)
        if known is not None:
            return known
        if key in self._provisional:
            found, low = self._provisional[key]
            self._low = min(self._low, low)
            return found
        depth = len(self._active)
        if depth == 0:
            self._steps = 0
        if isinstance(expr, (ir.Call, ir.Member)):
            self._from_the_root(expr)
        self._steps += 1
        if key in self._active:
            self._low = min(self._low, self._active[key])
            return (Unknown("a value that depends on itself", expr),)
        if depth > DEPTH or self._steps > STEPS:
            self._low = min(self._low, 0)
            return (Unknown("a long chain of values", expr),)
        outer, self._low = self._low, NEVER
        self._active[key] = depth
        try:
            found = limited(evaluate(self, expr), expr)
        finally:
            del self._active[key]
            low, self._low = self._low, outer
        self._keep.append(expr)
        if low >= depth:
            self._values[key] = found
            if low == depth:
                self._provisional = {k: entry for k, entry in self._provisional.items() if entry[1] < depth}
        else:
            self._provisional[key] = (found, low)
            self._low = min(self._low, low)
        return found

    def _from_the_root(self, expr: ir.Call | ir.Member) -> None:
        """Answer a long chain (`builder.add(a).add(b)…`) link by link from its root, so that its length costs no
        depth.
        """
        chain: list[ir.Expr] = []
        link: ir.Expr = expr
        while isinstance(link, (ir.Call, ir.Member)) and id(link) not in self._values and id(link) not in self._active:
            chain.append(link)
            link = link.callee if isinstance(link, ir.Call) else link.target
        if len(chain) > CHAIN:
            for link in reversed(chain[1:]):
                self.value_of(link)

    # --------------------------------------------------------------------------------------------------------- calls
    def calls(self, name: str) -> Iterator[CallSite]:
        """All calls whose callee's last name is `name`, in order of path and position."""
        for module in self.modules:
            for scope in module.index.calls.get(name, ()):
                for call in self.calls_in(scope).get(name, ()):
                    yield CallSite(call, scope)

    def calls_in(self, scope: ir.Scope) -> Mapping[str, Sequence[ir.Call]]:
        """The calls of a scope's own code, and of the headers of the definitions directly inside it, by the callee's
        last name.
        """
        found = self._calls.get(id(scope))
        if found is None:
            found = self._calls[id(scope)] = {}
            self._keep.append(scope)
            for node in _with_headers(scope):
                if isinstance(node, ir.Call):
                    found.setdefault(callee_name(node.callee), []).append(node)
        return found

    def callees(self, call: ir.Call) -> tuple[ir.Function, ...]:
        """The project's functions that a call may run, constructors included."""
        from agent_architecture.names.calls import find_callees

        found = self._callees.get(id(call))
        if found is None:
            found = self._callees[id(call)] = find_callees(self, call)
            self._keep.append(call)
        return found

    def callers(self, function: ir.Function) -> tuple[CallSite, ...]:
        """The calls that may run a function of the project.

        To know a call's callee may need the callers of the function around it, and so on in a circle; as for values,
        what is found
        inside an open circle is provisional.
        """
        from agent_architecture.names.calls import find_callers

        key = id(function)
        found = self._callers.get(key)
        if found is not None:
            return found
        if key in self._open_callers:
            self._low = OPEN_CALLERS
            return ()
        if key in self._provisional_callers:
            found, low = self._provisional_callers[key]
            self._low = min(self._low, low)
            return found
        outer, self._low = self._low, NEVER
        self._open_callers.add(key)
        try:
            found = find_callers(self, function)
        finally:
            self._open_callers.discard(key)
            low, self._low = self._low, outer
        self._keep.append(function)
        is_first = not self._open_callers
        if low == NEVER or (is_first and (low == OPEN_CALLERS or low >= len(self._active))):
            self._callers[key] = found
        else:
            self._provisional_callers[key] = (found, low)
            self._low = min(self._low, low)
        if is_first:
            self._provisional = {k: entry for k, entry in self._provisional.items() if entry[1] != OPEN_CALLERS}
            self._provisional_callers = {
                k: e for k, e in self._provisional_callers.items() if e[1] != OPEN_CALLERS and self._active
            }
        return found

    def methods_named(self, name: str) -> tuple[ir.Function, ...]:
        """All methods of project classes with this name."""
        if self._methods is None:
            table: dict[str, list[ir.Function]] = {}
            for module in self.modules:
                for function in module.index.functions:
                    if isinstance(function.outer, ir.Class):
                        table.setdefault(function.name, []).append(function)
            self._methods = {key: tuple(value) for key, value in table.items()}
        return self._methods.get(name, ())

    def subclasses(self, cls: ir.Class) -> tuple[ir.Class, ...]:
        """The project's classes that name `cls` among their bases, directly or through others."""
        from agent_architecture.names.members import project_bases

        if self._subclasses is None:
            table: dict[str, list[ir.Class]] = {}
            for module in self.modules:
                for candidate in module.index.classes:
                    for base in project_bases(self, candidate):
                        table.setdefault(str(base.span), []).append(candidate)
            self._subclasses = {key: tuple(value) for key, value in table.items()}
        found: list[ir.Class] = []
        queue = [cls]
        while queue:
            for candidate in self._subclasses.get(str(queue.pop(0).span), ()):
                if candidate not in found:
                    found.append(candidate)
                    queue.append(candidate)
        return tuple(found)


def _with_headers(scope: ir.Scope) -> Iterator[ir.Node]:
    for node in own_nodes(scope):
        yield node
        if isinstance(node, (ir.Function, ir.Class)):
            yield from header_nodes(node)


def callee_name(callee: ir.Expr) -> str:
    """The last name of a callee: `run` of `a.b.run`, "" when it has none."""
    match callee:
        case ir.Name():
            return callee.id
        case ir.Member():
            return callee.name
        case ir.Index():
            return callee_name(callee.target)
        case _:
            return ""


def limited(values: Values, node: ir.Expr) -> Values:
    """The alternatives without repetition; more than `CAP` are not readable."""
    seen: dict[object, None] = {}
    unique = []
    for value in values:
        key = (type(value), *(id(part) if not isinstance(part, (str, int, float, bool)) else part for part in value))
        if key not in seen:
            seen[key] = None
            unique.append(value)
    if len(unique) > CAP:
        return (Unknown(f"more than {CAP} alternatives", node),)
    return tuple(unique) or (Unknown("an expression without a readable value", node),)
