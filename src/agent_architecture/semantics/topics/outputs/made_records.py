"""Records that code makes of answers, and answers that several callers have: how much of what one does holds
for the answer.

Looks at calls and scopes alone; what checks an answer is for `outputs` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue
from agent_architecture.semantics.conversations.graph_channels import schemas
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Container

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def is_near(program: Program, parse: ir.Node, made: ir.Call) -> bool:
    """Whether a record is made of an answer's fields where it is taken apart, or by who has that done: one that takes a
    field up far away, beside much else, says nothing of the answer.
    """
    around, own = program.scope_of(parse), program.scope_of(made)
    ways = ((own, around), (around, own))
    return around is own or any(
        inner in program.callees(call) for outer, inner in ways for call in program.structure(outer).calls
    )


def remakes_state(context: Context, made: ir.Call, asked: Match) -> bool:
    """Whether what a graph gives back is only made into an object of its state: `State(**graph.invoke(given))`."""
    if asked.row.kind != "run":
        return False
    classes = {id(v.cls) for v in context.program.value_of(made.callee) if isinstance(v, ClassValue)}
    return not classes.isdisjoint(context.once(_states))


def _states(context: Context) -> frozenset[int]:
    """The ids of the classes that say what the states of graphs hold."""
    values = (value for match in context.of_kind("graph") for value in schemas(context, match))
    return frozenset(id(value.cls) for value in values if isinstance(value, ClassValue))


def answers_many(program: Program, asked: ir.Node) -> bool:
    """Whether a function around a request asks it for several callers: what one of them does with its answer says
    nothing of the others.
    """
    scope = program.scope_of(asked)
    sites = program.callers(scope) if isinstance(scope, ir.Function) else ()
    return len({id(site.call) for site in sites}) > 1


def stands_in_some(program: Program, parse: ir.Node, check: ir.Call, checking: Container[int]) -> bool:
    """Whether a check stands in one of several functions that a call behind a parse may run, and not in all of them
    (`checking` are the ids of those that check): the tools of one class check what they are given, another's do not.
    """
    home, scope = program.scope_of(check), program.scope_of(parse)
    if home is scope:
        return False
    for call in own_nodes(scope, ir.Call):
        run = program.callees(call)
        if any(each is home for each in run) and any(id(each) not in checking for each in run):
            return True
    return False
