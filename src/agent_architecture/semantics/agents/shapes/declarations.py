"""The tools that unknown decorators and calls declare, found once: agents are handed what these give back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Degree
from agent_architecture.names.values import Api, Func
from agent_architecture.semantics.agents.shapes.decorators import decorated
from agent_architecture.semantics.agents.shapes.registrars import registered
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def declaring(context: Context) -> dict[int, Described]:
    """The tools by the ids of the definitions and calls that declare them, those of decorators first."""
    found = (*decorated(context), *registered(context))
    return {id(tool.node): tool._replace(degree=Degree.INFERRED) for tool in reversed(found)}


def declared_by_shape(context: Context, value: Value, match: Match) -> Described | None:
    """The tool that something in a list of tools was declared as, by what no pack knows; a plain function that a known
    library is handed is a tool of that library.
    """
    if isinstance(value, Api):
        found = context.once(declaring).get(id(value.node))
        return found if found is not None or value.path.endswith(")") else _named(context, last_name(value.path))
    if isinstance(value, Func) and match.degree is not Degree.RESOLVED:
        return context.once(declaring).get(id(value.function))
    return None


def _named(context: Context, name: str) -> Described | None:
    """The one function of this name that is declared: it is imported from where something collects it at run time."""
    tools = context.once(declaring).values()
    named = [tool for tool in tools if isinstance(tool.node, ir.Function) and tool.node.name == name]
    return named[0] if len(named) == 1 else None
