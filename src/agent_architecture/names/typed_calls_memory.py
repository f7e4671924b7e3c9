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

    __slots__ = ("_program", "known_methods", "known_sorts")

    def __init__(self, program: Program) -> None:
        self._program = program
        self.known_methods: dict[int, tuple[tuple[Func, ...] | None, ir.Expr, int]] = {}
        """Each with the expression, and what it rests on."""
        self.known_sorts: dict[tuple[int, int], tuple[Sorts | None, ir.Expr, int]] = {}

    def methods(self, callee: ir.Expr) -> tuple[Func, ...] | None:
        """The methods that a callee is; None where types do not say it for sure."""
        if self._program.is_naming:
            return None
        rests, found = self._program.rests, self.known_methods.get(id(callee))
        if found is None:
            from agent_architecture.names.typed_calls import methods

            before = self._program.unsettled
            around, rests.read = rests.read, rests.of(callee.span.path)
            found = methods(self._program, callee), callee, rests.read
            rests.read = around
            if self._program.unsettled == before:
                self.known_methods[id(callee)] = found
        rests.read |= found[2]
        return found[0]

    def sorts(self, expr: ir.Expr, depth: int) -> Sorts | None:
        """What an expression is an object of; None where types leave it open."""
        if self._program.is_naming:
            return None
        key = id(expr), depth
        rests, found = self._program.rests, self.known_sorts.get(key)
        if found is None:
            from agent_architecture.names.typed_calls import sorts_of

            before = self._program.unsettled
            around, rests.read = rests.read, rests.of(expr.span.path)
            found = sorts_of(self._program, expr, depth), expr, rests.read
            rests.read = around
            if self._program.unsettled == before:
                self.known_sorts[key] = found
        rests.read |= found[2]
        return found[0]
