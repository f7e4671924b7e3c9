"""What an unpacked package offers by name: its modules and sub-paths, and the classes and functions that they give.

One definition is one export, under all the paths that lead to it. Nothing is imported or run.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.names.exports import InModule, WholeModule
from agent_architecture.syntax import ir
from ecosystem.packs.declarations import DEFAULT, Block, Declared, From
from ecosystem.packs.installed import site_of
from ecosystem.packs.npm_packages import NpmPackages, root_of
from ecosystem.packs.script_scope import ScriptScope

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ecosystem.packs.installed import Site

INNER: Final = frozenset("tests test testing vendor vendored scripts cli conftest dist esm".split())  # noqa: SIM905
"""Folders and modules that are no interface, whatever they are called."""
_PLAIN: Final = ("interface_declaration", "type_alias_declaration")


class Offered(NamedTuple):
    """One class, function or object that a package offers."""

    paths: tuple[str, ...]
    """Its API paths, shortest first: `py:langgraph.graph.StateGraph`, `npm:ai:generateText`."""
    kind: str
    """`class`, `function`, `type` or `value`; `inner` for a function or value that only its own module gives."""
    bases: tuple[str, ...] = ()
    """The last names of its base classes, inherited ones included."""

    @property
    def name(self) -> str:
        """Its own name, as the shortest path ends."""
        return self.paths[0].replace(":", ".").rpartition(".")[2]


def offered(ecosystem: str, name: str, folder: Path) -> tuple[Offered, ...]:
    """What the package that is unpacked in a folder offers, by path."""
    found = _of_python(folder) if ecosystem == "pypi" else _of_npm(name, folder)
    merged: dict[object, Offered] = {}
    for key, one in found:
        known = merged.get(key)
        paths = one.paths if known is None else (*known.paths, *one.paths)
        one = one if known is None or known.kind == "inner" else known  # noqa: PLW2901 - what is given on counts
        merged[key] = one._replace(paths=tuple(sorted(dict.fromkeys(paths), key=lambda path: (len(path), path))))
    return tuple(sorted(merged.values(), key=lambda one: one.paths[0]))


# -------------------------------------------------------------------------------------------------------------- Python
def _of_python(folder: Path) -> Iterator[tuple[object, Offered]]:
    site = site_of([folder])
    for path in sorted(site.files):
        dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = site.table.get(path) if path.endswith(".py") else None
        if module is not None and _is_public(dotted):
            is_given = path.endswith("__init__.py") or _listed(module) is not None
            for name in _names_of(module):
                for key, one in _defined(site, module, dotted, name):
                    is_inner = not is_given and one.kind in {"function", "value"}
                    yield key, one._replace(kind="inner") if is_inner else one


def _is_public(dotted: str) -> bool:
    return not any(part.startswith("_") or part in INNER for part in dotted.split("."))


def _names_of(module: ir.Module) -> Iterator[str]:
    """The names in `__all__`; without one what a module defines, and a package imports, without a leading `_`."""
    listed = _listed(module)
    if listed is not None:
        yield from listed
        return
    inside: list[ir.Function | ir.Class] = [*module.index.functions, *module.index.classes]
    for scope in inside:
        if scope.outer is module and not scope.name.startswith("_"):
            yield scope.name
    if module.path.endswith("__init__.py"):
        for around, node in module.index.imports:
            if around is module and (node.level or node.module.partition(".")[0] == module.path.partition("/")[0]):
                yield from (n.alias or n.name for n in node.names if n.name != "*" and not n.name.startswith("_"))


def _listed(module: ir.Module) -> list[str] | None:
    for node in module.body:
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.target.id == "__all__":
            items = node.value.items if isinstance(node.value, ir.List) else ()
            texts = [item.value for item in items if isinstance(item, ir.Literal) and isinstance(item.value, str)]
            return [text for text in texts if not text.startswith("_")]
    return None


def _defined(site: Site, module: ir.Module, dotted: str, name: str) -> Iterator[tuple[object, Offered]]:
    path = f"py:{dotted}.{name}"
    for place in site.exports.locate(module, name):
        if isinstance(place, WholeModule):
            return
        if isinstance(place, InModule):
            for binding in site.exports.bindings(place.module).get(place.name, ()):
                node = binding.node
                if isinstance(node, ir.Class):
                    yield node.span, Offered((path,), "class", tuple(_bases(site, node)))
                elif isinstance(node, ir.Function):
                    yield node.span, Offered((path,), "function")
                else:
                    yield (place.module.path, place.name), Offered((path,), "value")
                return
    if not site.exports.locate(module, name):
        yield path, Offered((path,), "value")  # made at run time, or from another package


def _bases(site: Site, cls: ir.Class) -> Iterator[str]:
    for one in site.program.lineage(cls):
        yield from (_last(base) for base in one.bases)
        yield from (f"@{_last(decorator)}" for decorator in one.parts.decorators)


def _last(expr: ir.Expr) -> str:
    match expr:
        case ir.Name():
            return expr.id
        case ir.Member():
            return expr.name
        case ir.Index():
            return _last(expr.target)
        case ir.Call():
            return _last(expr.callee)
        case _:
            return ""


# ----------------------------------------------------------------------------------------------------------------- npm
def _of_npm(name: str, folder: Path) -> Iterator[tuple[object, Offered]]:
    packages = NpmPackages({name: folder})
    scope = ScriptScope(packages)
    document = json.loads((root_of(folder) / "package.json").read_text("utf-8"))
    exports = document.get("exports")
    keys = [key for key in exports if key.startswith(".")] if isinstance(exports, dict) else []
    for key in keys or ["."]:
        specifier = f"{name}{key[1:]}"
        if "*" not in key and not key.endswith((".json", ".css")) and _is_public(key[2:].replace("/", ".") or name):
            for block in scope.module(specifier):
                for each in sorted(_given(scope, block, set())):
                    yield from _meant(scope, block, specifier, each)


def _given(scope: ScriptScope, block: Block, seen: set[int]) -> set[str]:
    """The names that a module gives, its own and those of the modules that it gives on whole."""
    if id(block) in seen:
        return set()
    seen.add(id(block))
    names = set(block.exported) or (set(block.declared) if block.gives_all() else set())
    for specifier in block.stars:
        for other in scope.module(specifier, block):
            names |= _given(scope, other, seen) - {DEFAULT}
    return names


def _meant(scope: ScriptScope, block: Block, specifier: str, name: str) -> Iterator[tuple[object, Offered]]:
    path = f"npm:{specifier}:{name}"
    found = [one for one in scope.exported(block, name) if isinstance(one, Declared)]
    if not found:
        target = block.exported.get(name)
        if not isinstance(target, From) or target.specifier.startswith("."):
            yield path, Offered((path,), "value")
        return
    kinds = [one.node.type for one in found]
    if all(kind in _PLAIN for kind in kinds):
        kind = "type"
    elif any("class" in kind for kind in kinds):
        kind = "class"
    else:
        kind = "function" if any("function" in kind for kind in kinds) else "value"
    node = found[0].node
    bases = [text for child in node.children if child.type == "class_heritage" for text in _heritage(child)]
    yield (found[0].block.file, node.start_byte), Offered((path,), kind, tuple(bases))


def _heritage(node: object) -> Iterator[str]:
    text = getattr(node, "text", b"") or b""
    yield from (word.strip("<>,.") for word in text.decode("utf-8", "replace").replace("<", " ").split())
