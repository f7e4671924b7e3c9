"""Servers of the Model Context Protocol: the sites that they are, and what their tools say of themselves.

States what is written; the protocol's defaults for what is not are no statement of the tool. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.model.system import Annotations, Site, SiteKind
from agent_architecture.semantics.effective import effective

if TYPE_CHECKING:
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match

HINTS: Final = ("read_only", "destructive", "idempotent", "open_world")


def server_sites(context: Context) -> tuple[Site, ...]:
    """Every server, at its constructor."""
    return tuple(
        Site(match.node.span, context.symbol(match.node), match.row.where.pack, SiteKind.MCP_SERVER)
        for match in context.of_kind("mcp_server")
    )


def hints_of(context: Context, match: Match) -> Annotations | None:
    """What a tool of a server says of itself; None for a tool of another kind."""
    if not match.row.properties.keys() >= set(HINTS):
        return None
    hints = [_said(effective(context, match, name)) for name in HINTS]
    return Annotations(*hints)


def _said(hint: Setting) -> Setting:
    return ABSENT if hint.origin is Origin.DEFAULT else hint
