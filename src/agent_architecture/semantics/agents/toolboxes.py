"""Things of the project that hold tools: objects whose methods are tools, by the decorator of a library above each
(`@kernel_function`), and modules that are given as one (`import wipe`, then `tools=[wipe]`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import ClassValue, Func, Instance, ModuleValue, Unknown
from agent_architecture.semantics.matching.wrappers import signed
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.matching.context import Context


def unfolded(context: Context, values: Values) -> Values:
    """The values, with the functions that are tools in the place of what holds them."""
    return tuple(part for value in values for part in _parts(context, value))


def _parts(context: Context, value: Value) -> Values:
    match value:
        case ModuleValue():
            return _of_module(context, value) or (value,)
        case Func(function=function) if signed(context.program, function) is None:
            return (Unknown("a function that is handed in"),)
        case Instance() | ClassValue() if context.at(value.cls, "tool") is None:
            return _of_class(context, value) or (value,)
        case _:
            return (value,)


def _of_class(context: Context, value: Instance | ClassValue) -> Values:
    lineage = context.program.lineage(value.cls)
    methods = {node.name: node for cls in reversed(lineage) for node in cls.body if isinstance(node, ir.Function)}
    receiver = value if isinstance(value, Instance) else None
    return tuple(Func(method, receiver) for method in methods.values() if context.at(method, "tool") is not None)


def _of_module(context: Context, value: ModuleValue) -> Values:
    """The tools of a module; where no decorator makes one, the function that is called as the module is."""
    functions = [node for node in value.module.body if isinstance(node, ir.Function)]
    tools = [node for node in functions if context.at(node, "tool") is not None]
    name = value.module.path.rpartition("/")[2].removesuffix(".py")
    return tuple(Func(node) for node in tools or [node for node in functions if node.name == name])
