"""What types alone say, of one program: the memory of `typed_calls`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.typed_calls import Sorts
    from agent_architecture.names.values import Func
    from agent_architecture.syntax import ir


class ByTypes:
    """Answers that are remembered where they rest on no open question; none while classes are still told apart."""

    __slots__ = ("_methods", "_program", "_sorts")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._methods: dict[int, tuple[tuple[Func, ...] | None, ir.Expr]] = {}
        self._sorts: dict[tuple[int, int], tuple[Sorts | None, ir.Expr]] = {}

    def methods(self, callee: ir.Expr) -> tuple[Func, ...] | None:
        """The methods that a callee is; None where types do not say it for sure."""
        if self._program.is_naming:
            return None
        found = self._methods.get(id(callee))
        if found is None:
            from agent_architecture.names.typed_calls import methods

            before = self._program.unsettled
            found = methods(self._program, callee), callee
            if self._program.unsettled == before:
                self._methods[id(callee)] = found
        return found[0]

    def sorts(self, expr: ir.Expr, depth: int) -> Sorts | None:
        """What an expression is an object of; None where types leave it open."""
        if self._program.is_naming:
            return None
        key = id(expr), depth
        found = self._sorts.get(key)
        if found is None:
            from agent_architecture.names.typed_calls import sorts_of

            before = self._program.unsettled
            found = sorts_of(self._program, expr, depth), expr
            if self._program.unsettled == before:
                self._sorts[key] = found
        return found[0]
