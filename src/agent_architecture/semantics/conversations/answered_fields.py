"""Results into which only named fields of an answer are put: they are as long as such fields are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.test_parts import COMPARISONS
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

RAW: Final = frozenset(
    {"text", "content", "body", "data", "html", "stdout", "stderr", "output", "markdown", "contents"}
    | {"final_output", "finalOutput", "output_text"}
)
"""Members that are all that was answered, and no field of it."""
JOINING: Final = frozenset({ir.Op.ADD, ir.Op.OR, ir.Op.NULLISH})
"""Operators that put fields together, or take one of them."""


def only_fields(program: Program, texts: tuple[ir.Expr, ...]) -> Span | None:
    """A text or mapping of the code's own, into which only named fields of an answer are put."""
    made = [text for text in texts if not isinstance(text, ir.Literal)]
    return made[0].span if made and all(_takes_fields(program, text) for text in made) else None


def _takes_fields(program: Program, text: ir.Expr, depth: int = 2) -> bool:
    match text:
        case ir.Template(parts=parts):
            return all(_takes_fields(program, part, depth) for part in parts)
        case ir.Map(entries=entries):
            return all(entry.key is not None and _takes_fields(program, entry.value, depth) for entry in entries)
        case ir.Index(key=ir.Literal()):
            return True
        case ir.Call(callee=ir.Member(name="get"), args=(given, *_)):
            return isinstance(given.value, ir.Literal)
        case ir.Member(name=name):
            return name not in RAW
        case ir.Conditional(then=then, otherwise=otherwise):
            return _takes_fields(program, then, depth) and _takes_fields(program, otherwise, depth)
        case ir.Operator(op=op, operands=operands):
            joins = op in JOINING and all(_takes_fields(program, each, depth) for each in operands)
            return joins or op in COMPARISONS
        case ir.Name() if depth:
            found = visible_bindings(program, text)
            bound = [binding.value for binding in found if binding.value is not None]
            if not bound:
                return any(binding.kind == "parameter" for binding in found)
            return all(_takes_fields(program, value, depth - 1) for value in bound)
        case ir.Literal() | ir.Name():
            return isinstance(text, ir.Literal)
        case _:
            return False
