"""What code of a project's own does with what it keeps: whose each entry is, whether something takes entries out again,
how many stay. One answer for stores that classes keep and for files that functions name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, unknown, written
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.trims import TAKING, is_bounded
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.effects.memory_writes import TAKING_OUT
from agent_architecture.semantics.topics.memories.tables import OWNERS
from agent_architecture.semantics.topics.memories.tool_state import REMOVING
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

DROPPING: Final = REMOVING | {"delete", "del"}
"""Calls that take away a file, or what a store keeps under a key."""
EXPIRING: Final = frozenset({"expire", "setex", "setEx", "pexpire", "expireat"})
"""Calls that give what is kept a time to live."""


class Kept(NamedTuple):
    """The answers for one store."""

    namespace: Setting
    deletes: Setting
    bound: Setting
    ttl: Setting


def kept_by(context: Context, functions: Iterable[ir.Function], puts: Iterable[ir.Call]) -> Kept:
    """What the functions of a store say of it; `puts` are the calls that put something in."""
    own = tuple(functions)
    return Kept(
        _owner(context.program, puts),
        next(_removals(context.program, own), ABSENT),
        next(_sizes(context.program, puts), ABSENT),
        next((written("a time", call.span) for each in own for call in context.program.structure(each).calls
              if callee_name(call.callee) in EXPIRING), ABSENT),
    )  # fmt: skip


def _owner(program: Program, puts: Iterable[ir.Call]) -> Setting:
    """A key of an owner that a function which puts something in is given, or that its object has."""
    for put in puts:
        scope = program.scope_of(put)
        names = [param.name for param in scope.params] if isinstance(scope, ir.Function) else []
        parts = (part for given in put.args for part in ir.walk(given.value) if isinstance(part, ir.Member))
        names += [part.name for part in parts]
        own = next((name for name in names if OWNERS.search(words_of(name))), None)
        if own is not None:
            return unknown(own, put.span)
    return ABSENT


def _removals(program: Program, functions: tuple[ir.Function, ...]) -> Iterator[Setting]:
    """What takes something out, where anybody calls the function that does: none that only makes the object."""
    for function in functions:
        nodes = program.structure(function).nodes if function.name != CONSTRUCTOR and _runs(program, function) else ()
        for node in nodes:
            match node:
                case ir.Opaque(kind=ir.OpaqueKind.DEL, parts=parts) | ir.Operator(op=ir.Op.DELETE, operands=parts):
                    if any(isinstance(part, ir.Index) for part in parts):
                        yield written(True, node.span)
                case ir.Call(callee=callee) if callee_name(callee) in DROPPING | TAKING or _says_so(program, node):
                    yield written(True, node.span)
                case _:
                    continue


def _says_so(program: Program, call: ir.Call) -> bool:
    """Whether a statement of a database takes rows out."""
    given = program.value_of(call.args[0].value) if call.args else ()
    return any(isinstance(value, Const) and TAKING_OUT.match(str(value.value)) is not None for value in given)


def _runs(program: Program, function: ir.Function) -> bool:
    """Whether anybody calls a function, or a library may: one with a decorator, one that is a tool."""
    return bool(function.decorators) or bool(program.callers(function)) or not isinstance(function.outer, ir.Class)


def _sizes(program: Program, puts: Iterable[ir.Call]) -> Iterator[Setting]:
    """A slice of what was there, in a function that writes all of it anew."""
    for put in puts:
        for node in program.structure(program.scope_of(put)).nodes:
            if _takes_newest(node):
                yield written("its newest entries", node.span)


def _takes_newest(node: ir.Node) -> bool:
    match node:
        case ir.Index(key=ir.Slice(upper=None)) | ir.Call(callee=ir.Member(name="slice")):
            return is_bounded(node)
        case _:
            return False
