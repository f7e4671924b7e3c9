"""What an expression takes out of a mapping under a key that is written: `row["name"]`, `row.get("name", default)`; and
what it takes of an object by name, whichever of both that is.
"""

from __future__ import annotations

from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir


class KeyedRead(NamedTuple):
    """The mapping, and the key."""

    mapping: ir.Expr
    key: str


def keyed_read(node: ir.Node | None) -> KeyedRead | None:
    """The mapping and the key that an expression asks for; None for what asks for no key, or one that is computed.

    An attribute is none: an object's method has a name, too (`ir.Member`).
    """
    match node:
        case ir.Index(target=target, key=ir.Literal(value=str() as key)):
            return KeyedRead(target, key)
        case ir.Call(
            callee=ir.Member(name="get", target=target),
            args=(ir.Argument(value=ir.Literal(value=str() as key), keyword=None, spread=""), *_),
        ):
            return KeyedRead(target, key)
        case _:
            return None


def left_out(node: ir.Node | None) -> ir.Expr | None:
    """What stands in for a key that is not there: 3 of `state.get("most", 3)`."""
    match node:
        case ir.Call(callee=ir.Member(name="get"), args=(_, ir.Argument(value=instead, spread=""))):
            return instead
        case _:
            return None


def part_read(node: ir.Node | None) -> KeyedRead | None:
    """The same, or an attribute of an object under its name: `call["name"]`, `call.get("name")`, `call.name`."""
    return KeyedRead(node.target, node.name) if isinstance(node, ir.Member) else keyed_read(node)
