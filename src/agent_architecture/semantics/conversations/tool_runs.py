"""Calls that run tools: a tool's own `invoke`, and code that runs whichever tool was picked by a name.

What such a call returns is the tool's, not what it is given. Says nothing of what tools return.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Func, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.checks_before_dispatch import RUN_METHODS
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

RUNNING: Final = regex(
    r"(?:^|_)a?(?:invoke|run|call|execute|exec|dispatch|handle|perform|apply)(?:_|$|[A-Z])|[Tt]ool|[Ff]unction|[Aa]ction"
)
"""What calls are named that may run whichever tool the model picked."""
SURELY: Final = regex(r"(?:^|\.)a?invoke$|tool|action|(?:^|[._])func|handler|skill|plugin|dispatch", re.IGNORECASE)
"""What they are named when they can hardly be anything else."""
TABLE: Final = frozenset(
    """keys values items get pop append add extend update copy sort join index count setdefault remove insert clear
    union intersection difference push map filter find forEach has set delete entries includes some every slice
    concat startswith endswith split strip lower upper""".split()  # noqa: SIM905 - shorter
)
"""Methods of lists, mappings and texts, whatever these hold: `tools.keys()` runs none."""


class ToolRuns:
    """Calls that run tools, asked one at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def functions(self, call: ir.Call) -> tuple[ir.Function, ...]:
        """The project's functions that a call of a tool's own method runs."""
        if not isinstance(call.callee, ir.Member) or call.callee.name not in RUN_METHODS:
            return ()
        values = self._context.program.value_of(call.callee.target)
        return tuple(dict.fromkeys(function for value in values for function in self._of_value(value)))

    def of_set(self, call: ir.Call) -> tuple[ir.Function, ...]:
        """The project's functions of which a call of a set of tools runs any: `ToolNode([search]).invoke(state)`."""
        if not isinstance(call.callee, ir.Member) or call.callee.name not in RUN_METHODS:
            return ()
        sets = self._context.made_by(self._context.program.value_of(call.callee.target), "tool_set")
        given = (value for made in sets for value in self._related(made, "tools"))
        items = (item for value in given if isinstance(value, Items) for item in value.items)
        tools = (tool for item in items for tool in self._context.program.value_of(item))
        return tuple(dict.fromkeys(function for tool in tools for function in self._of_tool(tool)))

    def _of_tool(self, value: Value) -> Iterator[ir.Function]:
        """The function of a tool in a list: a plain one becomes a tool there."""
        if isinstance(value, Func):
            yield value.function
        else:
            yield from self._of_value(value)

    def _of_value(self, value: Value) -> Iterator[ir.Function]:
        made = self._context.made(value, "tool")
        if made is None:
            return
        if isinstance(made.node, ir.Function):
            yield made.node
        else:
            yield from (value.function for value in self._related(made, "function") if isinstance(value, Func))

    def _related(self, made: Match, relation: str) -> tuple[Value, ...]:
        address = made.row.relations.get(relation)
        if address is None:
            return ()
        return tuple(at_call(self._context.program, made.arguments, made.api.receiver, address).values)

    def runs_any(self, call: ir.Call) -> bool:
        """Whether a call may run whichever tool was picked: its callee is no function that the program knows."""
        return self._is_open(call) and (
            isinstance(call.callee, ir.Index) or RUNNING.search(callee_name(call.callee)) is not None
        )

    def surely_runs_any(self, call: ir.Call) -> bool:
        """Whether it can hardly be anything else, by what it is called."""
        return self._is_open(call) and (isinstance(call.callee, ir.Index) or self._is_named_so(call.callee))

    @staticmethod
    def _is_named_so(callee: ir.Expr) -> bool:
        of_table = isinstance(callee, ir.Member) and callee.name in TABLE
        return not of_table and SURELY.search(dotted(callee)) is not None

    def _is_open(self, call: ir.Call) -> bool:
        if self._context.program.callees(call):
            return False
        values = self._context.program.value_of(call.callee)
        if isinstance(call.callee, ir.Index):
            return not any(isinstance(value, Api) for value in values)
        return not any(isinstance(value, Api) and not value.path.startswith("npm:globalThis") for value in values)
