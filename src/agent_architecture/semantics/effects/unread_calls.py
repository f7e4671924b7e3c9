"""Calls of which nobody says what they do: of libraries that no pack knows, and on clients of services of which no row
speaks. Such a call may reach another machine, and may answer with anything.

Libraries that only compute have a pack that says so (`computing`). Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.log_calls import says
from agent_architecture.names.values import Api, Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.service_clients import ServiceClients
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context

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
ELEMENT: Final = "[]"
"""How the path of one of several things ends that a library gave: nobody says which one is called."""
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
        return any(self._is_unread(call, path) for path in paths) or self._is_a_tools(call)

    def _is_a_tools(self, call: ir.Call) -> bool:
        """Whether what is called is some tool that callers hand in: a parameter says that it is of a library's class of
        tools, and not which one.
        """
        program = self._context.program
        if not any(isinstance(value, Unknown) for value in program.value_of(call.callee)):
            return False
        for end in flow.ends(program, call.callee):
            if end.kind != "parameter" or not isinstance(end.node, ir.Function):
                continue
            typed = (p.annotation for p in end.node.params if p.name == end.name and p.annotation is not None)
            classes = (value for each in typed for value in program.value_of(each) if isinstance(value, Api))
            if any(row.kind == "tool" for value in classes for row in self._context.packs.subclasses(value.path)):
                return True
        return False

    def _is_unread(self, call: ir.Call, path: str) -> bool:
        name = last_name(path)
        if name in LISTENING:
            return False
        if path.endswith(ELEMENT):
            return True
        if is_foreign(path) and self._context.packs.package_of(path) is None:
            return name not in OF_TEXTS and RAISED.search(name) is None and not says(call)
        return name != CONNECTING and self._clients.may_ask(path)
