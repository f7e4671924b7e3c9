"""Where the project's MCP servers listen: what their start says, else the call beside it that opens a port."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.inventory import Reach
from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.semantics.matching.effective import effective

if TYPE_CHECKING:
    from agent_architecture.model.protocols import McpStart
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

REMOTE: Final = frozenset({"http", "sse", "websocket"})


def reaches(context: Context, starts: tuple[McpStart, ...]) -> tuple[Reach, ...]:
    """Every start in code."""
    listeners: dict[str, list[Match]] = {}
    for match in context.of_kind("listener"):
        listeners.setdefault(match.node.span.path, []).append(match)
    return tuple(
        _reach(context, start, listeners.get(start.span.path, []))
        for start in starts
        if not start.configured and start.transport.origin is not Origin.ABSENT
    )


def _reach(context: Context, start: McpStart, listeners: list[Match]) -> Reach:
    head = (start.span, start.symbol, start.framework, start)
    if not REMOTE & set(start.transport.values):
        return Reach(*head)
    if start.host.origin is Origin.WRITTEN or (start.host.is_known and not listeners):
        return Reach(*head, start.host)
    found = [(effective(context, match, "host"), match.node.span) for match in listeners]
    open_ = next((one for one in found if one[0].is_known), found[0] if found else None)
    host: Setting = open_[0] if open_ is not None else start.host
    return Reach(*head, host if host is not ABSENT else start.host, open_[1] if open_ is not None else None)
