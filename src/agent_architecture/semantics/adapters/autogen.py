"""What rows cannot say of AutoGen: tools and edges that are registered with an agent later, the edges of a GraphFlow.

Rules: autogen/agentchat/conversable_agent.py (`register_function` and the decorator `register_for_llm` give a tool to
the agent that may call it; each chat of `register_nested_chats` is one that its `sender`, or the agent itself, starts
with its `recipient`), autogen/tools/tool.py (a tool's own `register_for_llm` does, too),
autogen/agentchat/groupchat.py (`allowed_or_disallowed_speaker_transitions` says who may speak after whom, where the
type of transitions is "allowed"), autogen/agentchat/group/group_tool_executor.py (what a tool answers as `target`
speaks next), autogen_agentchat/teams/_group_chat/_graph (`add_edge` leads from one agent to another; a flow without a
cycle runs each agent once).
"""

from __future__ import annotations

from posixpath import commonpath
from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Handoff
from agent_architecture.names.values import Const, Entries, Items, Values
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.step_names import ANY
from agent_architecture.semantics.matching.makers import makers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Agent
    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

REGISTER: Final = "py:autogen.register_function"
ANSWERS: Final = {
    "py:autogen.agentchat.group.AgentNameTarget": "agent_name | 0",
    "py:autogen.agentchat.group.AgentTarget": "agent | 0",
    "py:autogen.agentchat.contrib.swarm_agent.SwarmResult": "agent",
}
"""What a tool answers to hand over, and where it says to whom."""
OF_TOOLS: Final = ("register_for_llm", "register_tool")
"""Methods of a tool or toolkit that give it to an agent."""
OF_SWARMS: Final = ("register_hand_off", "register_handoff", "register_handoffs")
NESTED: Final = "register_nested_chats"
GROUP: Final = "py:autogen.GroupChat"
FLOW: Final = "py:autogen_agentchat.teams.GraphFlow"
BUILDER: Final = "py:autogen_agentchat.teams.DiGraphBuilder"


