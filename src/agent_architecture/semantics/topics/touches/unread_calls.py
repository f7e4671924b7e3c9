"""What of a tool's code cannot be read: the first call of which nobody says what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.touches import UnreadCall
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.effects.unread_calls import UnreadCalls
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.topics.touches.touches import bodies_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context


def unread_calls(context: Context, agents: Agents) -> Iterator[UnreadCall]:
    """One for each tool whose code, or a function that it calls, has such a call."""
    for tool in agents.all_tools():
        call = _first(context, agents, tool)
        if call is not None:
            yield UnreadCall(tool.span, called(call), tool.framework, tool, call.span)


def _first(context: Context, agents: Agents, tool: Tool) -> ir.Call | None:
    unread = context.once(UnreadCalls)
    for body in bodies_of(agents, tool):
        nodes = extent(context.program, body.statements, set()).nodes()
        calls = (node for node in nodes if isinstance(node, ir.Call) and not context.program.callees(node))
        found = next(filter(unread.has, calls), None)
        if found is not None:
            return found
    return None
