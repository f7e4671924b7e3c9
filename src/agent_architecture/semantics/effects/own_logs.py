"""Loggers that a project writes itself: functions called as a level of a log that write a line with its time.

What only a terminal shows has neither level, time nor origin; such a line has them, wherever it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.log_calls import is_logging, prints
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

CLOCKS: Final = frozenset(
    {"Date", "toISOString", "toLocaleTimeString", "toLocaleString", "toUTCString", "isoformat", "strftime", "utcnow"}
)
"""Calls that give the time, or write it out."""
DEPTH: Final = 3
"""Functions through which a line is put together."""


class OwnLogs:
    """Which functions of a project are such loggers, remembered."""

    def __init__(self, context: Context) -> None:
        self._program = context.program
        self._known: dict[int, bool] = {}

    def writes(self, call: ir.Call) -> bool:
        """Whether a call writes a line to a log of the project's own."""
        return is_logging(callee_name(call.callee)) and any(map(self._is_logger, self._program.callees(call)))

    def _is_logger(self, function: ir.Function) -> bool:
        """Whether it shows what it is given, on a line with the time."""
        if id(function) not in self._known:
            calls = tuple(self._calls(function, DEPTH)) if function.params else ()
            names = {callee_name(call.callee) for call in calls}
            shown = (argument.value for call in calls if prints(call) for argument in call.args)
            is_told = any(not isinstance(value, ir.Literal) for value in shown)
            self._known[id(function)] = is_told and not names.isdisjoint(CLOCKS)
        return self._known[id(function)]

    def _calls(self, function: ir.Function, left: int) -> Iterator[ir.Call]:
        for call in self._program.structure(function).calls:
            yield call
            for inner in self._program.callees(call) if left > 1 else ():
                yield from self._calls(inner, left - 1)
