"""What is spread into a call gives its parameters, and what they collect: `inner(*args, **kwargs)`, `leaf(...rest)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.arguments import arguments_at
from agent_architecture.names.elements import items
from agent_architecture.names.values import Const, Entries, Items, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.names.program import CallSite, Program


def in_spread(
    program: Program, site: CallSite, function: ir.Function, param: ir.Parameter
) -> tuple[Value | None, ...] | None:
    """What is spread into a call gives to a parameter, None where that leaves it out; no tuple when that is not
    readable.
    """
    arguments = arguments_at(site, function)
    position = next((n for n, other in enumerate(function.params) if other is param or other.name == param.name), None)
    if arguments is None or position is None:
        return None
    by_keyword = _under(program, [a.value for a in arguments if a.spread == "**"], param.name)
    found: list[Value | None] = []
    for plain in _positional(program, arguments):
        if plain is None or by_keyword is None:
            return None
        found.extend(given(program.value_of(plain[position])) if position < len(plain) else by_keyword)
    return tuple(found)


def given(values: Values) -> Iterator[Value | None]:
    """The values of an argument; `undefined` leaves a parameter to its default."""
    for value in values:
        yield None if isinstance(value, Const) and value.value is ir.UNDEFINED else value


def _positional(program: Program, arguments: Sequence[ir.Argument]) -> Iterator[tuple[ir.Expr, ...] | None]:
    """The arguments by position, once for each list that can be spread among them; None for one that is not
    readable.
    """
    plain = [argument for argument in arguments if argument.keyword is None and argument.spread != "**"]
    spread = [number for number, argument in enumerate(plain) if argument.spread]
    before = tuple(argument.value for argument in plain[: spread[0]]) if spread else ()
    after = tuple(argument.value for argument in plain[spread[0] + 1 :]) if spread else ()
    if not spread:
        yield tuple(argument.value for argument in plain)
    elif len(spread) > 1:
        yield None
    else:
        values = program.value_of(plain[spread[0]].value)
        # What a function adds to its own arguments when it calls itself has no end.
        grows = bool(before or after) and not program.is_settled(plain[spread[0]].value)
        known = [value.items for value in values if isinstance(value, Items) and value.complete and not grows]
        yield from ((*before, *inside, *after) for inside in known)
        if grows or len(known) < len(values):
            yield None


def _under(program: Program, mappings: Sequence[ir.Expr], name: str) -> tuple[Value | None, ...] | None:
    """What mappings that are spread give under a name."""
    if len(mappings) > 1:
        return None
    found: list[Value | None] = []
    for value in program.value_of(mappings[0]) if mappings else ():
        entry = dict(value.entries).get(name) if isinstance(value, Entries) else None
        if entry is not None:
            found.extend(given(program.value_of(entry)))
        elif isinstance(value, Entries) and value.complete:
            found.append(None)
        else:
            return None
    return tuple(found) if mappings else (None,)


def collected(program: Program, site: CallSite, function: ir.Function, param: ir.Parameter) -> Iterator[Value]:
    """What `*args` or `**kwargs` collect from a call."""
    arguments = arguments_at(site, function)
    if arguments is None:
        yield Unknown(f"the arguments collected in {param.name}", site.call)
    elif param.kind == "**":
        yield from _by_name(program, arguments, function, site.call)
    else:
        position = next(number for number, other in enumerate(function.params) if other is param)
        for plain in _positional(program, arguments):
            if plain is not None:
                yield items(plain[position:], site.call)
            else:
                yield _in_part(arguments, position, site.call)


def _in_part(arguments: Sequence[ir.Argument], position: int, call: ir.Call) -> Items:
    """The arguments that stand in a call as such, from a position on."""
    plain = [argument for argument in arguments if argument.keyword is None and argument.spread != "**"]
    return items(tuple(a.value for a in plain[position:] if not a.spread), call, complete=False)


def _by_name(
    program: Program, arguments: Sequence[ir.Argument], function: ir.Function, call: ir.Call
) -> Iterator[Entries]:
    named = {other.name for other in function.params if not other.kind}
    written = {a.keyword: a.value for a in arguments if a.keyword and a.keyword not in named}
    mappings = [argument.value for argument in arguments if argument.spread == "**"]
    if len(mappings) != 1:
        yield Entries(tuple(written.items()), call, complete=not mappings)
        return
    for value in program.value_of(mappings[0]):
        if isinstance(value, Entries):
            inside = {key: entry for key, entry in value.entries if key not in named}
            yield Entries(tuple({**inside, **written}.items()), call, value.complete, value.others)
        else:
            yield Entries(tuple(written.items()), call, complete=False)


def certain(program: Program, mapping: ir.Expr, key: str) -> Values:
    """What a mapping can be. Where one that somebody passes certainly lacks the key, those that cannot be read do not
    count: whatever they hold, there is a way without it.
    """
    values = program.value_of(mapping)
    here = program.scope_of(mapping)
    whole = [v for v in values if isinstance(v, Entries) and v.complete and program.scope_of(v.node) is not here]
    if any(key not in dict(value.entries) for value in whole):
        return tuple(value for value in values if not isinstance(value, Unknown))
    return values
