"""Python's statements to the IR.

Knows the shape of tree-sitter-python's statement nodes. Definitions are looked up: the index made them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax import ir
from agent_architecture.syntax.handlers import catching
from agent_architecture.syntax.python_expressions import has_comma
from agent_architecture.syntax.python_lowering import (
    Lowering,
    block,
    expression,
    expressions,
    kids,
    opaque,
    several,
    statement,
    strays,
)
from agent_architecture.syntax.python_patterns import lower_match
from agent_architecture.syntax.python_types import annotation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.python_lowering import StatementHandler


# -------------------------------------------------------------------------------------------------- simple statements
def _expression_statement(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    if node.id in low.applied:
        return ()
    parts = kids(low, node)
    if len(parts) == 1 and (node.child_count == 1 or not has_comma(node)):
        return statement(low, parts[0])
    return (ir.List(low.text.span(node), expressions(low, parts), "tuple"),) if parts else ()


def _assignment(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    """`a = b = c` is a chain to the right: one `Assign` for each target, all of the same value node."""
    targets: list[Tree] = []
    value: Tree | None = node
    while value is not None and value.type == "assignment":
        targets.append(value)
        value = value.child_by_field_name("right")
    lowered = None if value is None else _right_side(low, value)
    found: list[ir.Node] = []
    for target in targets:
        found.append(_assign(low, target, lowered))
        if target is not node and low.broken and target.has_error:
            found += strays(low, target)
    return tuple(found)


def _right_side(low: Lowering, node: Tree) -> ir.Expr:
    if node.type != "augmented_assignment":
        return expression(low, node)
    inner = _augmented(low, node)[0]
    return inner if isinstance(inner, ir.Assign) else opaque(low, node)


def _assign(low: Lowering, node: Tree, value: ir.Expr | None) -> ir.Node:
    left = node.child_by_field_name("left")
    target = opaque(low, node) if left is None else expression(low, left)
    return ir.Assign(low.text.span(node), target, value, None, annotation(low, node.child_by_field_name("type")))


def _augmented(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return (opaque(low, node),)
    op = ir.OPS.get(operator.type.removesuffix("="), ir.Op.UNREADABLE)
    return (ir.Assign(low.text.span(node), expression(low, left), _right_side(low, right), op),)


def _type_alias(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    """`type X[T] = list[T]` binds `X`; the left side with its parameters is kept as the annotation."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return (opaque(low, node),)
    target, value = expression(low, left), expression(low, right)
    if isinstance(target, ir.Index):
        return (ir.Assign(low.text.span(node), target.target, value, None, target),)
    return (ir.Assign(low.text.span(node), target, value),)


