"""What the lowered IR of a module says about its scopes, to compare its index with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.syntax import ir
from agent_architecture.syntax.ir import Class, Function

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.syntax.ir import Expr, Module, Node, Scope


PLAIN = frozenset({"append", "assign", "dict", "format", "join", "push", "str", "String"})
"""Calls that have the form of a text or a display in the IR (`plain_forms`, `built_up`): the index names them still."""


def header(definition: Function | Class) -> list[Node]:
    """Decorators, defaults, annotations, bases: code of the scope around a definition."""
    if isinstance(definition, Class):
        parts = definition.parts
        return [*parts.decorators, *parts.bases, *[argument.value for argument in parts.keywords]]
    optional = [definition.returns]
    for parameter in definition.params:
        optional += [parameter.pattern, parameter.default, parameter.annotation]
    return [*definition.decorators, *[node for node in optional if node is not None]]


def own_nodes(scope: Scope) -> list[Node]:
    """Every node of a scope's own code, a node that is shared (`a = b = f()`) once."""
    seen: dict[int, Node] = {}
    stack = [*scope.body]
    while stack:
        for node in ir.walk(stack.pop()):
            if id(node) not in seen:
                seen[id(node)] = node
                stack += header(node) if isinstance(node, (Function, Class)) else []
    return sorted(seen.values(), key=lambda node: node.span)


def scopes(module: Module) -> Iterator[tuple[Scope, list[Node]]]:
    """Every scope that is reached from the module, as often as it is reached, with its own nodes."""
    stack: list[Scope] = [module]
    while stack:
        scope = stack.pop()
        nodes = own_nodes(scope)
        yield scope, nodes
        stack += [node for node in nodes if isinstance(node, (Function, Class))]


def last_name(callee: Expr) -> str | None:
    """`run` of `a.b.run(…)`, `Agent` of `Agent[str](…)`."""
    match callee:
        case ir.Name(id=name) | ir.Member(name=name):
            return name or None
        case ir.Index(target=target):
            return last_name(target)
    return None


def called(nodes: list[Node]) -> set[str]:
    """The last names of calls and of decorators without parentheses."""
    callees = [node.callee for node in nodes if isinstance(node, ir.Call)]
    callees += [name for node in nodes if isinstance(node, (Function, Class)) for name in node.decorators]
    return {name for callee in callees if (name := last_name(callee))}
