"""Calls whose keywords stand in a table before them, in the form that is written at once.

`given = {"limit": 5, "to": g()}; f(**given)` is `f(limit=5, to=given["to"])`, and `f(**{"limit": 5})` is `f(limit=5)`.
Only a table of the same block counts whose keys are all written, and that nothing but such calls uses in between: one
that a test adds to, or that is handed on, stays a spread.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    _Known: TypeAlias = "Mapping[str, Mapping[str, ir.Expr | None]]"

_T = TypeVar("_T")
_KEYS: Final = 60
"""A table with more keys is none of keywords."""
_LARGEST: Final = 300
"""Of a table of more nodes nothing is written again."""
_TABLES: Final = 8
"""Tables of a block that are remembered at once."""


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
    known: dict[str, Mapping[str, ir.Expr | None]] = {}
    out: list[ir.Node] = []
    for node in nodes:
        spread, stored = (_spreads(node), _stored(node)) if known else ({}, frozenset[str]())
        if known:
            known = {name: _without(table, stored) for name, table in known.items()}
        # `row = f(**row)` is not told apart: a name that has another value afterwards says both.
        here = {name: keys for name, keys in known.items() if name in spread and name not in stored}
        out.append(_rebuilt(node, here) if here else node)
        if known:
            used = _named(node)
            known = {name: keys for name, keys in known.items() if used.get(name, 0) == spread.get(name, 0)}
        match node:
            case ir.Assign(target=ir.Name(id=new), value=ir.Map() as table, op=None) if 0 < len(table.entries) <= _KEYS:
                if len(_keys(table)) == len(table.entries):
                    is_small = sum(1 for _ in islice(ir.walk(table), _LARGEST)) < _LARGEST
                    values = [entry.value if is_small else None for entry in table.entries]
                    known = {**dict(list(known.items())[-_TABLES:]), new: dict(zip(_keys(table), values, strict=True))}
    return tuple(out)


def _without(table: Mapping[str, ir.Expr | None], stored: frozenset[str]) -> Mapping[str, ir.Expr | None]:
    """A table whose values are only known by their key where they name what has another value since."""
    named = {key for key, value in table.items() if value is not None and not stored.isdisjoint(_named(value))}
    return {key: None if key in named else value for key, value in table.items()} if named else table


def _stored(node: ir.Node) -> frozenset[str]:
    """The names to which a statement gives something, whichever part of them."""
    found: set[str] = set()
    targets: list[ir.Node] = []
    for inner in ir.walk(node):
        match inner:
            case ir.Assign(target=target):
                targets.append(target)
            case ir.Loop(target=given) if given is not None:
                targets.append(given)
            case ir.With(items=items):
                targets += [item.target for item in items if item.target is not None]
            case ir.Try(handlers=handlers):
                found |= {handler.name for handler in handlers if handler.name is not None}
            case ir.Match(cases=cases):
                targets += [pattern for case in cases for pattern in case.patterns]
            case ir.Function(name=name) | ir.Class(name=name):
                found.add(name)
            case ir.Import(names=names, alias=alias):
                found |= {one.alias for one in names} | ({alias} if alias is not None else set())
    return frozenset(found.union(*map(_named, targets)))


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
    for key, written in known[value.id].items():
        place = ir.Index(value.span, ir.Name(value.span, value.id), ir.Literal(value.span, key))
        yield ir.Argument(key, (None if written is None else _again(written)) or place)


def _again(node: ir.Expr) -> ir.Expr | None:
    """What is written, once more; None for what does something, which is done once."""
    match node:
        case ir.Literal() | ir.Name():
            return node._replace()
        case ir.Member(target=target):
            inner = _again(target)
            return None if inner is None else node._replace(target=inner)
        case ir.Template(parts=parts):
            told = [_again(part) for part in parts]
            return None if None in told else node._replace(parts=tuple(told))
        case ir.List(items=items):
            told = [_again(item) for item in items]
            return None if None in told else node._replace(items=tuple(told))
        case ir.Map(entries=entries) if all(isinstance(entry.key, ir.Literal) for entry in entries):
            told = [_again(entry.value) for entry in entries]
            keys = [_again(entry.key) for entry in entries if entry.key is not None]
            whole = [ir.Entry(key, new) for key, new in zip(keys, told, strict=True) if new is not None]
            return node._replace(entries=tuple(whole)) if len(whole) == len(entries) else None
    return None
