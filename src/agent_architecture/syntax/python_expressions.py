"""Python's expressions to the IR: names, calls, displays, operators.

Knows the shape of tree-sitter-python's expression nodes. Chains to the left (`a.b().c()`, `a + b + c`) are lowered in a
loop, since real programs have hundreds of links; everything else recurses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir
from agent_architecture.syntax.plain_forms import chained, formatted, joined_list, table
from agent_architecture.syntax.python_comprehensions import COMPREHENSIONS
from agent_architecture.syntax.python_literals import LITERALS
from agent_architecture.syntax.python_lowering import (
    Lowering,
    expression,
    expressions,
    is_defined,
    kids,
    name_of,
    only,
    opaque,
    several,
    with_strays,
)
from agent_architecture.syntax.python_types import TYPES
from agent_architecture.syntax.spread_out import arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.python_lowering import ExpressionHandler

_CHAINS: Final = {"call": "function", "attribute": "object", "subscript": "value"}
_BINARY: Final = ("binary_operator", "boolean_operator")
_UNARY: Final = {"-": ir.Op.NEG, "+": ir.Op.POS, "~": ir.Op.INVERT, "not": ir.Op.NOT}


def has_comma(node: Tree) -> bool:
    """Whether a comma stands directly in a node: `(a,)` is a tuple, `(a)` is not."""
    return any(child.type == "," for child in node.children)


# --------------------------------------------------------------------------------------------------------------- chains
def _chain(low: Lowering, node: Tree) -> ir.Expr:
    links: list[Tree] = []
    inner: Tree | None = node
    while inner is not None and inner.type in _CHAINS:
        links.append(inner)
        inner = inner.child_by_field_name(_CHAINS[inner.type])
    if inner is None:
        return opaque(low, node)
    first = expression(low, inner)
    lowered = first.value if isinstance(first, ir.Spread) else first
    for link in reversed(links):
        lowered = _link(low, link, lowered)
        if link is not node:
            lowered = _swept(low, link, lowered)
    return _spread_over(low, node, first, lowered)


def _spread_over(low: Lowering, node: Tree, first: ir.Expr, whole: ir.Expr) -> ir.Expr:
    """What begins with a star is spread as a whole: the grammar reads `[*a.b()]` as `[(*a).b()]`."""
    return ir.Spread(low.text.span(node), whole) if isinstance(first, ir.Spread) else whole


def _link(low: Lowering, node: Tree, target: ir.Expr) -> ir.Expr:
    span = low.text.span(node)
    if node.type == "call":
        imported = low.imports.get(node.id)
        return imported[0] if imported else _call(low, node, span, target)
    if node.type == "attribute":
        name = node.child_by_field_name("attribute")
        return target if name is None else ir.Member(span, target, low.text.of(name), low.text.span(name))
    return ir.Index(span, target, _key(low, node))


def _call(low: Lowering, node: Tree, span: Span, target: ir.Expr) -> ir.Expr:
    args = _arguments_of_call(low, node)
    plain: ir.Expr | None = None
    if not (low.broken and node.has_error):
        match target:
            case ir.Name(id="dict") if not is_defined(low, "dict"):
                plain = table(span, args, _starts(low, node)) if len(args) == len(_starts(low, node)) else None
            case ir.Member(target=ir.Literal() as text, name="format"):
                plain = formatted(span, text, args)
            case ir.Member(target=ir.Literal(value=str(separator)), name="join") if len(args) == 1:
                plain = joined_list(span, separator, args[0].value)
    return plain or ir.Call(span, target, args)


def _starts(low: Lowering, node: Tree) -> list[Span]:
    """Where the name, or the value, of each argument of a call begins."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or arguments.type == "generator_expression":
        return [low.text.span(node)]
    extras = low.tables.extras
    kept = [child for child in arguments.named_children if child.kind_id not in extras]
    return [low.text.span(child.child_by_field_name("name") or child) for child in kept]


def _arguments_of_call(low: Lowering, node: Tree) -> tuple[ir.Argument, ...]:
    arguments = node.child_by_field_name("arguments")
    if arguments is None:
        return ()
    if arguments.type == "generator_expression":
        return (ir.Argument(None, expression(low, arguments)),)
    return call_arguments(low, arguments)


def call_arguments(low: Lowering, node: Tree) -> tuple[ir.Argument, ...]:
    """The arguments between the parentheses of a call or a class header; an error among them is positional."""
    extras = low.tables.extras
    return arguments([_argument(low, child) for child in node.named_children if child.kind_id not in extras])


