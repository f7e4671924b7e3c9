"""Where a function or class is named without being called: what it is handed to, kept in, returned from.

Each file is looked through once for the names of the program's functions and classes; only scopes that hold one that
is asked for are lowered.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names.closure_writes import nested_functions
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_architecture.names.program import Program

WORD: Final = regex(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+(?!\s*\()")
"""A name that is not called where it stands."""

NAMED: Final = 4
"""Variables, one given the other or a record of it, behind which nobody looks for what is around an expression."""
Mention: TypeAlias = "tuple[ir.Scope, ir.Node]"


class _Words(NamedTuple):
    """Where lines of a file begin, and where the names of functions and classes stand in it that are not called."""

    lines: array[int]
    places: Mapping[bytes, Sequence[int]]


class Mentions:
    """The mentions of the functions and classes of a program, found on demand and remembered."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: dict[ir.Function | ir.Class, tuple[tuple[Mention, ...], int]] = {}
        self._places: dict[tuple[str, str], tuple[ir.Scope, ...]] = {}
        self._words: dict[str, _Words] = {}
        functions = (function.name for module in program.parsed for function in module.index.functions)
        classes = (cls.name for module in program.parsed for cls in module.index.classes)
        self._names = frozenset(name.encode("utf-8", "replace") for name in {*functions, *classes})
        self._importing: dict[str, dict[str, ir.Module]] = {}
        for module in program.parsed:
            for _, node in module.index.imports:
                for imported in node.names:
                    self._importing.setdefault(imported.name, {})[module.path] = module

    def of(self, function: ir.Function | ir.Class) -> tuple[Mention, ...]:
        """Where a function or class may be named without being called: by its name, a method as a member."""
        found, rests = self._found.get(function), self._program.rests
        if found is None:
            around, rests.read = rests.read, 0
            self._program.reads(*self._modules(function))
            mentions = tuple(self._find(function))
            found = self._found[function] = mentions, rests.read | rests.named("import", _imported(function))
            rests.read = around
        rests.read |= found[1]
        return found[0]

    def _find(self, function: ir.Function | ir.Class) -> Iterator[Mention]:
        if not function.name:
            return
        if isinstance(function.outer, ir.Function):
            scopes: Iterable[ir.Scope] = seeing(function.outer)
        else:
            scopes = (s for module in self._modules(function) for s in self._mentioning(module, function.name))
        is_method = isinstance(function.outer, ir.Class)
        for scope in scopes:
            for node in uncalled(self._program, scope, function.name, (ir.Name, ir.Member)):
                if isinstance(node, ir.Member) or (not is_method and _may_name(self._program, node, function)):
                    yield scope, node

    def _modules(self, function: ir.Function | ir.Class) -> tuple[ir.Module, ...]:
        """The modules that may mention a function: its own, and those that import it, its class, or what it stands
        in.
        """
        known = self._importing.get(_imported(function), {})
        return (function.module, *(module for path, module in known.items() if path != function.module.path))

    def _mentioning(self, module: ir.Module, name: str) -> tuple[ir.Scope, ...]:
        """The scopes of a module in whose text a name stands that is not called there."""
        places = self._places.get((module.path, name))
        if places is None:
            places = self._places[module.path, name] = self._scopes_with(module, name)
        return places

    def _scopes_with(self, module: ir.Module, name: str) -> tuple[ir.Scope, ...]:
        words = self._words.get(module.path)
        if words is None:
            words = self._words[module.path] = self._words_of(module)
        found: dict[int, ir.Scope] = {}
        for at in words.places.get(name.encode("utf-8", "replace"), ()):
            scope = _scope_at(self._program, module, words.lines, at, name)
            found[id(scope)] = scope
        return tuple(found.values())

    def _words_of(self, module: ir.Module) -> _Words:
        file, names = self._program.table.file(module.path), self._names
        data = file.data if file is not None else b""
        places: dict[bytes, list[int]] = {}
        for match in WORD.finditer(data):
            if (word := match[0]) in names:
                places.setdefault(word, []).append(match.start())
        return _Words(_lines(data), places)


def _imported(function: ir.Function | ir.Class) -> str:
    """The name under which other modules import a function, its class, or what it stands in."""
    return function.name if isinstance(function.outer, ir.Module) else function.outer.name


