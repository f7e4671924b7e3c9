"""CrewAI's relations that rows cannot say: delegation among a crew's agents, and the tools that tasks bring to them.

Rules: crewai/crew.py (`_prepare_tools`: an agent that may delegate gets, with its task, a tool for every other agent of
the crew; under the hierarchical process the manager alone does), crewai/task.py (`tools` are what the agent has for the
task).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Handoff
from agent_architecture.names.values import Api, Const, Values
from agent_architecture.semantics.manifests.ranges import is_below
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

CREW: Final = "py:crewai.Crew"
TASK: Final = "py:crewai.Task"
DELEGATING_BY_DEFAULT: Final = "0.60.0"
"""Before this version `allow_delegation` was true unless it was switched off (crewai/agent.py)."""


def delegations(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """The edges from each agent that may delegate to the other agents of its crew, on the line that allows it."""
    for call in crew_calls(context, CREW):
        members = context.made_by(_at(context, call, "agents[]") or _at(context, call, "tasks[].agent"), "agent")
        managers = context.made_by(_at(context, call, "manager_agent"), "agent")
        if is_hierarchical(context, call):
            places = [(manager, _place(context, call, "manager_agent")) for manager in managers]
        else:
            working = _working(context, call)
            able = [member for member in members if working is None or member in working]
            places = [(member, _delegates(context, member)) for member in able]
        for match, place in places:
            source = agents.agent_of(match)
            for member in members if place is not None else ():
                target = agents.agent_of(member)
                if place is not None and member is not match:
                    yield Handoff(place, f"{source.symbol} → {target.symbol}", source.framework, source, target)


def task_tools(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The tools that tasks bring to their agents."""
    for call in crew_calls(context, TASK):
        address = parse_address("agent | config.agent")
        for agent in context.made_by(at_call(context.program, call, None, address).values, "agent"):
            for tools in expressions(context.program, call, parse_address("tools | config.tools")):
                yield from ((agent, each) for each in (tools.items if isinstance(tools, ir.List) else (tools,)))


# ---------------------------------------------------------------------------------------------------------------- crews
def crew_calls(context: Context, path: str) -> Iterator[ir.Call]:
    """The calls that make crews or tasks."""
    for site in context.program.calls(last_name(path)):
        if any(context.packs.canonical(api.path) == path for api in resolved(context.program, site.call.callee)):
            yield site.call


def _at(context: Context, call: ir.Call | ir.Map | None, address: str) -> Values:
    return at_call(context.program, call, None, parse_address(address)).values


def _working(context: Context, crew: ir.Call) -> tuple[Match, ...] | None:
    """The agents that do the tasks of a crew; None where not all of them can be read. Nobody else of a sequential crew
    works, so nobody else delegates.
    """
    found: list[Match] = []
    tasks = _at(context, crew, "tasks[]")
    for task in tasks:
        made = task.node if isinstance(task, Api) and isinstance(task.node, ir.Call) else None
        agents = () if made is None else context.made_by(_at(context, made, "agent | config.agent"), "agent")
        if not agents:
            return None
        found += agents
    return tuple(found) or None


def _place(context: Context, call: ir.Call, address: str) -> Span | None:
    return next((expr.span for expr in expressions(context.program, call, parse_address(address))), None)


def is_hierarchical(context: Context, call: ir.Call) -> bool:
    """Whether a manager gives a crew its work."""
    return any(isinstance(v, Api) and last_name(v.path) == "hierarchical" for v in _at(context, call, "process"))


def _delegates(context: Context, agent: Match) -> Span | None:
    """Where an agent is allowed to delegate; None when it is not."""
    written = _at(context, agent.arguments, "allow_delegation | config.allow_delegation")
    allowed = [value.span for value in written if isinstance(value, Const) and value.value is True]
    if written:
        return allowed[0] if allowed else None
    version = context.versions.of("pypi", "crewai", agent.node.span.path).version
    return agent.node.span if is_below(version, DELEGATING_BY_DEFAULT) else None
