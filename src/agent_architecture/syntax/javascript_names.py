"""What nodes of JavaScript and TypeScript name: callees, keys, bindings, imported modules, exports of CommonJS.

Shared by the index and the lowering, so that both give the same answer. Makes no IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.syntax.javascript_cst import ambient, bound_tightly, first, named
from agent_architecture.syntax.javascript_literals import string_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from agent_architecture.syntax.cst import Text


def called_name(text: Text, callee: Node | None) -> str | None:
    """The last name of a callee: `run` of `a.b.run`, the table's of `runs[key]`; None where it has none."""
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
        case "subscript_expression":
            return called_name(text, callee.child_by_field_name("object"))
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
        case "function_signature":
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
