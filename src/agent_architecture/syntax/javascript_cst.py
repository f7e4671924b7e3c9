"""The shape of tree-sitter-typescript's trees: what a node wraps and holds, and where the grammar errs.

Shared by the index and the lowering, so that both walk the same code. Makes no IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from agent_architecture.syntax.cst import Text

_DIRECTIVE: Final = regex(r"[\"']use ([a-z]+)[\"']")
COMMENTS: Final = frozenset({"comment", "html_comment"})
_ASIDE: Final = COMMENTS | {"ERROR"}
FUNCTIONS: Final = frozenset({"function_expression", "generator_function", "arrow_function"})
METHODS: Final = frozenset({"method_definition", "abstract_method_signature"})
WRAPPERS: Final = frozenset(
    {
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "instantiation_expression",
        "type_assertion",
    }
)
"""Expressions that leave the value as it is: parentheses, casts, type arguments."""
_POSTFIX: Final = frozenset({"non_null_expression", "instantiation_expression"})
_AMBIENT: Final = frozenset(
    {
        "lexical_declaration",
        "variable_declaration",
        "class_declaration",
        "abstract_class_declaration",
        "enum_declaration",
        "interface_declaration",
        "type_alias_declaration",
    }
)


def named(node: Node) -> list[Node]:
    """The named children without comments."""
    return [child for child in node.named_children if child.type not in COMMENTS]


def first(node: Node) -> Node | None:
    """The first named child that is neither a comment nor a syntax error."""
    return next((child for child in node.named_children if child.type not in _ASIDE), None)


def has_token(node: Node, token: str) -> bool:
    """Whether a keyword or sign stands directly in this node."""
    return any(child.type == token for child in node.children)


def wrapped(node: Node) -> Node | None:
    """What one wrapper holds, or None for a node that wraps nothing.

    `(0, f)` holds `f`: compilers write it to call a member without its object.
    """
    kind = node.type
    if kind == "sequence_expression":
        items = named(node)
        return items[-1] if items and all(item.type == "number" for item in items[:-1]) else None
    if kind not in WRAPPERS:
        return None
    items = [child for child in node.named_children if child.type not in _ASIDE]
    if not items:
        return None
    return items[-1] if kind == "type_assertion" else items[0]


def unwrap(node: Node) -> Node:
    """The expression inside parentheses and casts."""
    while (inner := wrapped(node)) is not None:
        node = inner
    return node


def bound_tightly(node: Node) -> tuple[Node, list[Node]]:
    """What a call or member access really applies to, and the operators it does not apply to, outermost first.

    tree-sitter-typescript 0.23 binds `!` and type arguments too loosely: it reads `await f<T>(x)` as
    `(await f)<T>(x)` and `a && b!.c()` as `(a && b)!.c()`. Without parentheses that is never meant.
    """
    loose: list[Node] = []
    while True:
        inner = first(node) if node.type in _POSTFIX else _last_operand(node)
        if inner is None:
            return unwrap(node), loose
        if node.type not in _POSTFIX:
            loose.append(node)
        node = inner


def _last_operand(node: Node) -> Node | None:
    match node.type:
        case "await_expression":
            return first(node)
        case "unary_expression":
            return node.child_by_field_name("argument")
        case "update_expression" if not node.children[0].is_named:
            return node.child_by_field_name("argument")
        case "binary_expression":
            return node.child_by_field_name("right")
        case _:
            return None


def is_harmless(text: Text, node: Node) -> bool:
    """Whether a syntax error here costs nothing.

    tree-sitter-typescript 0.23 reads neither the `type` of `export type *` nor the variance of `<in out T>`.
    """
    return node.type == "type_parameters" or (node.is_error and text.data[node.start_byte : node.end_byte] == b"type")


def has_only_harmless_errors(text: Text, root: Node) -> bool:
    """Whether the grammar stumbled, if at all, over what is no error."""
    stack = [root]
    while stack:
        node = stack.pop()
        if is_harmless(text, node):
            continue
        if node.is_error or node.is_missing:
            return False
        if node.has_error:
            stack.extend(node.children)
    return True


def ambient(node: Node) -> Node | None:
    """The declaration in `declare …` that says something about values: functions and modules do not."""
    return next((child for child in node.named_children if child.type in _AMBIENT), None)


def code_of(node: Node) -> list[Node]:
    """The children in which code can stand: not the type of a cast, not what `declare` only describes."""
    if node.type == "ambient_declaration":
        part = ambient(node)
    elif node.type in {"internal_module", "module"}:
        part = node.child_by_field_name("body")
    elif node.type in WRAPPERS:
        part = wrapped(node)
    else:
        return node.named_children
    errors = [child for child in node.named_children if child.is_error] if node.has_error else []
    return errors if part is None else [part, *errors]


def directives(text: Text, function: Node) -> Iterator[tuple[Node, str]]:
    """The strings that begin a function's body and tell a compiler something, with their word (`step` of `"use step"`).

    `"use strict"` is the language's own (ECMA-262, Directive Prologues).
    """
    block = function.child_by_field_name("body")
    if block is None or block.type != "statement_block":
        return
    for number in range(block.named_child_count):
        statement = block.named_child(number)
        inner = first(statement) if statement.type == "expression_statement" else None
        if inner is not None and inner.type == "string":
            found = _DIRECTIVE.fullmatch(text.of(inner))
            if found is not None and found[1] != "strict":
                yield inner, found[1]
        elif statement.type not in COMMENTS:
            return


def members(body: Node) -> Iterator[tuple[list[Node], Node | None]]:
    """The members of a class body, each with the decorators before it; last, decorators that no member follows."""
    decorators: list[Node] = []
    for child in named(body):
        if child.type == "decorator":
            decorators.append(child)
        elif child.type in METHODS:
            yield decorators, child
            decorators = []
        else:
            yield [], child
    if decorators:
        yield decorators, None
