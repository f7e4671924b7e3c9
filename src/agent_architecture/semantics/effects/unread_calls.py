"""Calls of which nobody says what they do: of libraries that no pack knows, and on clients of services of which no row
speaks. Such a call may reach another machine, and may answer with anything.

Libraries that only compute have a pack that says so (`computing`). Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.log_calls import says
from agent_architecture.names.values import Api
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.service_clients import ServiceClients
from agent_architecture.semantics.packs.api_paths import last_name

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir

OF_TEXTS: Final = frozenset(
    """upper lower strip lstrip rstrip split splitlines join replace startswith endswith isoformat strftime title
    capitalize encode decode trim toUpperCase toLowerCase toString toISOString slice substring startsWith endsWith
    includes padStart padEnd toFixed concat""".split()  # noqa: SIM905 - a list of quotes is no easier to read
)
"""Methods of texts, dates and lists: they reach nothing, whoever made what they are called on."""
LISTENING: Final = frozenset(
    {"on", "once", "off", "addListener", "removeListener", "close", "quit", "disconnect", "end"}
)
"""Methods of clients that ask for nothing."""
CONNECTING: Final = "connect"
"""What a client of a known service does before it asks for anything."""
RAISED: Final = regex(r"(?:Error|Exception|Warning)$")
"""How what is raised is called."""


class UnreadCalls:
    """Answers for the calls of one project."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._clients = context.once(ServiceClients)

    def has(self, call: ir.Call) -> bool:
        """Whether nobody says what a call does. A record, by whatever logger, only says something."""
        values = self._context.program.value_of(call.callee)
        paths = [value.path for value in values if isinstance(value, Api)]
        return any(self._is_unread(call, path) for path in paths)

    def _is_unread(self, call: ir.Call, path: str) -> bool:
        name = last_name(path)
        if name in LISTENING:
            return False
        if is_foreign(path) and self._context.packs.package_of(path) is None:
            return name not in OF_TEXTS and RAISED.search(name) is None and not says(call)
        return name != CONNECTING and self._clients.may_ask(path)
