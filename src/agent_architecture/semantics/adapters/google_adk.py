"""Google ADK's relations that rows cannot say: transfers, what workflow agents repeat, the edges of workflows, and the
agent that `adk` runs.

Rules: google/adk/flows/llm_flows/extensions/_agent_transfer.py (`_get_transfer_targets`: a model may transfer to its
sub-agents, and unless that is switched off back to its parent and to its peers, when the parent has a model, too),
google/adk/workflow/_graph.py (`EdgeItem`: an edge, or a chain of nodes; a tuple in it is several nodes, a mapping one
node for each route; JavaScript the same), google/adk/cli/utils/agent_loader.py (`root_agent` of a package is what
`adk run`, `adk web` and deployments start).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Handoff
from agent_architecture.names.values import Api, Const, Entries, Items, Value, Values
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.step_names import START
from agent_architecture.semantics.matching.adk_configs import is_root
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

PACK: Final = "google-adk"
MODEL_AGENTS: Final = frozenset({"LlmAgent"})
WORKFLOWS: Final = frozenset({"Workflow"})
PIPELINES: Final = frozenset({"SequentialAgent", "ParallelAgent", "LoopAgent", "RoutedAgent"})
CHILDREN: Final = "sub_agents[] | 0.subAgents[] | 0.agents.* | 0.agents[]"
TO_PARENT: Final = "disallow_transfer_to_parent | 0.disallowTransferToParent"
TO_PEERS: Final = "disallow_transfer_to_peers | 0.disallowTransferToPeers"
EDGES: Final = "edges | 0.edges"
FROM: Final = "from_node | 0"
TO: Final = "to_node | 1"
ROOTS: Final = ("root_agent", "rootAgent", "app")
"""Names under which `adk` looks for what it runs: an agent, or an `App` with one."""
_NAMED: Final = regex("|".join(ROOTS).encode())


def transfers(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """The transfers from sub-agents back to their parent and to each other, on the line that makes them sub-agents."""
    for parent in _agents(context, MODEL_AGENTS):
        children = [
            (child, expr.span)
            for expr, values in agents.bound(parent, "handoffs")
            for child in context.made_by(values, "agent")
        ]
        for child, place in children:
            if _kind(context, child) not in MODEL_AGENTS:
                continue
            targets = [parent] if not _is_on(context, child, TO_PARENT) else []
            if not _is_on(context, child, TO_PEERS):
                targets += [peer for peer, _ in children if peer is not child]
            source = agents.agent_of(child)
            for target in map(agents.agent_of, targets):
                yield Handoff(place, f"{source.symbol} → {target.symbol}", source.framework, source, target)


def pipelines(context: Context) -> dict[int, Built]:
    """What workflow agents run, by the node that makes them: a loop repeats, a pipeline only what its agents repeat."""
    found: dict[int, Built] = {}
    for match in _agents(context, PIPELINES):
        graph = found[id(match.node)] = Built(passes=_kind(context, match) == "LoopAgent")
        read = at_call(context.program, match.arguments, None, parse_address(CHILDREN))
        graph.inner.extend(context.made_by(read.values, "agent"))
    for match in _agents(context, WORKFLOWS):
        edges = at_call(context.program, match.arguments, None, parse_address(EDGES)).values
        if edges and all(isinstance(value, Items) and value.complete for value in edges):
            found[id(match.node)] = _workflow(context, edges)
    return found


def _workflow(context: Context, edges: Values) -> Built:
    graph = Built(passes=False)
    for item in (item for value in edges if isinstance(value, Items) for item in value.items):
        for value in context.program.value_of(item):
            chain = [_nodes(context, graph, context.program.value_of(e)) for e in _elements(value)]
            if isinstance(value, Api):
                ends = (at_call(context.program, _call(value), None, parse_address(end)).values for end in (FROM, TO))
                chain = [_nodes(context, graph, values) for values in ends]
            for sources, targets in pairwise(chain):
                graph.edges |= {(source, target) for source in sources for target in targets}
    return graph


def _nodes(context: Context, graph: Built, values: Values) -> set[str]:
    """The nodes that an element of a chain stands for, each by what makes it."""
    found: set[str] = set()
    for value in values:
        inner = _elements(value)
        if inner:
            found |= {name for expr in inner for name in _nodes(context, graph, context.program.value_of(expr))}
            continue
        agents = context.made_by((value,), "agent")
        graph.inner.extend(agents)
        node = getattr(value, "function", None) or getattr(value, "node", None)
        found.add(f"{id(agents[0].node if agents else node)}" if agents or node is not None else START)
    graph.nodes |= found
    return found


def _elements(value: Value) -> tuple[ir.Expr, ...]:
    if isinstance(value, Items):
        return value.items
    return tuple(entry for _, entry in value.entries) if isinstance(value, Entries) else ()


def root_agents(context: Context) -> tuple[Match, ...]:
    """The agents that `adk` starts: what a module calls `root_agent`, or gives to the `App` that it calls `app`."""
    found = {id(m.node): m for m in _agents(context) if isinstance(m.node, ir.Map) and is_root(m.node.span.path)}
    for module in context.program.modules if any(_agents(context)) else ():
        file = context.program.table.file(module.path)
        bindings = context.program.bindings(module) if file is not None and _NAMED.search(file.data) else {}
        for binding in (b for name in ROOTS for b in bindings.get(name, ())):
            for value in context.program.value_of(binding.value) if binding.value is not None else ():
                for match in context.made_by((value, *_root_of(context, value)), "agent"):
                    if match.row.where.pack == PACK:
                        found[id(match.node)] = match
    return tuple(found.values())


def _root_of(context: Context, app: Value) -> Values:
    """The agent that an `App` is given."""
    call = _call(app) if isinstance(app, Api) and last_name(app.path) == "App" else None
    return at_call(context.program, call, None, parse_address("root_agent | 0.rootAgent")).values


def _call(made: Api) -> ir.Call | None:
    return made.node if isinstance(made.node, ir.Call) else None


def _agents(context: Context, kinds: frozenset[str] = frozenset()) -> Iterator[Match]:
    for match in context.of_kind("agent"):
        if match.row.where.pack == PACK and (not kinds or _kind(context, match) in kinds):
            yield match


def _kind(context: Context, match: Match) -> str:
    return last_name(context.packs.canonical(match.api.path))


def _is_on(context: Context, match: Match, address: str) -> bool:
    values = at_call(context.program, match.arguments, None, parse_address(address)).values
    return any(isinstance(value, Const) and value.value is True for value in values)
