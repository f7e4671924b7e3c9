"""A2A agents that the project serves, and its connections to others, with what they are put together from.

An application that is given a request handler is one endpoint with it: the application is the site, and what the
handler was given belongs to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import A2AEndpoint, EndpointRole, PushSender, TaskExecutor, TaskStore
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Func, Instance, Unknown
from agent_architecture.semantics.matching.properties import AtCall, related
from agent_architecture.semantics.protocols.cards import card_in, card_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.protocols import AgentCard
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

SERVER: Final = "a2a_server"
CLIENT: Final = "a2a_client"


def endpoints(context: Context) -> Iterator[A2AEndpoint]:
    """Every A2A agent and every connection to one, by kind and position. Several routes to one handler are one."""
    servers = tuple(context.of_kind(SERVER))
    handlers = {id(match): context.made_by(related(context, match, "handler"), SERVER) for match in servers}
    known = {id(handler) for found in handlers.values() for handler in found}
    mounted: set[int] = set()
    for match in servers:
        behind = handlers[id(match)]
        if id(match) not in known and not (behind and all(id(handler) in mounted for handler in behind)):
            mounted.update(id(handler) for handler in behind)
            yield _server(context, match, behind)
    for match in context.of_kind(CLIENT):
        yield _client(context, match)


def _server(context: Context, match: Match, handlers: tuple[Match, ...]) -> A2AEndpoint:
    whole = (match, *handlers)
    said, inner = AtCall(context, match), AtCall(context, whole[-1])
    return A2AEndpoint(
        ir.place_of(match.node),
        context.symbol(match.node),
        match.row.where.pack,
        EndpointRole.SERVER,
        url=said.setting("url"),
        path=said.setting("path"),
        auth=said.setting("auth"),
        validates_input=inner.setting("validates_input"),
        url_check=inner.setting("url_check"),
        card=_card(context, whole),
        executor=_executor(context, whole),
        store=_store(context, whole),
        push=_push(context, whole),
    )


def _client(context: Context, match: Match) -> A2AEndpoint:
    said = AtCall(context, match)
    return A2AEndpoint(
        ir.place_of(match.node),
        context.symbol(match.node),
        match.row.where.pack,
        EndpointRole.CLIENT,
        url=said.setting("url"),
        auth=said.setting("auth"),
        time_limit=said.setting("time_limit"),
        polling=said.setting("polling"),
        card=_card(context, (match,)),
    )


def _made(context: Context, matches: tuple[Match, ...], relation: str, kind: str) -> Match | None:
    """The first entity of a kind that one of the matches is given."""
    return next((made for m in matches for made in context.made_by(related(context, m, relation), kind)), None)


def _card(context: Context, matches: tuple[Match, ...]) -> AgentCard | None:
    made = _made(context, matches, "card", "agent_card")
    if made is not None:
        return card_of(context, made)
    given = (value for match in matches for value in related(context, match, "card"))
    pack = matches[0].row.where.pack
    return next((card_in(context, pack, value) for value in given if isinstance(value, Entries)), None)


def _executor(context: Context, matches: tuple[Match, ...]) -> TaskExecutor | None:
    """What is given as the executor, known to a pack or not."""
    for match in matches:
        for value in related(context, match, "executor"):
            found = _named(value)
            if found is not None:
                return TaskExecutor(*found, match.row.where.pack)
    return None


def _named(value: Value) -> tuple[Span, str] | None:
    match value:
        case Instance() | ClassValue():
            return value.cls.name_span, value.cls.name
        case Func():
            return value.function.name_span, value.function.name
        case Api():
            return value.node.span, value.path.rpartition(":")[2]
        case Const() | Unknown():
            return None
        case _:
            node = getattr(value, "node", None)
            return (node.span, "") if node is not None else None


def _store(context: Context, matches: tuple[Match, ...]) -> TaskStore | None:
    made = _made(context, matches, "store", "task_store")
    if made is None:
        return None
    said = AtCall(context, made)
    head = (ir.place_of(made.node), context.symbol(made.node), made.row.where.pack)
    return TaskStore(*head, said.setting("durable"), said.setting("location"))


def _push(context: Context, matches: tuple[Match, ...]) -> PushSender | None:
    made = _made(context, matches, "push", "push_sender")
    if made is None:
        return None
    said = AtCall(context, made)
    head = (ir.place_of(made.node), context.symbol(made.node), made.row.where.pack)
    return PushSender(*head, said.setting("url_check"), said.setting("auth"))
