"""What the lowering of one JavaScript or TypeScript file shares: its text, its definitions, and how deep it is.

Knows no construct of the language: the expression, statement and type lowerings are given to it, so that these modules
need not import each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.sources.source import Notice
from agent_architecture.syntax.built_up import gathered
from agent_architecture.syntax.ir import Expr, Opaque, unformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tree_sitter import Node

    from agent_architecture.syntax import ir
    from agent_architecture.syntax.cst import Text

MAX_DEPTH: Final = 64
"""Levels of nesting lowered in one scope, at up to six Python frames. In 7,000 library files, the deepest has 20."""


class Lowering:
    """The state of lowering one file. Made by the index, used by every lowering on demand.

    By the id of their node: `definitions` are the functions and classes, `decorators` those that stand outside what
    they decorate, `known` and `import_calls` the imports and exports that the index already lowered, `local_exports`
    the exports of a namespace, `export_assignments` those of CommonJS, `reached` what was lowered. `lossy` says that
    something was too deep, `cuts` what is still to be lowered because of it; `breaks` is the label of a bare `break`.
    """

    __slots__ = (
        "breaks",
        "cuts",
        "decorators",
        "definitions",
        "depth",
        "export_assignments",
        "expression",
        "import_calls",
        "known",
        "local_exports",
        "lossy",
        "module",
        "reached",
        "statements",
        "text",
    )

    def __init__(
        self,
        text: Text,
        module: ir.Module,
        expression: Callable[[Lowering, Node], Expr],
        statements: Callable[[Lowering, Node], tuple[ir.Node, ...]],
    ) -> None:
        self.text = text
        self.module = module
        self.definitions: dict[int, ir.Function | ir.Class] = {}
        self.decorators: dict[int, list[Node]] = {}
        self.import_calls: dict[int, ir.Import] = {}
        self.known: dict[int, tuple[ir.Node, ...]] = {}
        self.local_exports: set[int] = set()
        self.export_assignments: set[int] = set()
        self.reached: set[int] = set()
        self.cuts: list[Node] = []
        self.lossy = False
        self.depth = 0
        self.breaks: str | None = None
        self.expression = expression
        self.statements = statements

    def expr(self, node: Node | None) -> Expr | None:
        """The expression at this node, None where there is none."""
        return None if node is None else self.expression(self, node)

    def definition(self, node: Node) -> ir.Function | ir.Class | None:
        """The function or class that the index made for this node."""
        self.reached.add(node.id)
        return self.definitions.get(node.id)

    def too_deep(self, node: Node, *, again: bool = True) -> Opaque:
        """What stands for a construct nested too deep to lower, with a notice for the first.

        `again`: it is lowered for itself once its scope is done, so that only its place is lost.
        """
        if not self.lossy:
            self.lossy = True
            line = node.start_point[0] + 1
            message = f"nested deeper than {MAX_DEPTH} levels: what lies below was read apart from what surrounds it"
            self.module.notices = (*self.module.notices, Notice(self.text.path, line, message))
        if again:
            self.cuts.append(node)
        return unformed(self.text.span(node), node.type, ())


def unreadable(low: Lowering, node: Node) -> Opaque:
    """A construct without a normal form, with what can be read in it."""
    if low.depth >= MAX_DEPTH:
        return low.too_deep(node)
    low.reached.add(node.id)
    low.depth += 1
    try:
        return unformed(low.text.span(node), node.type, parts_of(low, node))
    finally:
        low.depth -= 1


def parts_of(low: Lowering, node: Node) -> tuple[ir.Node, ...]:
    """What can be read of a node without a normal form: its children as far as they have one."""
    return lower_all(low, node.named_children)


def lower_all(low: Lowering, nodes: Iterable[Node]) -> tuple[ir.Node, ...]:
    """These statements (or expressions) in order."""
    result: list[ir.Node] = []
    for node in nodes:
        result.extend(low.statements(low, node))
    return gathered(result)


def body(low: Lowering, node: Node | None) -> tuple[ir.Node, ...]:
    """What stands in a block, or the single statement that stands for one."""
    if node is None:
        return ()
    return lower_all(low, node.named_children) if node.type == "statement_block" else low.statements(low, node)
