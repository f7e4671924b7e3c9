"""What joins an agent after it was made: tools, hand-overs and members that are added, assigned or decorated.

Finds the expressions; what they are, `agents` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.named_parts import part_of
from agent_architecture.names.values import Api, Func, Instance, Items
from agent_architecture.semantics.adapters.agency_swarm import charted_handoffs
from agent_architecture.semantics.adapters.agent_framework import added_handoffs
from agent_architecture.semantics.adapters.autogen import (
    nested_handoffs,
    registered_handoffs,
    registered_tools,
    speaker_handoffs,
)
from agent_architecture.semantics.adapters.crewai import task_tools
from agent_architecture.semantics.adapters.fast_agent import named_members, shared_tools
from agent_architecture.semantics.adapters.langgraph import tool_nodes
from agent_architecture.semantics.adapters.langroid import agents_of_sub_tasks
from agent_architecture.semantics.adapters.semantic_kernel import handoffs_in_words, kernel_plugins
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.matching.set_attributes import set_attributes
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

MUTATORS: Final = (
    "append", "extend", "push", "add", "insert", "update",
    "add_many", "add_llm_condition", "add_llm_conditions", "add_context_condition", "add_context_conditions",
    "add_after_work", "add_after_works", "set_after_work",
)  # fmt: skip
"""Methods that add to a list or set, or to AG2's collection of handoffs; what they are given joins the relation."""

HOOKS: Final = ("guard", "approval")
RELATIONS: Final = ("tools", "handoffs", "agents", "mcp_servers")
_ASSIGNED: Final = ("tools", "handoffs", "agents")


def joined_later(context: Context) -> dict[tuple[int, str], list[ir.Expr]]:
    """What joins an agent's relations after it was made: `agent.handoffs.append(x)`, `agent.tools = [...]`."""
    found: dict[tuple[int, str], list[ir.Expr]] = {}
    for owner, relation, expr in (*_added(context), *set_attributes(context, _ASSIGNED)):
        for match in context.made_by(context.program.value_of(owner), "agent"):
            found.setdefault((id(match.node), relation), []).append(expr)
    lifted = (task_tools, registered_tools, tool_nodes, kernel_plugins, shared_tools, _decorated, _brought)
    for match, tools in (joined for lifter in lifted for joined in lifter(context)):
        found.setdefault((id(match.node), "tools"), []).append(tools)
    told = (registered_handoffs, nested_handoffs, speaker_handoffs, added_handoffs, handoffs_in_words, charted_handoffs)
    for match, edges in (joined for lifter in told for joined in lifter(context)):
        found.setdefault((id(match.node), "handoffs"), []).append(edges)
    for match, agent in agents_of_sub_tasks(context):
        found.setdefault((id(match.node), "agents"), []).append(agent)
    for match, relation, agent in named_members(context):
        found.setdefault((id(match.node), relation), []).append(agent)
    return found


def _brought(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """What brings tools to the agent that it is given to, beside its list of tools: `Agent(…, knowledge=…)`."""
    for match in context.of_kind("agent"):
        address = match.row.relations.get("toolkits")
        if address is not None and () in address.alternatives and _is_of_project(context, match):
            yield match, match.node
        if address is not None and match.arguments is not None:
            for expr in expressions(context.program, match.arguments, address):
                values = context.program.value_of(expr)
                yield from ((match, brought) for brought in _toolkits(context, expr, values))
                yield from ((match, function) for function in _registered(context, values))


def _toolkits(context: Context, expr: ir.Expr, values: Values) -> Iterator[ir.Expr]:
    """What of an argument are tools: itself, or what a function gives that is called for each run (`backend=lambda
    runtime: …`). A function that does something else for a library (a hook) is none.
    """
    if context.made_by(values, "tool", "given_tool", "tool_set") or any(isinstance(value, Items) for value in values):
        yield expr
        return
    functions = [value.function for value in values if isinstance(value, Func)]
    given = [text for function in functions for text in context.program.structure(function).returns]
    made = [text for text in given if context.made_by(context.program.value_of(text), "tool", "tool_set")]
    yield from made
    if not made and any(context.at(function, *HOOKS) is None for function in functions):
        yield expr


def _is_of_project(context: Context, match: Match) -> bool:
    """Whether an agent is an object of a class of the project, of which a library takes the methods that are tools."""
    return isinstance(match.node, ir.Call) and any(
        isinstance(value, Instance) for value in context.program.value_of(match.node)
    )


def _registered(context: Context, registries: Values) -> Iterator[ir.Function]:
    """Functions that a decorator of a registry makes tools: `@tools.action("Search")`."""
    nodes = {id(value.node) for value in registries if isinstance(value, Api) and isinstance(value.node, ir.Call)}
    for match in context.of_kind("tool") if nodes else ():
        if isinstance(match.node, ir.Function) and any(id(api.node) in nodes for api in receivers(match.api)):
            yield match.node


def _decorated(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """Functions that a decorator of an agent makes its tools: `@agent.tool`, `agent.tool(name)(function)`."""
    for match in context.of_kind("tool"):
        agent = context.made(match.api, "agent") if isinstance(match.node, ir.Function) else None
        if agent is not None and isinstance(match.node, ir.Function):
            by_hand = match.through[0] if len(match.through) == 1 else None
            yield agent, by_hand.args[0].value if isinstance(by_hand, ir.Call) and by_hand.args else match.node


def _added(context: Context) -> Iterator[tuple[ir.Expr, str, ir.Expr]]:
    for name in MUTATORS:
        for site in context.program.calls(name):
            callee = site.call.callee
            joined = part_of(context.program, callee.target) if isinstance(callee, ir.Member) else callee
            if isinstance(joined, ir.Member) and joined is not callee and joined.name in RELATIONS:
                for argument in site.call.args:
                    yield joined.target, joined.name, argument.value
