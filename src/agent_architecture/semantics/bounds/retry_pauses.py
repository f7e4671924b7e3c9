"""How long a hand-written retry waits between its tries: not at all, always as long, longer each time, with chance in
it.

A pack row cannot say this: the delay is an expression. States what is written; judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting, unknown, written
from agent_architecture.model.words import plain
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.pauses import may_pause, where_pauses_stand, with_callbacks
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Func
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

_CHANCE: Final = regex(r"random|uniform|randint|randrange|jitter|gauss|expovariate", re.IGNORECASE)
_SERVER: Final = regex(r"retry[-_]?after", re.IGNORECASE)
_POWERS: Final = frozenset({"pow", "exp", "exp2", "exponential"})
_GIVEN: Final = frozenset({"assign", "augmented"})
DEPTH: Final = 3
"""Assignments that are followed from a delay to what it is made of."""


def pause_of(program: Program, nodes: tuple[ir.Node, ...], counters: frozenset[str]) -> tuple[Setting, Setting]:
    """How the pause between tries grows, and whether chance is in it. `counters` are the names that count the tries."""
    among = where_pauses_stand(program, nodes)
    calls = [node for node in among if isinstance(node, ir.Call) and _pauses(program, node)]
    if not calls:
        return ABSENT, ABSENT
    changing = counters | _moving(nodes)
    parts = [part for call in calls for part in _parts(program, _delay(call), DEPTH)]
    parts.extend(part for call in calls for part in _helper(program, call))
    span = calls[0].span
    jitter = written(any(_is_chance(part) for part in parts), span)
    if any(_asks_server(part) for part in parts):
        return written("server", span), written(value=True, span=span)
    if any(_grows(part, changing) for part in parts):
        return written("growing", span), jitter
    hidden = next((part for part in parts if isinstance(part, ir.Call) and not any(_of_project(program, part))), None)
    if hidden is not None and not _is_chance(hidden) and callee_name(hidden.callee) not in _ARITHMETIC:
        return unknown(f"{callee_name(hidden.callee)}()", hidden.span), unknown("the same call", hidden.span)
    return written("fixed", span), jitter


_ARITHMETIC: Final = frozenset({"min", "max", "float", "int", "round", "floor", "ceil", "Number", "getenv", "get"})


def _pauses(program: Program, call: ir.Call) -> bool:
    """Whether a call waits, by its name; a function of the project that is called so has to wait in its code, too."""
    if not may_pause(call):
        return False
    if any(_of_project(program, call)) and not any(map(may_pause, _helper(program, call))):
        return False
    given = [node for argument in call.args[:1] for node in with_callbacks(ir.walk(argument.value))]
    ends = any(_REJECTS.match(name) for node in given for name in _names(node))
    return bool(call.args) and not ends


_REJECTS: Final = regex(r"^(?:rej|reject|abort|cancel)\w*$", re.IGNORECASE)
"""A timer that ends something is a time limit, not a pause."""


def _delay(call: ir.Call) -> tuple[ir.Expr, ...]:
    values = tuple(argument.value for argument in call.args)
    is_timer = plain(callee_name(call.callee)) == "settimeout"
    return values[1:] if is_timer else values


def _parts(program: Program, exprs: tuple[ir.Expr, ...], depth: int) -> Iterator[ir.Node]:
    """The nodes that a delay is made of, through assignments and the project's functions."""
    for node in ir.walk(*exprs):
        yield node
        if depth and isinstance(node, ir.Name):
            values = [b.value for b in visible_bindings(program, node) if b.kind in _GIVEN and b.value is not None]
            yield from _parts(program, tuple(values), depth - 1)
        elif depth and isinstance(node, ir.Call):
            yield from _helper(program, node)


def _of_project(program: Program, call: ir.Call) -> Iterator[ir.Function]:
    """The functions of the project that a call itself names, not those that it is given: `setTimeout(() => …)`."""
    given = {id(value.function) for a in call.args for value in program.value_of(a.value) if isinstance(value, Func)}
    yield from (function for function in program.callees(call) if id(function) not in given)


def _helper(program: Program, call: ir.Call) -> Iterator[ir.Node]:
    for function in _of_project(program, call):
        yield from with_callbacks(own_nodes(function))


def _moving(nodes: Iterable[ir.Node]) -> frozenset[str]:
    """The names that the loop itself makes larger: `delay *= 2`, `delay = min(delay * 2, 60)`."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.value is not None:
            name = node.target.id
            if node.op in {ir.Op.ADD, ir.Op.MUL, ir.Op.POW, ir.Op.LSHIFT} or any(
                isinstance(inner, ir.Name) and inner.id == name for inner in ir.walk(node.value)
            ):
                found.add(name)
    return frozenset(found)


def _grows(part: ir.Node, changing: frozenset[str]) -> bool:
    match part:
        case ir.Operator(op=ir.Op.POW | ir.Op.LSHIFT):
            return True
        case ir.Call():
            return callee_name(part.callee) in _POWERS
        case ir.Name():
            return part.id in changing
        case _:
            return False


def _is_chance(part: ir.Node) -> bool:
    return any(_CHANCE.search(name) for name in _names(part))


def _asks_server(part: ir.Node) -> bool:
    text = part.value if isinstance(part, ir.Literal) and isinstance(part.value, str) else ""
    return bool(_SERVER.search(text)) or any(_SERVER.search(name) for name in _names(part))


def _names(part: ir.Node) -> Iterator[str]:
    match part:
        case ir.Name():
            yield part.id
        case ir.Member():
            yield part.name
        case _:
            return
