"""Where an imported name is really defined: through re-exports, to a module's own binding or to a library.

Asks `specifiers` which file an import means, and `python_exports` or `javascript_exports` what a module offers.
Evaluates nothing: what a binding is worth is for `evaluate` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.definition_sites import Inline, InModule, Located, Outside, WholeModule
from agent_architecture.names.import_targets import InFolder, InProject
from agent_architecture.names.scopes import bindings
from agent_architecture.sources.source import Language, Role, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agent_architecture.names.import_targets import Target
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.specifiers import Specifiers

__all__ = ["Exports", "InModule", "Inline", "Located", "Outside", "WholeModule", "imported"]

DEPTH: Final = 24
"""Modules that a name is followed through; a longer chain of re-exports is not readable."""

SCRIPTS: Final = frozenset({Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})
PYTHON: Final = frozenset({Language.PYTHON, Language.NOTEBOOK})


class Exports:
    """What every module of a scan offers, followed to where it is defined, and remembered."""

    __slots__ = ("_bindings", "_cuts", "_depth", "_question", "_rests", "folders", "known", "specifiers", "table")

    def __init__(self, specifiers: Specifiers) -> None:
        self.specifiers = specifiers
        self.table = specifiers.table
        self._rests = self.table.kept.rests
        self.known: dict[tuple[str, str], tuple[tuple[Located, ...], int]] = {}
        """Where the names of modules are defined, each with what that rests on."""
        self._question: dict[tuple[str, str], tuple[Located, ...]] = {}
        self._bindings = self.table.kept.exported
        self.folders: dict[str, ir.Module] = {}
        """The empty modules that stand for folders."""
        self._depth = 0
        self._cuts = 0

    def locate(self, module: ir.Module, name: str) -> tuple[Located, ...]:
        """Where the name that a module offers is defined: every alternative, likeliest first; empty if none.

        JavaScript's default export is the name `default`. A name whose re-exports form a circle is nowhere defined.
        """
        key, rests = (module.path, name), self._rests
        known = self.known.get(key)
        if known is not None:
            rests.read |= known[1]
            return known[0]
        if key in self._question or self._depth > DEPTH:
            rests.read |= rests.of(module.path)
            self._cuts += 1
            return self._question.get(key, ())
        self._question[key] = ()
        cuts = self._cuts
        self._depth += 1
        around, rests.read = rests.read, rests.of(module.path)
        try:
            found = tuple(dict.fromkeys(self._offered(module, name)))
        finally:
            self._depth -= 1
            read, rests.read = rests.read, rests.read | around
        self._question[key] = found
        # An answer that a circle cut short holds for the question that it was asked in, not for ever.
        if cuts == self._cuts or not self._depth:
            self.known[key] = found, rests.same(read)
        if not self._depth:
            self._question.clear()
        return found

    def imported(self, module: ir.Module, imp: ir.Import, name: ir.ImportedName | None) -> tuple[Located, ...]:
        """What an import binds one of its names to, or (`name` None) the module itself."""
        if name is None:
            targets = self.specifiers.bound(module, imp)
            return self.required(targets) if imp.kind == "require" else self.whole(targets)
        targets = self.specifiers.targets(module, imp)
        return self.whole(targets) if name.name == "*" else self.first(targets, name.name)

    def first(self, targets: Iterable[Target], name: str) -> tuple[Located, ...]:
        """The name in the first of the candidates that has it; a library has every name.

        A candidate of the project that could not be followed to its end is not taken for one that lacks the name.
        """
        cuts = self._cuts
        for target in targets:
            if isinstance(target, Outside):
                return (target.member(name),)
            module = self.module(target)
            found = () if module is None else self.locate(module, name)
            if found or cuts != self._cuts:
                return found
        return ()

    def whole(self, targets: Iterable[Target]) -> tuple[Located, ...]:
        """The first of the candidates that is there, as a whole."""
        for target in targets:
            if isinstance(target, Outside):
                return (target,)
            if (module := self.module(target)) is not None:
                is_code = module.language in SCRIPTS or module.language in PYTHON
                return (WholeModule(module),) if is_code else self.locate(module, "default")
        return ()

    def required(self, targets: Iterable[Target]) -> tuple[Located, ...]:
        """What `require` gives: `module.exports` where a CommonJS module assigns it, else the module."""
        from agent_architecture.names.javascript_exports import is_commonjs

        found = self.whole(targets)
        if len(found) == 1 and isinstance(found[0], WholeModule) and is_commonjs(found[0].module):
            return self.locate(found[0].module, "default") or found
        return found

    def module(self, target: Target) -> ir.Module | None:
        """The module behind a target of the project; a folder is an empty module, to be asked for submodules."""
        if isinstance(target, InProject):
            return self.table.get(target.path)
        if not isinstance(target, InFolder):
            return None
        if target.path not in self.folders:
            empty = ir.Module(target.path, Language.PYTHON, Role.APP, Span(target.path, 1, 1, 1, 1))
            self.folders[target.path] = empty
        return self.folders[target.path]

    def is_folder(self, module: ir.Module) -> bool:
        """Whether a module stands for a folder without `__init__.py`."""
        return self.folders.get(module.path) is module

    def bindings(self, module: ir.Module) -> Mapping[str, tuple[Binding, ...]]:
        """What the module's own code and its functions bind at module level."""
        if module not in self._bindings:
            file = self.table.file(module.path)
            self._bindings[module] = bindings(module, file.data if file else None, self.table.kept.splits)
        return self._bindings[module]

    def _offered(self, module: ir.Module, name: str) -> Iterable[Located]:
        if module.language in PYTHON:
            from agent_architecture.names import python_exports

            return python_exports.offered(self, module, name)
        from agent_architecture.names import javascript_exports

        if module.language in SCRIPTS:
            return javascript_exports.offered(self, module, name)
        return javascript_exports.of_document(module, name)


def imported(exports: Exports, module: ir.Module, imp: ir.Import, name: ir.ImportedName | None) -> tuple[Located, ...]:
    """What an import binds one of its names to, or (`name` None) the module itself."""
    return exports.imported(module, imp, name)
