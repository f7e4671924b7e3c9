"""What code prints that answers requests or messages: whoever runs a service keeps its output as a log.

A program for the terminal speaks to its user, and writes no record. Must not know what is printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import Sought, regex
from agent_architecture.semantics.matching.matches import resolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir

PRINT: Final = "py:builtins.print"
RICH: Final = regex(r"py:rich(?:\.\w+)?:(?:Console\(\)\.|get_console\(\)\.)?print")
"""The same in colours."""
TERMINAL: Final = regex(
    r"(?:^|/)(?:cli|scripts?|bin|examples?|demos?)(?:/|\.|$)|(?:^|/)(?:cli|main|demo|repl)\.[cm]?[jt]s$"
)
"""Programs that show their user what they write to the terminal, by their path."""
SHEBANG: Final = b"#!"
COMMANDS: Final = Sought(regex(rb"process\.argv|\bsys\.argv|\bArgumentParser\b"), (b".argv", b"ArgumentParser"))
"""What files say that are started from a command line."""


def is_for_terminal(context: Context, path: str) -> bool:
    """Whether a file is a program whose user reads what it writes to the terminal."""
    file = context.program.table.file(path)
    return TERMINAL.search(path) is not None or (file is not None and _takes_commands(file.data))


def _takes_commands(data: bytes) -> bool:
    return data.startswith(SHEBANG) or COMMANDS.is_in(data)


def printed(context: Context, serves: Callable[[ir.Scope], bool]) -> Iterator[CallSite]:
    """The calls of `print` in functions that run for several users."""
    for site in context.program.calls("print"):
        paths = [api.path for api in resolved(context.program, site.call.callee)]
        is_print = any(path == PRINT or RICH.fullmatch(path) for path in paths)
        if is_print and serves(site.scope) and not is_for_terminal(context, site.call.span.path):
            yield site
