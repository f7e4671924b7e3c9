"""The state of the walk that builds the index: the scope it is in, and what it has found.

Knows no kind of node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from agent_architecture.syntax.ir import Class, Function, Import, Scope
    from agent_architecture.syntax.javascript_context import Lowering


class Hint(NamedTuple):
    """What a function takes from where it is assigned: its name, and whether it gets the object of a class."""

    name: Node
    is_field: bool


class Walk:
    """The state of the walk. A `None` on its stack begins or ends a scope; `changes` says which."""

    __slots__ = (
        "calls",
        "changes",
        "classes",
        "exports",
        "functions",
        "hints",
        "imports",
        "low",
        "methods",
        "outer",
        "scope",
    )

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.scope: Scope = low.module
        self.outer: list[Scope] = []
        self.methods: set[int] = set()
        self.changes: list[Scope | None] = []
        self.hints: dict[int, Hint] = {}
        self.imports: list[tuple[Scope, Import]] = []
        self.exports: list[Node] = []
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.calls: dict[str, dict[Scope, None]] = {}

    def count(self, name: str | None) -> None:
        """Note a call in the scope the walk is in."""
        if name:  # none where it is no name, empty where a syntax error took it
            self.calls.setdefault(name, {})[self.scope] = None

    def change(self) -> None:
        """Begin the scope that comes next, or end the one that the walk is in."""
        scope = self.changes.pop()
        if scope is None:
            self.scope = self.outer.pop()
        else:
            self.outer.append(self.scope)
            self.scope = scope
