"""The program: the one place that is asked what names, expressions and calls mean.

It answers on demand and remembers. The work is done by the functions of this package (`evaluate`, `members`, `calls`,
`flow`), each of which takes the program; this class holds their memory and their limits.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, TypeVar

from agent_architecture.names import scopes
from agent_architecture.names.by_types import ByTypes
from agent_architecture.names.flow_ways import Ways
from agent_architecture.names.memory import Memory
from agent_architecture.names.once import Once
from agent_architecture.names.program_answers import (
    NOT_YET,
    CallSite,
    caller_kind,
    type_kind,
    value_kind,
)
from agent_architecture.names.put import Stores, stores_of
from agent_architecture.names.shapes import limited, limited_in_circle
from agent_architecture.names.shared import Shared
from agent_architecture.names.sites import Sites
from agent_architecture.names.stand_ins import StandIns
from agent_architecture.names.structure import Structure, header_nodes
from agent_architecture.names.values import Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from agent_architecture.names.exports import Exports
    from agent_architecture.names.growth import Growing
    from agent_architecture.names.library import Library
    from agent_architecture.names.lookup import Visible
    from agent_architecture.names.memory import Answer, Key, Kind
    from agent_architecture.names.mentions import Mentions
    from agent_architecture.names.modules import ModuleTable
    from agent_architecture.names.outlasting import Outlasting

_T = TypeVar("_T")

__all__ = ["NOT_YET", "CallSite", "Program", "callee_name"]


class Program:
    """All parsed modules of a project, and what is known about them."""

    def __init__(self, table: ModuleTable, exports: Exports, library: Library) -> None:
        from agent_architecture.names.calls import find_callees
        from agent_architecture.names.classes import find_lineage
        from agent_architecture.names.evaluate import evaluate

        self._evaluate, self._find_callees, self._find_lineage = evaluate, find_callees, find_lineage
        self.table = table
        self.exports = exports
        self.library = library
        kept = table.kept
        self.rests = kept.rests
        """What has been read by the question that is worked on: see `rests`."""
        self.parsed = table.loaded()
        """The modules, for who notes himself what of them he reads."""
        self._structures = kept.structures
        self._bindings = kept.bindings
        self.class_attributes: dict[ir.Class, Mapping[str, tuple[scopes.Binding, ...]]] = {}
        """What the attributes of classes are bound by: the memory of `attributes`."""
        self._scopes = kept.scopes
        self._places: dict[str, scopes.ScopeIndex] = {}
        self._put = kept.put
        self.made = StandIns()
        self.shared = Shared(self)
        self.by_types = ByTypes(self)
        self.sites = Sites(self)
        self.is_supplied = False
        """Whether a library was said to add attributes to classes."""
        self.memory = Memory(self.rests)
        """The answers: see `memory`. Nobody else takes them but who keeps them for the next program."""
        self.naming = Memory(self.rests)
        """The answers while classes are told apart."""
        self._value = value_kind(self._evaluated)
        self._caller = caller_kind(self._calling_it)
        self._type = type_kind(self._objects_behind)
        self._calls = kept.calls
        self.uncalled = kept.uncalled
        """The names and members of scopes that are not called there: the memory of `mentions`."""
        self._calling: dict[str, list[ir.Scope]] | None = None
        self._rests_of: dict[tuple[str, str], int] = {}
        """What it rests on what an index has under a name, where many ask that."""
        self._handed: dict[str, tuple[CallSite, ...]] | None = None
        self.answers = Once(self)
        """The answers that are worked out once: the memory of `once`."""
        self.changes: dict[tuple[ir.Scope, str, bool], tuple[ir.Call | ir.Assign, ...]] = {}
        """What puts something into the container of a name or attribute: the memory of `growth`."""
        self.growing: dict[ir.Module, Growing] = {}
        """What the functions of a module put into containers: another memory of `growth`."""
        self.ways = Ways()
        """What the ways back from expressions lead over: the memory of `flow`."""
        self.unquoted: dict[ir.Literal, ir.Expr | None] = {}
        """The expressions in annotations that are written as texts: the memory of `annotations`."""
        self._visible, self._seen = kept.visible, kept.seen
        self._mentions: Mentions | None = None
        self.decorations: dict[int, CallSite] = {}
        """The calls that decorators are, by the ids of these."""
        self._aliases: dict[str, frozenset[str]] | None = None
        self._renamed: dict[ir.Scope, dict[str, frozenset[str]]] = {}
        self._siblings: dict[ir.Scope, list[ir.Function]] = {}
        self._methods: dict[str, tuple[ir.Function, ...]] | None = None
        self.derived: dict[ir.Class, tuple[ir.Class, ...]] | None = None
        """For each class those that name it as a base; None until classes are told apart."""
        self.is_naming = False
        """Whether classes are still told apart, so that nothing is known of objects."""
        self.known_at_first = 0
        """How many answers were known at the end, the last time that all was worked out from nothing; 0 at that time."""
        self._outlasting: Outlasting | None = None
        if self.rests.is_kept:
            from agent_architecture.names.outlasting import outlasting

            self._outlasting, kept.before = outlasting(self, kept.before), self

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
        found = self._siblings.get(scope)
        if found is None:
            self._siblings_of(self.module_of(node))
            found = self._siblings.setdefault(scope, [])
        place = bisect_right(found, node.span, key=lambda function: function.span) - 1
        # The function that starts last before the node is the only one of its siblings that can contain it.
        return found[place] if place >= 0 and found[place].span.contains(node.span) else None

    def _siblings_of(self, module: ir.Module) -> None:
        for function in sorted(module.index.functions, key=lambda function: function.span):
            self._siblings.setdefault(function.outer, []).append(function)

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
            found = self._bindings[scope] = scopes.bindings(scope)
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
            self._tell_apart()
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

    def once(self, question: Callable[..., _T], *about: object) -> _T:
        """What `question(program, *about)` returns, worked out once where it rests on no open question: see `once`."""
        return self.answers.ask(question, *about)

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
        if self._calling is None:
            self._calling = {}
            for called, places in (item for module in self.parsed for item in module.index.calls.items()):
                self._calling.setdefault(called, []).extend(places)
        found = self._calling.get(name, ())
        self._reads_index("call", name, found)
        return found

    def rests_of_calls(self, name: str) -> int:
        """What it rests on which calls of a name there are."""
        self.scopes_calling(name)
        return self._rests_of.get(("call", name), 0)

    def _reads_index(self, index: str, name: str, found: Iterable[ir.Scope]) -> None:
        """Note that a question reads what an index has under a name."""
        rests = self.rests
        if rests.is_kept:
            known = self._rests_of.get((index, name))
            if known is None:
                known = rests.named(index, name)
                for node in found:
                    known |= rests.of(node.span.path)
                self._rests_of[index, name] = known
            rests.read |= known

    def decoration(self, definition: ir.Function | ir.Class, decorator: ir.Expr, scope: ir.Scope) -> CallSite:
        """The call that a decorator of a definition is, the same one each time."""
        found = self.decorations.get(id(decorator))
        if found is None:
            call = ir.Call(decorator.span, decorator, (ir.Argument(None, definition),))
            found = self.decorations[id(decorator)] = CallSite(call, scope, decorates=True)
        return found

    def handed(self, name: str) -> tuple[CallSite, ...]:
        """The calls of the languages' own runners (`calls.RUNNERS`) that are handed something called `name`."""
        from agent_architecture.names.calls import handing

        if self._handed is None:
            around = self.rests.read
            self._handed = handing(self)
            self.rests.read = around
        found = self._handed.get(name, ())
        self._reads_index("handed", name, (site.scope for site in found))
        return found

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
        from agent_architecture.names.mentions import Mentions

        if self._mentions is None:
            self._mentions = Mentions(self)
        return self._mentions.of(function)

    def import_aliases(self, name: str) -> frozenset[str]:
        """The other names under which the modules import something called `name`."""
        from agent_architecture.names.imported import aliases

        if self._aliases is None:
            self._aliases = aliases(self.parsed)
        self._reads_index("alias", name, ())
        return self._aliases.get(name, frozenset())

    def renamed(self, scope: ir.Scope, name: str) -> frozenset[str]:
        """The names in a scope that are bound to something called `name`, or to a call that is handed it first
        (`functools.partial`), or to what its `bind` makes.
        """
        from agent_architecture.names.handed import named_first

        found = self._renamed.get(scope)
        if found is None:
            table: dict[str, set[str]] = {}
            for alias, group in self.bindings(scope).items():
                for binding in group:
                    if binding.kind == "assign" and not binding.steps and (original := named_first(binding.value)):
                        table.setdefault(original, set()).add(alias)
            found = self._renamed[scope] = {known: frozenset(aliases) for known, aliases in table.items()}
        return found.get(name, frozenset())

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
        from agent_architecture.names.calls import find_callers

        self.reads(function)
        return find_callers(self, function)

    def methods_named(self, name: str) -> tuple[ir.Function, ...]:
        """All methods of project classes with this name."""
        if self._methods is None:
            table: dict[str, list[ir.Function]] = {}
            for function in (function for module in self.parsed for function in module.index.functions):
                if isinstance(function.outer, ir.Class):
                    table.setdefault(function.name, []).append(function)
            self._methods = {key: tuple(value) for key, value in table.items()}
        found = self._methods.get(name, ())
        self._reads_index("method", name, found)
        return found

    def lineage(self, cls: ir.Class) -> tuple[ir.Class, ...]:
        """The class and its project ancestors, breadth first."""
        return self.answers.ask(self._find_lineage, cls)

    def subclasses(self, cls: ir.Class) -> tuple[ir.Class, ...]:
        """The project's classes that name `cls` among their bases, directly or through others, nearest first."""
        if self.derived is None:
            self._tell_apart()
        found: dict[ir.Class, None] = {}
        queue = [cls]
        for current in queue:
            self._reads_base(current)
            for candidate in (self.derived or {}).get(current, ()):
                if candidate not in found:
                    found[candidate] = None
                    queue.append(candidate)
        return tuple(found)

    def _reads_base(self, cls: ir.Class) -> None:
        if self.rests.is_kept:
            self.rests.read |= self.rests.named("base", cls.name) | self.rests.of(cls.span.path)

    def _tell_apart(self) -> None:
        """Find out which classes derive from which; then what is known from the scan before may be used."""
        around = self.rests.read
        self.derived = self._derived()
        if self._outlasting is not None:
            self._outlasting.take()
            self._outlasting = None
        self.rests.read = around

    def _derived(self) -> dict[ir.Class, tuple[ir.Class, ...]]:
        """For each class those that name it as a base. What the open questions depend on must not shape this table, and
        what functions are handed names no base.
        """
        from agent_architecture.names.classes import project_bases

        memory, self.memory, self.derived, self.is_naming = self.memory, self.naming, {}, True
        answers, self.answers = self.answers, Once(self)
        table: dict[ir.Class, list[ir.Class]] = {}
        try:
            for module in self.parsed:
                for candidate in module.index.classes:
                    for base in project_bases(self, candidate):
                        table.setdefault(base, []).append(candidate)
        finally:
            self.memory, self.answers, self.is_naming = memory, answers, False
            self.answers.forget()
        return {base: tuple(found) for base, found in table.items()}


def _run_in(program: Program, scope: ir.Scope) -> tuple[ir.Function, ...]:
    return tuple(dict.fromkeys(f for call in program.structure(scope).calls for f in program.callees(call)))


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
