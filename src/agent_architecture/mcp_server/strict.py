"""Refuses arguments that a tool does not have.

The SDK (2.3) drops them: a misspelled `min_severity` would silently be the default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.types import CallToolResult, TextContent

from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server import MCPServer
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext


class Strict:
    """Stands before the tools of a server."""

    def __init__(self, server: MCPServer) -> None:
        """All tools that the server will have."""
        self._server = server

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """One message. Lists of tools say that there are no further arguments; a call that has some is refused."""
        said = await self._objection(ctx.params or {}) if ctx.method == "tools/call" else ""
        if said:
            return CallToolResult(content=[TextContent(type="text", text=said)], is_error=True)
        result = await call_next(ctx)
        if ctx.method == "tools/list" and isinstance(result, dict):  # as it goes over the wire
            closed = [
                {**tool, "inputSchema": {**tool["inputSchema"], "additionalProperties": False}}
                for tool in result["tools"]
            ]
            return {**result, "tools": closed}
        return result

    async def _objection(self, params: Mapping[str, Any]) -> str:
        given = params.get("arguments")
        for tool in await self._server.list_tools():
            if tool.name == params.get("name") and isinstance(given, dict):
                known = tool.input_schema["properties"]
                unknown = sorted(given.keys() - known)
                if unknown:
                    shown = visible(", ".join(unknown))[:200]
                    return f"{tool.name} takes no {shown}; it takes {', '.join(known) or 'nothing'}"
        return ""
