"""The program: the one place that is asked what names, expressions and calls mean.

It answers on demand and remembers. The work is done by the functions of this package (`evaluate`, `members`, `callers`,
`flow`), each of which takes the program; this class holds their memory and their limits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names import scopes
from agent_architecture.names.alternatives import limited, limited_in_circle
from agent_architecture.names.callees import Sites
from agent_architecture.names.flow_paths import Ways
from agent_architecture.names.indexes import Indexes
from agent_architecture.names.memoized import Once
from agent_architecture.names.memory import Memory
from agent_architecture.names.program_answers import (
    NOT_YET,
    CallSite,
    caller_kind,
    type_kind,
    value_kind,
)
from agent_architecture.names.session_state import Stores, stores_of
from agent_architecture.names.shared_answers import Shared
from agent_architecture.names.structure import Structure, header_nodes
from agent_architecture.names.synthetic_nodes import StandIns
from agent_architecture.names.typed_calls_memory import ByTypes
from agent_architecture.names.values import Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_architecture.names.exports import Exports
    from agent_architecture.names.file_facts import Kept
    from agent_architecture.names.library import Library
    from agent_architecture.names.lookup import Visible
    from agent_architecture.names.memory import Answer, Key, Kind
    from agent_architecture.names.modules import ModuleTable
    from agent_architecture.names.mutations import Growing
    from agent_architecture.names.outlasting import Outlasting
    from agent_architecture.names.references import Mentions
    from agent_architecture.names.rests import Rests

__all__ = ["NOT_YET", "CallSite", "Program", "callee_name"]


class Program:
    """All parsed modules of a project, and what is known about them."""

    rests: Rests
    """What has been read by the question that is worked on: see `rests`."""
    parsed: tuple[ir.Module, ...]
    memory: Memory
    naming: Memory
    """The answers: see `memory`; `naming` has those that are found while classes are told apart."""
    answers: Once
    class_attributes: dict[ir.Class, Mapping[str, tuple[scopes.Binding, ...]]]
    decorations: dict[int, CallSite]
    """The calls that decorators are, by the ids of these."""
    derived: dict[ir.Class, tuple[ir.Class, ...]] | None
    """For each class those that name it as a base; None until classes are told apart."""
    is_naming = False
    """Whether classes are still told apart, so that nothing is known of objects."""
    is_supplied = False
    """Whether a library was said to add attributes to classes."""
    known_at_first = 0
    """How many answers there were the last time that all was worked out from nothing; 0 at that time itself."""
    outlasting: Outlasting | None = None
    """What holds of the program before this one, until it is taken over."""

    def __init__(self, table: ModuleTable, exports: Exports, library: Library) -> None:
        from agent_architecture.names.callers import find_callees
        from agent_architecture.names.classes import find_lineage
        from agent_architecture.names.evaluate import evaluate

        self._evaluate, self._find_callees, self._find_lineage = evaluate, find_callees, find_lineage
        self.table, self.exports, self.library = table, exports, library
        kept = table.kept
        self.rests = kept.rests
        self.parsed = table.loaded()
        self._structures = kept.structures
        self._bindings = kept.bindings
        self._splits = kept.splits
        self.class_attributes: dict[ir.Class, Mapping[str, tuple[scopes.Binding, ...]]] = {}
        self._scopes = kept.scopes
        self._places: dict[str, scopes.ScopeIndex] = {}
        self._put = kept.put
        self.made = StandIns()
        self.shared = Shared(self)
        self.by_types = ByTypes(self)
        self.sites = Sites(self)
        self.indexes = Indexes(self)
        self.memory = Memory(self.rests)
        self.naming = Memory(self.rests)
        self._value = value_kind(self._evaluated)
        self._caller = caller_kind(self._calling_it)
        self._type = type_kind(self._objects_behind)
        self._calls = kept.calls
        self.uncalled = kept.uncalled
        """The names and members of scopes that are not called there: the memory of `references`."""
        self.answers = Once(self)
        self.kept = self.answers.keep
        self.once = self.answers.ask
        self.changes: dict[tuple[ir.Scope, str, bool], tuple[ir.Call | ir.Assign, ...]] = {}
        """What puts something into the container of a name or attribute: the memory of `mutations`."""
        self.growing: dict[ir.Module, Growing] = {}
        """What the functions of a module put into containers: another memory of `mutations`."""
        self.ways = Ways()
        """What the ways back from expressions lead over: the memory of `flow`."""
        self.unquoted: dict[ir.Literal, ir.Expr | None] = {}
        """The expressions in annotations that are written as texts: the memory of `annotations`."""
        self._visible, self._seen = kept.visible, kept.seen
        self._mentions: Mentions | None = None
        self.decorations: dict[int, CallSite] = {}
        self.derived: dict[ir.Class, tuple[ir.Class, ...]] | None = None
        if self.rests.is_kept:
            self._outlast(kept)

    def _outlast(self, kept: Kept) -> None:
        """Take over what holds of the program before this one."""
        from agent_architecture.names.outlasting import outlasting

        self.outlasting, kept.before = outlasting(self, kept.before), self

    def reads(self, *nodes: ir.Node | ir.Scope) -> None:
        """Note that the question that is worked on reads of the modules in which these stand."""
        rests = self.rests
        if rests.is_kept:
            for node in nodes:
                rests.read |= rests.of(node.span.path)

    # ------------------------------------------------------------------------------------------------------ modules
    @property
    def modules(self) -> tuple[ir.Module, ...]:
        """The modules that were parsed when the program was made, sorted by path: those whose calls are known."""
        self.rests.read |= self.rests.everything
        return self.parsed

    def module_of(self, node: ir.Node | ir.Scope) -> ir.Module:
        """The module in which a node stands."""
        module = self.table.at(node.span.path)
        if module is None:
            raise KeyError(f"{node.span.path} is not part of the program")
        return module

    # ----------------------------------------------------------------------------------------------------- structure
    def scope_of(self, node: ir.Node | ir.Scope) -> ir.Scope:
        """The innermost scope whose code `node` is."""
        span = node.span
        index = self._places.get(span.path)
        if index is None:
            index = self._places[span.path] = self._scope_index(self.module_of(node))
        return index.at(span)

    def _scope_index(self, module: ir.Module) -> scopes.ScopeIndex:
        index = self._scopes.get(module)
        if index is None:
            index = self._scopes[module] = scopes.ScopeIndex(module)
        return index

    def function_with_header(self, scope: ir.Scope, node: ir.Node) -> ir.Function | None:
        """The function directly inside `scope` in whose parameters `node` stands, which is code of `scope` itself."""
        return self.indexes.function_with_header(scope, node)

    def structure(self, scope: ir.Scope) -> Structure:
        """The parents of a scope's nodes."""
        found = self._structures.get(scope)
        if found is None:
            found = self._structures[scope] = Structure(scope)
        return found

    def bindings(self, scope: ir.Scope) -> Mapping[str, tuple[scopes.Binding, ...]]:
        """What each name is bound by in a scope."""
        if isinstance(scope, ir.Module):
            return self.exports.bindings(scope)
        found = self._bindings.get(scope)
        if found is None:
            found = self._bindings[scope] = scopes.bindings(scope, splits=self._splits)
        return found

    def visible(self, name: ir.Name) -> tuple[scopes.Binding, ...]:
        """The bindings that a name can refer to at its place; none for a name of the language itself."""
        found = self.in_sight(name)
        return () if found is None else found.bindings

    def in_sight(self, name: ir.Name) -> Visible | None:
        """The same with the scope that owns the name; None for a name of the language itself."""
        known = self._visible.get(id(name))
        if known is None:
            from agent_architecture.names.lookup import find_visible

            known = self._seen.get(id(name))
            if known is None:
                around, self.rests.read = self.rests.read, 0
                known = find_visible(self, name), name, self.rests.read
                self.rests.read = around
            self._visible[id(name)] = known
        if known[2]:
            self.rests.read |= known[2]
        return known[0]

    def attributes(self, cls: ir.Class) -> Mapping[str, tuple[scopes.Binding, ...]]:
        """What each attribute of a class is bound by, in the class itself."""
        found = self.class_attributes.get(cls)
        if found is None:
            found = self.class_attributes[cls] = scopes.attribute_bindings(cls)
        return found

    def put_in(self, module: ir.Module) -> Stores:
        """What a module assigns to attributes and elements of things, by their names."""
        found = self._put.get(module)
        if found is None:
            found = self._put[module] = stores_of(self, module)
        return found

    def supply(self, cls: ir.Class, attributes: Mapping[str, ir.Expr]) -> None:
        """Give a class attributes that a library adds to it at run time; they hide its own of the same names.

        Before anything asks for the values that depend on them: answers are remembered.
        """
        self.is_supplied = True
        if self.known_at_first:
            from agent_architecture.names.outlasting import forget

            forget(self)
        added = {name: (scopes.Binding(name, "assign", expr, expr),) for name, expr in attributes.items()}
        self.class_attributes[cls] = {**self.attributes(cls), **added}

    # -------------------------------------------------------------------------------------------------------- values
    def value_of(self, expr: ir.Expr) -> Values:
        """What an expression can be: at most `CAP` alternatives, and one `Unknown` where there is none.

        Inside the work on another value that depends on this one it may be empty: nothing is known yet. See `memory`.
        """
        known = self.memory.final.get(id(expr))
        if known is not None:
            self.rests.read |= known[2]
            return known[0]
        if self.derived is None and self.memory.is_idle:
            self.tell_apart()
        return self.memory.ask(id(expr), expr, self._value)

    def is_settled(self, expr: ir.Expr) -> bool:
        """Whether the value of an expression is known for good: it does not depend on a question that is open."""
        return self.memory.is_final(id(expr))

    def _evaluated(self, expr: ir.Expr) -> Values:
        self.reads(expr)
        found = self._evaluate(self, expr)
        return limited_in_circle(found, expr) if self.memory.unsettled else limited(found, expr)

    def ask(self, key: Key, subject: object, kind: Kind) -> Answer:
        """The answer to a question of any kind: see `memory`."""
        return self.memory.ask(key, subject, kind)

    @property
    def is_in_circle(self) -> bool:
        """Whether the question that is worked on has read an answer that is not final."""
        return self.memory.unsettled > 0

    @property
    def unsettled(self) -> int:
        """While this stays the same, what is found holds for good: see `memory`."""
        return self.memory.unsettled

    def promised_by(self, named: ir.Class | ir.Operator) -> Values:
        """The objects that a name for a type promises, or a part of a type (`T["part"]`): a question of its own, since
        types lead to each other over and over, and back to themselves.
        """
        return self.memory.ask(id(named) + 1, named, self._type)

    def _objects_behind(self, named: ir.Class | ir.Operator) -> Values:
        from agent_architecture.names.annotations import objects_behind

        self.reads(named)
        return objects_behind(self, named)

    # --------------------------------------------------------------------------------------------------------- calls
    def calls(self, name: str) -> Iterator[CallSite]:
        """All calls whose callee's last name is `name`, by module, and by scope within it."""
        for scope in self.scopes_calling(name):
            for call in self.calls_in(scope).get(name, ()):
                yield CallSite(call, scope)

    def scopes_calling(self, name: str) -> Sequence[ir.Scope]:
        """The scopes with calls or decorators whose last name is `name`, by module."""
        return self.indexes.scopes_calling(name)

    def decoration(self, definition: ir.Function | ir.Class, decorator: ir.Expr, scope: ir.Scope) -> CallSite:
        """The call that a decorator of a definition is, the same one each time."""
        found = self.decorations.get(id(decorator))
        if found is None:
            call = ir.Call(decorator.span, decorator, (ir.Argument(None, definition),))
            found = self.decorations[id(decorator)] = CallSite(call, scope, decorates=True)
        return found

    def calls_that_pass(self, name: str) -> tuple[CallSite, ...]:
        """The calls of the languages' own runners (`calls.RUNNERS`) that are handed something called `name`."""
        return self.indexes.calls_that_pass(name)

    def calls_in(self, scope: ir.Scope) -> Mapping[str, Sequence[ir.Call]]:
        """The calls of a scope's own code, and of the headers of the definitions directly inside it, by the callee's
        last name.
        """
        found = self._calls.get(scope)
        if found is None:
            found = self._calls[scope] = {}
            structure = self.structure(scope)
            inside = [node for definition in structure.definitions for node in header_nodes(definition)]
            for call in (*structure.calls, *(node for node in inside if isinstance(node, ir.Call))):
                found.setdefault(callee_name(call.callee), []).append(call)
            for group in found.values():
                group.sort(key=lambda call: call.span)
        return found

    def mentions(self, function: ir.Function | ir.Class) -> tuple[tuple[ir.Scope, ir.Node], ...]:
        """Where a function or class is named without being called, with the scope."""
        from agent_architecture.names.references import Mentions

        if self._mentions is None:
            self._mentions = Mentions(self)
        return self._mentions.of(function)

    def import_aliases(self, name: str) -> frozenset[str]:
        """The other names under which the modules import something called `name`."""
        return self.indexes.import_aliases(name)

    def renamed(self, scope: ir.Scope, name: str) -> frozenset[str]:
        """The names in a scope that are bound to something called `name`: see `Indexes`."""
        return self.indexes.renamed(scope, name)

    def callees(self, call: ir.Call) -> tuple[ir.Function, ...]:
        """The project's functions that a call may run, constructors included."""
        return self.answers.ask(self._find_callees, call)

    def run_by(self, scope: ir.Scope) -> tuple[ir.Function, ...]:
        """The project's functions that a scope's own code may run, in order of position, each once."""
        return self.answers.ask(_run_in, scope)

    def callers(self, function: ir.Function) -> tuple[CallSite, ...]:
        """The calls that may run a function of the project, by position; none while only classes are told apart."""
        if self.is_naming:
            return ()
        return self.memory.ask(-id(function), function, self._caller)

    def _calling_it(self, function: ir.Function) -> tuple[CallSite, ...]:
        from agent_architecture.names.callers import find_callers

        self.reads(function)
        return find_callers(self, function)

    def methods_named(self, name: str, place: ir.Node | ir.Scope) -> tuple[ir.Function, ...]:
        """All methods of project classes with this name, in the language of the file in which something stands."""
        return self.indexes.methods_named(name, place)

    def lineage(self, cls: ir.Class) -> tuple[ir.Class, ...]:
        """The class and its project ancestors, breadth first."""
        return self.answers.ask(self._find_lineage, cls)

    def subclasses(self, cls: ir.Class) -> tuple[ir.Class, ...]:
        """The project's classes that name `cls` among their bases, directly or through others, nearest first."""
        from agent_architecture.names.deriving import subclasses

        return subclasses(self, cls)

    def tell_apart(self) -> None:
        """Find out which classes derive from which; then what is known from the scan before may be used."""
        from agent_architecture.names.deriving import derived

        around = self.rests.read
        self.derived = derived(self)
        if self.outlasting is not None:
            self.outlasting.take()
            self.outlasting = None
        self.rests.read = around


def _run_in(program: Program, scope: ir.Scope) -> tuple[ir.Function, ...]:
    return tuple(dict.fromkeys(f for call in program.structure(scope).calls for f in program.callees(call)))


def callee_name(callee: ir.Expr) -> str:
    """The last name of a callee: `run` of `a.b.run`, "" when it has none."""
    while isinstance(callee, ir.Index):
        callee = callee.target
    if isinstance(callee, ir.Member):
        return callee.name
    return callee.id if isinstance(callee, ir.Name) else ""
