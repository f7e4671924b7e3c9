"""Where the project's MCP servers listen: what their start says, else the call beside it that opens a port."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.inventory import Reach
from agent_architecture.model.settings import ABSENT, Origin
from agent_architecture.semantics.matching.effective import effective

if TYPE_CHECKING:
    from agent_architecture.model.protocols import McpStart
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

REMOTE: Final = frozenset({"http", "sse", "websocket"})


def reaches(context: Context, starts: tuple[McpStart, ...]) -> tuple[Reach, ...]:
    """Every start in code, at the call that opens the port, where that is another one: what one port leads to is one
    subject, with the least in front of it.
    """
    listeners: dict[str, list[Match]] = {}
    for match in context.of_kind("listener"):
        listeners.setdefault(match.node.span.path, []).append(match)
    found: dict[Span, Reach] = {}
    for start in starts:
        if not start.configured and start.transport.origin is not Origin.ABSENT:
            reach = _reach(context, start, listeners.get(start.span.path, []))
            known = found.get(reach.span)
            if known is None or (known.start.checks and not start.checks):
                found[reach.span] = reach
    return tuple(found.values())


def _reach(context: Context, start: McpStart, listeners: list[Match]) -> Reach:
    head = (start.span, start.symbol, start.framework, start)
    if not REMOTE & set(start.transport.values):
        return Reach(*head)
    if start.host.origin is Origin.WRITTEN or (start.host.is_known and not listeners):
        return Reach(*head, start.host)
    found = [(effective(context, match, "host"), match.node.span) for match in listeners]
    open_ = next((one for one in found if one[0].is_known), found[0] if found else None)
    if open_ is None:
        return Reach(*head, start.host)
    host = open_[0] if open_[0] is not ABSENT else start.host
    return Reach(open_[1], start.symbol, start.framework, start, host, start.span)
