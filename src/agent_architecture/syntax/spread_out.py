"""Calls whose keywords stand in a table before them, in the form that is written at once.

`given = {"limit": 5}; f(**given)` is `f(limit=given["limit"])`, and `f(**{"limit": 5})` is `f(limit=5)`. Only a table
of the same block counts whose keys are all written, and that nothing but such calls uses in between: one that a test
adds to, or that is handed on, stays a spread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    _Known: TypeAlias = "Mapping[str, Mapping[str, ir.Literal | None]]"

_T = TypeVar("_T")


def arguments(args: Iterable[ir.Argument]) -> tuple[ir.Argument, ...]:
    """The arguments of a call, those of a table or list that is written there told apart."""
    return tuple([told for argument in args for told in _told(argument)])


def _told(argument: ir.Argument) -> Iterator[ir.Argument]:
    match argument:
        case ir.Argument(value=ir.Map(entries=entries) as table, spread="**") if len(_keys(table)) == len(entries):
            yield from map(ir.Argument, _keys(table), [entry.value for entry in entries])
        case ir.Argument(value=ir.List(items=items), spread="*"):
            for item in items:
                yield ir.Argument(None, item.value, "*") if isinstance(item, ir.Spread) else ir.Argument(None, item)
        case _:
            yield argument


def _keys(table: ir.Map) -> tuple[str, ...]:
    """The keys of a table that are names of parameters; of one key that stands twice, none."""
    keys = [e.key.value for e in table.entries if isinstance(e.key, ir.Literal)]
    names = [key for key in keys if isinstance(key, str) and key.isidentifier()]
    return tuple(names) if len(set(names)) == len(names) else ()


def spread_out(nodes: Sequence[ir.Node]) -> tuple[ir.Node, ...]:
    """The statements of a block, with the keywords of calls that a table before them gives."""
    known: dict[str, Mapping[str, ir.Literal | None]] = {}
    out: list[ir.Node] = []
    for node in nodes:
        spread = _spreads(node) if known else {}
        here = {name: keys for name, keys in known.items() if name in spread}
        out.append(_rebuilt(node, here) if here else node)
        if known:
            used = _named(node)
            known = {name: keys for name, keys in known.items() if used.get(name, 0) == spread.get(name, 0)}
        match node:
            case ir.Assign(target=ir.Name(id=new), value=ir.Map() as table, op=None) if table.entries:
                if len(_keys(table)) == len(table.entries):
                    values = [e.value if isinstance(e.value, ir.Literal) else None for e in table.entries]
                    known[new] = dict(zip(_keys(table), values, strict=True))
    return tuple(out)


def _spreads(node: ir.Node) -> dict[str, int]:
    """How often each name is spread into a call."""
    found: dict[str, int] = {}
    for inner in ir.walk(node):
        for argument in inner.args if isinstance(inner, ir.Call) else ():
            if argument.spread == "**" and isinstance(argument.value, ir.Name):
                found[argument.value.id] = found.get(argument.value.id, 0) + 1
    return found


def _named(node: ir.Node) -> dict[str, int]:
    """How often each name stands in a statement."""
    found: dict[str, int] = {}
    for inner in ir.walk(node):
        if isinstance(inner, ir.Name):
            found[inner.id] = found.get(inner.id, 0) + 1
    return found


def _rebuilt(node: _T, known: _Known) -> _T:
    """A node, a part of one or a tuple of them, with what is spread in it told apart."""
    if type(node) is tuple:
        parts = tuple([_rebuilt(part, known) for part in node])  # type: ignore[attr-defined]
        return node if _same(parts, node) else parts  # type: ignore[arg-type,return-value]
    fields = getattr(node, "_fields", ())
    if not fields or type(node) in ir.LEAVES or isinstance(node, Span):
        return node
    before = [getattr(node, field) for field in fields]
    after = [_rebuilt(part, known) if isinstance(part, tuple) else part for part in before]
    changed = {field: now for field, then, now in zip(fields, before, after, strict=True) if now is not then}
    if isinstance(node, ir.Call):
        args: tuple[ir.Argument, ...] = changed.get("args", node.args)
        told = tuple([one for argument in args for one in _given(argument, known)])
        changed = changed if _same(told, args) else {**changed, "args": told}
    return node._replace(**changed) if changed else node  # type: ignore[attr-defined]


def _same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))


def _given(argument: ir.Argument, known: _Known) -> Iterator[ir.Argument]:
    value = argument.value
    if argument.spread != "**" or not isinstance(value, ir.Name) or value.id not in known:
        yield argument
        return
    for key, constant in known[value.id].items():
        table = ir.Name(value.span, value.id)
        place = ir.Index(value.span, table, ir.Literal(value.span, key))
        yield ir.Argument(key, place if constant is None else ir.Literal(value.span, constant.value))
