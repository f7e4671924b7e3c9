"""Mappings whose keys are computed: `{t.name: t for t in tools}`, `Object.fromEntries(tools.map((t) => [t.id, t]))`,
`tools.reduce((all, t) => ({ ...all, [t.id]: t }), {})`, `all[t.name] = t`.

Says which expressions are the keys. Who they belong to is for `trace`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import mutations
from agent_architecture.names.classes import lineage
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Instance
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

PAIR: Final = 2
OF_PAIRS: Final = frozenset({"fromEntries", "Map", "dict", "OrderedDict"})
"""Calls that make a mapping of pairs."""


def computed_keys(program: Program, node: ir.Expr) -> Iterator[ir.Expr]:
    """The keys that a mapping, a pair, or what puts something into a mapping of this name, computes."""
    match node:
        case ir.Map(entries=entries):
            yield from (entry.key for entry in entries if entry.key is not None and not _is_written(entry.key))
        case ir.Loop(kind="comprehension", body=(key, _)) if not _is_written(key):
            yield key  # type: ignore[misc]  # the key and the value of a comprehension are expressions
        case ir.List(items=(key, _)) if not _is_written(key):
            yield key
        case ir.Name() | ir.Member(target=ir.Name(id="self")):
            keys = (mutations.key_of(change) for change in _changes(program, node))
            yield from (key for key in keys if key is not None and not _is_written(key))
        case _:
            return


def spread_in(node: ir.Expr) -> tuple[ir.Expr, ...] | None:
    """The mappings, or the list of pairs, that a mapping is made of besides; None for anything else."""
    match node:
        case ir.Map(entries=entries):
            return tuple(entry.value for entry in entries if entry.key is None)
        case ir.Call(args=args) if callee_name(node.callee) in OF_PAIRS:
            return tuple(argument.value for argument in args if argument.keyword is None)
        case _:
            return None


def _is_written(key: ir.Node) -> bool:
    return isinstance(key, ir.Literal)


def _changes(program: Program, node: ir.Name | ir.Member) -> Iterator[mutations.Change]:
    if isinstance(node, ir.Name):
        for binding in visible_bindings(program, node):
            yield from mutations.changes_of_name(program, program.scope_of(binding.node), node.id)
        return
    for owner in program.value_of(node.target):
        for cls in lineage(program, owner.cls) if isinstance(owner, Instance) else ():
            yield from mutations.changes_of_attribute(program, cls, node.name)
