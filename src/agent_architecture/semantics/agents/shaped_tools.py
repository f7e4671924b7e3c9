"""The tools that are recognised by their shape alone, joined with those that are known already: what repeats one, a
definition table, a schema beside the object that runs, is no second one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Degree, weakest
from agent_architecture.semantics.agents.left_over_kinds import is_left_over
from agent_architecture.semantics.agents.shapes.declarations import declaring
from agent_architecture.semantics.agents.shapes.kinds import kinds_of_tools
from agent_architecture.semantics.agents.shapes.objects import objects
from agent_architecture.semantics.agents.shapes.schema_lists import listed
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


def shaped(context: Context, agents: Agents) -> None:
    """Remember the tools that only their shape shows; those that can be run come first, what only lists them last."""
    program = context.program
    _remember(program, agents, context.once(declaring).values())
    for reader in (kinds_of_tools, objects):
        _remember(program, agents, reader(context))
    _remember(program, agents, listed(context, agents.facts))


def _remember(program: Program, agents: Agents, found: Iterable[Described]) -> None:
    known = _Known(program, agents)
    for tool in found:
        if not known.has(tool) and not is_left_over(program, tool):
            degree = weakest((tool.degree, Degree.INFERRED))
            known.add(agents.of_described(tool._replace(degree=degree), ""), tool)


class _Known:
    """The tools that are known: their places, names and code."""

    def __init__(self, program: Program, agents: Agents) -> None:
        self._spans: dict[str, list[Span]] = {}
        code = tuple(agents.running().values())
        self._code = {id(function) for own in code for function in (own, *_handed_to(program, own))}
        self._names: set[tuple[bool, str]] = set()
        for tool in agents.known_tools():
            self._note(tool)

    def _note(self, tool: Tool) -> None:
        self._spans.setdefault(tool.span.path, []).append(tool.span)
        self._names.add((is_python(tool.span.path), tool.name))

    def has(self, tool: Described) -> bool:
        """Whether a tool is known: it stands in or around one, runs the same code (also where a known one only hands
        its call on to that), or only repeats a name.
        """
        span = tool.node.span
        places = self._spans.get(span.path, ())
        if any(span.contains(place) or place.contains(span) for place in places):
            return True
        if any(id(function) in self._code for function in tool.functions):
            return True
        return not tool.functions and (is_python(span.path), tool.name) in self._names

    def add(self, made: Tool, tool: Described) -> None:
        """Note a tool that is known from now on."""
        self._note(made)
        self._code |= {id(function) for function in tool.functions}


def _handed_to(program: Program, function: ir.Function) -> Iterator[ir.Function]:
    """The functions of the project whose answer is what a function answers: it stands before them."""
    for value in program.structure(function).returns:
        call = value.value if isinstance(value, ir.Await) else value
        if isinstance(call, ir.Call):
            yield from program.callees(call)
