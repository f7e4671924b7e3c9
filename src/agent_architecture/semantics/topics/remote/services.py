"""Which calls go to one and the same service: to one host, to one written or configured base of addresses, through one
client object.

Facts for every sheet that counts services and not calls. Says nothing of what a service is for; a call whose service
cannot be told is one of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.matching.web_addresses import address_of, host_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Api
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.sources.source import Span

NAMES: Final = 4
"""Names that only stand for another address, and are looked through."""
CLIENT: Final = "client"
"""The kind of a service that is told by the object whose method asks it."""
OWN: Final = frozenset({"self", "this"})

Owners: TypeAlias = "frozenset[Span]"
"""Whose calls they are: agents, loops, functions."""
_T = TypeVar("_T")


class Service(NamedTuple):
    """What calls to one service share: the kind of it, its words, and where that stands."""

    kind: str
    text: str
    places: tuple[Span, ...] = ()


def service_of(program: Program, effects: Effects, call: ir.Call, *, of_model: bool = False) -> Service | None:
    """The service that a call asks; None where nothing tells it from others. A request to a model goes through
    whichever of several clients a project has at hand; any other client of several is told by nothing.
    """
    exprs = [
        expr
        for row, made in effects.rows(call)
        if row.argument is not None and not row.service
        for expr in expressions(program, made, row.argument)
    ]
    found = {_addressed(program, expr, NAMES) for expr in exprs}
    only = found.pop() if len(found) == 1 else None
    return only if only is not None or found else _client(program, call, several=of_model)


def _addressed(program: Program, expr: ir.Expr, left: int) -> Service | None:
    """The service of an address: its host, else what stands where the host is written."""
    pieces = address_of(program, expr)
    if pieces and not isinstance(pieces[0], str):
        return _base(program, pieces[0], left)
    host = host_of(pieces)
    return Service("host", host.lower()) if host else None


def _base(program: Program, expr: ir.Expr, left: int) -> Service | None:
    """A base that is not readable, by its name and the place that gives it: a setting, a parameter, an attribute."""
    match expr:
        case ir.Name():
            bindings = visible_bindings(program, expr)
            values = [b.value for b in bindings if b.kind == "assign" and b.value is not None and not b.steps]
            if not bindings or len(values) == len(bindings):
                found = {_addressed(program, value, left - 1) for value in values} if left else set()
                return found.pop() if len(found) == 1 else None
            return Service("base", expr.id, tuple(sorted(ir.place_of(b.node) for b in bindings)))
        case ir.Member():
            root: ir.Expr = expr
            while isinstance(root, ir.Member):
                root = root.target
            if not isinstance(root, ir.Name):
                return None
            where = _object(program, expr) if root.id in OWN else _imported(program, root)
            return None if where is None else Service("base", dotted(expr), where)
        case _:
            return None


def _object(program: Program, expr: ir.Expr) -> tuple[Span, ...]:
    """The class whose attribute an expression is."""
    scope = program.scope_of(expr)
    while isinstance(scope, ir.Function):
        scope = scope.outer
    return (ir.place_of(scope),) if isinstance(scope, ir.Class) else ()


def _imported(program: Program, root: ir.Name) -> tuple[Span, ...] | None:
    """Where a name is bound; nothing to tell apart for one that modules import, or that the language has."""
    bindings = visible_bindings(program, root)
    return tuple(sorted(ir.place_of(b.node) for b in bindings if b.kind != "import"))


def _client(program: Program, call: ir.Call, *, several: bool) -> Service | None:
    """The client object whose method is called, by the calls that may have made it."""
    made = {_maker(api) for api in resolved(program, call.callee)}
    known = tuple(sorted(span for span in made if span is not None))
    if not known or len(known) != len(made) or (len(known) > 1 and not several):
        return None
    return Service(CLIENT, callee_name(call.callee) if len(known) > 1 else "", known)


def _maker(api: Api) -> Span | None:
    """The nearest call that made what a method belongs to."""
    made = api.receiver
    while made is not None and not made.path.endswith("()"):
        made = made.receiver
    return None if made is None else made.node.span


def holders(program: Program, agents: Agents) -> Mapping[int, Owners]:
    """The agents that are given a tool, by the id of its function; of a tool that no agent is seen to be given, its
    file.
    """
    found: dict[int, set[Span]] = {}
    for agent in agents.agents:
        for tool in agent.tools:
            function = agents.code.get(id(tool))
            if function is not None:
                found.setdefault(id(function), set()).add(agent.span)
    for key, function in agents.running().items():
        found.setdefault(key, {program.module_of(function).span})
    return {function: frozenset(spans) for function, spans in found.items()}


def grouped(
    items: Iterable[_T], service: Callable[[_T], Service | None], owners: Callable[[_T], Owners]
) -> tuple[tuple[_T, ...], ...]:
    """The items that ask one service for one owner, together; in the order in which the first of each came."""
    groups: list[tuple[Service | None, set[Span], list[_T]]] = []
    for item in items:
        asked, whose = service(item), set(owners(item))
        same = [g for g in groups if asked is not None and g[0] == asked and not whose.isdisjoint(g[1])]
        if not same:
            groups.append((asked, whose, [item]))
            continue
        first, *others = same
        first[1].update(whose, *(other[1] for other in others))
        first[2].extend([*(one for other in others for one in other[2]), item])
        groups = [g for g in groups if not any(g is other for other in others)]
    return tuple(tuple(members) for _, _, members in groups)
