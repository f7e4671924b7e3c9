"""Tools that a branch runs which a word of the model's answer chooses: `if said.type == "action": run(said.command)`.

The function is a tool that is handed a part of the same answer and does something outside. What is only kept, and what
asks a model itself, is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.semantics.agents.answer_branches import ACTING, KEEPING, Branch, acts, asks, branches, decides
from agent_architecture.semantics.agents.offered.tool_descriptions import Described
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context

OUTWARD: Final = ACTING - KEEPING


def branched(
    context: Context, effects: Effects, nodes: Iterable[ir.Node], is_answered: Callable[[ir.Expr], bool]
) -> Iterator[tuple[Described, Branch, ir.Call]]:
    """The functions of the project that such branches among `nodes` run, each with its branch and the call."""
    for branch in branches(nodes):
        if decides(branch) and is_answered(branch.choice):
            for call in (node for node in ir.walk(*branch.body) if isinstance(node, ir.Call)):
                if any(is_answered(argument.value) for argument in call.args):
                    yield from ((made, branch, call) for made in _run(context, effects, call))


def _run(context: Context, effects: Effects, call: ir.Call) -> Iterator[Described]:
    functions = [one for one in context.program.callees(call) if one.name and one.name != CONSTRUCTOR]
    if len(functions) == 1 and acts(context, effects, (call,), OUTWARD) and not asks(context, (call,)):
        (function,) = functions
        yield Described(function, function.name, {}, (function,), degree=Degree.INFERRED)
