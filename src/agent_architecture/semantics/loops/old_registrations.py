"""Old copies of functions that register tools: nobody calls them, and the project calls the one of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


def old_registrations(context: Context) -> tuple[Span, ...]:
    """The functions that put tools on what they are given and that no code of the project calls, where it calls
    another one of that name.
    """
    program = context.program
    found: dict[int, Span] = {}
    decorated = (each for module in program.parsed for each in module.index.functions if each.decorators)
    for node in (*(match.node for match in context.of_kind("tool")), *decorated):
        registering = node.decorators if isinstance(node, ir.Function) else (node,)
        roots = {root.id for each in registering if (root := _registrar(each)) is not None}
        owner = node.outer if isinstance(node, ir.Function) else program.scope_of(node)
        if isinstance(owner, ir.Function) and isinstance(owner.outer, ir.Module):
            is_given = any(each.name in roots for each in owner.params)
            if is_given and not program.callers(owner) and _is_called(program, owner.name):
                found[id(owner)] = owner.span
    return tuple(found.values())


def _is_called(program: Program, name: str) -> bool:
    """Whether the project calls a function of this name that stands directly in a module."""
    every = (each for module in program.parsed for each in module.index.functions if each.name == name)
    return any(isinstance(each.outer, ir.Module) and program.callers(each) for each in every)


def _registrar(node: ir.Node) -> ir.Name | None:
    """What something is registered on: `server` of `server.tool(…)`, of `@server.tool` and of `@server.tool()`."""
    return root_of(node.callee if isinstance(node, ir.Call) else node)
