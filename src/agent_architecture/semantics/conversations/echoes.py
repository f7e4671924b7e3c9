"""Texts in which a tool says again, whole, what a model wrote to it: `f"Saved {title}"`. They are as long as that.

Records whose keys the code writes say which part it is; they are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import ParameterKind
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.reached import reached
from agent_architecture.semantics.callgraph.tool_arguments import of_function, whole
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

STEPS: Final = 40
"""Expressions that are followed back from an answer."""


def echoed(program: Program, tool: Tool, function: ir.Function, texts: Iterable[ir.Expr]) -> Span | None:
    """Where an answer is a text with something in it that a model wrote as freely as it likes; None where none is."""
    free = frozenset(p.name for p in tool.schema.parameters if p.kind is ParameterKind.FREE and p.text)
    body = of_function(function)
    for text in reached(tuple(texts) if free else (), lambda node: _inside(program, node), STEPS):
        if isinstance(text, (ir.Name, ir.Member, ir.Index)):
            names = {each.name for each in whole(program, body, text)}
            if names and names <= free:
                return text.span
    return None


def _inside(program: Program, node: ir.Expr) -> Iterator[ir.Expr]:
    """The texts that a text is put together of."""
    match node:
        case ir.Name():
            bound = (binding for binding in visible_bindings(program, node) if binding.kind in {"assign", "augmented"})
            yield from (binding.value for binding in bound if binding.value is not None and not binding.steps)
        case ir.Template(parts=parts):
            yield from parts
        case ir.Operator(op=ir.Op.ADD, operands=operands):
            yield from operands
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case ir.Await(value=value):
            yield value
        case _:
            return
