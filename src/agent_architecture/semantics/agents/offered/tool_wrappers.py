"""Tools that a library's call or class makes of the objects of a project: `[ApiTool(name=t["name"]) for t in TOOLS]`.

One call stands there for many tools: they are what its name and description belong to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import objects
from agent_architecture.names.callers import constructions
from agent_architecture.names.super_arguments import passed_to_base
from agent_architecture.names.values import Instance
from agent_architecture.semantics.agents.offered.tool_descriptions import own_text
from agent_architecture.semantics.agents.offered.trace import Trace
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

SAYING: Final = ("name", "description", "parameters")
"""Properties of a tool that lead to what it is made of, the best first."""


def wrapped(context: Context, match: Match) -> tuple[Described, ...]:
    """The tools of the project behind the call or class of a library's tool, by position; none where it is one tool."""
    if _stands_above(match) or _names_itself(context, match):
        return ()
    trace = Trace(context)
    for said in SAYING:
        given = tuple(_given(context, match, said))
        if said == SAYING[0] and any(own_text(context.program, expr) for expr in given):
            break
        for expr in given:
            if _is_taken(expr):
                trace.owner(expr, is_name=said == SAYING[0])
        if trace.tools:
            break
    found = [tool for tool in trace.tools.values() if not _is_handed_up(context, match, tool.node)]
    # What is written down of an object for a registry (`all[tool.name] = {run: tool.run}`) is that object.
    owners = {tool.name for tool in found if not isinstance(tool.node, ir.Map)}
    own = (tool for tool in found if tool.name not in owners or not isinstance(tool.node, ir.Map))
    return tuple(sorted(own, key=lambda tool: tool.node.span))


def _stands_above(match: Match) -> bool:
    """Whether a decorator above a function makes the tool; one that is called by hand inside of another function may
    make many of it: `tool(row["name"], row["text"])(handler)`.
    """
    if not isinstance(match.node, ir.Function):
        return False
    above = any(one is match.arguments for one in match.node.parts.decorators)
    return above or match.arguments is None or not isinstance(match.node.outer, ir.Function)


def _is_handed_up(context: Context, match: Match, node: ir.Node) -> bool:
    """Whether something stands in what the constructor of another class, which is a tool itself, hands to its base."""
    scope = context.program.scope_of(node)
    cls = scope.outer if isinstance(scope, ir.Function) else None
    if not isinstance(cls, ir.Class) or cls is match.node or context.at(cls, "tool") is None:
        return False
    given = passed_to_base(cls)
    return given is not None and given.span.contains(node.span)


def _names_itself(context: Context, match: Match) -> bool:
    """Whether the constructor of a class says what the one tool is called that it is."""
    address = match.row.properties.get(SAYING[0])
    if not isinstance(match.node, ir.Class) or address is None or match.arguments is None:
        return False
    given = expressions(context.program, match.arguments, address)
    return any(own_text(context.program, expr) for expr in given)


def _is_taken(expr: ir.Expr) -> bool:
    return isinstance(expr, (ir.Name, ir.Member, ir.Index))


def _given(context: Context, match: Match, said: str) -> Iterator[ir.Expr]:
    """What a tool is told of itself, where it is made."""
    address = match.row.properties.get(said)
    if isinstance(match.node, ir.Class):
        own = ((cls, call) for cls, call in constructions(context.program, match.node) if cls is match.node)
        for cls, call in own:  # a class that derives from it is a tool itself
            yield from objects.attribute(context.program, Instance(cls, call), said)
    elif address is not None and match.arguments is not None:
        yield from expressions(context.program, match.arguments, address)
