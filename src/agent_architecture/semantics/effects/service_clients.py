"""Clients of services: objects of libraries some of whose calls reach another machine, as rows say.

A call on one of them of which no row says anything may reach it, too: what a library that is known does there is not
known. Must not judge what comes back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

SERVING: Final = frozenset({"deploy", "mail", "message", "payment"})
"""Effects that a service has for its clients; so have those on the network whose address the library knows."""


class ServiceClients:
    """Answers for the packs of one project."""

    def __init__(self, context: Context) -> None:
        self._packs = context.packs
        rows = (row for pack in self._packs.sources for row in pack.effects)
        serving = [path for row in rows if row.effect in SERVING or row.service for path in row.call]
        canonical = [self._packs.canonical(path) for path in serving]
        self._clients = frozenset(map(_made, canonical)) - {""}
        self._steps = frozenset(step for path in canonical for step in _steps(path))

    def may_ask(self, path: str) -> bool:
        """Whether a call at a path is one on such a client, and no row says what it does."""
        packs = self._packs
        asked = packs.canonical(path)
        return _made(asked) in self._clients and not (
            asked in self._steps
            or packs.effects(path)
            or packs.entities(path)
            or packs.flows(path)
            or packs.marks(path)
            or packs.settings(path)
            or packs.through(path)
        )


def _steps(path: str) -> Iterator[str]:
    """The calls on the way to the one that a path names: `connection.channel` of `connection.channel().basic_get`."""
    end = path.find("()")
    while end >= 0:
        yield path[:end]
        end = path.find("()", end + 1)


def _made(path: str) -> str:
    """The object whose method a path calls, or a method of what its methods give: `py:github:Github()`; "" for none."""
    made, calls, method = path.partition("()")
    return f"{made}()" if calls and method else ""
