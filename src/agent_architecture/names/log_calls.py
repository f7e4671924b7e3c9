"""Calls that only say something, by how they are written: to a terminal, or to a log.

The one list of such words. What a library's call does is for rows: `effects.records.only_says` asks those first.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

WARNINGS: Final = frozenset({"warn", "warning", "error", "critical", "fatal", "exception"})
"""The levels that speak of what went wrong."""
LEVELS: Final = WARNINGS | {"trace", "debug", "verbose", "info", "notice"}
"""The methods that loggers of all libraries have, one for each level."""
LOGGING: Final = LEVELS | {"log"}
PRINTING: Final = frozenset({"print", "pprint", "rprint", "echo", "secho"})
"""Calls that write to a terminal."""
CONSOLE: Final = "console"
LOGGERS: Final = frozenset({CONSOLE, "logger", "logging"})
"""What loggers are called: whatever their methods, what is handed to them is written down."""
PREFIXES: Final = ("log_", "print_")
"""How functions of a project are called that say one thing: `log_failure`."""
ASYNCHRONOUS: Final = "a"
"""What stands before a level that is waited for: `awarning`."""


def says(call: ir.Call) -> bool:
    """Whether a call is written as one that only says something: `print(text)`, `logger.bind(…)`, `self._log(text)`."""
    return prints(call) or is_logging(callee_name(call.callee)) or _is_of(call.callee, LOGGERS)


def prints(call: ir.Call) -> bool:
    """Whether a call is written as one that shows a text on a terminal."""
    return _plain(callee_name(call.callee)) in PRINTING or _is_of(call.callee, frozenset({CONSOLE}))


def warns(call: ir.Call) -> bool:
    """Whether a call is written as a record of what went wrong."""
    name = callee_name(call.callee)
    return name in WARNINGS or name.removeprefix(ASYNCHRONOUS) in WARNINGS


def is_logging(name: str) -> bool:
    """Whether a function is called what only says something: `warn`, `_log`, `log_failure`."""
    plain = _plain(name)
    return plain in LOGGING or plain.startswith(PREFIXES)


def _plain(name: str) -> str:
    return name.lstrip("_")


def _is_of(callee: ir.Expr, names: frozenset[str]) -> bool:
    """Whether it is a method of what has one of these names: `console.table`, `self._logger.bind`."""
    if not isinstance(callee, ir.Member):
        return False
    owner = callee.target.callee if isinstance(callee.target, ir.Call) else callee.target
    return _plain(callee_name(owner)) in names or (isinstance(owner, ir.Member) and _is_of(owner, names))