def _argument(low: Lowering, node: Tree) -> ir.Argument:
    match node.type:
        case "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None:
                lowered = expression(low, value)
                return ir.Argument(low.text.of(name), _swept(low, node, lowered))
        case "list_splat" | "parenthesized_list_splat" | "dictionary_splat":
            value = only(low, node)
            if value is not None:
                lowered = expression(low, value)
                spread: Literal["*", "**"] = "**" if node.type == "dictionary_splat" else "*"
                return ir.Argument(None, _swept(low, node, lowered), spread)
    return ir.Argument(None, expression(low, node))


def _swept(low: Lowering, node: Tree, lowered: ir.Expr) -> ir.Expr:
    return with_strays(low, node, lowered) if low.broken and node.has_error else lowered


def _key(low: Lowering, node: Tree) -> ir.Expr:
    keys = node.children_by_field_name("subscript")
    if len(keys) == 1 and keys[0].type != "list_splat" and not has_comma(node):
        return expression(low, keys[0])
    if not keys:
        return opaque(low, node)
    return ir.List(low.text.span(keys[0], keys[-1]), expressions(low, keys), "tuple")


def _slice(low: Lowering, node: Tree) -> ir.Expr:
    parts: list[ir.Expr | None] = [None, None, None]
    position = 0
    extras = low.tables.extras
    for child in node.children:
        if child.type == ":":
            position = min(position + 1, 2)
        elif child.is_named and child.kind_id not in extras and not child.is_error:
            parts[position] = expression(low, child)
    return ir.Slice(low.text.span(node), *parts)


# ------------------------------------------------------------------------------------------------------------ operators
def _binary(low: Lowering, node: Tree) -> ir.Expr:
    links: list[Tree] = []
    inner: Tree | None = node
    while inner is not None and inner.type in _BINARY:
        links.append(inner)
        inner = inner.child_by_field_name("left")
    if inner is None:
        return opaque(low, node)
    first = expression(low, inner)
    lowered = first.value if isinstance(first, ir.Spread) else first
    if not (low.broken and node.has_error):
        return _spread_over(low, node, first, chained(lowered, _steps(low, reversed(links)), converts=False))
    for link in reversed(links):
        operator, right = link.child_by_field_name("operator"), link.child_by_field_name("right")
        if operator is not None and right is not None:
            lowered = ir.Operator(
                low.text.span(link), ir.OPS.get(operator.type, ir.Op.UNREADABLE), (lowered, expression(low, right))
            )
        if link is not node:
            lowered = _swept(low, link, lowered)
    return _spread_over(low, node, first, lowered)


def _steps(low: Lowering, links: Iterable[Tree]) -> Iterator[tuple[Span, ir.Op, ir.Expr]]:
    for link in links:
        operator, right = link.child_by_field_name("operator"), link.child_by_field_name("right")
        if operator is not None and right is not None:
            yield low.text.span(link), ir.OPS.get(operator.type, ir.Op.UNREADABLE), expression(low, right)


def _unary(low: Lowering, node: Tree) -> ir.Expr:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return opaque(low, node)
    operator = node.child_by_field_name("operator")
    op = _UNARY["not" if operator is None else operator.type]
    return ir.Operator(low.text.span(node), op, (expression(low, argument),))


def _comparison(low: Lowering, node: Tree) -> ir.Expr:
    operators = [child.type for child in node.children_by_field_name("operators")]
    trees = kids(low, node)
    if len(trees) != len(operators) + 1:
        return opaque(low, node)
    operands = expressions(low, trees)
    parts = tuple(
        [
            _compared(operator, low.text.span(trees[at], trees[at + 1]), operands[at], operands[at + 1])
            for at, operator in enumerate(operators)
        ]
    )
    return parts[0] if len(parts) == 1 else ir.Operator(low.text.span(node), ir.Op.AND, parts)


