"""Objects of the project whose methods are tools, by the decorator of a library above each (`@kernel_function`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import ClassValue, Func, Instance
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.context import Context


def unfolded(context: Context, values: Values) -> Values:
    """The values, with the methods that are tools in the place of each such object."""
    return tuple(part for value in values for part in _parts(context, value))


def _parts(context: Context, value: Value) -> Values:
    if not isinstance(value, (Instance, ClassValue)) or context.at(value.cls, "tool") is not None:
        return (value,)
    lineage = context.program.lineage(value.cls)
    methods = {node.name: node for cls in reversed(lineage) for node in cls.body if isinstance(node, ir.Function)}
    tools = tuple(
        Func(method, value if isinstance(value, Instance) else None)
        for method in methods.values()
        if context.at(method, "tool") is not None
    )
    return tools or (value,)
