"""Code that nothing reaches: modules that nothing loads or starts, and functions and classes that nothing names.

Going backwards: what names a function or class, and what loads the module that does, until there is something that
starts a program or may be taken by its name or place (`openings`). What leads to none of that is reached by nothing.
Only what says so on every way is dead: in doubt it is reached. Methods are reached with their class, since objects of
unknown classes are called by names alone, but for those that nothing asks for (`methods`); a module of which others
import something is reached with each of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from agent_architecture.names.code_words import CodeWords
from agent_architecture.names.program import callee_name
from agent_architecture.names.select import is_for_types
from agent_architecture.semantics.callgraph.importers import Importers
from agent_architecture.semantics.callgraph.loading import NO_REGISTER
from agent_architecture.semantics.callgraph.methods import Methods
from agent_architecture.semantics.callgraph.openings import Openings
from agent_architecture.semantics.callgraph.private_tables import PrivateTables
from agent_architecture.semantics.callgraph.processes import is_main_test
from agent_architecture.semantics.callgraph.set_aside import SetAside
from agent_architecture.semantics.callgraph.written_names import is_handed_on, is_part, is_quoted, is_specifier, uses_up
from agent_architecture.semantics.callgraph.written_tables import tables
from agent_architecture.semantics.manifests.manifests import folders_above
from agent_architecture.sources.languages import CODE, is_notebook, is_python
from agent_architecture.sources.source import Role, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.deployments import Deployments

    Definition: TypeAlias = "ir.Function | ir.Class | ir.Assign"
    """A function or class directly in a module, or a table that is written out there, with all that is inside."""
    Piece: TypeAlias = "ir.Module | Definition"
    """A definition, or the rest of a module."""

USERS: Final = 200
"""Pieces of code that are looked at on the ways back from one; behind that, it is reached."""
UNUSED_BY: Final = frozenset({Role.TEST, Role.DOCS})
"""Files that start nothing of the application."""
PLAIN_BASES: Final = frozenset(
    {
        "ABC", "BaseModel", "BaseSettings", "Enum", "Error", "Exception", "Generic", "IntEnum", "NamedTuple",
        "Protocol", "StrEnum", "TypedDict", "object", "str", "int", "dict", "list",
    }
)  # fmt: skip
"""Classes of others that do not look for what derives from them."""


class Unreached:
    """Tells which places of the program nothing reaches. `acting` are the places of agents and servers: what there is
    of these in code is offered to somebody, and so are `tools`, unless the application takes the others of their folder
    by importing them. `running` are those of code that makes an agent run: inside of a function it offers nothing, and
    what stands beside it there is its own, where others are taken by imports. `wrapping` are the places of decorators
    that only stand around what they decorate, `known` those of classes that derive from those of libraries which are
    given objects and look for no class, `again` those of runs that offer the function or class around them, since no
    run of their language is reached otherwise. `agents` are the names of what is made to be run, by place: what makes
    one that nothing else makes is exported, and found by its name alone only where that is beyond doubt.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - kinds of places
        self,
        program: Program,
        deployments: Deployments,
        acting: Iterable[Span],
        tools: Iterable[Span],
        running: Iterable[Span] = (),
        wrapping: Container[Span] = (),
        known: Container[Span] = (),
        again: Iterable[Span] = (),
        agents: Mapping[Span, str] | None = None,
    ) -> None:
        self._program = program
        self._agents = agents or {}
        self._wrapping = wrapping
        self._known_classes = known
        self._acting: dict[str, list[Span]] = {}
        self._running: dict[str, list[Span]] = {}
        for span in running:
            self._running.setdefault(span.path, []).append(span)
        self._modules: dict[str, ir.Module] = {
            module.path: module for module in program.parsed if module.language in CODE and module.role not in UNUSED_BY
        }
        self._files = {
            file.path: file for file in program.table.files() if file.language in CODE and file.role not in UNUSED_BY
        }
        self._importers = Importers(program, self._modules)
        self._aside = SetAside(self._files, self._importers)
        self._words = CodeWords()
        self._openings = Openings(
            program, self._files, self._acting, self._words, self._importers, deployments, wrapping
        )
        self._tools = tuple(tools)
        acting = tuple(acting)
        lying = [span for span in self._tools if self._is_imported(span.path) or not self._is_taken(span.path)]
        self._again = tuple(again)
        offered = frozenset((*lying, *self._again))
        for span in (*acting, *lying, *self._again, *(span for spans in self._running.values() for span in spans)):
            is_taken = self._is_taken(span.path) and (self._is_run_inside(span) or self._is_written_out(span))
            is_left = span not in offered and self._is_run_inside(span) and self._is_left_beside(span.path)
            if not (is_taken or is_left or (span not in self._again and self._is_of_class(span))):
                self._acting.setdefault(span.path, []).append(span)
        self._methods = Methods(self._files, self._modules, self._words, self._openings, self._is_called_by_name)
        self._private = PrivateTables(self._files, self._words)
        self._definitions: dict[str, list[Definition]] = {}
        self._known: dict[tuple[int, bool], bool] = {}

    def holds(self, span: Span) -> bool:
        """Whether nothing reaches the code at a place."""
        module = self._modules.get(span.path)
        if module is None or module.role is not Role.APP or is_notebook(span.path):
            return False
        return bool(self._acting or self._running) and self._is_left(module, span)

    def _is_left(self, module: ir.Module, span: Span) -> bool:
        return (
            (not self._again and self._aside.holds(module.path))
            or self._is_dead(self._piece(module, span))
            or self._methods.is_left(module, span)
            or self._private.holds(module, span)
        )

    def idle(self) -> frozenset[bool]:
        """The languages (whether it is Python) in which agents run, and all of them in code that nothing reaches."""
        found: dict[bool, bool] = {}
        for path, spans in self._running.items():
            module, python = self._modules.get(path), is_python(path)
            is_left = module is not None and all(self._is_left(module, span) for span in spans)
            found[python] = found.get(python, True) and is_left
        return frozenset(python for python, is_left in found.items() if is_left)

    def _is_run_inside(self, span: Span) -> bool:
        """Whether a place stands in a function or class that makes an agent run, or where what is made is used up: it
        acts when that is called.
        """
        module, running = self._modules.get(span.path), self._running.get(span.path, ())
        if module is None:
            return False
        every: tuple[ir.Function | ir.Class, ...] = (*module.index.functions, *module.index.classes)
        around = (each for each in every if isinstance(each.outer, ir.Module))
        return self._openings.is_routed(module, span) or any(
            each.span.contains(span)
            and (
                any(map(each.span.contains, running))
                or (isinstance(each, ir.Function) and uses_up(each, span, self._runs))
            )
            for each in around
        )

    def _runs(self, call: ir.Call) -> bool:
        """Whether a call is only of functions of the project that make an agent run."""
        functions = self._program.callees(call)
        return bool(functions) and all(
            any(map(each.span.contains, self._running.get(each.span.path, ()))) for each in functions
        )

    def _is_of_class(self, span: Span) -> bool:
        """Whether a place stands in a method of a class whose methods make an agent run, in a package from which others
        import: somebody has to make an object of it first, so that it begins nothing.
        """
        module, running = self._modules.get(span.path), self._running.get(span.path, ())
        around = [each for each in module.index.classes if each.outer is module] if module is not None else ()
        return any(map(self._importers.takes_from, folders_above(span.path.rpartition("/")[0]))) and any(
            each.span.contains(span)
            and any(map(each.span.contains, running))
            and self._has_plain_bases(each, self._known_classes)
            and any(f.outer is each and f.span.contains(span) for f in each.module.index.functions)
            for each in around
        )

    def _is_taken(self, path: str) -> bool:
        """Whether others import a module, or its folder's others: alone it may be the beginning of something."""
        return (
            self._is_imported(path)
            or self._importers.is_for_types(path)
            or self._importers.takes_from(path.rpartition("/")[0])
        )

    def _is_left_beside(self, path: str) -> bool:
        """Whether a module only defines something that no other code names, beside a program that is started or serves:
        an application has what it starts, and gives nothing to others.
        """
        module = self._modules.get(path)
        return module is not None and not self._is_imported(path) and self._openings.is_left_beside(module)

    def _is_imported(self, path: str) -> bool:
        return bool(self._importers.of(path))

    def _is_written_out(self, span: Span) -> bool:
        """Whether a place stands in a table that a module writes out: what is there is used by who reads it."""
        module = self._modules.get(span.path)
        return module is not None and any(table.span.contains(span) for table in tables(module))

    def _is_dead(self, piece: Piece, *, alone: bool = True) -> bool:
        key = (id(piece), alone)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._leads_nowhere(piece, alone=alone)
        return known

    def _leads_nowhere(self, piece: Piece, *, alone: bool) -> bool:
        """Whether no way back from a piece of code comes to something that starts a program."""
        queue: list[Piece] = [piece]
        seen = {id(piece)}
        for each in queue:  # grows
            if len(queue) > USERS or (isinstance(each, ir.Module) and self._openings.opens(each)):
                return False
            for user in self._users(each, alone=alone):
                if user is None:
                    return False
                if id(user) not in seen:
                    seen.add(id(user))
                    queue.append(user)
        return True

    def _users(self, piece: Piece, *, alone: bool) -> Iterator[Piece | None]:
        """What leads to a piece of code: whoever imports a module, whoever names a definition. None: something that
        was not parsed, so that more is not known.
        """
        if isinstance(piece, ir.Module):
            yield from (self._modules.get(path) for path in self._importers.of(piece.path))
        elif self._is_found_by_name(piece, alone=alone):
            yield from self._naming(piece)
        else:
            yield self._modules[piece.span.path]

    def _piece(self, module: ir.Module, span: Span) -> Piece:
        """The definition around a place that its module has a name for; else the module's own code."""
        known = self._definitions.get(module.path)
        if known is None:
            bindings = self._program.bindings(module)
            every: tuple[ir.Function | ir.Class, ...] = (*module.index.functions, *module.index.classes)
            named = [
                each
                for each in every
                if isinstance(each.outer, ir.Module)
                and any(each in {binding.node, binding.value} for binding in bindings.get(each.name, ()))
            ]
            known = self._definitions[module.path] = sorted(
                (*named, *tables(module, with_functions=True)), key=lambda each: each.span
            )
        before = known[: bisect_right(known, span, key=lambda each: each.span)]
        return before[-1] if before and before[-1].span.contains(span) else module

    # ----------------------------------------------------------------------------------------------------- definitions
    def _offers_agents(self, definition: Definition) -> bool:
        """Whether a definition makes an agent for others, and nothing that is reached makes one of its name, or is a
        class that holds tools: then it may be what the project is for.
        """
        if isinstance(definition, ir.Class) and any(
            span.path == definition.span.path and definition.span.contains(span) for span in self._tools
        ):
            return True
        spans = [span for span in self._agents if span.path == definition.span.path and definition.span.contains(span)]
        is_class = isinstance(definition, ir.Class)  # an agent, too, where it runs one by itself
        return any(
            (is_class or not self._is_run_inside(span)) and not self._has_twin(definition, span) for span in spans
        )

    def _has_twin(self, definition: Definition, span: Span) -> bool:
        """Whether some code that is reached makes an agent of the same name elsewhere. What a variable is called names
        no agent.
        """
        name = self._agents[span]
        return not re.fullmatch(r"[\w.()]+", name) and any(
            other == name
            and not definition.span.contains(at)
            and (module := self._modules.get(at.path)) is not None
            and not self._is_dead(self._piece(module, at), alone=False)
            for at, other in self._agents.items()
        )

    def _is_found_by_name(self, definition: Definition, *, alone: bool = True) -> bool:
        """Whether a definition is used only where its name stands: nothing registers it, nobody outside of the project
        can ask for it, and its module is there for others of the project.
        """
        module, name, name_span = self._modules[definition.span.path], *_name(definition)
        importers = self._importers.of(module.path)
        in_doubt = alone and self._offers_agents(definition)
        return (
            module.role is Role.APP
            and not any(map(self._may_register, self._decorators(definition)))
            and not any(span in {definition.span, name_span} for span in self._acting.get(module.path, ()))
            and not any(span.path == module.path and definition.span.contains(span) for span in self._again)
            and (not isinstance(definition, ir.Class) or self._has_plain_bases(definition, self._known_classes))
            and (bool(importers) or (not in_doubt and self._openings.is_for_itself(module)))
            and self._openings.is_closed(module, name, importers, in_doubt=in_doubt)
        )

    def _is_called_by_name(self, cls: ir.Class, method: ir.Function) -> bool:
        """Whether a method is run only where its name stands: neither it nor its class is registered, nobody above it
        knows it, and nobody outside of the project can ask for it. What makes an agent run is what its class is for.
        """
        path, registering = cls.module.path, (*cls.decorators, *method.decorators)
        acting = (*self._acting.get(path, ()), *self._running.get(path, ()))
        return (
            cls.module.role is Role.APP
            and not any(map(self._may_register, registering))
            and not any(map(method.span.contains, acting))
            and self._has_plain_bases(cls)
            and self._openings.is_own_method(cls.module, method.name)
        )

    def _may_register(self, decorator: ir.Expr) -> bool:
        """Whether what a decorator decorates may be found otherwise than by its name."""
        return decorator.span not in self._wrapping and callee_name(_called(decorator)) not in NO_REGISTER

    def _decorators(self, definition: Definition) -> Iterator[ir.Expr]:
        if not isinstance(definition, ir.Assign):
            yield from definition.decorators
        if isinstance(definition, ir.Class):
            for node in definition.body:
                if isinstance(node, ir.Function):
                    yield from node.decorators

    def _has_plain_bases(self, cls: ir.Class, known: Container[Span] = ()) -> bool:
        """Whether no class above may look for those that derive from it, nor call their methods; `known` are the places
        of classes of which that is said otherwise.
        """
        lineage = self._program.lineage(cls)
        own = {each.name for each in lineage}
        bases = {callee_name(_called(base)) for each in lineage if each.span not in known for base in each.bases}
        return bases <= own | PLAIN_BASES and not self._openings.looks_for_classes

    def _naming(self, definition: Definition) -> Iterator[Piece | None]:
        """The pieces of code in which the name of a definition stands, but for imports and itself; of a module that
        nobody imports, not in files that define something of that name themselves, and not as a member of anything.
        """
        name, name_span = _name(definition)
        is_taken = bool(self._importers.of(definition.span.path))
        for path, file in self._files.items():
            module = self._modules.get(path)
            is_elsewhere: bool | None = None
            for place in self._words.places(file, name):
                if module is None or module.role is not Role.APP:
                    yield None
                    break
                span = self._openings.span_at(file, place, len(name))
                is_own = definition.span.contains(span) or name_span.contains(span)
                if is_elsewhere is None:
                    is_elsewhere = self._means_another(module, definition)
                is_member = not is_taken and is_part(file.data, place, len(name.encode("utf-8", "replace")))
                is_other = is_member or (is_elsewhere and not is_quoted(file.data, place))
                is_passed = is_handed_on(module, span) or is_specifier(file.data, place)
                if not (is_own or is_other or is_passed or self._is_shown(module, span)):
                    yield self._piece(module, span)
        if self._openings.is_named_elsewhere(name):
            yield None

    def _means_another(self, module: ir.Module, definition: Definition) -> bool:
        """Whether the name of a definition is that of something else in a module: of another language, or of a file
        that has its own, or imports it for more than its types, where nobody imports this one.
        """
        name, own = _name(definition)[0], definition.span.path
        if module.path == own or is_python(module.path) != is_python(own) or self._importers.of(own):
            return is_python(module.path) != is_python(own)
        return any(function.name == name for function in module.index.functions) or any(
            not (isinstance(binding.node, ir.Import) and is_for_types(module, binding.node))
            for binding in self._program.bindings(module).get(name, ())
        )

    def _is_shown(self, module: ir.Module, span: Span) -> bool:
        """Whether a place stands in what a module does when it is started, and nobody is to start it."""
        blocks = (node for node in module.body if isinstance(node, ir.If) and node.span.contains(span))
        return any(is_main_test(block, module) for block in blocks) and not self._openings.is_program(module)


def _name(definition: Definition) -> tuple[str, Span]:
    """The name of a definition, and where it stands."""
    if isinstance(definition, ir.Assign):
        assert isinstance(definition.target, ir.Name)  # noqa: S101 - those of `tables`
        return definition.target.id, definition.target.span
    return definition.name, definition.name_span


def _called(expr: ir.Expr) -> ir.Expr:
    """`x` of `x(…)` and of `x[…]`."""
    while isinstance(expr, (ir.Call, ir.Index)):
        expr = expr.callee if isinstance(expr, ir.Call) else expr.target
    return expr
