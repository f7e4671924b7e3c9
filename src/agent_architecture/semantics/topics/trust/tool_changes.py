"""Tools of a server that become others while it runs: added, removed or described anew by what a client can call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.trust import ToolChange
from agent_architecture.names.options import as_written
from agent_architecture.names.values import Api, Const, Entries, Func
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.protocols.mcp_rewritten import DESCRIBED, rewritten
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

REMOVING: Final = ("remove_tool", "removeTool", "remove", "disable", "update", "delete_tool")
DEPTH: Final = 3
"""Callers that are asked whether they are tools."""


def tool_changes(context: Context) -> tuple[ToolChange, ...]:
    """Every change, by position; each line once."""
    tools = _Tools(context)
    found: dict[tuple[str, int], ToolChange] = {}
    described = (*_described(context, tools), *_set_on_tools(context))
    for change in (*_added(context, tools), *_removed(context, tools), *described):
        found.setdefault((change.span.path, change.span.line), change)
    return tuple(sorted(found.values(), key=lambda change: change.span))


class _Tools:
    """The functions that run as tools of a server, and whether code runs inside one."""

    def __init__(self, context: Context) -> None:
        self._program = context.program
        self.matches = tuple(m for m in context.of_kind("tool") if "server" in m.row.relations)
        self.functions: dict[int, Match] = {}
        for match in self.matches:
            for function in _functions(context.program, match):
                self.functions[id(function)] = match

    def around(self, scope: ir.Scope) -> Match | None:
        """The tool that runs the code of a scope, by itself or through its callers."""
        scopes = above(self._program, [scope], DEPTH, MANY, written_in=True)
        return next((self.functions[id(each)] for each in scopes if id(each) in self.functions), None)


def _functions(program: Program, match: Match) -> Iterator[ir.Function]:
    if isinstance(match.node, ir.Function):
        yield match.node
    address = match.row.relations.get("function")
    if address is not None and match.arguments is not None:
        for expr in expressions(program, match.arguments, address):
            yield from (value.function for value in program.value_of(expr) if isinstance(value, Func))


def _added(context: Context, tools: _Tools) -> Iterator[ToolChange]:
    """Tools that are registered by the code of a tool."""
    for match in tools.matches:
        scope = context.program.scope_of(match.node)
        if isinstance(match.node, ir.Function):
            scope = match.node.outer
        if tools.around(scope) is not None:
            node = match.node
            span = node.name_span if isinstance(node, ir.Function) else node.span
            yield ToolChange(span, context.symbol(node), match.row.where.pack, written=_is_written(context, match))


def _is_written(context: Context, match: Match) -> bool:
    address = match.row.properties.get("description")
    if address is None or match.arguments is None:
        return True
    exprs = expressions(context.program, match.arguments, address)
    return all(_is_constant(context.program, expr) for expr in exprs)


def _is_constant(program: Program, expr: ir.Expr) -> bool:
    whole = as_written(program, expr)
    if isinstance(whole, ir.Map):
        return all(_is_constant(program, entry.value) for entry in whole.entries)
    values = program.value_of(expr)
    return bool(values) and all(isinstance(value, (Const, Func, Entries)) for value in values)


def _removed(context: Context, tools: _Tools) -> Iterator[ToolChange]:
    """Tools that are taken away or changed through the server, or through what registered them."""
    for name in REMOVING:
        for site in context.program.calls(name):
            if not isinstance(site.call.callee, ir.Member):
                continue
            owners = context.program.value_of(site.call.callee.target)
            by_server = name.endswith(("tool", "Tool")) and context.made_by(owners, "mcp_server")
            by_tool = [m for m in context.made_by(owners, "tool") if "server" in m.row.relations]
            if (by_server or by_tool) and tools.around(site.scope) is not None:
                pack = (by_server or by_tool)[0].row.where.pack
                written = all(_is_constant(context.program, a.value) for a in site.call.args)
                yield ToolChange(
                    site.call.span, dotted(site.call.callee), pack, removes=name != "update", written=written
                )


def _described(context: Context, tools: _Tools) -> Iterator[ToolChange]:
    """A tool whose description is written anew inside a tool: `look_up.__doc__ = …`."""
    for path in {match.node.span.path for match in tools.matches}:
        module = context.program.table.get(path)
        for function in module.index.functions if module is not None else ():
            for node in context.program.structure(function).nodes:
                target = node.target if isinstance(node, ir.Assign) else None
                if not isinstance(target, ir.Member) or target.name not in DESCRIBED:
                    continue
                owner = _tool(context, tools, target.target)
                if owner is not None and tools.around(function) is not None:
                    yield ToolChange(_span(node), dotted(target), owner.row.where.pack, written=False)


def _set_on_tools(context: Context) -> Iterator[ToolChange]:
    """A description that is set on a tool's object, whoever does it."""
    pack = next((match.row.where.pack for match in context.of_kind("mcp_server")), "")
    for found in rewritten(context):
        written = _is_constant(context.program, found.value)
        yield ToolChange(_span(found.node), dotted(found.target), pack, written=written)


def _tool(context: Context, tools: _Tools, expr: ir.Expr) -> Match | None:
    for value in context.program.value_of(expr):
        if isinstance(value, Func) and id(value.function) in tools.functions:
            return tools.functions[id(value.function)]
        if (
            isinstance(value, Api)
            and (made := context.made(value, "tool")) is not None
            and "server" in made.row.relations
        ):
            return made
    return None


def _span(node: ir.Node) -> Span:
    return node.span