def registered_tools(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The tools that are registered with an agent after it was made."""
    for site in context.program.calls("register_function"):
        if any(context.packs.canonical(api.path) == REGISTER for api in resolved(context.program, site.call.callee)):
            yield from ((agent, site.call) for agent in context.made_by(_at(context, site.call, "caller"), "agent"))
    for name in OF_TOOLS:
        for site in context.program.calls(name):
            tool = site.call.callee.target if isinstance(site.call.callee, ir.Member) else None
            if tool is not None and context.made_by(context.program.value_of(tool), "tool", "tool_set"):
                agents = context.made_by(_at(context, site.call, "agent | 0"), "agent")
                yield from ((agent, tool) for agent in agents)


def registered_handoffs(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The hand-overs of a swarm that are registered with an agent after it was made."""
    for name in OF_SWARMS:
        for site in context.program.calls(name):
            owner = site.call.callee.target if isinstance(site.call.callee, ir.Member) else None
            for agent in context.made_by(context.program.value_of(owner), "agent") if owner is not None else ():
                yield from ((agent, argument.value) for argument in site.call.args)


class NestedChat(NamedTuple):
    """A chat inside an agent's reply: whose, who starts it, and the expression that names with whom."""

    owners: tuple[Match, ...]
    senders: tuple[Match, ...]
    recipient: ir.Expr


def nested_chats(context: Context) -> Iterator[NestedChat]:
    """The chats that are registered with an agent, to be held whenever it is to reply."""
    for site in context.program.calls(NESTED):
        owner = site.call.callee.target if isinstance(site.call.callee, ir.Member) else None
        owners = context.made_by(context.program.value_of(owner), "agent") if owner is not None else ()
        for chat in _at(context, site.call, "chat_queue[] | 0[]") if owners else ():
            said = dict(chat.entries) if isinstance(chat, Entries) else {}
            if "recipient" in said:
                values = context.program.value_of(said["sender"]) if "sender" in said else ()
                senders = context.made_by(values, "agent") if values else owners
                yield NestedChat(owners, senders, said["recipient"])


def nested_handoffs(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """From whoever starts a nested chat to the one with whom."""
    for chat in nested_chats(context):
        yield from ((sender, chat.recipient) for sender in chat.senders)


def speaker_handoffs(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """Who may speak after whom in a group chat that allows only what it says."""
    for site in context.program.calls(last_name(GROUP)):
        if all(context.packs.canonical(api.path) != GROUP for api in resolved(context.program, site.call.callee)):
            continue
        kinds = _at(context, site.call, "speaker_transitions_type")
        if not any(isinstance(kind, Const) and kind.value == "allowed" for kind in kinds):
            continue
        for given in (a.value for a in site.call.args if a.keyword == "allowed_or_disallowed_speaker_transitions"):
            yield from _next_speakers(context, given)


def _next_speakers(context: Context, given: ir.Expr) -> Iterator[tuple[Match, ir.Expr]]:
    """The pairs in a mapping from each speaker to a list of those that may follow."""
    maps = [value.node for value in context.program.value_of(given) if isinstance(value, Entries)]
    for entry in (entry for node in maps if isinstance(node, ir.Map) for entry in node.entries):
        sources = context.made_by(context.program.value_of(entry.key), "agent") if entry.key is not None else ()
        lists = [value for value in context.program.value_of(entry.value) if isinstance(value, Items)]
        for target in (item for value in lists for item in value.items):
            yield from ((source, target) for source in sources)


def answered_handoffs(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """Hand-overs that a tool answers: `ReplyResult(target=AgentNameTarget("writer"))`, on the line that names whom."""
    tools = {id(agents.code[id(tool)]): tool for tool in agents.all_tools() if id(tool) in agents.code}
    for name, address in ANSWERS.items():
        for site in context.program.calls(last_name(name)):
            tool = next((tools[id(f)] for f in ir.functions_around(site.scope) if id(f) in tools), None)
            paths = {context.packs.canonical(api.path) for api in resolved(context.program, site.call.callee)}
            if tool is None or context.packs.canonical(name) not in paths:
                continue
            values = _at(context, site.call, address)
            named = {str(value.value) for value in values if isinstance(value, Const)}
            made = {id(agents.agent_of(match)) for match in context.made_by(values, "agent")}
            for source in (agent for agent in agents.agents if tool in agent.tools):
                peers = [agent for agent in agents.agents if agent.framework == source.framework]
                found = [a for a in peers if id(a) in made] or _nearest([a for a in peers if a.symbol in named], source)
                for target in found:
                    yield Handoff(
                        site.call.span, f"{source.symbol} → {target.symbol}", source.framework, source, target
                    )


def _nearest(found: list[Agent], source: Agent) -> list[Agent]:
    """Of several agents of one name, those nearest to whoever names them: of the same file, folder or project."""
    near = [len(commonpath((agent.span.path, source.span.path))) for agent in found]
    return [agent for agent, depth in zip(found, near, strict=True) if depth == max(near)]


def graph_flows(context: Context) -> dict[int, Built]:
    """The graph of every GraphFlow whose builder is in sight, by the node that makes the flow."""
    edges = _edges(context)
    found: dict[int, Built] = {}
    for match in context.of_kind("agent"):
        if context.packs.canonical(match.api.path) != FLOW:
            continue
        for value in _at(context, match.arguments, "graph | 1"):
            for node in makers(value):
                if id(node) in edges:
                    graph = found.setdefault(id(match.node), Built(passes=False))
                    graph.edges |= edges[id(node)]
                    graph.inner.extend(context.made_by(_at(context, match.arguments, "participants[] | 0[]"), "agent"))
    return found


def _edges(context: Context) -> dict[int, set[tuple[str, str]]]:
    """The edges of every graph builder, by the node that makes it."""
    found: dict[int, set[tuple[str, str]]] = {}
    for site in context.program.calls("add_edge"):
        for api in resolved(context.program, site.call.callee):
            if api.path.startswith(BUILDER):
                sources = _labels(context, _at(context, site.call, "source | 0"))
                targets = _labels(context, _at(context, site.call, "target | 1"))
                pairs = {(source, target) for source in sources for target in targets}
                for node in makers(api):
                    if isinstance(node, ir.Call):
                        found.setdefault(id(node), set()).update(pairs)
    return found


def _labels(context: Context, values: Values) -> tuple[str, ...]:
    """What stands for an agent in a graph: the name that is written, or the place where the agent is made."""
    labels = [str(value.value) for value in values if isinstance(value, Const)]
    labels.extend(repr(match.node.span) for match in context.made_by(values, "agent"))
    return tuple(labels) or (ANY,)


def _at(context: Context, call: ir.Call | ir.Map | None, address: str) -> Values:
    return at_call(context.program, call, None, parse_address(address)).values
