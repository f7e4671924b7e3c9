"""Clients of MCP servers in programs: calls that connect to one, and calls that are given several connections at once.

A row with the relation `connections` says where these stand: a list or mapping of objects, in which its properties
are read; what is not written there stands at the call. Such a call may be something else, too (the run of an agent
that is told of servers): then each of them is a client, and the call is none. The relation `session` names the object
that is connected, where the call is one of its methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.settings import Origin, Setting, default, written
from agent_architecture.names.values import Api, Const, Entries, Instance, Items, Text, Unknown, Value
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.properties import AtCall, related
from agent_architecture.semantics.matching.read import within
from agent_architecture.semantics.protocols.connection import INSIDE, Place, connection
from agent_architecture.semantics.protocols.partial_addresses import reached
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.protocols import McpClient
    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

KIND: Final = "mcp_client"
OTHERS: Final = ("run", "model_call", "agent")
"""Kinds of calls that are told of servers without being a client of one."""
URLS: Final = ("http://", "https://", "ws://", "wss://")


class Found(NamedTuple):
    """A client, and the site that it is: of several connections at one call, the call."""

    client: McpClient
    site: Span
    symbol: str
    degree: Degree = Degree.RESOLVED


class _Given(NamedTuple):
    """One object that describes a connection; `name` is its key ("" in a list)."""

    name: str
    value: Value
    span: Span


def code_clients(context: Context) -> Iterator[Found]:
    """The clients of every call that makes some, and of mappings that only stand in a variable."""
    taken: set[Span] = set()
    for match in sorted(context.of_kind(KIND), key=lambda match: not isinstance(match.node, ir.Call)):
        for found in _clients(context, match):
            if isinstance(match.node, ir.Call) or found.client.span not in taken:
                taken.add(found.client.span)
                yield found._replace(degree=match.degree)


def _clients(context: Context, match: Match) -> Iterator[Found]:
    """The clients of one call, or the one of a mapping."""
    if isinstance(match.node, ir.Map):
        yield _of_mapping(context, match, match.node)
    elif isinstance(match.node, ir.Call):
        is_other = context.at(match.node, *OTHERS) is not None
        values = related(context, match, "connections")
        given = [one for value in values for one in _described(context, match, value, is_other=is_other)]
        if given:
            yield from (_one_of(context, match, one, is_other=is_other) for one in given)
        elif not is_other and not (values and all(_is_made(context, match, value) for value in values)):
            hidden = next((value for value in values if not isinstance(value, (Const, Entries, Items))), None)
            yield _alone(context, match, match.node, hidden)


def _of_mapping(context: Context, match: Match, node: ir.Map) -> Found:
    """A mapping that describes one connection, called by its key in the mapping around it."""
    around = context.program.structure(context.program.scope_of(node)).parent(node)
    entries = around.entries if isinstance(around, ir.Map) else ()
    keys = (entry.key for entry in entries if entry.value is node)
    name = next((str(key.value) for key in keys if isinstance(key, ir.Literal)), context.symbol(node))
    place = Place(node.span, name, match.row.where.pack, node.span)
    return Found(connection(AtCall(context, match, None), place, name=name), node.span, name)


def _alone(context: Context, match: Match, call: ir.Call, hidden: Value | None) -> Found:
    """A call that is one client; `hidden` is what describes its connections and cannot be read."""
    sessions = (value.node for value in related(context, match, "session") if isinstance(value, Api))
    made = next((node for node in sessions if isinstance(node, ir.Call)), call)
    symbol = context.symbol(made)
    inside = any(_is_server(context, value) for value in related(context, match, "server"))
    given = Unknown("connections that are only given at run time", call) if hidden is not None and not inside else None
    client = connection(AtCall(context, match, given), Place(made.span, symbol, match.row.where.pack, call.span))
    if inside and client.transport.origin is Origin.ABSENT:
        client = client._replace(transport=default(INSIDE, "the server that it is given"))
    client = _with_host(context, client, written_values(context, match, "url"))
    client = _signed_in(context, match, client)
    return Found(client, made.span, symbol)


def _is_server(context: Context, value: Value) -> bool:
    """Whether a value is a server of the project: one that a call makes, or what a type promises to be one."""
    if context.made(value, "mcp_server") is not None:
        return True
    path = context.packs.canonical(value.path) if isinstance(value, Api) else ""
    return path.endswith("()") and any(row.kind == "mcp_server" for row in context.packs.entities(path[:-2]))


def _addresses(context: Context, match: Match, value: Value) -> Values:
    address = match.row.properties.get("url")
    return () if address is None else within(context.program, value, address).values


def _with_host(context: Context, client: McpClient, values: Values) -> McpClient:
    """The client with its address as far as it is written, where that says which machine it is on."""
    if client.url.origin is not Origin.UNKNOWN:
        return client
    texts = [reached(context.program, value) for value in values if isinstance(value, Text)]
    if not texts or len(texts) < len(values) or not all(texts):
        return client
    return client._replace(url=Setting(Origin.WRITTEN, tuple(texts), client.url.span))


def _signed_in(context: Context, match: Match, client: McpClient) -> McpClient:
    """The client with what it asks tokens for, where its authentication is OAuth's."""
    made = next(iter(context.made_by(written_values(context, match, "auth"), "oauth_client")), None)
    if made is None and effective(context, match, "signs_in").value is True:
        made = match
    return client if made is None else client._replace(signs_in=True, resource=effective(context, made, "resource"))


