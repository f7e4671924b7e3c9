"""The step that a `Send` names: its code, and the code of the graphs that it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Const, Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.loops.sites import run_agents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.syntax import ir


class Sent(NamedTuple):
    """What the step runs itself, and what the graphs do that it is or runs."""

    own: tuple[ir.Node, ...] = ()
    agents: tuple[Match, ...] = ()
    inner: tuple[ir.Node, ...] = ()


def sent_to(work: Work, graphs: Graphs, send: ir.Call) -> Sent:
    """The step that a `Send` names; empty where it cannot be found."""
    program = work.context.program
    names = {v.value for v in program.value_of(send.args[0].value) if isinstance(v, Const)} if send.args else set()
    own: list[ir.Node] = []
    agents: list[Match] = []
    for site in (site for method in ("add_node", "addNode") for site in program.calls(method)):
        given = [argument.value for argument in site.call.args][:2]
        named = given and any(isinstance(v, Const) and v.value in names for v in program.value_of(given[0]))
        for expr in given[1:] if named else ():
            values = program.value_of(expr)
            own.extend(node for value in values if isinstance(value, Func) for node in value.function.body)
            agents.extend(work.context.made_by(values, "agent", "graph"))
    runs = (ask for ask in work.inside(*own).asks if ask.row.kind == "run")
    agents.extend(agent for run in runs for agent in run_agents(work.context, run))
    return Sent(tuple(own), tuple(agents), tuple(_code(graphs, agents)))


def _code(graphs: Graphs, agents: Iterable[Match]) -> Iterator[ir.Node]:
    """What the steps of graphs run."""
    return (node for agent in agents for function in graphs.functions(agent) for node in function.body)
