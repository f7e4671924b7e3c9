"""Servers of the Model Context Protocol: the sites that they are, and what their tools say of themselves.

States what is written; the protocol's defaults for what is not are no statement of the tool. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Origin, Setting, unknown
from agent_architecture.model.system import Annotations, Site, SiteKind, Tool
from agent_architecture.names.values import Api, Const, Entries, Func, Items, Value
from agent_architecture.semantics.agents.mcp_answered import answered
from agent_architecture.semantics.agents.mcp_listed import HANDLER, listed
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import Address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.semantics.schemas import zod

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.semantics.agents.mcp_listed import Listed
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax import ir

CHECKING: Final = "validate_input"
"""The option of the Python SDK's decorator that switches the check of arguments off."""
MADE_BY: Final = "ToolAnnotations"
"""The SDKs' own object of hints."""
CONNECTED: Final = frozenset({"command", "url", "serverUrl", "httpUrl", "transport"})
DESCRIBING: Final = frozenset({"parameters", "inputSchema", "input_schema", "function", "description"})
"""What an object says of a connection, and of a tool."""
HINTS: Final = ("read_only", "destructive", "idempotent", "open_world")
SILENT: Final = Annotations(ABSENT, ABSENT, ABSENT, ABSENT)


def server_sites(context: Context) -> tuple[Site, ...]:
    """Every server, at its constructor."""
    return tuple(
        Site(
            match.node.span, context.symbol(match.node), match.row.where.pack, SiteKind.MCP_SERVER, degree=match.degree
        )
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


def listed_tools(context: Context, with_schema: Callable[[Tool, Listed, Match | None], Tool]) -> dict[int, Tool]:
    """The tools that servers describe by objects, by the ids of these objects, each with its schema."""
    by_hand = ((None, found) for found in answered(context))
    return {
        id(found.node): with_schema(
            Tool(found.node.span, found.name, "" if match is None else match.row.where.pack, found.name),
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


def registered_handlers(context: Context) -> Iterator[tuple[Match, ir.Expr, Value]]:
    """What stands in the list of tools that a server is made with: `MCPServer(tools=[look_up])`."""
    program = context.program
    for match in context.of_kind("mcp_server"):
        address = match.row.relations.get("tools")
        if address is not None:
            for value in at_call(program, match.arguments, match.api.receiver, address.whole()).values:
                for expr in _elements(value):
                    yield from ((match, expr, each) for each in program.value_of(expr))


def _elements(value: Value) -> tuple[ir.Expr, ...]:
    match value:
        case Items(items=items):
            return items
        case Entries(entries=entries):
            return tuple(expr for _, expr in entries)
        case _:
            return ()


def functions_registered(context: Context) -> Iterator[tuple[Match, ir.Expr, Func]]:
    """The plain functions among them, each with its server."""
    for match, expr, value in registered_handlers(context):
        if isinstance(value, Func) and context.made(value, "tool") is None:
            yield match, expr, value


def registered_nodes(context: Context) -> frozenset[int]:
    """The ids of the nodes of tools in such lists: of the calls that make them, and of plain functions."""
    found: set[int] = set()
    for _, _, value in registered_handlers(context):
        made = context.made(value, "tool")
        if made is not None:
            found.add(id(made.node))
        elif isinstance(value, Func):
            found.add(id(value.function))
    return frozenset(found)


def is_served(match: Match, handed_to_server: frozenset[int]) -> bool:
    """Whether what a row makes is a tool of a server: by its kind, or because a server is handed it."""
    if match.row.constants.get("served") is False:
        return id(match.node) in handed_to_server
    return match.row.properties.keys() >= set(HINTS) or id(match.node) in handed_to_server


def hints_of(context: Context, match: Match) -> Annotations:
    """What a tool of a server says of itself."""
    if not match.row.properties.keys() >= set(HINTS):
        return SILENT
    hidden = _hidden(context, match)
    if hidden is not None:
        return Annotations(hidden, hidden, hidden, hidden)
    said = [_said(effective(context, match, name)) for name in HINTS]
    schemas = frozenset(_schemas(context, match)) if any(hint.origin is Origin.UNKNOWN for hint in said) else ()
    return Annotations(*(ABSENT if hint.origin is Origin.UNKNOWN and hint.span in schemas else hint for hint in said))


def _schemas(context: Context, match: Match) -> Iterator[Span]:
    """Where a schema stands whose names code computes: it holds no hints, though nobody can read all of it."""
    address = match.row.properties.get("parameters")
    values = () if address is None else at_call(context.program, match.arguments, match.api.receiver, address).values
    held = ((value, value.others) for value in values if isinstance(value, Entries) and value.others is not None)
    for value, others in held:
        if any(map(zod.is_zod, context.program.value_of(others))):
            yield value.node.span


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
