"""Python's literals to the IR: strings, f-strings, numbers and the named constants.

Knows the shape of tree-sitter-python's literal nodes; what their text means, `python_strings` knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax import ir
from agent_architecture.syntax.plain_forms import joined, shown
from agent_architecture.syntax.python_lowering import Lowering, expression, expressions, kids
from agent_architecture.syntax.python_strings import bytes_value, float_value, integer_value, text_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.python_lowering import ExpressionHandler


def _string(low: Lowering, node: Tree) -> ir.Expr:
    opening = node.children[0] if node.child_count else node
    start = low.text.of(opening) if opening.type == "string_start" else ""
    prefix = start.rstrip("\"'`").lower()
    end = _end_of_content(node, len(start) - len(prefix))
    if "f" in prefix or "t" in prefix or (low.broken and _holds_code(node)):
        return _formatted(low, node, end, raw="r" in prefix)
    content = low.text.data[opening.end_byte : end].decode("utf-8", "replace")
    value = bytes_value(content, raw="r" in prefix) if "b" in prefix else text_value(content, raw="r" in prefix)
    return ir.Literal(low.text.span(node), value)


def _end_of_content(node: Tree, quotes: int) -> int:
    """Where the closing quotes begin. The grammar's `string_end` is longer where backslashes end a raw string."""
    closing = node.children[-1] if node.child_count else node
    return max(closing.start_byte, closing.end_byte - quotes) if closing.type == "string_end" else node.end_byte


def _holds_code(node: Tree) -> bool:
    """Whether the recovery from an error put code into a plain string."""
    return node.has_error and any(child.type == "interpolation" for child in node.named_children)


def _formatted(low: Lowering, node: Tree, end: int, *, raw: bool) -> ir.Expr:
    parts: list[ir.Expr] = []
    for child in kids(low, node):
        if child.type == "interpolation":
            parts += _interpolated(low, child)
        elif child.type == "string_content":
            content = low.text.of(child).replace("{{", "{").replace("}}", "}")
            parts.append(ir.Literal(low.text.span(child), text_value(content, raw=raw)))
        elif child.type == "string_end":
            content = low.text.data[child.start_byte : end].decode("utf-8", "replace")
            parts.append(ir.Literal(low.text.span(child), text_value(content, raw=raw)))
        elif child.type != "string_start":
            parts.append(expression(low, child))
    return joined(low.text.span(node), parts)


def _interpolated(low: Lowering, node: Tree) -> list[ir.Expr]:
    """`{value!r:>{width}}`: the value and the values in its format. `{value=}` has its own text before it."""
    value = node.child_by_field_name("expression")
    if value is None:
        return list(expressions(low, kids(low, node)))
    parts = [expression(low, value)]
    equals = next((child for child in node.children if child.type == "="), None)
    if equals is not None:
        after = low.text.data[equals.end_byte : node.end_byte]
        end = node.end_byte - len(after.lstrip())
        text = low.text.data[value.start_byte : end].decode("utf-8", "replace")
        parts.insert(0, ir.Literal(low.text.span(value, equals), text))
    specifier = node.child_by_field_name("format_specifier")
    if specifier is not None:
        parts[-1] = shown(parts[-1], low.text.of(specifier).removeprefix(":"))
    for child in [] if specifier is None else kids(low, specifier):
        parts += _interpolated(low, child)
    return parts


def _concatenated(low: Lowering, node: Tree) -> ir.Expr:
    strings = expressions(low, kids(low, node))
    span = low.text.span(node)
    values = [string.value for string in strings if isinstance(string, ir.Literal)]
    if len(values) == len(strings) and all(isinstance(value, bytes) for value in values):
        return ir.Literal(span, b"".join([value for value in values if isinstance(value, bytes)]))
    if any(isinstance(value, bytes) for value in values):
        return ir.unformed(span, node.type, strings)
    parts: list[ir.Expr] = []
    for string in strings:
        parts += string.parts if isinstance(string, ir.Template) else (string,)
    return joined(span, parts)


def _integer(low: Lowering, node: Tree) -> ir.Expr:
    value = integer_value(low.text.of(node))
    return ir.unformed(low.text.span(node), "number", ()) if value is None else ir.Literal(low.text.span(node), value)


def _float(low: Lowering, node: Tree) -> ir.Expr:
    value = float_value(low.text.of(node))
    return ir.unformed(low.text.span(node), "number", ()) if value is None else ir.Literal(low.text.span(node), value)


def _constant(value: ir.Constant) -> ExpressionHandler:
    def lower(low: Lowering, node: Tree) -> ir.Expr:
        return ir.Literal(low.text.span(node), value)

    return lower


def _ellipsis(low: Lowering, node: Tree) -> ir.Expr:
    return ir.unformed(low.text.span(node), "ellipsis", ())


LITERALS: Final[Mapping[str, ExpressionHandler]] = {
    "string": _string,
    "concatenated_string": _concatenated,
    "integer": _integer,
    "float": _float,
    "true": _constant(value=True),
    "false": _constant(value=False),
    "none": _constant(value=None),
    "ellipsis": _ellipsis,
}
