"""Tables that a module writes out under a name: who wants what is in one says that name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


def tables(module: ir.Module, *, with_functions: bool = False) -> Iterator[ir.Assign]:
    """The mappings and lists without a call in them; `with_functions`, those too in which functions stand by their
    names, as the methods of an object do.
    """
    for node in module.body:
        if (
            isinstance(node, ir.Assign)
            and isinstance(node.target, ir.Name)
            and isinstance(node.value, (ir.Map, ir.List))
            and not any(isinstance(n, (ir.Call, ir.Function, ir.Await)) for n in _written(node.value, with_functions))
        ):
            yield node


def _written(value: ir.Map | ir.List, with_functions: bool) -> Iterator[ir.Node]:
    if not with_functions or not isinstance(value, ir.Map):
        yield from ir.walk(value)
        return
    for entry in value.entries:
        if not (isinstance(entry.value, ir.Function) and isinstance(entry.key, ir.Literal)):
            yield from (node for part in (entry.key, entry.value) if part is not None for node in ir.walk(part))
