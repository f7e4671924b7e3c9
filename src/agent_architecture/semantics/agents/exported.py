"""Agents that the project makes and that nothing in it is seen to run: somebody else runs them.

A run that cannot be followed to its agent may be that of any agent of its library; and a file that runs an agent of its
own runs those that it makes, or has no use for them. One that only runs what other files make says nothing of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import constructions
from agent_architecture.names.references import uncalled
from agent_architecture.names.values import Items
from agent_architecture.semantics.adapters.agent_framework import edges
from agent_architecture.semantics.adapters.autogen import nested_chats
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

EXPORTING: Final = "exported"
"""The kind of what hands agents to somebody outside."""

SENDING: Final = frozenset({"send", "a_send"})
"""Methods by which an agent sends a message to another one (AutoGen, AG2)."""

DRAWING: Final = "get_graph"
"""The method that gives what a graph looks like (LangGraph)."""

FAR: Final = ("a2a_client",)
"""Kinds of what is made where an agent stands for one elsewhere."""

Ran = tuple["Match", tuple["Match", ...]]
"""A run, and the agents that it may execute."""


def unrun(context: Context, agents: Agents, runs: Iterable[Ran]) -> Iterator[Match]:
    """The constructed agents that no run executes and no other construct takes, by position; of the application's
    those that nothing in it does.
    """
    ran = tuple(runs)
    begun = tuple(each for each in ran if not each[0].row.constants.get("inside"))  # a step runs nobody by itself
    unread = {_library(run) for run, found in begun if not found}
    running = {run.node.span.path for run, found in begun if not found or _runs_its_own(run, found)}
    taken = {id(agent.node) for run, found in ran for agent in found if _counts(context, run, agent)}
    taken |= set(_taken(context)) | set(_told(context)) | {id(match.node) for match in _joined(context, agents)}
    taken |= set(_only_drawn(context))
    for match in context.of_kind("agent"):
        is_made = _is_made(context, match) and context.at(match.node, *FAR) is None
        beside = match.node.span.path in running
        if is_made and not beside and id(match.node) not in taken and _library(match) not in unread:
            yield match


def _is_made(context: Context, match: Match) -> bool:
    """Whether an agent is made: by its call, or of the project's own class somewhere."""
    if not isinstance(match.node, ir.Class):
        return isinstance(match.node, ir.Call)
    return any(True for _ in constructions(context.program, match.node))


def _runs_its_own(run: Match, agents: tuple[Match, ...]) -> bool:
    return any(agent.node.span.path == run.node.span.path for agent in agents)


def _library(match: Match) -> tuple[str, bool]:
    return match.row.where.pack, is_python(match.node.span.path)


def _taken(context: Context) -> Iterator[int]:
    """The ids of the agents that something else is given, or has by a relation: a team, a graph, a tool."""
    for match in context.matches:
        reads = [at_call(context.program, match.arguments, match.api.receiver, a) for a in match.row.relations.values()]
        values = [value for read in reads for value in read.values]
        if match.row.kind != EXPORTING:
            values += [value for given in match.given for value in _given(context, given.value)]
        found = (made for made in context.made_by(values, "agent") if made.node is not match.node)
        yield from (id(made.node) for made in found if _counts(context, match, made))


def _counts(context: Context, taker: Match, agent: Match) -> bool:
    """Whether what takes an agent stands for it: a test or example of the application's agents does not."""
    return context.role(taker) in {Role.APP, Role.CONFIG, context.role(agent)}


def _only_drawn(context: Context) -> Iterator[int]:
    """The ids of the graphs that a function makes to show them, and keeps for itself."""
    program = context.program
    for call in (site.call for site in program.calls(DRAWING)):
        asked = call.callee.target if isinstance(call.callee, ir.Member) else None
        for made in context.made_by(program.value_of(asked), "agent") if asked is not None else ():
            scope = program.scope_of(made.node)
            if isinstance(scope, ir.Function) and not _leaves(program, scope, made.node):
                yield id(made.node)


def _leaves(program: Program, scope: ir.Function, node: ir.Node) -> bool:
    """Whether a function gives what it makes to somebody else than the project's own functions."""
    store = program.structure(scope).parent(node)
    places = [store]
    if isinstance(store, ir.Assign) and isinstance(store.target, ir.Name):
        named = uncalled(program, scope, store.target.id, (ir.Name,))
        places = [program.structure(scope).parent(each) for each in named if each is not store.target]
    return not all(
        isinstance(place, ir.Member) or (isinstance(place, ir.Call) and any(True for _ in program.callees(place)))
        for place in places
    )


def _told(context: Context) -> Iterator[int]:
    """The ids of the agents to which other agents send: whether these answer is what the sending call says."""
    program = context.program
    for name in sorted(SENDING):
        for call in (site.call for site in program.calls(name)):
            sender = call.callee.target if isinstance(call.callee, ir.Member) else None
            if sender is not None and context.made_by(program.value_of(sender), "agent"):
                values = [value for argument in call.args for value in program.value_of(argument.value)]
                yield from (id(made.node) for made in context.made_by(values, "agent"))
    for chat in nested_chats(context):
        yield from (id(sender.node) for sender in chat.senders if sender not in chat.owners)
        yield from (id(made.node) for made in context.made_by(program.value_of(chat.recipient), "agent"))


def _given(context: Context, expr: ir.Expr) -> Iterator[Value]:
    """What an argument is, and what stands in it where it is a list."""
    for value in context.program.value_of(expr):
        yield value
        if isinstance(value, Items):
            yield from (inner for item in value.items for inner in context.program.value_of(item))


def _joined(context: Context, agents: Agents) -> Iterator[Match]:
    """The agents that others hand over to, and those that stand in a workflow."""
    ends = {id(edge.target) for edge in agents.handoffs}
    ends |= {id(end) for edge in edges(context, agents) for end in (edge.source, edge.target)}
    return (match for match in context.of_kind("agent") if id(agents.agent_of(match)) in ends)
