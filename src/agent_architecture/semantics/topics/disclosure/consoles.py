"""Consoles that the person who is spoken to watches: a browser's, and the terminal in which somebody started a script.

What is written there is shown, not kept. Must not know what is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.effects.records import is_page
from agent_architecture.semantics.topics.disclosure.printed import is_for_terminal
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.matching.context import Context


class Consoles:
    """Answers for calls, and remembers of files; `answers` says of a function whether it is called for each request."""

    def __init__(self, context: Context, answers: Callable[[ir.Function], bool]) -> None:
        self._context = context
        self._answers = answers
        self._programs = context.once(Programs)
        self._known: dict[str, bool] = {}
        self._serving = frozenset(context.program.module_of(match.node).path for match in context.of_kind("mcp_server"))
        """The files that start a server of MCP: their console is the log of whoever starts it, not the user's."""

    def is_watched(self, site: CallSite) -> bool:
        """Whether who is spoken to reads what a call writes to the console."""
        path = site.call.span.path
        if path not in self._known:
            watched = is_for_terminal(self._context, path) and path not in self._serving
            self._known[path] = watched or is_page(self._context, path)
        return self._known[path]

    def is_script(self, site: CallSite) -> bool:
        """Whether a call stands in a file that somebody starts by hand, and that answers no requests."""
        module = self._context.program.module_of(site.call)
        if isinstance(site.scope, ir.Module):
            return True
        if module.path in self._serving:
            return False
        return self._programs.is_started_alone(module.path) and not any(map(self._answers, module.index.functions))
