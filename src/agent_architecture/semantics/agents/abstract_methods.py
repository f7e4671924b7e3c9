"""Runs and requests that stand in a method which its class declares abstract: what derives from it has to bring its
own, so that nothing runs them but a `super().run(…)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.super_arguments import SUPER
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.match import Match

ABSTRACT: Final = "abstractmethod"
RUNNING: Final = frozenset({"run", "model_call"})


def without_abstract(program: Program, matches: Iterable[Match]) -> Iterator[Match]:
    """The matches but for runs and model calls in such methods."""
    for match in matches:
        if match.row.kind not in RUNNING or not _is_abstract(program, match.node):
            yield match


def _is_abstract(program: Program, node: ir.Node) -> bool:
    """Whether a node stands in an abstract method whose body no method below runs."""
    scope = program.scope_of(node)
    if not isinstance(scope, ir.Function) or not isinstance(scope.outer, ir.Class):
        return False
    if not any(callee_name(decorator) == ABSTRACT for decorator in scope.decorators):
        return False
    return not any(_is_above(site.call.callee) for site in program.calls(scope.name))


def _is_above(callee: ir.Expr) -> bool:
    """Whether a callee is a method of the class above: `super().run`."""
    target = callee.target if isinstance(callee, ir.Member) else None
    return isinstance(target, ir.Call) and callee_name(target.callee) == SUPER
