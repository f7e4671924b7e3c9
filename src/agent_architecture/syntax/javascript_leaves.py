"""Names, literals and templates of JavaScript to IR.

Knows no operator and no statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import UNDEFINED, Expr, Literal, Member, Name, Template, unformed
from agent_architecture.syntax.javascript_context import unreadable
from agent_architecture.syntax.javascript_cst import named
from agent_architecture.syntax.javascript_literals import number_value, string_value, unescape
from agent_architecture.syntax.javascript_names import constant_string

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from agent_architecture.syntax.javascript_context import Lowering


def _name(low: Lowering, node: Node) -> Expr:
    return Name(low.text.span(node), low.text.of(node))


def _self(low: Lowering, node: Node) -> Expr:
    return Name(low.text.span(node), "self")


def _constant(value: bool | None) -> Callable[[Lowering, Node], Expr]:
    return lambda low, node: Literal(low.text.span(node), value)


def _undefined(low: Lowering, node: Node) -> Expr:
    return Literal(low.text.span(node), UNDEFINED)


def _string(low: Lowering, node: Node) -> Expr:
    return Literal(low.text.span(node), string_value(low.text.of(node)))


def _number(low: Lowering, node: Node) -> Expr:
    value = number_value(low.text.of(node))
    span = low.text.span(node)
    return unformed(span, "number", ()) if value is None else Literal(span, value)


def _regex(low: Lowering, node: Node) -> Expr:
    body = node.child_by_field_name("pattern")
    return Literal(low.text.span(node), low.text.of(body) if body is not None else "")


def _meta_property(low: Lowering, node: Node) -> Expr:
    span, tokens = low.text.span(node), node.children
    if len(tokens) < 2:  # noqa: PLR2004 - `import . meta`, `new . target`
        return Name(span, low.text.of(node))
    owner, name = tokens[0], tokens[-1]
    return Member(span, Name(low.text.span(owner), low.text.of(owner)), low.text.of(name), low.text.span(name))


def _template(low: Lowering, node: Node) -> Expr:
    constant = constant_string(low.text, node)
    return template(low, node) if constant is None else Literal(low.text.span(node), constant)


def template(low: Lowering, node: Node) -> Template:
    """A template literal as a `Template`, even when it is constant (as the argument of a tag)."""
    parts: list[Expr] = []
    run: list[Node] = []
    for child in node.named_children:
        if child.type in {"string_fragment", "escape_sequence"}:
            run.append(child)
            continue
        _flush(low, run, parts)
        parts.append(_hole(low, child))
    _flush(low, run, parts)
    return Template(low.text.span(node), tuple(parts))


def _flush(low: Lowering, run: list[Node], parts: list[Expr]) -> None:
    if run:
        raw = low.text.data[run[0].start_byte : run[-1].end_byte].decode("utf-8", "replace")
        parts.append(Literal(low.text.span(run[0], run[-1]), unescape(raw.replace("\r\n", "\n"))))
        run.clear()


def _hole(low: Lowering, node: Node) -> Expr:
    items = named(node)
    return low.expression(low, items[0]) if len(items) == 1 else unreadable(low, node)


LEAVES: Final[Mapping[str, Callable[[Lowering, Node], Expr]]] = {
    "identifier": _name,
    "property_identifier": _name,
    "private_property_identifier": _name,
    "shorthand_property_identifier": _name,
    "type_identifier": _name,
    "super": _name,
    "import": _name,
    "this": _self,
    "true": _constant(True),
    "false": _constant(False),
    "null": _constant(None),
    "undefined": _undefined,
    "string": _string,
    "number": _number,
    "regex": _regex,
    "meta_property": _meta_property,
    "template_string": _template,
}
