"""Which scope a place in a module belongs to."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


def scope_at(module: ir.Module, span: Span) -> ir.Scope:
    """The innermost scope whose code stands at `span`. For many questions to one module, keep a `ScopeIndex`."""
    return ScopeIndex(module).at(span)


class ScopeIndex:
    """The functions and classes of a module by position.

    Decorators, default values, annotations and base classes belong to the scope around the definition.
    """

    __slots__ = ("_around", "_ends", "_headers", "_module", "_scopes", "_starts")

    def __init__(self, module: ir.Module) -> None:
        definitions: list[ir.Function | ir.Class] = [*module.index.functions, *module.index.classes]
        definitions.sort(key=lambda scope: (scope.span.line, scope.span.col, -scope.span.end_line, -scope.span.end_col))
        self._module = module
        self._scopes = definitions
        self._starts = [(scope.span.line, scope.span.col) for scope in definitions]
        self._ends = [(scope.span.end_line, scope.span.end_col) for scope in definitions]
        self._around = _nesting(definitions)
        self._headers: dict[int, tuple[tuple[Span, ...], int]] = {}
        """The spans of a definition's header, and the last line that one of them reaches."""

    def at(self, span: Span) -> ir.Scope:
        """The innermost scope whose code stands at `span`."""
        _, line, col, end_line, end_col = span
        place, end = bisect_right(self._starts, (line, col)) - 1, (end_line, end_col)
        ends, around = self._ends, self._around
        while place >= 0:  # what is there starts before the span, and so does what is around it
            if end <= ends[place]:
                headers, last_line = self._headers.get(place) or self._headers_of(place)
                if line > last_line or not any(header.contains(span) for header in headers):
                    return self._scopes[place]
            place = around[place]
        return self._module

    def _headers_of(self, place: int) -> tuple[tuple[Span, ...], int]:
        headers = tuple(expr.span for expr in _header(self._scopes[place]))
        found = self._headers[place] = headers, max((header.end_line for header in headers), default=0)
        return found


def _nesting(definitions: list[ir.Function | ir.Class]) -> list[int]:
    """For each definition the position of the one around it in the text, -1 for none."""
    around: list[int] = []
    open_: list[int] = []
    for place, scope in enumerate(definitions):
        while open_ and not definitions[open_[-1]].span.contains(scope.span):
            open_.pop()
        around.append(open_[-1] if open_ else -1)
        open_.append(place)
    return around


def _header(scope: ir.Function | ir.Class) -> list[ir.Expr]:
    """The expressions of a definition that are evaluated where it stands."""
    if isinstance(scope, ir.Class):
        return [*scope.decorators, *scope.bases, *(argument.value for argument in scope.parts.keywords)]
    parts = [part for param in scope.params for part in (param.default, param.annotation)]
    return [*scope.decorators, *(part for part in [*parts, scope.returns] if part is not None)]
