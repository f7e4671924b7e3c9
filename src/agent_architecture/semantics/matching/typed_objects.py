"""Objects that are written as of a type of a library: `const look: Action = {…}`, `const both: Action[] = [{…}, {…}]`.

Finds the objects and the API path of their type. Says nothing about what they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow

LISTS: Final = frozenset({"Array", "ReadonlyArray", "Readonly", "Partial"})
"""Types around the type of an object, or of the elements of a list."""


def typed_objects(program: Program, packs: Packs) -> Iterator[tuple[EntityRow, ir.Map, Api]]:
    """Each row with the objects that are written as of its types."""
    names = packs.type_names()
    for module in program.modules if names else ():
        local = {each.alias for _, node in module.index.imports for each in node.names if each.name in names}
        if not local:
            continue
        scopes: tuple[ir.Scope, ...] = (module, *module.index.functions)
        for scope in scopes:
            for node in program.structure(scope).nodes:
                if isinstance(node, ir.Assign) and node.annotation is not None and node.value is not None:
                    yield from _written(program, packs, node.annotation, node.value, local)


def _written(
    program: Program, packs: Packs, kind: ir.Expr, value: ir.Expr, local: set[str]
) -> Iterator[tuple[EntityRow, ir.Map, Api]]:
    name = _of(kind)
    if name is None or name.id not in local:
        return
    objects = value.items if isinstance(value, ir.List) else (value,)
    for path in (one.path for one in program.value_of(name) if isinstance(one, Api)):
        for row in packs.typed(path):
            yield from ((row, node, Api(path, node)) for node in objects if isinstance(node, ir.Map))


def _of(kind: ir.Expr) -> ir.Name | None:
    """The name of the type of an object, or of the elements of a list."""
    while isinstance(kind, ir.Index) and isinstance(kind.target, ir.Name) and kind.target.id in LISTS:
        kind = kind.key
    return kind if isinstance(kind, ir.Name) else None
