"""Tools that a branch runs which a word of the model's answer chooses: `if said.type == "action": run(said.command)`.

The function is a tool that is handed a part of the same answer and does something outside. What is only kept, and what
asks a model itself, is none; neither is what is told the name of the tool that a model's API says was called: it hands
the choice on, to servers of others as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.log_calls import says
from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.agents.answer_branches import (
    ACTING,
    KEEPING,
    PROTOCOL,
    Branch,
    acts,
    asks,
    branches,
    decides,
)
from agent_architecture.semantics.agents.offered.tool_descriptions import Described
from agent_architecture.semantics.callgraph.tool_arguments import taken_key
from agent_architecture.semantics.matching.wrappers import wrapping
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context

OUTWARD: Final = ACTING - KEEPING
NAME: Final = "name"
SEVERAL: Final = 2
"""Words for which a function does something outside, beside which each other word is the name of a tool as well."""
LAST: Final = frozenset(
    {"final", "final_answer", "finish", "answer", "respond", "reply", "done", "stop", "end", "exit"}
)
"""Words with which a model ends its work."""


def branched(
    context: Context, effects: Effects, nodes: Iterable[ir.Node], is_answered: Callable[[ir.Expr], bool]
) -> Iterator[tuple[Described, Branch, ir.Call]]:
    """The functions of the project that such branches among `nodes` run, each with its branch and the call. Beside
    several that do something outside, one that only reads or keeps something is a tool, too: `list_dir` beside `bash`.
    """
    found = [
        (branch, call, function)
        for branch, call, function in _answering(context, nodes, is_answered)
        if not _hands_on(context.program, branch, call)
    ]
    acting = {id(call) for _, call, _ in found if acts(context, effects, (call,), OUTWARD)}
    words: dict[int, set[str]] = {}
    for branch, call, _ in found:
        if id(call) in acting:
            words.setdefault(id(context.program.scope_of(call)), set()).add(branch.word)
    for branch, call, function in found:
        beside = words.get(id(context.program.scope_of(call)), set())
        if (id(call) in acting or (len(beside) >= SEVERAL and branch.word not in LAST)) and not asks(context, (call,)):
            yield Described(function, function.name, {}, (function,), degree=Degree.INFERRED), branch, call


def handing_on(
    context: Context, effects: Effects, nodes: Iterable[ir.Node], is_answered: Callable[[ir.Expr], bool]
) -> Iterator[ir.Call]:
    """The calls in such branches that hand the model's choice on, and come to something outside."""
    for branch, call, _ in _answering(context, nodes, is_answered):
        if _hands_on(context.program, branch, call) and acts(context, effects, (call,), OUTWARD):
            yield call


def _answering(
    context: Context, nodes: Iterable[ir.Node], is_answered: Callable[[ir.Expr], bool]
) -> Iterator[tuple[Branch, ir.Call, ir.Function]]:
    """The calls in such branches that are given a part of the answer, each with the one function that it runs."""
    for branch in branches(nodes):
        if decides(branch) and is_answered(branch.choice):
            for call in (node for node in ir.walk(*branch.body) if isinstance(node, ir.Call) and not says(node)):
                if any(is_answered(argument.value) for argument in call.args):
                    function = _run(context, call)
                    around = ir.functions_around(context.program.scope_of(call))
                    if function is not None and not any(one is function for one in around):  # else it goes round
                        yield branch, call, function


def _hands_on(program: Program, branch: Branch, call: ir.Call) -> bool:
    """Whether a call in a branch for any tool is given the name of one: `call_tool(server, block["name"], given)`."""
    return branch.word in PROTOCOL and _is_told_which(program, call)


def _is_told_which(program: Program, call: ir.Call) -> bool:
    """Whether a call is given the name of something."""
    for value in (argument.value for argument in call.args):
        written = only_value(program, value) if isinstance(value, ir.Name) else None
        if taken_key(value if written is None else written) == NAME:
            return True
    return False


def _run(context: Context, call: ir.Call) -> ir.Function | None:
    """The one function of the project that a call runs; of a function that a decorator wraps, the function itself."""
    program = context.program
    every = [one for one in program.callees(call) if one.name and one.name != CONSTRUCTOR]
    functions = [one for one in every if wrapping(program, one) is None]
    if every and not functions:
        name = callee_name(call.callee)
        functions = [f for m in program.modules for f in m.index.functions if f.name == name and f.decorators]
    return functions[0] if len(functions) == 1 else None
