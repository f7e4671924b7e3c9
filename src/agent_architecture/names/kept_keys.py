"""The keys that code puts into a mapping of its own: what `servers.keys()`, a loop over the mapping or `", ".join(row)`
gives has nothing of what stands under them.

Only where every place that fills the mapping says its keys; else the whole mapping counts, and None is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes, mutations
from agent_architecture.names.container_makers import FACTORY, MAPPINGS
from agent_architecture.names.exports import PYTHON
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding


OF_FIELDS: Final = frozenset({"asdict", "_asdict"})
"""What makes a mapping of an object: its keys are the names of the fields, as the program's class has them."""
LISTING: Final = frozenset({"list", "tuple", "sorted", "set", "frozenset", "iter"})
"""Calls of Python that go through a mapping by its keys."""


def mapping_of(node: ir.Node) -> ir.Expr | None:
    """The mapping whose keys a call gives: `servers.keys()`, `Object.keys(servers)`; None for any other node."""
    match node:
        case ir.Call(callee=ir.Member(name="keys", target=ir.Name(id="Object")), args=(ir.Argument(value=mapping),)):
            return mapping
        case ir.Call(callee=ir.Member(name="keys", target=mapping), args=()):
            return mapping
        case _:
            return None


def kept_keys(program: Program, node: ir.Call) -> tuple[ir.Expr, ...] | None:
    """What the keys are that a call asks a mapping for, or goes through it by, beside the text between them."""
    match node:
        case ir.Call(callee=ir.Member(name="join", target=between), args=(ir.Argument(value=mapping),)):
            keys = _written(program, mapping) if _is_python(program, node) else None
            return None if keys is None else (between, *keys)
        case ir.Call(callee=ir.Name(id=name), args=(ir.Argument(value=mapping, keyword=None), *_)) if name in LISTING:
            return _written(program, mapping)
        case _:
            asked = mapping_of(node)
            return None if asked is None else _written(program, asked)


def keys_gone_through(program: Program, binding: Binding) -> tuple[ir.Expr, ...] | None:
    """What the keys are that a loop of Python over a mapping gives its variable: `for name in row`."""
    if binding.kind != "loop" or binding.steps != ("[]",) or binding.value is None:
        return None
    return _written(program, binding.value) if _is_python(program, binding.node) else None


def _is_python(program: Program, node: ir.Node) -> bool:
    return program.module_of(node).language in PYTHON


def _written(program: Program, mapping: ir.Expr) -> tuple[ir.Expr, ...] | None:
    """The keys that code puts into a mapping; None where a place does not say them, or it is none."""
    found: list[ir.Expr] = []
    filled = tuple(_filled(program, mapping))
    for keys in filled:
        if keys is None:
            return None
        found += keys
    return tuple(found) if filled else None


def _filled(program: Program, mapping: ir.Expr) -> Iterator[tuple[ir.Expr, ...] | None]:
    """The keys of each place that makes or fills a mapping."""
    match mapping:
        case ir.Name():
            bindings = visible_bindings(program, mapping)
            yield from map(_made, bindings)
            for scope in {id(s): s for s in (program.scope_of(one.node) for one in bindings)}.values():
                yield from map(_put, mutations.changes_of_name(program, scope, mapping.id))
        case ir.Member(target=ir.Name(id=holder), name=name) if holder in classes.ITSELF:
            owner = classes.enclosing_class(program, mapping)
            for cls in classes.lineage(program, owner) if owner is not None else ():
                yield from map(_made, program.attributes(cls).get(name, ()))
                yield from map(_put, mutations.changes_of_attribute(program, cls, name))
        case _:
            yield None


def _made(binding: Binding) -> tuple[ir.Expr, ...] | None:
    """The keys with which a variable is filled where it is made."""
    match binding.value:
        case ir.Map(entries=entries) if not binding.steps:
            keys = tuple(entry.key for entry in entries if entry.key is not None)
            return keys if len(keys) == len(entries) else None
        case ir.Call(callee=callee, args=args) if callee_name(callee) in MAPPINGS and not binding.steps:
            return None if args and callee_name(callee) != FACTORY else ()
        case ir.Call(callee=callee) if callee_name(callee) in OF_FIELDS and not binding.steps:
            return ()
        case _:
            return None


def _put(change: mutations.Change) -> tuple[ir.Expr, ...] | None:
    return mutations.keys_of(change) or None
