"""One walk over the syntax tree of a JavaScript or TypeScript file: its imports, exports, definitions and calls.

Lowers nothing but imports and exports; functions and classes get a closure that lowers them on demand. What is pruned
here (types, names, texts) holds no code.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from agent_architecture.syntax.ir import Class, Export, Function, Import, ModuleIndex, Scope
from agent_architecture.syntax.javascript_chains import import_call
from agent_architecture.syntax.javascript_cst import (
    COMMENTS,
    FUNCTIONS,
    METHODS,
    WRAPPERS,
    code_of,
    directives,
    first,
    has_token,
    members,
    named,
    unwrap,
)
from agent_architecture.syntax.javascript_kinds import PRUNED
from agent_architecture.syntax.javascript_modules import assignment_statement, exports, import_statement
from agent_architecture.syntax.javascript_names import called_name, cjs_exports, property_name, property_of
from agent_architecture.syntax.javascript_scopes import alias_parts, class_parts, enum_parts, function_parts
from agent_architecture.syntax.javascript_types import aliased, is_object_type
from agent_architecture.syntax.javascript_walk import Hint, Walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tree_sitter import Node

    from agent_architecture.syntax.ir import ClassParts
    from agent_architecture.syntax.javascript_context import Lowering

    Action = Callable[["Walk", Node], "Iterable[Node | None]"]

_Kind: TypeAlias = Literal["class", "interface", "alias", "enum"]

ERROR_KIND: Final = 65535
"""tree-sitter's number for what the grammar could not read."""
QUALNAME_LIMIT: Final = 400
"""Characters kept of an outer qualified name: nested functions must not cost the square of their number."""


