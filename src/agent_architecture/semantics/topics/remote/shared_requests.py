"""Requests that a function of the project sends to whatever address it is handed: each host that its callers name is a
service of its own, asked at their calls. And the calls of one service as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.matching.web_addresses import address_of, host_of
from agent_architecture.semantics.topics.remote.services import Service
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.model.resilience import RemoteUse
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.effects.effects import Effects

MOST: Final = 30
"""Callers that are asked for the hosts which they name."""


class Asked(NamedTuple):
    """A call with the service that it asks."""

    node: ir.Call
    service: Service | None
    use: RemoteUse


def hosts_of_callers(program: Program, effects: Effects, call: ir.Call) -> tuple[tuple[ir.Call, Service], ...]:
    """The calls that hand a request's function its address, with the host that each names, where all of them do and
    there are several; else nothing.
    """
    scope = program.scope_of(call)
    addresses = [
        expr
        for row, made in effects.rows(call)
        if row.argument is not None and not row.service
        for expr in expressions(program, made, row.argument)
    ]
    bound = visible_bindings(program, addresses[0]) if addresses and isinstance(addresses[0], ir.Name) else ()
    param = bound[0].extra if len(bound) == 1 and bound[0].kind == "parameter" else None
    if not isinstance(scope, ir.Function) or not isinstance(param, ir.Parameter) or param not in scope.params:
        return ()
    sites = program.callers(scope)
    found: list[tuple[ir.Call, Service]] = []
    for site in sites if len(sites) <= MOST else ():
        given = passed_argument(site, scope, param)
        host = host_of(address_of(program, given)) if given is not None and not isinstance(given, Unknown) else ""
        if not host:
            return ()
        found.append((site.call, Service("host", host.lower())))
    return tuple(found) if len({service.text for _, service in found}) > 1 else ()


def of_service(uses: list[RemoteUse]) -> RemoteUse:
    """The calls of one service as one: where the first stands, with what stops the least protected of them."""
    first, *others = sorted(uses, key=lambda use: use.span)
    least = min((first, *others), key=_protection)
    return least._replace(
        span=first.span, symbol=first.symbol, where=first.where, also=tuple(use.span for use in others)
    )


def _protection(use: RemoteUse) -> tuple[bool, ...]:
    """How well a call is protected, the least first."""
    return (use.breaker is not None, use.skipped is not None, use.cooldown != ABSENT, use.fallback is not None)
