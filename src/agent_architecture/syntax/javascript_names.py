"""Small questions about the concrete syntax of JavaScript and TypeScript: what a node names, wraps or holds.

Shared by the index and the lowering, so that both give the same answer. Makes no IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.javascript_literals import string_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from agent_architecture.syntax.cst import Text

COMMENTS: Final = frozenset({"comment", "html_comment"})
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
    }
)


def named(node: Node) -> list[Node]:
    """The named children without comments."""
    return [child for child in node.named_children if child.type not in COMMENTS]


def first(node: Node) -> Node | None:
    """The first named child that is no comment."""
    return next((child for child in node.named_children if child.type not in COMMENTS), None)


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
    items = named(node)
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


def last_name(text: Text, callee: Node | None) -> str | None:
    """The last name of a callee: `run` of `a.b.run`; None where the callee is neither a name nor a member."""
    if callee is None:
        return None
    callee, _ = bound_tightly(callee)
    match callee.type:
        case "identifier" | "super" | "import":
            return text.of(callee)
        case "this":
            return "self"
        case "member_expression":
            return property_of(text, callee)
        case _:
            return None


def property_of(text: Text, member: Node) -> str | None:
    """The name after the dot."""
    prop = member.child_by_field_name("property")
    return text.of(prop) if prop is not None else None


def constant_string(text: Text, node: Node | None) -> str | None:
    """The value of a string, or of a template without holes."""
    if node is None:
        return None
    if node.type == "string":
        return string_value(text.of(node))
    if node.type == "template_string" and not any(c.type == "template_substitution" for c in node.named_children):
        return string_value(text.of(node))
    return None


def property_name(text: Text, node: Node | None) -> str | None:
    """The name that a property key, a binding or a member gives, if it is constant."""
    if node is None:
        return None
    match node.type:
        case "string":
            return constant_string(text, node)
        case "computed_property_name":
            return constant_string(text, first(node))
        case "member_expression":
            return property_name(text, node.child_by_field_name("property"))
        case (
            "identifier"
            | "property_identifier"
            | "private_property_identifier"
            | "type_identifier"
            | "number"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern"
        ):
            return text.of(node)
        case _:
            return None


def is_harmless(text: Text, error: Node) -> bool:
    """Whether a syntax error is none: tree-sitter-typescript 0.23 cannot read `<in out T>` and `export type *`."""
    return error.end_byte - error.start_byte < len("export") and text.of(error) in {"in", "out", "type"}


def has_only_harmless_errors(text: Text, root: Node) -> bool:
    """Whether the grammar stumbled, if at all, over what is no error."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_missing or (node.is_error and not is_harmless(text, node)):
            return False
        if node.has_error and not node.is_error:
            stack.extend(node.children)
    return True


def imported_module(text: Text, call: Node) -> str | None:
    """The module that `require("x")` or `import("x")` names; None for any other call."""
    callee = call.child_by_field_name("function")
    arguments = call.child_by_field_name("arguments")
    if callee is None or arguments is None or arguments.type != "arguments":
        return None
    if callee.type != "import" and not (callee.type == "identifier" and text.of(callee) == "require"):
        return None
    match named(arguments):
        case [module]:
            return constant_string(text, module)
        case [module, attributes] if callee.type == "import" and attributes.type == "object":
            return constant_string(text, module)
        case _:
            return None


def export_target(text: Text, target: Node) -> str | None:
    """The name that an assignment to this target exports: `module.exports` is `default`, `exports.a` is `a`."""
    if target.type != "member_expression":
        return None
    owner, name = target.child_by_field_name("object"), property_name(text, target)
    if owner is None or name is None:
        return None
    if owner.type == "identifier":
        match text.of(owner):
            case "exports":
                return name
            case "module" if name == "exports":
                return "default"
    if owner.type == "member_expression" and text.of(owner) == "module.exports":
        return name
    return None


def assignment_chain(node: Node) -> tuple[list[Node], Node | None]:
    """The targets of `a = b = value` in source order, and the value."""
    targets: list[Node] = []
    value: Node | None = node
    while value is not None and value.type == "assignment_expression":
        left = value.child_by_field_name("left")
        if left is not None:
            targets.append(left)
        value = value.child_by_field_name("right")
    return targets, value


def is_undefined(text: Text, node: Node | None) -> bool:
    """Whether this is `undefined` or `void 0`."""
    if node is None:
        return False
    return node.type == "undefined" or (node.type == "unary_expression" and text.of(node) == "void 0")


def cjs_exports(text: Text, node: Node) -> bool:
    """Whether an assignment exports something.

    `exports.a = void 0` is how compilers declare a name: it exports nothing yet.
    """
    targets, value = assignment_chain(node)
    return not is_undefined(text, value) and any(export_target(text, target) for target in targets)


def ambient(node: Node) -> Node | None:
    """The declaration in `declare …` that says something about values: functions and modules do not."""
    return next((child for child in node.named_children if child.type in _AMBIENT), None)


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


def bound_names(text: Text, declaration: Node | None) -> list[tuple[str, Node]]:
    """The names that a declaration binds, each with the node that says it."""
    if declaration is None:
        return []
    match declaration.type:
        case "lexical_declaration" | "variable_declaration":
            targets = [child.child_by_field_name("name") for child in named(declaration)]
            return [pair for target in targets if target is not None for pair in _pattern_names(text, target)]
        case "ambient_declaration":
            return bound_names(text, ambient(declaration))
        case "import_alias":
            name = first(declaration)
        case "type_alias_declaration" | "function_signature":
            return []
        case _:
            name = declaration.child_by_field_name("name")
    return [(text.of(name), name)] if name is not None and name.type in {"identifier", "type_identifier"} else []


def _pattern_names(text: Text, pattern: Node) -> Iterator[tuple[str, Node]]:
    stack = [pattern]
    while stack:
        node = stack.pop()
        match node.type:
            case "identifier" | "shorthand_property_identifier_pattern":
                yield text.of(node), node
            case "pair_pattern":
                stack.extend(filter(None, [node.child_by_field_name("value")]))
            case "assignment_pattern" | "object_assignment_pattern":
                stack.extend(filter(None, [node.child_by_field_name("left")]))
            case "object_pattern" | "array_pattern" | "rest_pattern":
                stack.extend(reversed(named(node)))
