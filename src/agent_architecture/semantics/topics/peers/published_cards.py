"""The cards that the project publishes: made by calls, written as objects of that type, or kept in files.

A card that only a client makes, to do without the one that it cannot fetch, is published by nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.peers import PublishedCard
from agent_architecture.model.protocols import EndpointRole
from agent_architecture.model.settings import Origin
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Const, Entries, Text
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.messages import entries_of
from agent_architecture.semantics.manifests.ranges import is_below
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.protocols.cards import KIND, card_in
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.protocols import A2AEndpoint, AgentCard
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

SERVER: Final = "a2a_server"
INTERFACES: Final = frozenset({"supported_interfaces", "supportedInterfaces"})
TYPED: Final = "AgentCard"
EXTENDED: Final = frozenset(
    {"extended_agent_card", "extendedAgentCard", "extended_card_modifier", "extendedAgentCardProvider"}
)
PUSHING: Final = frozenset({"push_sender", "push_notifier", "push_config_store", "pushSender", "pushNotificationStore"})
OWN_ROUTES: Final = frozenset({"create_jsonrpc_routes", "create_rest_routes", "jsonRpcHandler", "restHandler"})
"""Calls that serve requests and leave the card to another one."""
CARD_ROUTES: Final = regex(
    rb"create_agent_card_routes|agentCardHandler|agent-card\.json|AGENT_CARD_(?:WELL_KNOWN_)?PATH"
)
OLD_ROUTE: Final = b"/.well-known/agent.json"
UNREAD: Final = "?"


class _Server(NamedTuple):
    """What the calls that put a server together are given."""

    span: Span
    words: frozenset[str]
    names: frozenset[str]
    positions: int


def published_cards(
    context: Context, endpoints: tuple[A2AEndpoint, ...], cards: tuple[AgentCard, ...]
) -> tuple[PublishedCard, ...]:
    """Every card of an agent of the project, by position; then the agents whose card their library makes."""
    served = {e.card.span for e in endpoints if e.role is EndpointRole.SERVER and e.card is not None}
    fallback = {e.card.span for e in endpoints if e.role is EndpointRole.CLIENT and e.card is not None} - served
    made = {ir.place_of(match.node): match for match in context.of_kind(KIND)}
    found: dict[Span, PublishedCard] = {}
    for card in (*cards, *(e.card for e in endpoints if e.card is not None)):
        match = made.get(card.span)
        if match is not None and isinstance(match.node, ir.Call) and _is_filled(context, match.node):
            continue
        if card.span not in fallback and card.span not in found:
            found[card.span] = _of_card(context, card, match)
    for card, value in _typed(context):
        if card.span not in fallback:
            found[card.span] = _completed(context, card, _of_entries(context.program, dict(value.entries)), value)
    for endpoint in endpoints:
        if endpoint.role is EndpointRole.SERVER and endpoint.card is None and _makes_card(context, endpoint, found):
            unread = "a card that its library makes, or that is only known at run time"
            head = (endpoint.span, endpoint.symbol, endpoint.framework)
            found[endpoint.span] = PublishedCard(*head, None, unread=unread)
    return tuple(sorted(found.values(), key=lambda card: card.span))


def _is_filled(context: Context, call: ir.Call) -> bool:
    """Whether a card says nothing by itself: it is empty, or all of it was fetched and nobody serves it here."""
    if all(argument.spread for argument in call.args):
        return not call.args or not any(_servers(context, call.span.path))
    return False


def _makes_card(context: Context, endpoint: A2AEndpoint, found: Iterable[Span]) -> bool:
    """Whether no card stands in the endpoint's file that may be its own."""
    del context
    return all(span.path != endpoint.span.path for span in found)


def _of_card(context: Context, card: AgentCard, match: Match | None) -> PublishedCard:
    if match is not None and isinstance(match.node, ir.Call):
        entries = {a.keyword: a.value for a in match.node.args if a.keyword is not None}
        exprs = _of_entries(context.program, entries)
        if match.arguments is not None and "url" in match.row.properties:
            exprs = exprs or list(expressions(context.program, match.arguments, match.row.properties["url"]))
        return _completed(context, card, exprs, match.node)
    document = _node_at(context, card.span)
    if isinstance(document, ir.Map):
        return _completed(context, card, _of_entries(context.program, entries_of(document)), document)
    return _completed(context, card, [], None)


def _typed(context: Context) -> Iterator[tuple[AgentCard, Entries]]:
    """The objects that code declares to be cards: `const card: AgentCard = {…}`."""
    program = context.program
    pack = next((row.where.pack for row in context.packs.documents if row.kind == KIND), "")
    for module in program.modules:
        file = program.table.file(module.path)
        if file is None or module.language not in CODE or TYPED.encode() not in file.data:
            continue
        for scope in module.code:
            for node in program.structure(scope).nodes:
                if isinstance(node, ir.Assign) and isinstance(node.value, ir.Map) and _is_typed(node.annotation):
                    for value in program.value_of(node.value):
                        card = card_in(context, pack, value) if isinstance(value, Entries) else None
                        if card is not None and isinstance(value, Entries):
                            symbol = node.target.id if isinstance(node.target, ir.Name) else "card"
                            yield card._replace(symbol=symbol), value


def _is_typed(annotation: ir.Expr | None) -> bool:
    return (isinstance(annotation, ir.Name) and annotation.id == TYPED) or (
        isinstance(annotation, ir.Member) and annotation.name == TYPED
    )


