"""Python's comprehensions and generator expressions to the IR: loops that are expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir
from agent_architecture.syntax.python_lowering import Lowering, expression, expressions, kids, opaque, several

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.python_lowering import ExpressionHandler


def _comprehension(low: Lowering, node: Tree) -> ir.Expr:
    element = node.child_by_field_name("body")
    clauses = [child for child in kids(low, node) if child.type in ("for_in_clause", "if_clause")]
    if element is None or not clauses or clauses[0].type != "for_in_clause":
        return opaque(low, node)
    body = expressions(low, kids(low, element)) if element.type == "pair" else (expression(low, element),)
    tests: list[ir.Expr] = []
    for clause in reversed(clauses):
        if clause.type == "if_clause":
            tests += expressions(low, kids(low, clause))
        else:
            # Each clause repeats the element, which stands before all of them.
            body = (_for_clause(low, clause, low.text.span(node), _all_of(tests), body),)
            tests = []
    return body[0]


def _all_of(tests: list[ir.Expr]) -> ir.Expr | None:
    """The condition of several `if` clauses, which come last one first."""
    if len(tests) < 2:  # noqa: PLR2004 - one needs no `and`
        return tests[0] if tests else None
    first, last = tests[-1].span, tests[0].span
    span = Span(first.path, first.line, first.col, last.end_line, last.end_col)
    return ir.Operator(span, ir.Op.AND, tuple(reversed(tests)))


def _for_clause(low: Lowering, node: Tree, span: Span, test: ir.Expr | None, body: tuple[ir.Expr, ...]) -> ir.Expr:
    left, sources = node.child_by_field_name("left"), node.children_by_field_name("right")
    return ir.Loop(
        span,
        "comprehension",
        low.text.span(node),
        body,
        target=None if left is None else expression(low, left),
        source=several(low, sources),
        test=test,
        is_async=node.children[0].type == "async",
    )


COMPREHENSIONS: Final[Mapping[str, ExpressionHandler]] = dict.fromkeys(
    ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"), _comprehension
)
