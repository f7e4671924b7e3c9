"""What a JavaScript or TypeScript module offers under a name: ES exports, CommonJS, and JSON modules.

Rules: https://tc39.es/ecma262/#sec-source-text-module-records (ResolveExport); CommonJS as Node and bundlers let ES
modules see it (https://nodejs.org/api/esm.html#interoperability-with-commonjs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.definition_sites import Inline, InModule, Located, Outside, WholeModule
from agent_architecture.names.patterns import is_rest
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.exports import Exports
    from agent_architecture.names.import_targets import Target

_DEPTH: Final = 4
"""Spreads and names that an exported object is followed through."""


def offered(exports: Exports, module: ir.Module, name: str) -> tuple[Located, ...]:
    """Where `name` of this module is defined; an explicit export hides `export *`, of which the default is no part."""
    explicit = tuple(place for export in _named(module, name) for place in _exported(exports, module, export))
    if explicit:
        return explicit
    if name == "default":
        return (WholeModule(module),) if is_commonjs(module) and module.index.exports else ()
    return _starred(exports, module, name) or tuple(_in_default(exports, module, name))


def of_document(module: ir.Module, name: str) -> tuple[Located, ...]:
    """The value of a JSON (or YAML, TOML) module, which is its default export, and its top keys."""
    values = [node for node in module.body if isinstance(node, (ir.Map, ir.List, ir.Literal))]
    if not values:
        return ()
    if name == "default":
        return (Inline(module, values[0]),)
    entry = _entry(values[0], name)
    return () if entry is None else (Inline(module, entry),)


def is_commonjs(module: ir.Module) -> bool:
    """Whether a module has neither an `import` nor an `export` statement, so that `module.exports` is what it gives."""
    if module.path.endswith((".mjs", ".mts")) or any(imp.kind == "import" for _, imp in module.index.imports):
        return False
    return all(export.local is None and export.module is None for export in module.index.exports)


def _named(module: ir.Module, name: str) -> Iterator[ir.Export]:
    return (export for export in module.index.exports if export.exported == name)


def _targets(exports: Exports, module: ir.Module, specifier: str) -> tuple[Target, ...]:
    return exports.specifiers.resolve(module.path, module.language, specifier)


def _exported(exports: Exports, module: ir.Module, export: ir.Export) -> tuple[Located, ...]:
    """Where one export leads."""
    if export.module is not None:
        targets = _targets(exports, module, export.module)
        return (
            exports.whole(targets) if export.local == "*" else exports.first(targets, export.local or export.exported)
        )
    if export.local is not None:
        local = _local(exports, module, export.local)
        if local or export.value is None:
            return local
    return () if export.value is None else _value(exports, module, export.value)


def _local(exports: Exports, module: ir.Module, name: str) -> tuple[Located, ...]:
    """Where a name of the module's own scope leads: an import is followed, anything else is defined here."""
    found: list[Located] = []
    for binding in exports.bindings(module).get(name, ()):
        if isinstance(binding.node, ir.Import):
            extra = binding.extra if isinstance(binding.extra, ir.ImportedName) else None
            found.extend(exports.imported(module, binding.node, extra))
        elif isinstance(binding.value, ir.Import):
            found.extend(_taken(exports, module, binding.value, binding.steps) or (InModule(module, name),))
        else:
            found.append(InModule(module, name))
    return tuple(found)


def _taken(exports: Exports, module: ir.Module, imp: ir.Import, steps: tuple[str, ...]) -> tuple[Located, ...]:
    """What `const x = require("m")` or `const {x} = require("m")` binds."""
    if not steps:
        return exports.imported(module, imp, None)
    if len(steps) == 1 and steps[0].startswith(".") and not is_rest(steps[0]):
        return exports.first(exports.specifiers.targets(module, imp), steps[0][1:])
    return ()


def _value(exports: Exports, module: ir.Module, value: ir.Expr) -> tuple[Located, ...]:
    """Where an exported expression leads."""
    match value:
        case ir.Name(id=name):
            return _local(exports, module, name) or (Inline(module, value),)
        case ir.Import():
            return exports.imported(module, value, None)
        case _:
            return (Inline(module, value),)


def _starred(exports: Exports, module: ir.Module, name: str) -> tuple[Located, ...]:
    """The name through `export * from`: a module of the project that has it, else every library that may have it."""
    outside: list[Located] = []
    for export in _named(module, "*"):
        targets = _targets(exports, module, export.module or "")
        found = exports.first(targets, name)
        if found and not (isinstance(targets[0], Outside) or all(isinstance(place, Outside) for place in found)):
            return found
        outside.extend(found)
    return tuple(outside)


def _in_default(exports: Exports, module: ir.Module, name: str) -> Iterator[Located]:
    """The name as a key of the object that `module.exports` is."""
    if not is_commonjs(module):
        return
    for export in _named(module, "default"):
        if export.value is not None:
            yield from _key_of(exports, module, export.value, name, 0)


def _key_of(exports: Exports, module: ir.Module, value: ir.Expr, name: str, depth: int) -> tuple[Located, ...]:
    match value:
        case ir.Import():
            return exports.first(exports.specifiers.targets(module, value), name)
        case ir.Map(entries=entries) if depth < _DEPTH:
            entry = _entry(value, name)
            if entry is not None:
                return _value(exports, module, entry)
            spreads = [_key_of(exports, module, entry.value, name, depth + 1) for entry in entries if entry.key is None]
            return next((found for found in reversed(spreads) if found), ())
        case ir.Name(id=local) if depth < _DEPTH:
            values = [binding.value for binding in exports.bindings(module).get(local, ()) if not binding.steps]
            return tuple(
                place
                for inner in values
                if inner is not None
                for place in _key_of(exports, module, inner, name, depth + 1)
            )
        case _:
            return ()


def _entry(value: ir.Expr, name: str) -> ir.Expr | None:
    """The value under a constant key; the last one counts."""
    if not isinstance(value, ir.Map):
        return None
    found = None
    for entry in value.entries:
        if isinstance(entry.key, ir.Literal) and entry.key.value == name:
            found = entry.value
    return found
