"""Calls of a server's tool by a computed name: `session.call_tool(name, arguments)`.

Gives the name; whose word that is, is for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Entries
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

REMOTE_TOOLS: Final = frozenset({"call_tool", "callTool"})
"""How clients of servers call a tool."""
LISTING: Final = frozenset(
    {"get_tools", "getTools", "get_mcp_tools", "list_tools", "listTools", "load_mcp_tools", "loadMcpTools"}
)
"""How clients of servers list the tools that they can run."""
NAME: Final = "name"


def runs_listed(program: Program, call: ir.Call) -> bool:
    """Whether a call runs a tool that was listed by a server: `tools["issues"].run_async(args={…})`."""
    if callee_name(call.callee) in REMOTE_TOOLS:
        return True
    if not isinstance(call.callee, ir.Member):
        return False
    ends = flow.ends(program, call.callee.target)
    return any(isinstance(e.node, ir.Call) and callee_name(e.node.callee) in LISTING for e in ends if e.kind == "call")


def called_by_name(context: Context, call: ir.Call) -> Iterator[ir.Expr]:
    """What names the tool of a server that a call runs; nothing for a name that is written there."""
    if callee_name(call.callee) not in REMOTE_TOOLS or not _is_of_session(context, call):
        return
    given = next((a.value for a in call.args if a.keyword == NAME), None)
    first = given or next((a.value for a in call.args if a.keyword is None and not a.spread), None)
    if first is None:
        return
    values = context.program.value_of(first) if given is None else ()
    entries = (dict(value.entries) for value in values if isinstance(value, Entries))
    named = [entry[NAME] for entry in entries if NAME in entry] or [first]
    yield from (name for name in named if not isinstance(name, (ir.Literal, ir.Map)))


def _is_of_session(context: Context, call: ir.Call) -> bool:
    """Whether what is called is a library's: a client that asks a server, not a method of the project's own."""
    apis = resolved(context.program, call.callee)
    return any(row.kind == "source" and row.name == "tool" for api in apis for row in context.packs.flows(api.path))
