"""Tools of the project's own MCP servers that its agents call: in the same process, or in one that a client starts.

A client that is given a server as an object connects to it there and then. Where code only hands the client what was
made elsewhere, the servers that functions make and that nothing starts are what it can be. A client that starts a file
of the project by its name is connected to the server in it; that counts where code calls the tool which a model picks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import ServedInside
from agent_architecture.model.settings import Origin
from agent_architecture.names.values import Api, Const, Unknown, Value
from agent_architecture.semantics.effects.served_tool_calls import REMOTE_TOOLS, called_by_name
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.protocols import McpClient, McpStart
    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

KNOWN: Final = frozenset({Origin.WRITTEN, Origin.DEFAULT})
CODE: Final = (".py", ".js", ".ts", ".mjs", ".cjs", ".mts")
LOOKED_UP: Final = "py:builtins.getattr()"


def served_inside(
    context: Context, tools: Iterable[Tool], clients: Iterable[McpClient], starts: Iterable[McpStart]
) -> tuple[ServedInside, ...]:
    """One for each tool of such a server, with the first client that connects to it."""
    opened = {client.opened: client for client in clients if not client.configured}
    matches = [m for m in context.of_kind("mcp_client") if m.node.span in opened and _is_application(context, m)]
    starting = frozenset(start.span.path for start in starts if not start.configured)
    found: dict[str, McpClient] = {}
    for match in matches:
        for server in _servers(context, match, opened[match.node.span], starting):
            found.setdefault(server.node.span.path, opened[match.node.span])
    by_name = {path: client for client in clients for path in _started(context, client) if path not in found}
    found.update(by_name)
    offered = (tool for tool in tools if tool.annotations is not None and tool.span.path in found)
    return tuple(
        ServedInside(tool.span, tool.name, tool.framework, tool, found[tool.span.path].span, tool.span.path in by_name)
        for tool in offered
    )


def _started(context: Context, client: McpClient) -> Iterator[str]:
    """The files of the project's own servers that a client of the application starts, for what models pick."""
    file = context.program.table.file(client.span.path)
    if client.configured or file is None or file.role is not Role.APP or not _calls_what_is_picked(context):
        return
    words = [str(value) for part in client.arguments.entries for value in part.value.values]
    for server in context.of_kind("mcp_server"):
        path = server.node.span.path
        named = (word.lstrip("./") for word in words if word.endswith(CODE))
        if any(f"/{path}".endswith(f"/{word}") for word in named):
            yield path


def _calls_what_is_picked(context: Context) -> bool:
    calls = (site.call for name in REMOTE_TOOLS for site in context.program.calls(name))
    return any(True for call in calls for _ in called_by_name(context, call))


def _is_application(context: Context, match: Match) -> bool:
    return context.program.module_of(match.node).role is Role.APP


def _servers(context: Context, match: Match, client: McpClient, starting: frozenset[str]) -> Iterator[Match]:
    address = match.row.relations.get("server")
    if address is None:
        return
    read = at_call(context.program, match.arguments, match.api.receiver, address)
    values = tuple(v for v in read.values if not (isinstance(v, Const) and v.value is None))
    given = context.made_by(values, "mcp_server")
    yield from given
    handed = bool(values) and all(map(_is_handed, values))
    if not given and handed and not {client.url.origin, client.command.origin} & KNOWN:
        yield from (made for made in context.of_kind("mcp_server") if _is_kept_inside(context, made, starting))


def _is_handed(value: Value) -> bool:
    """Whether nobody can say what code hands on, or it is looked up by a name that is put together."""
    return isinstance(value, Unknown) or (isinstance(value, Api) and value.path.startswith(LOOKED_UP))


def _is_kept_inside(context: Context, server: Match, starting: frozenset[str]) -> bool:
    """Whether a function makes a server that nothing starts: neither its file, nor a file that calls the function."""
    maker = context.program.scope_of(server.node)
    if not isinstance(maker, ir.Function) or not _is_application(context, server):
        return False
    using = {server.node.span.path, *(site.call.span.path for site in context.program.callers(maker))}
    return not using & starting
