"""What keeps a container of hand-written code small, whose it is, and whether something is taken out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Origin, Setting, written
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.mutations import changes_of_attribute, changes_of_name, key_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.session_state import kept_as
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import Read, to_setting
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.mutations import Change
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

TAKING: Final = frozenset({"clear", "pop", "popitem", "popleft", "shift", "splice", "delete", "remove"})
"""Methods that take something out of a container."""


class Limits(NamedTuple):
    """Settings of a memory."""

    bound: Setting = ABSENT
    overflow: Setting = ABSENT
    namespace: Setting = ABSENT
    deletes: Setting = ABSENT


def limits_of(program: Program, owner: ir.Class | ir.Module, binding: Binding) -> Limits:
    """The limits of the container that a binding makes."""
    name = binding.name
    changes: tuple[Change, ...]
    if isinstance(owner, ir.Module):
        changes = changes_of_name(program, owner, name)
        others: tuple[Binding, ...] = ()
    else:
        changes = changes_of_attribute(program, owner, name)
        others = tuple(b for b in program.attributes(owner).get(name, ()) if b.node is not binding.node)
    keys = [key for change in changes if (key := key_of(change)) is not None and not isinstance(key, ir.Literal)]
    bound = next(_bounds(program, binding, others), ABSENT)
    return Limits(
        bound,
        written("drop", bound.span or binding.node.span) if bound is not ABSENT else ABSENT,
        written(dotted(keys[0]) or "a key", keys[0].span) if keys else ABSENT,
        next(_taken(program, owner, name), next(_emptied(program, others), ABSENT)),
    )


def _bounds(program: Program, binding: Binding, others: tuple[Binding, ...]) -> Iterator[Setting]:
    """A container of a fixed length, and a slice of itself that replaces it."""
    made = binding.value
    for argument in made.args if isinstance(made, ir.Call) else ():
        if argument.keyword == "maxlen":
            yield size_kept(program, argument.value)
    for other in others:
        size = kept_of(other.value, binding.name)
        if size is not None:
            yield size_kept(program, size)


def kept_of(value: ir.Expr | None, name: str) -> ir.Expr | None:
    """What says how much of a container a slice of it keeps: `n` of `x[-n:]` and of `x.slice(-n)`."""
    match value:
        case ir.Index(target=target, key=ir.Slice(lower=lower, upper=None)) if _name(target) == name:
            return lower
        case ir.Call(callee=ir.Member(name="slice", target=target), args=(only,)) if _name(target) == name:
            return only.value
        case _:
            return None


def _name(target: ir.Expr) -> str | None:
    return kept_as(target) or callee_name(target)


def size_kept(program: Program, size: ir.Expr) -> Setting:
    """How many are kept: a slice counts from the end."""
    value = size.operands[0] if isinstance(size, ir.Operator) and len(size.operands) == 1 else size
    setting = to_setting(program, Read(program.value_of(value), missing=False))
    sizes = tuple(abs(v) if isinstance(v, (int, float)) and not isinstance(v, bool) else v for v in setting.values)
    return setting._replace(values=sizes, span=setting.span or size.span)


def _taken(program: Program, owner: ir.Class | ir.Module, name: str) -> Iterator[Setting]:
    """The calls in the owner's own functions that take something out."""
    inside = owner.body if isinstance(owner, ir.Class) else owner.index.functions
    for scope in (node for node in inside if isinstance(node, ir.Function)):
        calls = program.calls_in(scope) if not isinstance(owner, ir.Module) or _calls_any(owner, scope) else {}
        for method in sorted(TAKING & calls.keys()):
            for call in calls[method]:
                if isinstance(call.callee, ir.Member) and callee_name(call.callee.target) == name:
                    yield Setting(Origin.WRITTEN, (True,), call.span)


def _emptied(program: Program, others: tuple[Binding, ...]) -> Iterator[Setting]:
    """The assignments of an empty container by other methods than the constructor."""
    for other in others:
        if getattr(program.scope_of(other.node), "name", "") == CONSTRUCTOR:
            continue
        is_empty = isinstance(other.value, ir.List) and not other.value.items
        is_empty = is_empty or (isinstance(other.value, ir.Map) and not other.value.entries)
        if is_empty and isinstance(other.node, ir.Assign) and isinstance(other.node.target, ir.Member):
            yield Setting(Origin.WRITTEN, (True,), other.node.span)


def _calls_any(module: ir.Module, scope: ir.Function) -> bool:
    """Whether the index says that a function calls such a method: no other is read."""
    return any(scope in module.index.calls.get(name, ()) for name in TAKING)
