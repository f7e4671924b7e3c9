"""What rows cannot say of fast-agent: its agents name each other, and a run names its agent.

The decorators of one `FastAgent` declare agents by name; a workflow names its members (`sequence=["reader"]`), and the
application that `fast.run()` gives has an attribute for each (fast_agent/core/agent_app.py: `AgentApp.__getattr__`). A
run that names none asks the agent that is declared as the default one, or was registered first: decorators register
from the function upwards (`default_agent.py`). `@fast.tool` gives a function to all agents that list none
(`direct_decorators.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Const
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.addresses import Address

PACK: Final = "fast-agent"
MEMBERS: Final = parse_address("sequence[] | fan_out[] | agents[] | generator | worker")
LAST: Final = parse_address("fan_in | evaluator")
DEFAULT: Final = parse_address("default")
OWN_TOOLS: Final = parse_address("function_tools")
ASKED: Final = parse_address("agent_name | 1")
TAKING: Final = (".agent", ".custom")
"""The decorators whose agents take functions as tools."""
ANY: Final = "interactive"
"""The method that talks to a person, who may turn to any agent."""


def named_members(context: Context) -> Iterator[tuple[Match, str, ir.Expr]]:
    """Each agent with those that it names: its members, and who puts together or judges what they answer."""
    for match in _agents(context):
        for relation, address in (("agents", MEMBERS), ("handoffs", LAST)):
            names = _texts(context, match, address)
            for one in _beside(context, match):
                if isinstance(one.node, ir.Call) and _name(context, one) in names:
                    yield match, relation, one.node


def shared_tools(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """Each agent that lists no functions with those that are declared for all."""
    for tool in context.of_kind("tool"):
        if tool.row.where.pack == PACK and isinstance(tool.node, ir.Function):
            for agent in (one for one in _beside(context, tool) if one.api.path.endswith(TAKING)):
                if not at_call(context.program, agent.arguments, None, OWN_TOOLS).values:
                    yield agent, tool.node


def asked_agents(context: Context, run: Match) -> tuple[Match, ...]:
    """The agents that a run of the application may ask."""
    if run.row.where.pack != PACK or not isinstance(run.node, ir.Call):
        return ()
    agents = tuple(_beside(context, run))
    callee = run.node.callee
    named = _texts(context, run, ASKED) or _attribute(context, callee)
    found = tuple(one for one in agents if _name(context, one) in named)
    if found or (isinstance(callee, ir.Member) and callee.name == ANY):
        return found or agents
    flagged = tuple(one for one in agents if at_call(context.program, one.arguments, None, DEFAULT).values)
    return flagged or agents[-1:]


def _agents(context: Context) -> Iterator[Match]:
    yield from (match for match in context.of_kind("agent") if match.row.where.pack == PACK)


def _beside(context: Context, match: Match) -> Iterator[Match]:
    """The agents that are declared on the same object."""
    own = {id(api.node) for api in receivers(match.api)}
    yield from (one for one in _agents(context) if own & {id(api.node) for api in receivers(one.api)})


def _texts(context: Context, match: Match, address: Address) -> frozenset[str]:
    found: set[str] = set()
    for steps in address.alternatives:
        read = at_call(context.program, match.arguments, None, address._replace(alternatives=(steps,)))
        found |= {value.value for value in read.values if isinstance(value, Const) and isinstance(value.value, str)}
    return frozenset(found)


def _name(context: Context, match: Match) -> object:
    return next(iter(effective(context, match, "name").values), "default")


def _attribute(context: Context, callee: ir.Expr) -> frozenset[str]:
    """The words between the application and the call: `agent.writer.send`, `agent["writer"].send`, `agent.writer`."""
    words: set[str] = set()
    at = callee
    while isinstance(at, (ir.Member, ir.Index)):
        values = context.program.value_of(at.key) if isinstance(at, ir.Index) else ()
        words |= {str(value.value) for value in values if isinstance(value, Const)}
        words |= {at.name} if isinstance(at, ir.Member) else set()
        at = at.target
    return frozenset(words)