def _return(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    return (ir.Return(low.text.span(node), several(low, kids(low, node))),)


def _raise(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    """`raise value from cause`; a cause that does something stands before the `Raise`."""
    cause = node.child_by_field_name("cause")
    values = [child for child in kids(low, node) if child != cause]
    value = several(low, values)
    if cause is None:
        return (ir.Raise(low.text.span(node), value),)
    lowered = expression(low, cause)
    if isinstance(lowered, (ir.Name, ir.Literal)):
        return (ir.Raise(low.text.span(node), value),)
    return (lowered, ir.Raise(low.text.span(node), value))


def _break(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    return (ir.Break(low.text.span(node)),)


def _continue(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    return (ir.Continue(low.text.span(node)),)


def _pass(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:  # noqa: ARG001 - a handler
    return ()


def _global(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    return (ir.Global(low.text.span(node), tuple([low.text.of(name) for name in kids(low, node)])),)


def _opaque(kind: str) -> StatementHandler:
    def lower(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
        return (ir.unformed(low.text.span(node), kind, expressions(low, kids(low, node))),)

    return lower


def _import(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    return low.imports.get(node.id, ())


def _print(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    """Python 2's `print >>file, a, b`: the call that replaced it."""
    arguments = [_print_argument(low, child) for child in kids(low, node)]
    return (ir.Call(low.text.span(node), ir.Name(low.text.span(node.children[0]), "print"), tuple(arguments)),)


def _print_argument(low: Lowering, node: Tree) -> ir.Argument:
    file = kids(low, node)[:1] if node.type == "chevron" else []
    return ir.Argument("file", expression(low, file[0])) if file else ir.Argument(None, expression(low, node))


def _exec(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    """Python 2's `exec code in namespace`: the call that replaced it."""
    arguments = [ir.Argument(None, lowered) for lowered in expressions(low, kids(low, node))]
    return (ir.Call(low.text.span(node), ir.Name(low.text.span(node.children[0]), "exec"), tuple(arguments)),)


# ------------------------------------------------------------------------------------------------- compound statements
def _if(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    otherwise: tuple[ir.Node, ...] = ()
    for clause in reversed(node.children_by_field_name("alternative")):
        if clause.type == "elif_clause":
            otherwise = (_branch(low, clause, node, otherwise),)
        else:
            otherwise = block(low, clause.child_by_field_name("body"))
    return (_branch(low, node, node, otherwise),)


def _branch(low: Lowering, clause: Tree, whole: Tree, otherwise: tuple[ir.Node, ...]) -> ir.Node:
    condition = clause.child_by_field_name("condition")
    test = opaque(low, clause) if condition is None else expression(low, condition)
    then = block(low, clause.child_by_field_name("consequence"))
    return ir.If(low.text.span(clause, whole), test, then, otherwise)


def _for(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    loop = ir.Loop(
        low.text.span(node),
        "each",
        low.text.span(node.children[0], right),
        block(low, node.child_by_field_name("body")),
        target=None if left is None else expression(low, left),
        source=None if right is None else expression(low, right),
        otherwise=_else(low, node),
        is_async=node.children[0].type == "async",
    )
    return (loop,)


def _while(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    condition = node.child_by_field_name("condition")
    loop = ir.Loop(
        low.text.span(node),
        "while",
        low.text.span(node.children[0], condition),
        block(low, node.child_by_field_name("body")),
        test=None if condition is None else expression(low, condition),
        otherwise=_else(low, node),
    )
    return (loop,)


def _else(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    clause = next((child for child in node.children if child.type == "else_clause"), None)
    return () if clause is None else block(low, clause.child_by_field_name("body"))


def _try(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    handlers = tuple([_handler(low, child) for child in node.children if child.type == "except_clause"])
    final = next((child for child in node.children if child.type == "finally_clause"), None)
    body, otherwise = block(low, node.child_by_field_name("body")), _else(low, node)
    caught = catching(handlers)
    if handlers and not caught and final is None:
        return (*body, *otherwise)
    return (ir.Try(low.text.span(node), body, caught, otherwise, () if final is None else _own_block(low, final)),)


def _own_block(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    return block(low, next((child for child in node.children if child.type == "block"), None))


def _handler(low: Lowering, node: Tree) -> ir.Handler:
    types: list[ir.Expr] = []
    name: str | None = None
    for value in node.children_by_field_name("value"):
        lowered = expression(low, value)
        if value.type == "as_pattern" and isinstance(lowered, ir.Assign) and isinstance(lowered.target, ir.Name):
            name = lowered.target.id
            lowered = lowered.value or lowered
        types += lowered.items if isinstance(lowered, ir.List) else (lowered,)
    return ir.Handler(tuple(types), name, _own_block(low, node), low.text.span(node))


def _with(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    clauses = [child for child in node.children if child.type == "with_clause"]
    items = [_context(low, item) for clause in clauses for item in kids(low, clause)]
    body = block(low, node.child_by_field_name("body"))
    return (ir.With(low.text.span(node), tuple(items), body, node.children[0].type == "async"),)


def _context(low: Lowering, node: Tree) -> ir.Context:
    value = node.child_by_field_name("value") if node.type == "with_item" else None
    lowered = expression(low, node if value is None else value)
    if value is not None and isinstance(lowered, ir.Assign) and _is_bound(low, value):
        return ir.Context(lowered.value or lowered, lowered.target)
    return ir.Context(lowered, None)


def _is_bound(low: Lowering, node: Tree) -> bool:
    """Whether a with item is `value as target`, also in parentheses; `(x := f())` is not."""
    while node.type == "parenthesized_expression":
        inner = kids(low, node)
        if len(inner) != 1:
            return False
        node = inner[0]
    return node.type == "as_pattern"


def _definition(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    return (low.definitions[node.id],)


def _decorated(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    definition = node.child_by_field_name("definition")
    return (opaque(low, node),) if definition is None else (low.definitions[definition.id],)


STATEMENTS: Final[Mapping[str, StatementHandler]] = {
    "expression_statement": _expression_statement,
    "assignment": _assignment,
    "augmented_assignment": _augmented,
    "type_alias_statement": _type_alias,
    "return_statement": _return,
    "raise_statement": _raise,
    "break_statement": _break,
    "continue_statement": _continue,
    "pass_statement": _pass,
    "global_statement": _global,
    "nonlocal_statement": _global,
    "delete_statement": _opaque("del"),
    "assert_statement": _opaque("assert"),
    "import_statement": _import,
    "import_from_statement": _import,
    "future_import_statement": _import,
    "print_statement": _print,
    "exec_statement": _exec,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "try_statement": _try,
    "with_statement": _with,
    "match_statement": lower_match,
    "function_definition": _definition,
    "class_definition": _definition,
    "decorated_definition": _decorated,
}
