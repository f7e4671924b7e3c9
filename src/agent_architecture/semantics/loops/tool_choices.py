"""Whether code looks at the tool that a model picked, by the names under which model APIs hand it out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.callgraph.reach import Extent

DISPATCH: Final = regex(
    r"^(?:tool_?calls?|tool_?use|toolUse|function_?calls?|functionCalls?|stop_reason|stopReason|tool_?requests?|next_tool|action_?input|actions?)$",
    re.IGNORECASE,
)
"""Names under which model APIs, and hand-written protocols over them, hand out the tool that a model picked."""
CALLS: Final = regex(r"^(?:tool_?calls?|tool_?uses?|function_?calls?|tool_?requests?)$", re.IGNORECASE)
"""Those of them that are calls of tools and nothing else; a plan may have actions."""


def picks(expr: ir.Expr) -> bool:
    """Whether an expression names what a model picked: `message.tool_calls`."""
    return any(DISPATCH.match(word) for word in _named(expr))


def lists_calls(expr: ir.Expr) -> bool:
    """Whether an expression is named after the calls of tools that a model asked for."""
    return any(CALLS.match(word) for word in _named(expr))


def _named(expr: ir.Expr) -> Iterator[str]:
    for node in ir.walk(expr):
        yield from (node.id,) if isinstance(node, ir.Name) else _words(node)


def dispatches(inside: Extent) -> bool:
    """Whether the extent looks at the tool that the model picked. Under a key that it writes, it looks at nothing."""
    nodes = tuple(inside.nodes())
    written = {id(entry.key) for node in nodes if isinstance(node, ir.Map) for entry in node.entries}
    return any(DISPATCH.match(word) for node in nodes if id(node) not in written for word in _words(node))


def _words(node: ir.Node) -> Iterator[str]:
    match node:
        case ir.Member():
            yield node.name
        case ir.Literal(value=str() as text):
            yield text
        case _:
            return
