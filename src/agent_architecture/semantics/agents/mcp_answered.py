"""Tools that a server of MCP written by hand answers with: `{"tools": [{name, description, inputSchema}, …]}`.

The answer need not be JSON-RPC: a route of an HTTP server that gives it, in a file that also takes calls of tools,
serves the same. Finds the objects; what makes such code a server is for `protocols.by_hand` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.agents.mcp_listed import INPUT, Listed, in_list, traced
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

CALLED: Final = "tools/call"
"""What a request that uses a tool names, be it the method of a message or the end of a route."""
LISTED: Final = "tools"
SPELLED: Final = "inputSchema"
"""MCP's own spelling of a tool's schema, on the wire."""


def serving_by_hand(context: Context) -> Iterator[ir.Module]:
    """The modules that speak of calls of tools as MCP does, and make no server of a library."""
    made = context.files_of("mcp_server")
    for module in context.program.modules:
        file = context.program.table.file(module.path)
        if file is not None and module.language in CODE and module.path not in made and CALLED.encode() in file.data:
            yield module


def answered(context: Context) -> Iterator[Listed]:
    """The tools in the answers of such modules, each once."""
    found: dict[int, Listed] = {}
    for tools in answers(context).values():
        for tool in tools:
            found.setdefault(id(tool.node), tool)
    yield from found.values()


def answers(context: Context) -> Mapping[str, tuple[Listed, ...]]:
    """The tools that each such module answers with, by its path; in other files or documents, too."""
    return context.once(_answers)


def _answers(context: Context) -> dict[str, tuple[Listed, ...]]:
    return {module.path: tuple(_answered_in(context, module)) for module in serving_by_hand(context)}


def _answered_in(context: Context, module: ir.Module) -> Iterator[Listed]:
    """The tools in answers of a module, and in those of the project's functions that it calls for them."""
    for scope in (*module.code, *called_elsewhere(context.program, module)):
        for node in context.program.structure(scope).nodes:
            yield from _in_answer(context, node) if isinstance(node, ir.Map) else ()


def called_elsewhere(program: Program, module: ir.Module) -> tuple[ir.Function, ...]:
    """The functions of other files that a module calls by itself: what it answers may be put together there."""
    called = (f for scope in module.code for call in program.structure(scope).calls for f in program.callees(call))
    return tuple({id(f): f for f in called if f.module is not module}.values())


def _in_answer(context: Context, node: ir.Map) -> Iterator[Listed]:
    """The tools in what stands under `tools`: objects spelled as MCP does, or those that such objects are made of."""
    for entry in node.entries:
        if isinstance(entry.key, ir.Literal) and entry.key.value == LISTED:
            spelled = tuple(tool for tool in in_list(context.program, entry.value) if SPELLED in tool.entries)
            yield from spelled or (tool for tool in traced(context, entry.value) if tool.entries.keys() & {*INPUT})