def build_index(low: Lowering, root: Node, actions: Mapping[int, Action]) -> ModuleIndex:
    """Walk the whole file. `actions` says what to do for each kind of node that matters."""
    walk = Walk(low)
    stack: list[Node | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            walk.change()
            continue
        action = actions.get(node.kind_id, _descend)
        found = node.named_children if action is _descend else action(walk, node)
        children = [child for child in found if child is None or child.kind_id in actions]
        children.reverse()
        stack += children
    return ModuleIndex(
        tuple(walk.imports),
        tuple(_exports(low, walk.exports)),
        tuple(walk.functions),
        tuple(walk.classes),
        {name: tuple(scopes) for name, scopes in walk.calls.items()},
    )


def _exports(low: Lowering, nodes: list[Node]) -> list[Export]:
    """Exports are lowered last: their values need the definitions."""
    lowered = [exports(low, n) if n.type == "export_statement" else assignment_statement(low, n) for n in nodes]
    return [item for group in lowered for item in group if isinstance(item, Export)]


def action_table(kinds: Iterable[str | None]) -> Mapping[int, Action]:
    """The action for each kind of node of a grammar by its number; kinds in which no code stands have none."""
    table = {number: _ACTIONS.get(kind or "", _descend) for number, kind in enumerate(kinds) if kind not in PRUNED}
    table[ERROR_KIND] = _descend
    return table


def _errors(node: Node) -> list[Node]:
    """What the grammar could not read in a node of which only parts are walked."""
    return [child for child in node.named_children if child.is_error] if node.has_error else []


def _code(_walk: Walk, node: Node) -> list[Node]:
    return code_of(node)


def _descend(_walk: Walk, node: Node) -> list[Node]:
    return node.named_children


# ---------------------------------------------------------------------------------------------------------- definitions
def _function(walk: Walk, node: Node) -> Iterable[Node | None]:
    low, hint = walk.low, walk.hints.pop(node.id, None)
    own = node.child_by_field_name("name")
    place = own if own is not None else hint.name if hint is not None else None
    tokens = {child.type for child in node.children if not child.is_named}
    in_object = node.type == "method_definition" and node.id not in walk.methods
    is_method = in_object or (node.id in walk.methods and "static" not in tokens)
    name = property_name(low.text, place) or ""
    if is_method and not in_object and name == "constructor":
        name = "__init__"
    span = low.text.span(node)
    function = Function(
        span,
        name,
        low.text.span(place if place is not None else node.children[0] if node.children else node),
        _qualname(walk.scope, name or f"<lambda:{span.line}>"),
        low.module,
        walk.scope,
        partial(function_parts, low, node),
        receiver="self" if is_method or (hint is not None and hint.is_field) else None,
        is_async="async" in tokens,
        is_generator="*" in tokens,
    )
    walk.functions.append(function)
    low.definitions[node.id] = function
    return _parts(walk, function, node, own)


def _parts(walk: Walk, scope: Scope, node: Node, name: Node | None) -> list[Node | None]:
    """What stands in a definition: its header in the scope around it, then the rest in its own."""
    text = walk.low.text
    for token in node.children if node.type in METHODS else ():
        if token.type == "get" and not token.is_named:
            walk.count("property")
        elif token.type == "set" and not token.is_named and property_name(text, name) is not None:
            walk.count("setter")
    for _, word in directives(text, node):
        walk.count(word)
    walk.changes.extend((None, scope))
    computed = [name] if name is not None and name.type == "computed_property_name" else []
    children = [child for child in node.named_children if name is None or child.id != name.id]
    header = [child for child in children if child.type in _HEADER]
    rest = [child for child in children if child.type not in _HEADER]
    if node.type != "type_alias_declaration":
        rest = [*_bounded(node), *rest]
    return [*walk.low.decorators.get(node.id, ()), *computed, *header, None, *rest, None]


def _bounded(node: Node) -> list[Node]:
    """The type parameters of a definition that extend something: `T extends Base` is another name for its bound."""
    parameters = node.child_by_field_name("type_parameters")
    found = parameters.named_children if parameters is not None else ()
    return [child for child in found if child.type == "type_parameter" and child.child_by_field_name("constraint")]


def _qualname(outer: Scope, name: str) -> str:
    return f"{outer.qualname[-QUALNAME_LIMIT:]}.{name}" if outer.qualname else name


def _class(walk: Walk, node: Node) -> Iterable[Node | None]:
    low, hint = walk.low, walk.hints.pop(node.id, None)
    own = node.child_by_field_name("name")
    place = own if own is not None else hint.name if hint is not None else None
    name, span = property_name(low.text, place) or "", low.text.span(node)
    kind, parts = _kind(node)
    found = Class(
        span,
        name,
        low.text.span(place if place is not None else node.children[0] if node.children else node),
        _qualname(walk.scope, name or f"<class:{span.line}>"),
        low.module,
        walk.scope,
        partial(parts, low, node),
        kind=kind,
    )
    walk.classes.append(found)
    low.definitions[node.id] = found
    return _parts(walk, found, node, own)


def _kind(node: Node) -> tuple[_Kind, Callable[[Lowering, Node], ClassParts]]:
    """What a definition of a class or type is, and what gives it its parts."""
    if node.type in {"type_alias_declaration", "type_parameter"}:
        return ("interface" if is_object_type(aliased(node)) else "alias"), alias_parts
    return _KINDS.get(node.type, "class"), enum_parts if node.type == "enum_declaration" else class_parts


def _class_body(walk: Walk, node: Node) -> Iterable[Node]:
    for decorators, member in members(node):
        if member is None:
            yield from decorators
            continue
        if decorators:
            walk.low.decorators[member.id] = decorators
        walk.methods.add(member.id)
        yield member


# ----------------------------------------------------------------------------------------------- names for what follows
def _hint(walk: Walk, name: Node | None, value: Node | None, *, is_field: bool = False) -> None:
    if name is None or value is None:
        return
    value = unwrap(value)
    if value.type in FUNCTIONS or value.type == "class":
        walk.hints[value.id] = Hint(name, is_field)


def _children(node: Node) -> tuple[list[Node], bool]:
    """The children, and whether the last one can be a function that this node names: asked of every pair, so quick."""
    children = node.named_children
    return children, bool(children) and children[-1].type in _NAMEABLE


def _named_by(name: str) -> Action:
    """An action for nodes whose field `name` names the function that is their value."""

    def action(walk: Walk, node: Node) -> list[Node]:
        children, is_nameable = _children(node)
        if is_nameable:
            _hint(walk, node.child_by_field_name(name), node.child_by_field_name("value"))
        return children

    return action


def _pair(walk: Walk, node: Node) -> list[Node]:
    """`key: function () {…}` is a method of the object; `key: () => …` is none."""
    children, is_nameable = _children(node)
    if is_nameable:
        value = node.child_by_field_name("value")
        is_method = value is not None and unwrap(value).type in {"function_expression", "generator_function"}
        _hint(walk, node.child_by_field_name("key"), value, is_field=is_method)
    return children


def _declarator(walk: Walk, node: Node) -> list[Node]:
    children, is_nameable = _children(node)
    if is_nameable:
        value = node.child_by_field_name("value")
        _hint(walk, node.child_by_field_name("name"), value)
        _note_export(walk, value)
    return children


def _field(walk: Walk, node: Node) -> list[Node]:
    children, is_nameable = _children(node)
    if is_nameable:
        is_static = has_token(node, "static")
        _hint(walk, node.child_by_field_name("name"), node.child_by_field_name("value"), is_field=not is_static)
    return children


def _assignment(walk: Walk, node: Node) -> list[Node]:
    children, is_nameable = _children(node)
    if is_nameable:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        target = unwrap(left) if left is not None else None
        if target is not None and walk.low.text.of(target) != "module.exports":
            _hint(walk, target, right)
    return children


def _attribute(walk: Walk, node: Node) -> list[Node]:
    match named(node):
        case [name, value] if value.type == "jsx_expression":
            _hint(walk, name, first(value))
    return node.named_children


# ---------------------------------------------------------------------------------------------------------------- calls
def _call(walk: Walk, node: Node) -> list[Node]:
    children = node.named_children
    callee = children[0] if children else node
    if callee.type == "member_expression":
        walk.count(property_of(walk.low.text, callee))
        return children
    if callee.type in {"import", "identifier"}:
        found = import_call(walk.low, node)
        if found is not None:
            walk.imports.append((walk.scope, found))
            return _errors(node)
    walk.count(called_name(walk.low.text, node.child_by_field_name("function")))
    return children


def _new(walk: Walk, node: Node) -> list[Node]:
    walk.count(called_name(walk.low.text, node.child_by_field_name("constructor")))
    return node.named_children


def _decorator(walk: Walk, node: Node) -> list[Node]:
    """A decorator without parentheses counts as a call."""
    children = node.named_children
    for inner in children:
        if unwrap(inner).type != "call_expression":
            walk.count(called_name(walk.low.text, inner))
    return children


# -------------------------------------------------------------------------------------------- import and export forms
def _import(walk: Walk, node: Node) -> list[Node]:
    found = import_statement(walk.low, node)
    walk.imports.extend((walk.scope, item) for item in found if isinstance(item, Import))
    return _errors(node)


def _export(walk: Walk, node: Node) -> list[Node]:
    if node.id not in walk.low.local_exports:
        walk.exports.append(node)
    declaration = node.child_by_field_name("declaration")
    decorators = node.children_by_field_name("decorator")
    target = declaration if declaration is not None else node.child_by_field_name("value")
    if decorators and target is not None:
        walk.low.decorators[target.id] = decorators
        return [child for child in named(node) if child.type != "decorator"]
    return node.named_children


def _namespace(walk: Walk, node: Node) -> list[Node]:
    block = node.child_by_field_name("body")
    statements = block.named_children if block is not None else []
    walk.low.local_exports.update(child.id for child in statements if child.type == "export_statement")
    return code_of(node)


def _expression_statement(walk: Walk, node: Node) -> list[Node]:
    children = node.named_children
    if children and children[0].type not in {"call_expression", "await_expression", "string"}:
        _note_export(walk, first(node))
    return children


def _note_export(walk: Walk, node: Node | None) -> None:
    """Whether this statement (or a part of it: `exports.a = 1, exports.b = 2`) is an export of CommonJS."""
    node = unwrap(node) if node is not None else None
    for item in named(node) if node is not None and node.type == "sequence_expression" else [node]:
        if item is not None and item.type == "assignment_expression" and cjs_exports(walk.low.text, item):
            walk.low.export_assignments.add(item.id)
            walk.exports.append(item)


_NAMEABLE: Final = FUNCTIONS | WRAPPERS | COMMENTS | {"class", "assignment_expression"}
_HEADER: Final = frozenset({"decorator", "formal_parameters", "class_heritage"})
_KINDS: Final[Mapping[str, _Kind]] = {
    "interface_declaration": "interface",
    "enum_declaration": "enum",
}
_ACTIONS: Final[Mapping[str, Action]] = {
    **dict.fromkeys(WRAPPERS, _code),
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_expression": _function,
    "generator_function": _function,
    "arrow_function": _function,
    "method_definition": _function,
    "abstract_method_signature": _function,
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "class": _class,
    "interface_declaration": _class,
    "enum_declaration": _class,
    "type_alias_declaration": _class,
    "type_parameter": _class,
    "class_body": _class_body,
    "variable_declarator": _declarator,
    "pair": _pair,
    "required_parameter": _named_by("pattern"),
    "optional_parameter": _named_by("pattern"),
    "public_field_definition": _field,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _assignment,
    "assignment_pattern": _assignment,
    "object_assignment_pattern": _assignment,
    "jsx_attribute": _attribute,
    "call_expression": _call,
    "new_expression": _new,
    "decorator": _decorator,
    "import_statement": _import,
    "export_statement": _export,
    "internal_module": _namespace,
    "module": _namespace,
    "ambient_declaration": _code,
    "expression_statement": _expression_statement,
}
