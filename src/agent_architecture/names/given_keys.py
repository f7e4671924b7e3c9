"""Tables that a function looks up by what one call gives it: `return {"small": a, "large": b}[kind]` is `a` for
`model_for("small")`, whatever other calls ask for; `STEPS[kind](order)` runs what stands under the key of that call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import Const, Entries, Func, Items, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value, Values

DEPTH: Final = 4
"""Names, choices and containers between a call and the entry of a table that it runs."""


class Keyed(NamedTuple):
    """A call that runs an entry of a table, by a key that is a parameter of its function."""

    call: ir.Call
    key: ir.Expr
    entries: tuple[tuple[str, frozenset[int]], ...]
    """The ids of the functions that stand under each key."""


def keyed_calls(program: Program, function: ir.Function) -> tuple[Keyed, ...]:
    """The calls of a function's own code that run what stands in a table under a key that its callers give."""
    return program.once(_keyed_calls, function)


def under_other_keys(program: Program, function: ir.Function, entering: Iterable[CallSite]) -> set[int]:
    """The ids of the functions that a function takes from its tables, but not when these calls enter it."""
    found: set[int] = set()
    for keyed in keyed_calls(program, function):
        asked = {key_by(program, keyed.key, function, site.call) for site in entering}
        if asked and None not in asked:
            own = {each for key, functions in keyed.entries if key in asked for each in functions}
            found |= {each for _, functions in keyed.entries for each in functions} - own
    return found


def _keyed_calls(program: Program, function: ir.Function) -> tuple[Keyed, ...]:
    names = frozenset(param.name for param in function.params)
    asked = (
        (call, table, key)
        for call in program.structure(function).calls
        if not isinstance(call.callee, ir.Member)
        for table, key in _lookups(program, call.callee, DEPTH)
        if isinstance(key, ir.Name) and key.id in names
    )
    found = []
    for call, table, key in asked:
        values = program.value_of(table)
        if len(values) == 1 and isinstance(values[0], Entries):
            entries = ((name, frozenset(_functions(program, entry, DEPTH))) for name, entry in values[0].entries)
            found.append(Keyed(call, key, tuple((name, functions) for name, functions in entries if functions)))
    return tuple(keyed for keyed in found if len(keyed.entries) > 1)


def _lookups(program: Program, expr: ir.Expr, depth: int) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """The tables, with their keys, that an expression is taken from."""
    asked = _asked(expr)
    if asked is not None:
        yield asked
    if not depth:
        return
    match expr:
        case ir.Index(target=target):
            yield from _lookups(program, target, depth - 1)
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from (found for part in (then, otherwise) for found in _lookups(program, part, depth - 1))
        case ir.Name():
            made = (b.value for b in visible_bindings(program, expr) if b.kind == "assign" and not b.steps)
            yield from (found for value in made if value is not None for found in _lookups(program, value, depth - 1))
        case _:
            return


def _functions(program: Program, expr: ir.Expr, depth: int) -> Iterator[int]:
    """The ids of the functions that an entry is, or holds."""
    for value in program.value_of(expr) if depth else ():
        match value:
            case Func(function=function):
                yield id(function)
            case Entries(entries=entries):
                yield from (each for _, inner in entries for each in _functions(program, inner, depth - 1))
            case Items(items=items):
                yield from (each for inner in items for each in _functions(program, inner, depth - 1))
            case _:
                continue


def selected(program: Program, function: ir.Function, call: ir.Call) -> Values | None:
    """What a function returns to a call, where all that it returns are entries that the call names by their keys."""
    found: list[Value] = []
    for node in program.structure(function).returns:
        asked = _asked(node)
        key = None if asked is None else key_by(program, asked[1], function, call)
        entry = None if asked is None or key is None else under(program, asked[0], key)
        if entry is None:
            return None
        found.extend(program.value_of(entry))
    return tuple(found) or None


def key_by(program: Program, key: ir.Expr, function: ir.Function, call: ir.Call) -> str | None:
    """The constant that a call of a function gives to the parameter which a key is; None for any other key."""
    bindings = visible_bindings(program, key) if isinstance(key, ir.Name) else ()
    only = bindings[0] if len(bindings) == 1 and bindings[0].kind == "parameter" and not bindings[0].steps else None
    if only is None or only.node is not function or not isinstance(only.extra, ir.Parameter) or only.extra.kind:
        return None
    given = passed_argument(CallSite(call, function), function, only.extra)
    given = only.extra.default if given is None else given
    if given is None or isinstance(given, (Unknown, ir.Slice)):
        return None
    values = program.value_of(given)
    return str(values[0].value) if len(values) == 1 and isinstance(values[0], Const) else None


def _asked(node: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
    """The table and the key of `table[key]` and `table.get(key, …)`."""
    match node:
        case ir.Index(target=target, key=ir.Name() as key):
            return target, key
        case ir.Call(callee=ir.Member(target=target, name="get"), args=(first, *_)) if not first.spread:
            return target, first.value
        case _:
            return None


def under(program: Program, table: ir.Expr, key: str) -> ir.Expr | None:
    """The entry of the one dictionary that a table is; None where it has none under this key for sure."""
    values = program.value_of(table)
    return dict(values[0].entries).get(key) if len(values) == 1 and isinstance(values[0], Entries) else None
