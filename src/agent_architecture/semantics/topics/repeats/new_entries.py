"""Writes that end in the same state under the same key, and whose key is another one each time: an id or a time that
is made anew. A second call leaves a second entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Entries
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.idempotency import is_fresh
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

PUTS: Final = frozenset({"set", "setex", "setItem", "hset", "put", "putItem"})
"""Calls whose first argument is the key of what the second one is."""
IDS: Final = regex(r"^(?:_?id|ids|key|pk|Key)$")
"""Names of arguments and properties that tell entries apart."""
DEEP: Final = 4
"""Objects inside each other in which an id is looked for: `upsert(points=[{"id": …}])`."""


def under_new_key(context: Context, call: ir.Call, entered: frozenset[int]) -> bool:
    """Whether what a call writes gets a key that is another one each time, on the way by the calls with the ids
    `entered`.
    """
    positional = [argument.value for argument in call.args if argument.keyword is None]
    if callee_name(call.callee) in PUTS and len(positional) > 1 and _is_text(context, positional[0]):
        return is_fresh(context, positional[0], entered=entered)
    return any(is_fresh(context, given, entered=entered) for given in _ids(call))


def new_key(context: Context, node: ir.Node) -> ir.Expr | None:
    """The mapping that gets an entry under a key that is another one each time: `held[str(uuid4())] = x`."""
    match node:
        case ir.Assign(target=ir.Index(target=held, key=key), op=None) if not isinstance(key, (ir.Literal, ir.Slice)):
            return held if is_fresh(context, key) else None
        case _:
            return None


def _is_text(context: Context, expr: ir.Expr) -> bool:
    """Whether a key may be a text: an object that is written whole is no key."""
    return not isinstance(expr, ir.Map) and not any(isinstance(v, Entries) for v in context.program.value_of(expr))


def _ids(call: ir.Call) -> Iterator[ir.Expr]:
    """What tells the entries of a call apart: its own arguments, and the objects that are written in them."""
    stack: list[tuple[ir.Expr, int]] = []
    for argument in call.args:
        if argument.keyword is not None and IDS.match(argument.keyword):
            yield argument.value
        stack.append((argument.value, DEEP))
    while stack:
        node, left = stack.pop()
        match node:
            case ir.Map(entries=entries):
                for entry in entries:
                    if isinstance(entry.key, ir.Literal) and IDS.match(str(entry.key.value)):
                        yield entry.value
                inner = [entry.value for entry in entries]
            case ir.List(items=items):
                inner = list(items)
            case ir.Call(args=args, is_new=_) if callee_name(node.callee)[:1].isupper():
                yield from (a.value for a in args if a.keyword is not None and IDS.match(a.keyword))
                inner = [a.value for a in args]
            case _:
                continue
        stack.extend((one, left - 1) for one in inner if left)