def seeing(scope: ir.Scope) -> tuple[ir.Scope, ...]:
    """The scopes that may hand on a variable of `scope`. Of a module's variables only the module itself is asked."""
    return (scope, *nested_functions(scope)) if isinstance(scope, ir.Function) else (scope,)


def around(program: Program, scope: ir.Scope, node: ir.Node) -> Iterator[tuple[ir.Node, ir.Node]]:
    """What stands around an expression of a scope, nearest first, each with its part that has the expression in it.
    Where a variable is given it (`const route = { … }`), what stands around the one place that names the variable.
    """
    inner = node
    for _ in range(NAMED):
        store: ir.Assign | None = None
        for outer in program.structure(scope).ancestors(inner):
            if isinstance(outer, ir.Assign) and outer.value is inner and isinstance(outer.target, ir.Name):
                store = outer
                break
            yield inner, outer
            inner = outer
        uses = tuple(_naming(program, scope, store)) if store is not None else ()
        if len(uses) != 1:
            return
        ((scope, inner),) = uses


def _naming(program: Program, scope: ir.Scope, store: ir.Assign) -> Iterator[Mention]:
    """Where a variable is named, without being called, that may hold what an assignment gave it."""
    name = store.target.id if isinstance(store.target, ir.Name) else ""
    for each in seeing(scope):
        for use in uncalled(program, each, name, (ir.Name,)):
            if use is not store.target and isinstance(use, ir.Name) and _holds(program, use, store):
                yield each, use


def _holds(program: Program, name: ir.Name, store: ir.Assign) -> bool:
    return any(binding.value is store.value for binding in visible_bindings(program, name))


def going_through(program: Program, module: ir.Module, name: str) -> tuple[ir.Scope, ...]:
    """The functions of a module that go through a variable of it: `for hook in HOOKS`, `for (const hook of hooks)`."""
    program.reads(module)
    file = program.table.file(module.path)
    data = file.data if file is not None else b""
    walked = re.compile(rb"\b(?:in|of)\s++" + re.escape(name.encode("utf-8", "replace")) + rb"(?![\w$(])")
    lines = _lines(data)
    starts = (match.end() - len(name.encode("utf-8", "replace")) for match in walked.finditer(data))
    scopes = (_scope_at(program, module, lines, at, name) for at in starts)
    return tuple({id(scope): scope for scope in scopes if scope is not module}.values())


def _lines(data: bytes) -> array[int]:
    """Where the lines of a text begin."""
    return array("L", (0, *(found.end() for found in re.finditer(rb"\n", data))))


def _scope_at(program: Program, module: ir.Module, lines: array[int], at: int, name: str) -> ir.Scope:
    """The scope in which a name stands at a place of a module's text."""
    line = bisect_right(lines, at)
    first = at - lines[line - 1] + 1
    return program.scope_of(ir.Name(Span(module.path, line, first, line, first + len(name)), name))


def uncalled(program: Program, scope: ir.Scope, name: str, kinds: tuple[type, ...]) -> Iterator[ir.Expr]:
    """The nodes of a scope's own code that are this name, or a member of this name, and are not called."""
    found = program.uncalled.get(scope)
    if found is None:
        found = program.uncalled[scope] = _uncalled(program, scope)
    return (node for node in found.get(name, ()) if isinstance(node, kinds))


def _uncalled(program: Program, scope: ir.Scope) -> Mapping[str, Sequence[ir.Name | ir.Member]]:
    """The names and members of a scope's own code that are not called, by their last name."""
    structure = program.structure(scope)
    found: dict[str, list[ir.Name | ir.Member]] = {}
    for node in structure.nodes:
        if isinstance(node, (ir.Name, ir.Member)):
            around = structure.parent(node)
            if not (isinstance(around, ir.Call) and around.callee is node):
                found.setdefault(callee_name(node), []).append(node)
    return found


def _may_name(program: Program, node: ir.Node, function: ir.Function | ir.Class) -> bool:
    """Whether a name is bound to a function or class, `const answer = async () => …` too, or to something imported."""
    bindings = visible_bindings(program, node) if isinstance(node, ir.Name) else ()
    return any(function in (binding.node, binding.value) or binding.kind == "import" for binding in bindings)
