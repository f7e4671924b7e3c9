"""How many passes a range gives: a range that does not begin at 0 gives fewer than its end says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Const
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.model.system import Bound
    from agent_architecture.names.program import Program


def from_start(program: Program, source: ir.Call, bound: Bound) -> Bound:
    """A range that does not begin at 0 is as many passes shorter: `range(1, steps + 1)`."""
    starts = program.value_of(source.args[0].value) if len(source.args) == 2 else ()  # noqa: PLR2004 - start and stop
    start = starts[0].value if len(starts) == 1 and isinstance(starts[0], Const) else None
    if not isinstance(start, int) or isinstance(start, bool) or start <= 0:
        return bound
    values = tuple(v - start if isinstance(v, int) and not isinstance(v, bool) else v for v in bound.limit.values)
    return bound._replace(limit=bound.limit._replace(values=values))
