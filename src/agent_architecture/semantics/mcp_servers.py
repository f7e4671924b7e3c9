"""Servers of the Model Context Protocol: the sites that they are, and what their tools say of themselves.

States what is written; the protocol's defaults for what is not are no statement of the tool. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Origin, Setting, unknown
from agent_architecture.model.system import Annotations, Site, SiteKind, Tool
from agent_architecture.names.values import Api, Const, Entries, Value
from agent_architecture.semantics.addresses import Address
from agent_architecture.semantics.effective import effective
from agent_architecture.semantics.mcp_answered import answered
from agent_architecture.semantics.mcp_listed import HANDLER, listed
from agent_architecture.semantics.paths import last_name
from agent_architecture.semantics.read import at_call

if TYPE_CHECKING:
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match
    from agent_architecture.semantics.tool_schemas import Schemas

CHECKING: Final = "validate_input"
"""The option of the Python SDK's decorator that switches the check of arguments off."""
MADE_BY: Final = "ToolAnnotations"
"""The SDKs' own object of hints."""
CONNECTED: Final = frozenset({"command", "url", "serverUrl", "httpUrl", "transport"})
DESCRIBING: Final = frozenset({"parameters", "inputSchema", "input_schema", "function", "description"})
"""What an object says of a connection, and of a tool."""
HINTS: Final = ("read_only", "destructive", "idempotent", "open_world")


def server_sites(context: Context) -> tuple[Site, ...]:
    """Every server, at its constructor."""
    return tuple(
        Site(match.node.span, context.symbol(match.node), match.row.where.pack, SiteKind.MCP_SERVER)
        for match in context.of_kind("mcp_server")
    )


def is_connection(value: Value) -> bool:
    """Whether an object tells of a server that tools come from; it is no tool itself."""
    keys = dict(value.entries).keys() if isinstance(value, Entries) else frozenset[str]()
    return bool(keys & CONNECTED) and not keys & DESCRIBING


def checks_input(context: Context) -> bool:
    """Whether the project's low-level servers check arguments against the schemas that they list: they do in version 1
    of the Python SDK, where its decorator takes the handler and is not told otherwise.
    """
    handlers = [m for m in context.of_kind("tool") if m.row.decorator and m.row.constants.get("name") == HANDLER]
    told = (a.value for m in handlers for a in m.given if a.keyword == CHECKING)
    off = any(isinstance(v, Const) and v.value is False for expr in told for v in context.program.value_of(expr))
    return bool(handlers) and not off


def listed_tools(context: Context, schemas: Schemas) -> dict[int, Tool]:
    """The tools that servers describe by objects, by the ids of these objects."""
    by_hand = ((None, found) for found in answered(context))
    return {
        id(found.value.node): schemas.of_listed(
            Tool(found.value.node.span, found.name, "" if match is None else match.row.where.pack, found.name),
            found,
            match if match is not None and match.row.kind == "tool" else None,
        )
        for match, found in (*by_hand, *listed(context))
    }


def without_handlers(context: Context, tools: dict[int, Tool]) -> tuple[Tool, ...]:
    """Tools by position, by the ids of their nodes before: without the calls that register what objects describe, and
    the handlers that run them, where the tools themselves are known.
    """
    general = {id(match.node) for match, _ in listed(context)}
    kept = [tool for node, tool in tools.items() if node not in general]
    known = any(tool.annotations is not None for tool in kept)
    kept = [tool for tool in kept if not (known and tool.name == HANDLER)]
    return tuple(sorted(kept, key=lambda tool: (tool.span, tool.name)))


def hints_of(context: Context, match: Match) -> Annotations | None:
    """What a tool of a server says of itself; None for a tool of another kind."""
    if not match.row.properties.keys() >= set(HINTS):
        return None
    hidden = _hidden(context, match)
    if hidden is not None:
        return Annotations(hidden, hidden, hidden, hidden)
    return Annotations(*(_said(effective(context, match, name)) for name in HINTS))


def _hidden(context: Context, match: Match) -> Setting | None:
    """That the object of hints is made by something that says nothing of them: a call that loads or computes it."""
    for steps in match.row.properties[HINTS[0]].alternatives:
        if len(steps) > 1 and steps[-2] == "annotations":
            for value in at_call(context.program, match.arguments, match.api.receiver, Address((steps[:-1],))).values:
                if isinstance(value, Api) and last_name(value.path) != MADE_BY:
                    return unknown(f"{last_name(value.path)}, which is only read at run time", value.node.span)
    return None


def _said(hint: Setting) -> Setting:
    return ABSENT if hint.origin is Origin.DEFAULT else hint
