"""Objects that stand in front of another one: what they do not have themselves, `__getattr__` takes from that one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import CONSTRUCTOR, lineage
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Instance

ASKED: Final = "__getattr__"
TAKES: Final = "getattr"
PUTS: Final = frozenset({"__setattr__", "setattr"})


def behind(program: Program, target: Instance, name: str) -> Iterator[ir.Expr]:
    """The expressions for what an object asks for an attribute `name` that its class does not have: what
    `__getattr__` gives to `getattr` with the same name (`return getattr(self._client, name)`).
    """
    for cls in lineage(program, target.cls):
        asked = next((node for node in cls.body if isinstance(node, ir.Function) and node.name == ASKED), None)
        if asked is None:
            continue
        wanted = asked.params[-1].name if asked.params else ""
        for text in program.structure(asked).returns:
            held = _held(text, wanted)
            if held is not None and held.name != name:
                yield from _put(program, cls, held)
        return


def _held(text: ir.Expr, wanted: str) -> ir.Member | None:
    """`self._client` of `getattr(self._client, name)`."""
    match text:
        case ir.Call(callee=ir.Name(id=called), args=(first, second, *_)) if called == TAKES:
            same = isinstance(second.value, ir.Name) and second.value.id == wanted
            return first.value if same and isinstance(first.value, ir.Member) else None
        case _:
            return None


def _put(program: Program, cls: ir.Class, held: ir.Member) -> Iterator[ir.Expr]:
    """What the attribute is; where the class refuses to be written to, what its constructor puts there by name."""
    if program.attributes(cls).get(held.name):
        yield held
        return
    maker = next((node for node in cls.body if isinstance(node, ir.Function) and node.name == CONSTRUCTOR), None)
    for call in program.structure(maker).calls if maker is not None else ():
        if callee_name(call.callee) in PUTS and len(call.args) > 1:
            key, value = call.args[-2].value, call.args[-1].value
            if isinstance(key, ir.Literal) and key.value == held.name:
                yield value
