"""Attributes that are set on an object after it was made: `config.limit = 5`, `options.agent.limit = 5`.

Seen in the scope that reads them and in the one that owns the object; what another function sets on an object that it
is handed is not. What a file puts on a class of its own, outside of any function, holds for all of its objects:
`Guard.check = …`, `Guard.prototype.check = …`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.scopes import enclosing_scopes
from agent_architecture.names.values import Entries, Instance
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value, Values

PROTOTYPE: Final = "prototype"


def stored(program: Program, expr: ir.Member, targets: Values) -> tuple[tuple[Value, ...], bool]:
    """The values that are assigned to the same attribute of the same thing before it is read, and whether one of them
    is assigned on every way, so that what the object was made with is gone.
    """
    is_nested = isinstance(expr.target, ir.Member)
    kinds = (Instance, Entries) if is_nested else (Instance,)  # `mutations` knows the entries that a name's own gain
    names = _names(expr) if any(isinstance(target, kinds) for target in targets) else ()
    found: list[Value] = []
    certain = False
    for target in targets:
        if isinstance(target, Instance) and (value := patched(program, target.cls, expr.name)) is not None:
            found, certain = [*program.value_of(value)], True
    for store, is_certain in _stores(program, expr, names) if names else ():
        if is_certain:
            found, certain = [], True
        if store.value is not None:
            found.extend(program.value_of(store.value))
    return tuple(found), certain


def is_stored(program: Program, expr: ir.Member) -> bool:
    """Whether anything is assigned to the same attribute of the same thing where this is seen."""
    names = _names(expr)
    return bool(names) and next(_stores(program, expr, names), None) is not None


def is_patched(program: Program, cls: ir.Class, name: str) -> bool:
    """Whether a class is given an attribute anew after it was made."""
    return patched(program, cls, name) is not None


def patched(program: Program, cls: ir.Class, name: str) -> ir.Expr | None:
    """What the file of a class, or of one that it derives from, puts on it by name, outside of any function."""
    for each in program.lineage(cls):
        value = program.once(_patches, program.module_of(each)).get((each.name or "", name))
        if value is not None:
            return value
    return None


def _patches(_: Program, module: ir.Module) -> dict[tuple[str, str], ir.Expr]:
    """What the top statements of a file put on names of classes, the last ones first of all."""
    classes = {each.name for each in module.index.classes}
    found: dict[tuple[str, str], ir.Expr] = {}
    for store in module.body:
        if not isinstance(store, ir.Assign) or store.op or store.value is None:
            continue
        match tuple(name for name in _names(store.target) if name != PROTOTYPE):
            case (owner, attribute) if owner in classes:
                found[owner, attribute] = store.value
            case _:
                continue
    return found


def _names(expr: ir.Expr) -> tuple[str, ...]:
    """`a.b.c` as its names; nothing for what is no such chain, or begins with the object itself."""
    names: list[str] = []
    while isinstance(expr, ir.Member):
        names.append(expr.name)
        expr = expr.target
    if not isinstance(expr, ir.Name) or expr.id in {"self", "cls"}:
        return ()
    return (expr.id, *reversed(names))


def _stores(program: Program, expr: ir.Member, names: tuple[str, ...]) -> Iterator[tuple[ir.Assign, bool]]:
    """The plain assignments to it, those of the owner's scope first, each with whether it is on every way."""
    here = program.scope_of(expr)
    owner = next((scope for scope in (here, *enclosing_scopes(here)) if names[0] in program.bindings(scope)), here)
    if owner is not here:
        structure = program.structure(owner)
        for store in structure.stores:
            if not store.op and _names(store.target) == names:
                yield store, next(structure.ancestors(store), None) is None
    structure = program.structure(here)
    around = {id(node) for node in structure.ancestors(expr)}
    for store in structure.stores:
        if not store.op and store.span[3:] <= expr.span[1:3] and _names(store.target) == names:
            yield store, all(id(node) in around for node in structure.ancestors(store))
