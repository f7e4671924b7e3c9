"""Changes of a pass that the model is not asked with in the next one, although they are made where it is asked from.

What a pass writes down for the one thing it is about (`for key in table: table[key] = ask(key)`), what is computed
again when it is out of date (`if self.cache["of"] != text: self.cache = index(text)`), and what begins with nothing in
it (`context = Context()`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.patterns import leaves
from agent_architecture.names.values import Instance
from agent_architecture.semantics.loops.model_inputs import Pass, holds_answer, places_of
from agent_architecture.semantics.taint.access_paths import places_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.loop_path import Path
    from agent_architecture.semantics.taint.access_paths import Place


FIRST: Final = frozenset({ir.Op.NULLISH, ir.Op.OR})
"""Operators of assignments that fill what is empty: `pool ??= build()`."""


def kept_to_itself(program: Program, path: Path, place: Place, change: ir.Node) -> bool:
    """Whether a change of a place carries nothing of this pass's answer to the next one."""
    if not isinstance(change, ir.Assign) or change.op not in {None, *FIRST}:
        return False
    own = _is_own_entry(program, path, place, change) or _is_recomputed(program, path, place, change)
    return own or _is_blank(program, change)


def _is_own_entry(program: Program, path: Path, place: Place, change: ir.Assign) -> bool:
    """Whether a loop over a table writes the entry under the key that its pass is about, and asks with keys alone."""
    loop, target = path.node, change.target
    if not isinstance(loop, ir.Loop) or loop.target is None or not isinstance(target, ir.Index):
        return False
    source = loop.source
    over = isinstance(source, ir.Name) and isinstance(target.target, ir.Name) and source.id == target.target.id
    if not over or _names(target.key) != _names(loop.target):
        return False
    beside = Pass(path.passes - _answers(path), _answers(path), loop)
    calls = (ask.node for ask in path.asks if isinstance(ask.node, ir.Call))
    return not any(place in places_of(program, call, beside) for call in calls)


def _names(expr: ir.Expr) -> tuple[str, ...]:
    return tuple(node.id for leaf in leaves(expr) if isinstance(node := leaf.place, ir.Name))


def _is_recomputed(program: Program, path: Path, place: Place, change: ir.Assign) -> bool:
    """Whether an attribute or variable is filled under a test of itself, with what holds no answer of the pass."""
    if not isinstance(change.target, (ir.Name, ir.Member)) or change.value is None:
        return False
    structure = program.structure(program.scope_of(change))
    tests = (node.test for node in structure.enclosing(change, ir.If))
    if change.op not in FIRST and not any(
        place in places_at(program, node) for test in tests for node in ir.walk(test)
    ):
        return False
    return not holds_answer(program, change.value, Pass(path.passes, _answers(path)))


def _is_blank(program: Program, change: ir.Assign) -> bool:
    """Whether what is assigned was made of nothing: `state = State()`. What is put into it later is a change, too."""
    values = program.value_of(change.value) if change.value is not None else ()
    return bool(values) and all(isinstance(v, Instance) and v.call is not None and not v.call.args for v in values)


def _answers(path: Path) -> frozenset[int]:
    return frozenset(id(step.node) for step in path.steps) | {id(ask.node) for ask in path.asks}
