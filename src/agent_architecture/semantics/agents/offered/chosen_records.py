"""Records of tools that a dispatcher finds by the name that the model wrote, and runs by a branch for each name:
`tool = tools.find((t) => t.name === asked)`, `switch (asked) { case "search": … }`.

The record says what the tool is called and does, the branch is its code. Records by which only a text or a value is
chosen, and those for which no branch asks, are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.agents.answer_branches import Branch, acts, branches, decides
from agent_architecture.semantics.callgraph.lookups import TAKING, lookups, words_for
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.callgraph.lookups import Lookup
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context

SEVERAL: Final = 2
"""Words for which one function branches that may be the names of records."""


def recorded(
    context: Context,
    effects: Effects,
    nodes: Iterable[ir.Node],
    is_answered: Callable[[ir.Expr], bool],
    held: Callable[[Lookup], Iterable[Described]],
) -> Iterator[tuple[Described, ir.Call]]:
    """The records among those that `held` says a look-up may give whose names branches among `nodes` ask for, each with
    the first call of its branch; some branch of them acts outside.
    """
    every = tuple(nodes)
    by_scope: dict[int, dict[str, Branch]] = {}
    for branch in branches(every):
        if decides(branch) and any(map(is_answered, words_for(context.program, branch.choice))):
            by_scope.setdefault(id(context.program.scope_of(branch.choice)), {}).setdefault(branch.word, branch)
    by_scope = {key: found for key, found in by_scope.items() if len(found) >= SEVERAL}
    looked = (node for node in every if by_scope and isinstance(node, (ir.Index, ir.Call)) and _looks_up(node))
    for node in (one for one in looked if id(context.program.scope_of(one)) in by_scope):
        found = by_scope[id(context.program.scope_of(node))]
        tools = [
            (tool, found[tool.name])
            for tool in _found(context.program, node, is_answered, held)
            if tool.name in found and not tool.functions
        ]
        if any(acts(context, effects, branch.body) for _, branch in tools):
            for tool, branch in tools:
                call = next((each for each in ir.walk(*branch.body) if isinstance(each, ir.Call)), None)
                yield from () if call is None else ((tool._replace(degree=Degree.INFERRED), call),)


def _found(
    program: Program,
    node: ir.Expr,
    is_answered: Callable[[ir.Expr], bool],
    held: Callable[[Lookup], Iterable[Described]],
) -> Iterator[Described]:
    for one in lookups(program, node):
        if is_answered(one.key):
            yield from held(one)


def _looks_up(node: ir.Index | ir.Call) -> bool:
    """Whether a node may take something out of a container."""
    if isinstance(node, ir.Index):
        return not isinstance(node.key, (ir.Literal, ir.Slice))
    name = callee_name(node.callee)
    return name == "next" or (name in TAKING and isinstance(node.callee, ir.Member) and bool(node.args))
