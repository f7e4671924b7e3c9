"""Which of the tools that one call makes for many stands at a place: those whose use of it the place leads back to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.flow import origins
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.match import Match


def chosen(program: Program, expr: ir.Expr, candidates: tuple[Match, ...]) -> tuple[Match, ...]:
    """Those of the candidates that an expression leads to; all of them where that cannot be told."""
    met: dict[int, None] = {}
    uses = {id(node): node for match in candidates for node in (match.node, *match.through[1:])}

    def reader(node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | None:  # noqa: ARG001 - a `flow.Reader`
        if id(node) not in uses:
            return None
        met[id(node)] = None
        return ()

    if any(expr is match.through[0] for match in candidates):
        return candidates
    if id(expr) in uses:
        met[id(expr)] = None
    else:
        origins(program, expr, reader)
    found = tuple(m for m in candidates if any(id(node) in met for node in (m.node, *m.through[1:])))
    return found or candidates