def _node_at(context: Context, span: Span) -> ir.Node | None:
    module = context.program.table.get(span.path)
    return next((node for node in ir.walk(*module.body) if node.span == span), None) if module is not None else None


# ------------------------------------------------------------------------------------------------------- its addresses
def _of_entries(program: Program, entries: dict[str, ir.Expr]) -> list[ir.Expr]:
    """The addresses in a card: its own, and those of its interfaces."""
    found = [entries["url"]] if "url" in entries else []
    for key in INTERFACES & entries.keys():
        for node in _inside(program, entries[key]):
            if isinstance(node, ir.Call):
                found += [argument.value for argument in node.args if argument.keyword == "url"]
            elif isinstance(node, ir.Map):
                found += [value for name, value in entries_of(node).items() if name == "url"]
    return found


def _inside(program: Program, expr: ir.Expr) -> Iterator[ir.Node]:
    yield from ir.walk(expr)
    for node in ir.walk(expr):
        for value in program.value_of(node) if isinstance(node, ir.Name) else ():
            inner = getattr(value, "node", None)
            if inner is not None:
                yield from ir.walk(inner)


def _written(program: Program, expr: ir.Expr) -> Iterator[str]:
    """The texts that an address can be."""
    values = program.value_of(expr)
    for value in values:
        if isinstance(value, Const) and isinstance(value.value, str):
            yield value.value
        elif isinstance(value, Text):
            yield _joined(program, value.node)
        else:
            yield _joined(program, expr)
    if not values:
        yield _joined(program, expr)


def _joined(program: Program, expr: ir.Expr) -> str:
    return "".join(piece if isinstance(piece, str) else _part(program, piece) for piece in pieces_of(program, expr))


def _part(program: Program, expr: ir.Expr) -> str:
    consts = [v.value for v in program.value_of(expr) if isinstance(v, Const) and isinstance(v.value, (str, int))]
    return str(consts[0]) if consts else UNREAD


# --------------------------------------------------------------------------------------------------------- its server
def _completed(
    context: Context, card: AgentCard, exprs: list[ir.Expr], node: ir.Node | Entries | None
) -> PublishedCard:
    program = context.program
    names = _names(node)
    servers = tuple(_servers(context, card.span.path))
    return PublishedCard(
        card.span,
        card.symbol or "card",
        card.framework,
        card,
        tuple(dict.fromkeys(text for expr in exprs for text in _written(program, expr))),
        newest=bool(names & INTERFACES),
        requires_security=bool(card.security.entries) or not card.security.complete,
        # The JavaScript SDK makes a sender by itself where the card promises one.
        pushes=any(server.words & PUSHING for server in servers) if servers and isinstance(node, ir.Call) else None,
        extends=any(server.words & EXTENDED or server.positions > MANY for server in servers) if servers else None,
        routed=_routed(context, card, servers),
        signed=_signed(context, card.span.path),
        dated=not isinstance(node, ir.Call) and _is_dated(context, card),
        unread="what is spread into it" if None in names else "",
    )


def _signed(context: Context, path: str) -> Span | None:
    """A call of the same file that signs cards."""
    for name in context.packs.mark_names("signs"):
        for site in context.program.calls(name):
            apis = resolved(context.program, site.call.callee) if site.call.span.path == path else ()
            if any(row.covers == "signs" for api in apis for row in context.packs.marks(api.path)):
                return site.call.span
    return None


def _is_dated(context: Context, card: AgentCard) -> bool:
    """Whether a card of this version says which version it is: by its fields, else by the library beside it."""
    if card.preferred_transport.origin is not Origin.ABSENT or card.protocol_version.origin is not Origin.ABSENT:
        return True
    for match in context.of_kind(SERVER):
        owner = context.packs.package_of(match.api.path) if match.node.span.path == card.span.path else None
        if owner is not None:
            version = context.versions.of(*owner, card.span.path).version
            return bool(version) and not is_below(version, DATED)
    return False


DATED: Final = "0.2.5"
MANY: Final = 6
"""Arguments of a handler whose last are the extended card."""


def _names(node: ir.Node | Entries | None) -> frozenset[str | None]:
    """What a card has, by name; None for what is spread into it."""
    match node:
        case ir.Call():
            return frozenset(None if argument.spread else argument.keyword or "" for argument in node.args)
        case ir.Map():
            return frozenset(str(e.key.value) if isinstance(e.key, ir.Literal) else None for e in node.entries)
        case Entries():
            named = frozenset(key for key, _ in node.entries)
            return named if node.complete else named | {None}
        case _:
            return frozenset()


def _servers(context: Context, path: str) -> Iterator[_Server]:
    """The calls of a file that put a server together."""
    for match in context.of_kind(SERVER):
        node = match.node
        if node.span.path == path and isinstance(node, ir.Call):
            maps = [argument.value for argument in node.args if isinstance(argument.value, ir.Map)]
            words = {argument.keyword for argument in node.args if argument.keyword} | {
                k for m in maps for k in entries_of(m)
            }
            yield _Server(node.span, frozenset(words), frozenset({callee_name(node.callee)}), len(node.args))


def _routed(context: Context, card: AgentCard, servers: tuple[_Server, ...]) -> bool | None:
    file = context.program.table.file(card.span.path)
    if file is None or not servers:
        return None
    if CARD_ROUTES.search(file.data):
        return True
    if OLD_ROUTE in file.data:
        return False
    by_hand = all(server.names & (OWN_ROUTES | {"DefaultRequestHandler"}) for server in servers)
    return None if by_hand else True
