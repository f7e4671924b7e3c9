"""What a route of a web server says: which path it answers, and what has to run before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.dependency_injection import DEPENDING
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUTING: Final = frozenset({"post", "get", "all", "delete", "put", "patch", "route", "any", "use", "mount", "Route"})
"""Calls that give a path to what answers there."""


def path_of(call: ir.Call) -> str | None:
    """The path that a call gives to what answers there."""
    first = call.args[0].value if call.args else None
    path = first.value if isinstance(first, ir.Literal) else None
    return path if isinstance(path, str) and path.startswith("/") else None


def depended_on(function: ir.Function) -> Iterator[ir.Call]:
    """What a route itself has run before it: `user = Depends(caller)`, `dependencies=[Depends(caller)]`."""
    said = [part for p in function.params for part in (p.default, p.annotation) if part is not None]
    for node in ir.walk(*said, *function.decorators):
        if isinstance(node, ir.Call) and callee_name(node.callee) in DEPENDING:
            yield node
