"""Tools of MCP servers that are described anew: `tool = await server.get_tool("look_up")`, then `tool.description = …`.

Finds the assignments; whose words they write is for others to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.matching.context import Context

GIVING: Final = ("get_tool", "getTool")
"""Methods of servers that give a tool which they have."""
DESCRIBED: Final = frozenset({"description", "__doc__"})
SERVING: Final = regex(rb"fastmcp|mcp\.server|mcp_use\.server|@modelcontextprotocol/", re.IGNORECASE)
"""What a file says that has to do with servers."""


class Rewritten(NamedTuple):
    """An assignment to what a tool says of itself, and the text that it gets."""

    node: ir.Assign
    target: ir.Member
    value: ir.Expr


def rewritten(context: Context) -> Iterator[Rewritten]:
    """Every such assignment, in files that speak of servers."""
    program = context.program
    for site in (site for name in GIVING for site in program.calls(name)):
        file = program.table.file(site.call.span.path)
        holder = _holder(program, site) if file is not None and SERVING.search(file.data) else None
        for node in program.structure(site.scope).nodes if holder is not None else ():
            target = node.target if isinstance(node, ir.Assign) else None
            if not (isinstance(node, ir.Assign) and isinstance(target, ir.Member) and node.value is not None):
                continue
            if target.name in DESCRIBED and isinstance(target.target, ir.Name) and target.target.id == holder:
                yield Rewritten(node, target, node.value)


def _holder(program: Program, site: CallSite) -> str | None:
    """The variable that holds what a call gives."""
    around = program.structure(site.scope).parent(site.call)
    if isinstance(around, ir.Await):
        around = program.structure(site.scope).parent(around)
    target = around.target if isinstance(around, ir.Assign) else None
    return target.id if isinstance(target, ir.Name) else None
