"""Results of tools in the form of messages: `return [{"role": "user", "content": found}]` from a library's tool.

The library sends them back as the tool's result, whatever role they name: they are nothing that a user said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.conversations.result_checks import returned
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context


def is_passed_back(context: Context, node: ir.Node) -> bool:
    """Whether a mapping stands in what a tool's function returns to its library."""
    return id(node) in context.once(_results)


def _results(context: Context) -> frozenset[int]:
    functions = {id(function): function for function in _functions(context)}
    texts = (text for function in functions.values() for text in returned(context.program, function))
    return frozenset(id(inner) for text in texts for inner in ir.walk(text) if isinstance(inner, ir.Map))


def _functions(context: Context) -> Iterator[ir.Function]:
    """The functions that are decorated as tools, or written where a tool is made."""
    for match in context.of_kind("tool"):
        yield from (inner for inner in ir.walk(match.node) if isinstance(inner, ir.Function))
