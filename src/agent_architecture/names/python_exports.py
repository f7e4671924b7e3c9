"""What a Python module offers under a name: its bindings, star imports, submodules and lazy tables.

Rules: https://docs.python.org/3/reference/import.html, PEP 562 for a module's `__getattr__`.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Final

from agent_architecture.names.definition_sites import InModule, Located, Outside, WholeModule
from agent_architecture.names.import_targets import InFolder, InProject, Missing
from agent_architecture.names.public_names import public_names
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.exports import Exports

_BUILTINS: Final = frozenset(dir(builtins))
_PAIR: Final = 2


def offered(exports: Exports, module: ir.Module, name: str) -> tuple[Located, ...]:
    """Where `name` of this module is defined: the first of its own bindings, star imports, submodules, lazy tables.

    A star import of a library comes last: which names it brings cannot be read.
    """
    for source in (_bound, _starred, _submodule, _lazy, _starred_outside):
        if found := tuple(source(exports, module, name)):
            return found
    return ()


def _bound(exports: Exports, module: ir.Module, name: str) -> Iterator[Located]:
    """The module's own bindings; the branches of an `if` or `try` are alternatives."""
    for binding in exports.bindings(module).get(name, ()):
        if isinstance(binding.node, ir.Import) and binding.kind == "import":
            extra = binding.extra if isinstance(binding.extra, ir.ImportedName) else None
            yield from exports.imported(module, binding.node, extra)
        elif binding.kind != "global":
            yield InModule(module, name)


def _stars(exports: Exports, module: ir.Module) -> Iterator[ir.Import]:
    """The star imports of a module, the last first: it wins."""
    for binding in reversed(exports.bindings(module).get("*", ())):
        if isinstance(binding.node, ir.Import):
            yield binding.node


def _starred(exports: Exports, module: ir.Module, name: str) -> tuple[Located, ...]:
    for imp in _stars(exports, module):
        for target in exports.specifiers.targets(module, imp):
            if isinstance(target, (Outside, Missing)):
                break
            other = exports.module(target)
            if other is not None and _gives(exports, other, name) and (found := exports.locate(other, name)):
                return found
    return ()


def _gives(exports: Exports, module: ir.Module, name: str) -> bool:
    """Whether a star import of the module brings the name."""
    public = public_names(exports, module)
    return not name.startswith("_") if public is None else name in public


def _starred_outside(exports: Exports, module: ir.Module, name: str) -> Iterator[Located]:
    if name.startswith("_") or name in _BUILTINS:
        return
    for imp in _stars(exports, module):
        first = exports.specifiers.targets(module, imp)[0]
        if isinstance(first, Outside):
            yield first.member(name)


def _submodule(exports: Exports, module: ir.Module, name: str) -> Iterator[Located]:
    package = InFolder(module.path) if exports.is_folder(module) else InProject(module.path)
    target = exports.specifiers.python.submodule(package, name)
    if target is not None and (other := exports.module(target)) is not None:
        yield WholeModule(other)


def _lazy(exports: Exports, module: ir.Module, name: str) -> tuple[Located, ...]:
    """What a module's `__getattr__` imports when asked for the name: itself, or by a table at module level."""
    getters = [binding.node for binding in exports.bindings(module).get("__getattr__", ())]
    for scope, imp in module.index.imports if getters else ():
        for imported in imp.names:
            if scope in getters and imported.alias == name:
                return exports.imported(module, imp, imported)
    for written, attribute in _rows(exports, module, name) if getters else ():
        if found := _from_row(exports, module, written, attribute):
            return found
    return ()


def _rows(exports: Exports, module: ir.Module, name: str) -> Iterator[tuple[str, str]]:
    """The (module, attribute) pairs for a name in the dictionaries of a module.

    Three forms are read: name → module, name → (module, attribute), module → [names].
    """
    values = [binding.value for group in exports.bindings(module).values() for binding in group]
    entries = [entry for value in values if isinstance(value, ir.Map) for entry in value.entries]
    for entry in entries:
        written, value = _text(entry.key), entry.value
        if written == name:
            parts = [_text(item) for item in value.items] if isinstance(value, ir.List) else [_text(value), name]
            if len(parts) == _PAIR and parts[0] and parts[1]:
                yield parts[0], parts[1]
        elif written and isinstance(value, ir.List) and name in [_text(item) for item in value.items]:
            yield written, name


def _from_row(exports: Exports, module: ir.Module, written: str, attribute: str) -> tuple[Located, ...]:
    """The attribute of a module that a table names: relative to the package, with or without its dots, or absolute."""
    bare = written.lstrip(".")
    level = len(written) - len(bare)
    for dots in (level,) if level else (1, 0):
        targets = exports.specifiers.resolve(module.path, module.language, bare, dots)
        if found := exports.first(targets, attribute):
            return found
    return ()


def _text(node: ir.Expr | None) -> str:
    return node.value if isinstance(node, ir.Literal) and isinstance(node.value, str) else ""