def _one_of(context: Context, match: Match, one: _Given, *, is_other: bool) -> Found:
    symbol = one.name or context.symbol(match.node)
    place = Place(one.span, symbol, match.row.where.pack, match.node.span)
    client = connection(AtCall(context, match, one.value), place, name=one.name)
    client = _with_host(context, client, _addresses(context, match, one.value))
    if isinstance(one.value, Const):
        client = client._replace(
            url=written(str(one.value.value), one.value.span), transport=default("http", "its URL")
        )
    return Found(client, one.span if is_other else match.node.span, symbol if is_other else context.symbol(match.node))


def _described(
    context: Context, match: Match, value: Value, *, is_other: bool, nested: bool = False
) -> Iterator[_Given]:
    """The connections in what a call is given: it may be one, or a list or mapping of some."""
    if _is_connection(context, match, value, is_other=is_other):
        yield _Given("", value, _span(value, match.node.span))
    elif isinstance(value, (Entries, Items)) and not nested:
        named = value.entries if isinstance(value, Entries) else tuple(("", item) for item in value.items)
        for name, expr in named:
            for inner in context.program.value_of(expr):
                found = _described(context, match, inner, is_other=is_other, nested=True)
                yield from (one._replace(name=name, span=expr.span) for one in found)


def _is_connection(context: Context, match: Match, value: Value, *, is_other: bool) -> bool:
    """Whether an object says what to start or where to connect; a text does when it is a URL. Among other things, the
    tools of a run, it must be written: a library's object of any kind has members by every name.
    """
    if isinstance(value, Const):
        return isinstance(value.value, str) and value.value.startswith(URLS)
    if not isinstance(value, (Entries, Api, Instance)) or _is_made(context, match, value):
        return False
    addresses = (match.row.properties[name] for name in ("command", "url") if name in match.row.properties)
    read = [inner for address in addresses for inner in within(context.program, value, address).values]
    if is_other and isinstance(value, Api):
        return any(not isinstance(inner, (Unknown, Api)) for inner in read)
    return any(not isinstance(inner, Unknown) for inner in read) or (bool(read) and _is_whole(value))


def _is_whole(value: Value) -> bool:
    return not isinstance(value, Entries) or value.complete


def _is_made(context: Context, match: Match, value: Value) -> bool:
    """Whether a value is a client of its own, or a list of such."""
    if isinstance(value, Items):
        return bool(value.items) and all(
            _is_made(context, match, inner) for item in value.items for inner in context.program.value_of(item)
        )
    made = context.made(value, KIND)
    return made is not None and made is not match


def _span(value: Value, otherwise: Span) -> Span:
    if isinstance(value, Const):
        return value.span
    node = getattr(value, "node", None) or getattr(value, "call", None)
    return node.span if node is not None else otherwise
