"""Which calls never come back: those that end the program, and functions of the project that always raise.

The one home of these names; it knows the language, and no library.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.syntax import ir

EXITS: Final = frozenset({"sys.exit", "os._exit", "os.abort", "process.exit", "process.abort", "Deno.exit"})
"""Members of the language's own modules that end the program."""
BARE: Final = frozenset({"exit", "quit"})
"""Python's own functions of the kind."""
OF_SWITCH: Final = "switch"
"""The label of a `break` that leaves a `switch`, not a loop (see `syntax.javascript_control`)."""


def ends_program(call: ir.Call) -> bool:
    """Whether a call ends the program: `exit(0)`, `sys.exit(1)`, `process.exit()`."""
    match call.callee:
        case ir.Name(id=name):
            return name in BARE
        case ir.Member(target=ir.Name(id=owner), name=name):
            return f"{owner}.{name}" in EXITS
        case _:
            return False


RAISING: Final = frozenset(
    {"ip_address", "ip_network", "IPv4Address", "UUID", "ZoneInfo", "strptime", "fromisoformat"}
)  # fmt: skip
"""Calls that raise when a text is not of their form."""
CONFINING: Final = frozenset({"confines_path", "screens_url"})
"""The marks of library calls that raise, or say no, when a path or address leads where it must not."""