def _compared(operator: str, span: Span, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    match operator:
        case "is not":
            return ir.Operator(span, ir.Op.NOT, (ir.Operator(span, ir.Op.IS, (left, right)),))
        case "not in":
            return ir.Operator(span, ir.Op.NOT, (ir.Operator(span, ir.Op.IN, (left, right)),))
        case "<>":
            return ir.Operator(span, ir.Op.NE, (left, right))
    return ir.Operator(span, ir.OPS.get(operator, ir.Op.UNREADABLE), (left, right))


def _conditional(low: Lowering, node: Tree) -> ir.Expr:
    parts = kids(low, node)
    if len(parts) != 3:  # noqa: PLR2004 - then, test, otherwise
        return opaque(low, node)
    first, test, otherwise = expressions(low, parts)
    then = first.value if isinstance(first, ir.Spread) else first
    return _spread_over(low, node, first, ir.Conditional(low.text.span(node), test, then, otherwise))


# ------------------------------------------------------------------------------------------------------------- displays
def _parenthesized(low: Lowering, node: Tree) -> ir.Expr:
    inner = only(low, node)
    return opaque(low, node) if inner is None else expression(low, inner)


def display(kind: Literal["list", "tuple", "set"]) -> ExpressionHandler:
    """The handler of a list, tuple or set display."""

    def lower(low: Lowering, node: Tree) -> ir.Expr:
        return ir.List(low.text.span(node), expressions(low, kids(low, node)), kind)

    return lower


def _target_in_parentheses(low: Lowering, node: Tree) -> ir.Expr:
    items = kids(low, node)
    if len(items) == 1 and not has_comma(node):
        return expression(low, items[0])
    return ir.List(low.text.span(node), expressions(low, items), "tuple")


def _dictionary(low: Lowering, node: Tree) -> ir.Expr:
    return ir.Map(low.text.span(node), tuple([_entry(low, child) for child in kids(low, node)]))


def _entry(low: Lowering, node: Tree) -> ir.Entry:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if node.type == "pair" and key is not None and value is not None:
        return ir.Entry(expression(low, key), expression(low, value))
    inner = only(low, node) if node.type == "dictionary_splat" else None
    return ir.Entry(None, expression(low, node) if inner is None else expression(low, inner))


def _spread(low: Lowering, node: Tree) -> ir.Expr:
    inner = only(low, node)
    return opaque(low, node) if inner is None else ir.Spread(low.text.span(node), expression(low, inner))


# ---------------------------------------------------------------------------------------------------------------- rest
def _await(low: Lowering, node: Tree) -> ir.Expr:
    """`await a ** b` is `(await a) ** b`, which the grammar reads the other way."""
    inner = only(low, node)
    if inner is None:
        return opaque(low, node)
    if inner.type != "binary_operator" or inner.has_error:
        return ir.Await(low.text.span(node), expression(low, inner))
    power = _binary(low, inner)
    if not isinstance(power, ir.Operator):
        return ir.Await(low.text.span(node), power)
    left, right = power.operands
    start, end = low.text.span(node), left.span
    span = Span(start.path, start.line, start.col, end.end_line, end.end_col)
    return ir.Operator(start, power.op, (ir.Await(span, left), right))


def _yield(low: Lowering, node: Tree) -> ir.Expr:
    value = several(low, kids(low, node))
    delegate = any(child.type == "from" for child in node.children)
    return ir.Yield(low.text.span(node), value, delegate)


def _walrus(low: Lowering, node: Tree) -> ir.Expr:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        return opaque(low, node)
    return ir.Assign(low.text.span(node), expression(low, name), expression(low, value))


def _as_pattern(low: Lowering, node: Tree) -> ir.Expr:
    parts = kids(low, node)
    if len(parts) != 2:  # noqa: PLR2004 - value and target
        return opaque(low, node)
    value, target = parts
    inner = only(low, target) if target.type == "as_pattern_target" else target
    if inner is None:
        return opaque(low, node)
    return ir.Assign(low.text.span(node), expression(low, inner), expression(low, value))


def _lambda(low: Lowering, node: Tree) -> ir.Expr:
    return low.definitions[node.id]


EXPRESSIONS: Final[Mapping[str, ExpressionHandler]] = {
    **LITERALS,
    "identifier": name_of,
    **dict.fromkeys(_CHAINS, _chain),
    **dict.fromkeys(_BINARY, _binary),
    "unary_operator": _unary,
    "not_operator": _unary,
    "comparison_operator": _comparison,
    "conditional_expression": _conditional,
    "parenthesized_expression": _parenthesized,
    "list": display("list"),
    "tuple": display("tuple"),
    "set": display("set"),
    "expression_list": display("tuple"),
    "pattern_list": display("tuple"),
    "list_pattern": display("list"),
    "tuple_pattern": _target_in_parentheses,
    "dictionary": _dictionary,
    **dict.fromkeys(("list_splat", "list_splat_pattern", "parenthesized_list_splat", "splat_type"), _spread),
    **COMPREHENSIONS,
    "slice": _slice,
    "await": _await,
    "yield": _yield,
    "named_expression": _walrus,
    "as_pattern": _as_pattern,
    "lambda": _lambda,
    **TYPES,
}
