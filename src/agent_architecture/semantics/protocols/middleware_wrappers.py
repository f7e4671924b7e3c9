"""Applications that another object stands around: `app = Check(app, key)` of a class that answers requests
as ASGI asks for it (`__call__(self, scope, receive, send)`), and hands on what it lets through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import ClassValue
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

ASGI: Final = 3
"""`scope`, `receive`, `send` (https://asgi.readthedocs.io/en/latest/specs/main.html)."""


def wrapping(context: Context, paths: frozenset[str]) -> Iterator[tuple[ir.Call, ir.Function]]:
    """The calls in these files that put an object around an application, and the function that answers there."""
    program = context.program
    for cls in (cls for module in program.modules for cls in module.index.classes):
        answers = next((node for node in cls.body if _answers(node)), None)
        if not isinstance(answers, ir.Function):
            continue
        for site in program.calls(cls.name):
            values = program.value_of(site.call.callee)
            if site.call.span.path in paths and any(isinstance(v, ClassValue) and v.cls is cls for v in values):
                yield site.call, answers


def _answers(node: ir.Node) -> bool:
    return isinstance(node, ir.Function) and node.name == "__call__" and len(node.params) == ASGI
