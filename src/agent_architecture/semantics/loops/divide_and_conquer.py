"""Recursions that go through the parts of what they were given: a question that is split in two, a tree, a folder.

How deep they go was there before they began; no answer of a model makes another round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.semantics.loops.model_inputs import Pass, holds_answer
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.loop_path import Path


def divides(program: Program, path: Path) -> bool:
    """Whether every way round of a recursion leads through a call for each element of a list that no model answered."""
    if not isinstance(path.node, ir.Function):
        return False
    members = {id(one): one for one in (path.node, *(function for function, _ in path.members.called))}
    around = Pass(path.passes, frozenset(id(ask.node) for ask in path.asks))
    calls: dict[int, list[int]] = {key: [] for key in members}
    divided = False
    for key, function in members.items():
        for call in program.structure(function).calls:
            entered = [id(one) for one in program.callees(call) if id(one) in members]
            if entered and _is_for_a_part(program, call, around):
                divided = True
            else:
                calls[key].extend(entered)
    return divided and not _comes_round(calls)


def _comes_round(calls: Mapping[int, Sequence[int]]) -> bool:
    """Whether some function is reached from itself."""
    left = dict(calls)
    while ends := [key for key, entered in left.items() if not any(one in left for one in entered)]:
        for key in ends:
            del left[key]
    return bool(left)


def _is_for_a_part(program: Program, call: ir.Call, around: Pass) -> bool:
    """Whether a call is handed the element of a loop around it, over what holds no answer."""
    names = [argument.value for argument in call.args if isinstance(argument.value, ir.Name)]
    loops = {binding.node for name in names for binding in visible_bindings(program, name) if binding.kind == "loop"}
    ancestors = program.structure(program.scope_of(call)).ancestors(call)
    sources = [one.source for one in ancestors if isinstance(one, ir.Loop) and one in loops and one.source is not None]
    return bool(sources) and not any(holds_answer(program, source, around) for source in sources)
