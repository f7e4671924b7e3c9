"""What the parts of the Python lowering share: the file that is lowered, and how a node finds its handler.

Knows no construct: expressions, patterns, statements and definitions put their handlers into the two tables. No node is
lowered twice, and none is left out, those in `ERROR` nodes included: the IR holds all that the index found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Notice
from agent_architecture.syntax.built_up import gathered
from agent_architecture.syntax.ir import Class, Expr, Function, Import, List, Module, Name, Node, Opaque, unformed
from agent_architecture.syntax.spread_out import spread_out

if TYPE_CHECKING:
    from typing import TypeAlias

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.cst import Text

    ExpressionHandler: TypeAlias = "Callable[[Lowering, Tree], Expr]"
    StatementHandler: TypeAlias = "Callable[[Lowering, Tree], tuple[Node, ...]]"


class Tables(NamedTuple):
    """Handlers and kinds by kind number."""

    expressions: Mapping[int, ExpressionHandler]
    statements: Mapping[int, StatementHandler]
    extras: frozenset[int]


class Lowering(NamedTuple):
    """One file (or, with other `renames`, one scope of it) on its way to the IR.

    `definitions` and `imports` hold what the index made, by the id of its syntax node. `renames` maps the receivers
    that are visible in this scope to `self` or `cls`, and names of imports to those that they have in their own modules
    (`python_import_names`). `broken` says that the file has syntax errors; `errors` are the
    ids of the `ERROR` nodes that were lowered so far, `applied` those of the assignments that are decorators of the
    definition before them.
    """

    text: Text
    module: Module
    broken: bool
    tables: Tables
    definitions: dict[int, Function | Class]
    imports: dict[int, tuple[Import, ...]]
    renames: Mapping[str, str]
    errors: set[int]
    applied: set[int]


def kids(low: Lowering, node: Tree) -> list[Tree]:
    """The named children that mean something, errors not included."""
    extras = low.tables.extras
    found = [child for child in node.named_children if child.kind_id not in extras]
    if low.broken and node.has_error:
        return [child for child in found if not child.is_error and not child.is_missing]
    return found


def only(low: Lowering, node: Tree) -> Tree | None:
    """The one child of a node that means something; None if there are several, or none."""
    inner = kids(low, node)
    return inner[0] if len(inner) == 1 else None


def expression(low: Lowering, node: Tree) -> Expr:
    """One expression, whatever it is."""
    lowered = low.tables.expressions.get(node.kind_id, opaque)(low, node)
    return with_strays(low, node, lowered) if low.broken and node.has_error else lowered


def expressions(low: Lowering, nodes: Iterable[Tree]) -> tuple[Expr, ...]:
    """Several expressions."""
    return tuple([expression(low, node) for node in nodes])


def several(low: Lowering, nodes: list[Tree]) -> Expr | None:
    """Nodes with commas between them: None, the one, or a tuple."""
    if len(nodes) < 2:  # noqa: PLR2004 - one is itself
        return expression(low, nodes[0]) if nodes else None
    return List(low.text.span(nodes[0], nodes[-1]), expressions(low, nodes), "tuple")


def guarded(low: Lowering, node: Tree) -> Expr:
    """An expression that stands alone in its scope (a default, an annotation): nested too deeply, it is `Opaque`."""
    try:
        return expression(low, node)
    except RecursionError:
        return too_deep(low, node)


def statements(low: Lowering, nodes: Iterable[Tree]) -> tuple[Node, ...]:
    """Statements in source order. One that is nested too deeply is `Opaque`, and a notice."""
    out: list[Node] = []
    for node in nodes:
        try:
            out += statement(low, node)
        except RecursionError:
            out.append(too_deep(low, node))
    return spread_out(gathered(out))


def statement(low: Lowering, node: Tree) -> tuple[Node, ...]:
    """What one statement lowers to: nothing for `pass`, several nodes for `a = b = c`."""
    handler = low.tables.statements.get(node.kind_id)
    if handler is None:
        return (expression(low, node),)
    lowered = handler(low, node)
    return (*lowered, *strays(low, node)) if low.broken and node.has_error else lowered


def block(low: Lowering, node: Tree | None) -> tuple[Node, ...]:
    """The statements of a block, those in errors included; none for a block that is missing."""
    if node is None:
        return ()
    extras = low.tables.extras
    return statements(low, [child for child in node.named_children if child.kind_id not in extras])


def opaque(low: Lowering, node: Tree) -> Expr:
    """A node without a handler, or an error: its parts are kept."""
    if node.is_missing:
        return unformed(low.text.span(node), "missing", ())
    if node.is_error:
        low.errors.add(node.id)
    return unformed(low.text.span(node), node.type, block(low, node))


def name_of(low: Lowering, node: Tree) -> Name:
    """An identifier; the receiver of a method has its normal name."""
    text = low.text.of(node)
    return Name(low.text.span(node), low.renames.get(text, text) if low.renames else text)


def is_defined(low: Lowering, name: str) -> bool:
    """Whether the file has a function, a class or an import of this name."""
    index = low.module.index
    return (
        any(one.name == name for one in index.functions)
        or any(one.name == name for one in index.classes)
        or any((bound.alias or bound.name) == name for _, imported in index.imports for bound in imported.names)
    )


def callee_name(low: Lowering, node: Tree) -> str | None:
    """The last name of a callee or decorator: `run` of `a.b.run`, `Agent` of `Agent[str]`; None where it has none."""
    while not any(child.is_error for child in node.named_children):
        inner = kids(low, node)
        match node.type:
            case "identifier":
                return name_of(low, node).id
            case "attribute":
                name = node.child_by_field_name("attribute")
                return None if name is None else low.text.of(name)
            case "dotted_name" if inner:
                return name_of(low, inner[0]).id if len(inner) == 1 else low.text.of(inner[-1])
            case "subscript" if (value := node.child_by_field_name("value")) is not None:
                node = value
            case "parenthesized_expression" | "list_splat" if len(inner) == 1:
                node = inner[0]
            case _:
                return None
    return None


def with_strays(low: Lowering, node: Tree, lowered: Expr) -> Expr:
    """An expression together with the errors that stand directly in it."""
    found = strays(low, node)
    return unformed(low.text.span(node), "ERROR", (lowered, *found)) if found else lowered


def strays(low: Lowering, node: Tree) -> tuple[Expr, ...]:
    """The errors in a node that no handler met. Those of a definition belong to its scope: see `definition_strays`."""
    if node.id in low.definitions:
        return ()
    return tuple(
        [opaque(low, error) for error in stray_errors(low.tables, node.named_children) if error.id not in low.errors]
    )


def stray_errors(tables: Tables, nodes: Iterable[Tree]) -> list[Tree]:
    """The `ERROR` nodes among and between these nodes: not those inside of a node that has a handler of its own."""
    found: list[Tree] = []
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node.is_error:
            found.append(node)
        elif node.has_error and node.kind_id not in tables.expressions and node.kind_id not in tables.statements:
            stack.extend(node.named_children)
    return sorted(found, key=lambda error: error.start_byte)


def too_deep(low: Lowering, node: Tree) -> Opaque:
    """What is left of a statement that is nested too deeply to be lowered: the definitions in it. Leaves a notice."""
    span = low.text.span(node)
    low.module.notices += (Notice(span.path, span.line, "nested too deeply: not read"),)
    found: list[Function | Class] = []
    stack = [node]
    while stack:
        current = stack.pop()
        bare = current.child_by_field_name("definition") if current.type == "decorated_definition" else None
        definition = low.definitions.get((bare or current).id)
        if definition is None:
            stack.extend(reversed(current.named_children))
        else:
            found.append(definition)
    return unformed(span, "nesting", tuple(found))
