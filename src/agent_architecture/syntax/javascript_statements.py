"""JavaScript and TypeScript statements to IR.

Every handler gives a tuple, because one statement can be several (`const a = 1, b = 2`) or none (a type alias).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.handlers import catching
from agent_architecture.syntax.ir import (
    Assign,
    Block,
    Context,
    Export,
    Expr,
    Handler,
    Name,
    Node,
    Raise,
    Return,
    Try,
    With,
    unformed,
)
from agent_architecture.syntax.javascript_context import MAX_DEPTH, body, lower_all, parts_of, unreadable
from agent_architecture.syntax.javascript_control import CONTROL
from agent_architecture.syntax.javascript_cst import COMMENTS, ambient, first, named, unwrap
from agent_architecture.syntax.javascript_expressions import is_expression, lower_expression
from agent_architecture.syntax.javascript_kinds import PRUNED
from agent_architecture.syntax.javascript_modules import assignment_statement, export_statement, import_statement
from agent_architecture.syntax.javascript_patterns import pattern
from agent_architecture.syntax.javascript_types import annotation, qualified_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import tree_sitter

    from agent_architecture.syntax.javascript_context import Lowering


def lower_statement(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    """The statements at this node; what is nested too deep becomes `Opaque` with a notice."""
    if node.type in COMMENTS:
        return ()
    if low.depth >= MAX_DEPTH:
        return (low.too_deep(node),)
    low.depth += 1
    try:
        return _statement(low, node)
    except RecursionError:  # the caller was deep in its own recursion when it asked for this body
        return (low.too_deep(node, again=False),)
    finally:
        low.depth -= 1


def _statement(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    node = unwrap(node)
    handler = _HANDLERS.get(node.type)
    if handler is not None:
        return handler(low, node)
    if is_expression(node):
        return (lower_expression(low, node),)
    if node.type in PRUNED:
        return ()
    return (unreadable(low, node),) if node.is_error else parts_of(low, node)


def _block(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    return (Block(low.text.span(node), body(low, node)),)


def _defined(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    found = low.definition(node)
    return (found,) if found is not None else parts_of(low, node)


def _namespace(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    return (Block(low.text.span(node), body(low, node.child_by_field_name("body"))),)


def _ambient(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    inner = ambient(node)
    return lower_statement(low, inner) if inner is not None else ()


def _import_alias(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    names = named(node)
    if len(names) < 2:  # noqa: PLR2004 - `import a = B.C`
        return ()
    target = Name(low.text.span(names[0]), low.text.of(names[0]))
    return (Assign(low.text.span(node), target, qualified_name(low, names[-1]), declares=True),)


# ---------------------------------------------------------------------------------------------------------- expressions
def _expression_statement(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    inner = first(node)
    return low.statements(low, inner) if inner is not None else ()


def _sequence(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    return lower_all(low, named(node))


def _ending(low: Lowering, node: tree_sitter.Node) -> tuple[tuple[Node, ...], Expr | None]:
    """The value of `return`, `throw`; of `return a(), b()`, `a()` goes before it."""
    value = first(node)
    value = unwrap(value) if value is not None else None
    if value is None or value.type != "sequence_expression":
        return (), low.expr(value)
    *before, last = named(value) or [value]
    return lower_all(low, before), lower_expression(low, last)


def _return(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    before, value = _ending(low, node)
    return (*before, Return(low.text.span(node), value))


def _throw(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    before, value = _ending(low, node)
    return (*before, Raise(low.text.span(node), value))


def _decorator(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    """A decorator that nothing has a place for: of a field, or in broken code."""
    return (unformed(low.text.span(node), node.type, parts_of(low, node)),)


def _declaration(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    return lower_all(low, named(node))


def _declarator(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        return ()
    declared = annotation(low, node.child_by_field_name("type"))
    span, target = low.text.span(node), pattern(low, name)
    if value is None or value.type != "assignment_expression":
        return (Assign(span, target, low.expr(value), annotation=declared, declares=True),)
    rest = assignment_statement(low, value)
    shared = rest[-1].value if isinstance(rest[-1], (Assign, Export)) else None
    return (Assign(span, target, shared, annotation=declared, declares=True), *rest)


# --------------------------------------------------------------------------------------------------------------- errors
def _try(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    handler, final = node.child_by_field_name("handler"), node.child_by_field_name("finalizer")
    span, tried = low.text.span(node), body(low, node.child_by_field_name("body"))
    handlers = (_handler(low, handler),) if handler is not None else ()
    caught = catching(handlers)
    if handlers and not caught and final is None:
        return (Block(span, tried),)
    return (Try(span, tried, caught, (), body(low, final.child_by_field_name("body")) if final is not None else ()),)


def _handler(low: Lowering, node: tree_sitter.Node) -> Handler:
    caught, span = node.child_by_field_name("parameter"), low.text.span(node)
    statements = body(low, node.child_by_field_name("body"))
    if caught is None or caught.type == "identifier":
        return Handler((), low.text.of(caught) if caught is not None else None, statements, span)
    place = low.text.span(caught)
    unpacked = Assign(place, pattern(low, caught), Name(place, "_0"), declares=True)
    return Handler((), "_0", (unpacked, *statements), span)


def _with(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    subject = low.expr(node.child_by_field_name("object"))
    items = (Context(subject, None),) if subject is not None else ()
    return (With(low.text.span(node), items, body(low, node.child_by_field_name("body"))),)


_HANDLERS: Final[Mapping[str, Callable[[Lowering, tree_sitter.Node], tuple[Node, ...]]]] = {
    **CONTROL,
    "expression_statement": _expression_statement,
    "sequence_expression": _sequence,
    "assignment_expression": assignment_statement,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "variable_declarator": _declarator,
    "function_declaration": _defined,
    "generator_function_declaration": _defined,
    "abstract_method_signature": _defined,
    "class_declaration": _defined,
    "abstract_class_declaration": _defined,
    "interface_declaration": _defined,
    "enum_declaration": _defined,
    "type_alias_declaration": _defined,
    "statement_block": _block,
    "internal_module": _namespace,
    "module": _namespace,
    "ambient_declaration": _ambient,
    "decorator": _decorator,
    "import_alias": _import_alias,
    "import_statement": import_statement,
    "export_statement": export_statement,
    "try_statement": _try,
    "return_statement": _return,
    "throw_statement": _throw,
    "with_statement": _with,
}
