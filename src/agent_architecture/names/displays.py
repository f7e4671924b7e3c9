"""What the displays of lists, dictionaries and objects contain, with what is spread into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.elements import items, of_library
from agent_architecture.names.values import Const, Entries, Items, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program


def of_list(program: Program, display: ir.List) -> Items:
    """The elements of a list, tuple or set, those of lists that are spread into it included."""
    found: list[ir.Expr] = []
    complete = True
    for item in display.items:
        if not isinstance(item, ir.Spread):
            found.append(item)
            continue
        values = _spread(program, item.value)
        inner = [value for value in values if isinstance(value, Items)]
        for value in inner:
            found.extend(value.items)
        found.extend(of_library(program, item.value, values))
        complete = complete and len(inner) == len(values) and all(value.complete for value in inner)
        if not program.is_settled(item.value):
            found, complete = sorted(dict.fromkeys(found), key=lambda one: one.span), False
    return items(tuple(found), display, complete=complete)


def of_comprehension(program: Program, loop: ir.Loop) -> Items | Entries:
    """What a comprehension makes: any number of its element, nested `for` clauses included; of keys and values a
    dictionary.
    """
    inner = loop
    while len(inner.body) == 1 and isinstance(inner.body[0], ir.Loop):
        inner = inner.body[0]
    parts: tuple[ir.Expr, ...] = tuple(node for node in inner.body if not isinstance(node, ir.Loop))  # type: ignore[misc]
    if len(parts) > 1:
        return of_map(program, ir.Map(loop.span, (ir.Entry(parts[0], parts[1]),)))._replace(node=loop, complete=False)
    return Items(parts, loop, complete=False)


def of_map(program: Program, display: ir.Map) -> Entries:
    """The entries of a dictionary or object; a later one hides an earlier one of the same key."""
    entries: dict[str, ir.Expr] = {}
    others: ir.Expr | None = None
    complete = True
    for entry in display.entries:
        if entry.key is None:
            complete = _spread_into(program, entries, entry.value, display) and complete
            others = _with_others(program, others, entry.value)
            continue
        keys = program.value_of(entry.key)
        if len(keys) == 1 and isinstance(keys[0], Const) and isinstance(keys[0].value, (str, int)):
            entries[str(keys[0].value)] = entry.value
        else:
            others, complete = program.made.either(others, entry.value), False
    return Entries(tuple(entries.items()), display, complete, others)


def of_pairs(program: Program, pairs: Value, node: ir.Expr) -> Value:
    """The table that a list of pairs of key and value makes; a table is one itself."""
    if not isinstance(pairs, Items):
        return pairs if isinstance(pairs, (Entries, Unknown)) else Entries((), node, complete=False)
    lists = [v for item in pairs.items for v in program.value_of(item) if isinstance(v, Items) and len(v.items) > 1]
    made = of_map(program, ir.Map(node.span, tuple(ir.Entry(one.items[0], one.items[1]) for one in lists)))
    return made._replace(node=node, complete=made.complete and pairs.complete and len(lists) == len(pairs.items))


def merged(program: Program, parts: tuple[ir.Expr, ...], node: ir.Expr) -> Entries:
    """The entries of several mappings, later ones first in rank: `Object.assign(a, b)`."""
    entries: dict[str, ir.Expr] = {}
    others: ir.Expr | None = None
    complete = True
    for part in parts:
        complete = _spread_into(program, entries, part, node) and complete
        others = _with_others(program, others, part)
    return Entries(tuple(entries.items()), node, complete, others)


def _with_others(program: Program, others: ir.Expr | None, spread: ir.Expr) -> ir.Expr | None:
    """What may stand under unknown keys, with what does in something that is spread."""
    for value in program.value_of(spread):
        if isinstance(value, Entries) and value.others is not None:
            others = program.made.either(others, value.others)
    return others


def _spread(program: Program, spread: ir.Expr) -> Values:
    """The values that are spread; a condition that does not hold (`...(x && [y])`) spreads nothing."""
    return tuple(value for value in program.value_of(spread) if not (isinstance(value, Const) and not value.value))


def _spread_into(program: Program, entries: dict[str, ir.Expr], spread: ir.Expr, into: ir.Expr) -> bool:
    """Merge what is spread; whether all of it is known. What was spread into itself before (`config = {...config, …}`)
    adds nothing.
    """
    values = tuple(v for v in program.value_of(spread) if not (isinstance(v, Entries) and v.node is into))
    known = [value for value in values if isinstance(value, Entries)]
    sure = len(values) == len(known) and not _is_conditional(spread)
    keys = dict.fromkeys(key for value in known for key, _ in value.entries)
    tables = [dict(value.entries) for value in known]
    for key in keys:
        inside = [table[key] for table in tables if key in table]
        may_lack = not sure or len(inside) < len(tables)
        before = entries.get(key, program.made.literal(spread, ir.UNDEFINED))
        choice: ir.Expr | None = before if may_lack else None
        for one in inside:
            choice = program.made.either(choice, one)
        if choice is not None:
            entries[key] = choice
    readable = all(isinstance(value, Entries) or _spreads_nothing(value) for value in values)
    complete = readable and all(value.complete for value in known)
    if not complete:
        for key in entries.keys() - keys.keys():
            entries[key] = program.made.maybe(entries[key])
    return complete


def _is_conditional(spread: ir.Expr) -> bool:
    return isinstance(spread, ir.Operator) and spread.op == ir.Op.AND


def _spreads_nothing(value: Value) -> bool:
    return isinstance(value, Const) and not isinstance(value.value, str)
