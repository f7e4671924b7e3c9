"""JSX to IR: `<Tag a={1}>text</Tag>` is `Call(Name("Tag"), (Map({"a": 1}), "text"))`; a fragment has the tag "".

Knows no framework: what a tag does is for others to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import Argument, Call, Entry, Expr, Literal, Map, Name
from agent_architecture.syntax.javascript_context import unreadable
from agent_architecture.syntax.javascript_cst import COMMENTS, first, named
from agent_architecture.syntax.javascript_literals import entities, jsx_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from agent_architecture.syntax.javascript_context import Lowering

_TEXT: Final = frozenset({"jsx_text", "html_character_reference"})


def element(low: Lowering, node: Node) -> Expr:
    """A JSX element or fragment as a call of its tag."""
    opening = node.child_by_field_name("open_tag") or node
    tag = opening.child_by_field_name("name")
    callee = _tag(low, tag) if tag is not None else Name(low.text.span(opening), "")
    attributes = tuple([_attribute(low, child) for child in opening.children_by_field_name("attribute")])
    args = (Argument(None, Map(low.text.span(opening), attributes)), *_children(low, node, opening))
    return Call(low.text.span(node), callee, args)


def _tag(low: Lowering, tag: Node) -> Expr:
    return low.expression(low, tag) if tag.type == "member_expression" else Name(low.text.span(tag), low.text.of(tag))


def _attribute(low: Lowering, node: Node) -> Entry:
    if node.type != "jsx_attribute":
        spread = first(node)
        value = first(spread) if spread is not None and spread.type == "spread_element" else spread
        return Entry(None, _expression(low, value if value is not None else node))
    name, *values = named(node)
    if len(values) > 1:
        return Entry(None, unreadable(low, node))
    return Entry(Literal(low.text.span(name), low.text.of(name)), _value(low, name, values))


def _value(low: Lowering, name: Node, values: list[Node]) -> Expr:
    if not values:
        return Literal(low.text.span(name), True)
    value = values[0]
    if value.type == "string":
        return Literal(low.text.span(value), entities(low.text.of(value)[1:-1]))
    return _expression(low, value)


def _expression(low: Lowering, node: Node) -> Expr:
    return low.expression(low, node)


def jsx_expression(low: Lowering, node: Node) -> Expr:
    """What stands in braces."""
    items = named(node)
    if len(items) == 1:
        return low.expression(low, items[0])
    return unreadable(low, node)


def _children(low: Lowering, node: Node, opening: Node) -> Iterator[Argument]:
    if opening.id == node.id:
        return
    run: list[Node] = []
    for child in node.named_children:
        if child.type in _TEXT:
            run.append(child)
            continue
        yield from _text(low, run)
        run.clear()
        if child.type not in COMMENTS and child.type not in {"jsx_opening_element", "jsx_closing_element"}:
            yield from _child(low, child)
    yield from _text(low, run)


def _text(low: Lowering, run: list[Node]) -> Iterator[Argument]:
    if run:
        raw = low.text.data[run[0].start_byte : run[-1].end_byte].decode("utf-8", "replace")
        if value := jsx_text(raw):
            yield Argument(None, Literal(low.text.span(run[0], run[-1]), value))


def _child(low: Lowering, node: Node) -> Iterator[Argument]:
    inner = first(node) if node.type == "jsx_expression" else node
    if inner is None:
        return
    if inner.type == "spread_element" and (value := first(inner)) is not None:
        yield Argument(None, low.expression(low, value), "*")
    else:
        yield Argument(None, low.expression(low, node))
