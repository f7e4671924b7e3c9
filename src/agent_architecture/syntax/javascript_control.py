"""Choices and loops of JavaScript to IR: `if`, `switch`, the loops, and what leaves them.

A chain of `else if` is lowered in a loop, so that its length is no depth. Knows no other statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.sources.source import Span
from agent_architecture.syntax.index_loops import INDEXED, by_elements, counter_of
from agent_architecture.syntax.ir import Block, Break, Case, Continue, Expr, If, Loop, Match, Node, unformed
from agent_architecture.syntax.javascript_context import body, lower_all, parts_of
from agent_architecture.syntax.javascript_cst import first, has_token, named
from agent_architecture.syntax.javascript_expressions import lower_expression
from agent_architecture.syntax.javascript_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import tree_sitter

    from agent_architecture.syntax.javascript_context import Lowering

SWITCH: Final = "switch"
"""The label of a `break` that leaves a switch, so that nobody takes it for the end of a loop."""


def _condition(low: Lowering, node: tree_sitter.Node) -> Expr:
    test = node.child_by_field_name("condition")
    return lower_expression(low, test) if test is not None else unformed(low.text.span(node), "ERROR", ())


def _if(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    chain: list[tree_sitter.Node] = []
    rest: tree_sitter.Node | None = node
    while rest is not None and rest.type == "if_statement":
        chain.append(rest)
        clause = rest.child_by_field_name("alternative")
        rest = first(clause) if clause is not None else None
    otherwise = body(low, rest)
    for step in reversed(chain):
        then = body(low, step.child_by_field_name("consequence"))
        otherwise = (If(low.text.span(step), _condition(low, step), then, otherwise),)
    return otherwise


def _switch(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    subject, clauses = node.child_by_field_name("value"), node.child_by_field_name("body")
    if subject is None or clauses is None:
        return parts_of(low, node)
    outer, low.breaks = low.breaks, SWITCH
    try:
        return (Match(low.text.span(node), lower_expression(low, subject), _cases(low, named(clauses))),)
    finally:
        low.breaks = outer


def _cases(low: Lowering, clauses: list[tree_sitter.Node]) -> tuple[Case, ...]:
    """Cases without a body join the next one; a `default` among them makes it the default."""
    cases: list[Case] = []
    waiting: list[Expr] = []
    is_default = False
    for number, clause in enumerate(clauses):
        value = clause.child_by_field_name("value")
        is_default = is_default or clause.type == "switch_default"
        if value is not None:
            waiting.append(lower_expression(low, value))
        statements = [child for child in named(clause) if value is None or child.id != value.id]
        if statements or number == len(clauses) - 1:
            lowered = _without_end(lower_all(low, statements))
            cases.append(Case(() if is_default else tuple(waiting), None, lowered))
            waiting, is_default = [], False
    return tuple(cases)


def _without_end(statements: tuple[Node, ...]) -> tuple[Node, ...]:
    """A case without the `break` that ends it."""
    if not statements:
        return statements
    last = statements[-1]
    if isinstance(last, Break) and last.label == SWITCH:
        return statements[:-1]
    if isinstance(last, Block) and last.label is None:
        return (*statements[:-1], Block(last.span, _without_end(last.body)))
    return statements


# ---------------------------------------------------------------------------------------------------------------- loops
def _loop_body(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    outer, low.breaks = low.breaks, None
    try:
        return body(low, node.child_by_field_name("body"))
    finally:
        low.breaks = outer


def _header(low: Lowering, node: tree_sitter.Node) -> Span:
    """From the keyword to the closing parenthesis."""
    block = node.child_by_field_name("body")
    before = [child for child in node.children if block is None or child.end_byte <= block.start_byte]
    return low.text.span(node.children[0], before[-1] if before else node.children[0])


def _while(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    test = _condition(low, node)
    return (Loop(low.text.span(node), "while", _header(low, node), _loop_body(low, node), test=test),)


def _do(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    statements = _loop_body(low, node)
    test = _condition(low, node)
    return (Loop(low.text.span(node), "do", low.text.span(node.children[0]), statements, test=test),)


def _for(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    init, update = node.child_by_field_name("initializer"), node.child_by_field_name("increment")
    tests = [child for child in node.children_by_field_name("condition") if child.is_named]
    test = next((child for child in tests if child.type != "empty_statement"), None)
    loop = Loop(
        low.text.span(node),
        "for",
        _header(low, node),
        _loop_body(low, node),
        test=low.expr(test),
        init=_clause(low, init),
        update=_clause(low, update),
    )
    counter = counter_of(loop)
    is_index_alone = bool(counter) and sum(low.text.of(name) == counter for name in _names(node)) == INDEXED
    return ((by_elements(loop) or loop) if is_index_alone else loop,)


def _names(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The variables that are named in a node, and keys that name themselves: `{ i }`."""
    nodes = [node]
    for each in nodes:  # grows
        nodes.extend(each.children)
        if each.type in {"identifier", "shorthand_property_identifier"}:
            yield each


def _clause(low: Lowering, node: tree_sitter.Node | None) -> tuple[Node, ...]:
    return () if node is None else low.statements(low, node)


def _for_in(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    left = node.child_by_field_name("left")
    return (
        Loop(
            low.text.span(node),
            "each",
            _header(low, node),
            _loop_body(low, node),
            target=pattern(low, left) if left is not None else None,
            source=low.expr(node.child_by_field_name("right")),
            is_async=has_token(node, "await"),
        ),
    )


def _break(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    label = node.child_by_field_name("label")
    return (Break(low.text.span(node), low.text.of(label) if label is not None else low.breaks),)


def _continue(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    label = node.child_by_field_name("label")
    return (Continue(low.text.span(node), low.text.of(label) if label is not None else None),)


def _labelled(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    label = node.child_by_field_name("label")
    statements = body(low, node.child_by_field_name("body"))
    return (Block(low.text.span(node), statements, low.text.of(label) if label is not None else None),)


CONTROL: Final[Mapping[str, Callable[[Lowering, tree_sitter.Node], tuple[Node, ...]]]] = {
    "if_statement": _if,
    "switch_statement": _switch,
    "while_statement": _while,
    "do_statement": _do,
    "for_statement": _for,
    "for_in_statement": _for_in,
    "break_statement": _break,
    "continue_statement": _continue,
    "labeled_statement": _labelled,
}
