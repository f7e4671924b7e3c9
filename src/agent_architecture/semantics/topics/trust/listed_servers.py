"""The servers that files of hosts and programs list: what speaks against each, and who chooses it."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Final

from agent_architecture.model.inventory import Chooser, Listed, Oddity, Remark
from agent_architecture.model.settings import Origin
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.taint.sources import sources_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from agent_architecture.model.protocols import McpClient
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

PERSONAL: Final = ("claude_desktop_config.json", ".claude.json", "cline_mcp_settings.json")
"""Files that hosts keep in their users' homes."""
PACKED: Final = regex(r"(?:extension|plugin)[\w-]*\.json$")
"""Files that bring a server to others: what the folder around them uses is not in them."""
HOME: Final = regex(
    r"(?:^|[\s=\"'])(?:/Users/|/home/|[A-Za-z]:[\\/]+Users[\\/]+)(?!you|user|name|username|path|(?:app|node|ubuntu|runner|root|vscode)\b|\W)[\w.-]+"
)
TEMPORARY: Final = regex(
    r"(?:^|[\s=:])(?:/tmp/|/var/tmp/|/private/tmp/|/dev/shm/|%TEMP%|[A-Za-z]:[\\/]+(?:Windows[\\/]+)?Temp[\\/])",
    re.IGNORECASE,
)
DEBUGGING: Final = regex(r"\binspector\b|^--inspect(?:-brk)?\b|\bmcp-debug\b")
CHOSEN: Final = ("mcp_client", "a2a_client")
LEADING: Final = frozenset({
    "url", "server_url", "serverUrl", "base_url", "baseUrl", "uri", "endpoint", "command", "args", "transport",
    "server_params", "params", "connection", "connections", "agent_card", "card", "agent",
})  # fmt: skip
"""What the arguments are called that say where a connection leads."""
NAMING: Final = regex(r"url|uri|host|server|address|command|endpoint|origin|name", re.IGNORECASE)
"""What is compared with a list of what is allowed."""
DEPTH: Final = 3
"""Objects inside objects that are opened."""
OPENED: Final = 40
"""Objects that are opened for one connection: of one whose address may come from anywhere, the nearest say enough."""
ROUTES: Final = frozenset({"get", "post", "put", "patch", "route", "api_route", "websocket", "delete"})
REQUESTS: Final = regex(r"^(?:req|request)$", re.IGNORECASE)


def listed_servers(context: Context, clients: tuple[McpClient, ...], tools: Container[int]) -> tuple[Listed, ...]:
    """Every server that is listed and not switched off, then peers that a model or user chooses."""
    active = tuple(client for client in clients if client.disabled.value is not True)
    choosers = _Choosers(context, tools)
    others = _by_name(active)
    made = [
        Listed(client.span, client.symbol, client.framework, tuple(_remarks(client, others)), *choosers.of(client))
        for client in active
    ]
    peers = (choosers.peer(match) for match in context.of_kind("a2a_client"))
    return tuple(sorted((*made, *(peer for peer in peers if peer is not None)), key=lambda one: (one.span, one.symbol)))


# ------------------------------------------------------------------------------------------------------------ oddities
def _by_name(clients: tuple[McpClient, ...]) -> dict[tuple[str, str], list[McpClient]]:
    found: dict[tuple[str, str], list[McpClient]] = defaultdict(list)
    for client in clients:
        if client.configured and not PACKED.search(client.span.path):
            found[_folder(client.span.path), client.symbol].append(client)
    return found


def _folder(path: str) -> str:
    """The folder that a host's file speaks for: folders of editors belong to the one around them."""
    return "/".join(part for part in path.split("/")[:-1] if not part.startswith("."))


def _remarks(client: McpClient, others: dict[tuple[str, str], list[McpClient]]) -> Iterator[Remark]:
    words = [str(client.command.value or ""), *(str(part.value.value or "") for part in client.arguments.entries)]
    word = next((one for one in words if TEMPORARY.search(one)), None)
    if word is not None:
        yield Remark(Oddity.TEMPORARY, word)
    word = next((one for one in words if DEBUGGING.search(one)), None)
    if word is not None:
        yield Remark(Oddity.DEBUGGING, word)
    name = client.span.path.rpartition("/")[2] if client.configured else ""
    places = [*words, str(client.working_directory.value or "")]
    word = next((one for one in places if HOME.search(one)), name if name in PERSONAL else None)
    if word is not None:
        yield Remark(Oddity.PERSONAL, word)
    if not client.configured:
        return
    named = others[_folder(client.span.path), client.symbol] if not PACKED.search(client.span.path) else []
    same = [one for one in named if one.span.path != client.span.path]
    other = next((one for one in same if _identity(one) != _identity(client)), None)
    if other is not None:
        yield Remark(Oddity.CONFLICT, other.span.path, other.span)
    elif same:
        yield Remark(Oddity.DUPLICATE, same[0].span.path, same[0].span)


def _identity(client: McpClient) -> tuple[object, ...]:
    arguments = tuple(part.value.values or part.value.source for part in client.arguments.entries)
    return client.command.values, arguments, client.url.values or client.url.source


# ---------------------------------------------------------------------------------------------------------- who chooses
class _Choosers:
    def __init__(self, context: Context, tools: Container[int]) -> None:
        self._context = context
        self._tools = tools
        self._sources = sources_of(context)
        self._matches = {
            match.node.span: match for match in context.of_kind(*CHOSEN) if isinstance(match.node, ir.Call)
        }

    def of(self, client: McpClient) -> tuple[Chooser | None, str, Span | None]:
        """Who chooses a client's server, else where its address comes from; and what limits the choice. Where a client
        says no address, its servers stand in what it is given as a whole.
        """
        said = (client.command, client.url)
        hidden = next((s for s in said if s.origin is Origin.UNKNOWN), None)
        match = self._matches.get(client.opened)
        is_said = hidden is None and any(s.origin is not Origin.ABSENT for s in said)
        source = "" if hidden is None else hidden.source
        if client.configured or match is None or is_said:
            return None, source, None
        chooser = self._chooser(match)
        return chooser, source, self._limit(match) if chooser is not None else None

    def peer(self, match: Match) -> Listed | None:
        """An agent elsewhere whose address a model gives."""
        chooser = self._chooser(match) if match.arguments is not None else None
        if chooser is not Chooser.MODEL:
            return None
        node = match.node
        span, symbol = node.span, self._context.symbol(node)
        return Listed(span, symbol, match.row.where.pack, (), chooser, limited=self._limit(match))

    def _chooser(self, match: Match) -> Chooser | None:
        found: Chooser | None = None
        for chooser in self._among(match.arguments) if isinstance(match.arguments, ir.Call) else ():
            found = chooser
            if chooser is Chooser.MODEL:
                break
        return found

    def _among(self, call: ir.Call) -> Iterator[Chooser]:
        """Who decides what a call is given as address or command, through the objects that it is given it in: the
        nearest first, each once.
        """
        queue, opened = deque([(call, DEPTH)]), {id(call)}

        def open_later(inner: ir.Call, depth: int) -> None:
            if depth and id(inner) not in opened and len(opened) < OPENED:
                opened.add(id(inner))
                queue.append((inner, depth - 1))

        while queue:
            current, depth = queue.popleft()
            for expr in _addressing(current):
                if isinstance(expr, ir.Call) and depth and not self._context.program.callees(expr):
                    open_later(expr, depth)
                    continue
                for origin in flow.ends(self._context.program, expr):
                    chooser = self._of_origin(origin)
                    if chooser is not None:
                        yield chooser
                    elif origin.kind == "call" and isinstance(origin.node, ir.Call):
                        open_later(origin.node, depth)

    def _of_origin(self, origin: flow.End) -> Chooser | None:
        node = origin.node
        if origin.kind == "parameter" and isinstance(node, ir.Function):
            if id(node) in self._tools:
                return Chooser.MODEL
            asked = _is_route(node) or (REQUESTS.match(origin.name) is not None and not self._called(node))
            return Chooser.USER if asked else None
        source = self._sources.of_call(node) if isinstance(node, ir.Call) else None
        if source is None:
            return None
        return {"model": Chooser.MODEL, "user": Chooser.USER}.get(source.origin)

    def _called(self, function: ir.Function) -> bool:
        return bool(function.name) and any(self._context.program.callers(function))

    def _limit(self, match: Match) -> Span | None:
        """A test in the same function of whether something is among those that are listed."""
        nodes = self._context.program.structure(self._context.program.scope_of(match.node)).nodes
        for node in nodes:
            asked: ir.Expr | None = None
            if isinstance(node, ir.Operator) and node.op == ir.Op.IN:
                asked = node.operands[0]
            elif isinstance(node, ir.Call) and callee_name(node.callee) in {"has", "includes"} and node.args:
                asked = node.args[0].value
            if asked is not None and node.span < match.node.span and NAMING.search(dotted(asked)):
                return node.span
        return None


def _addressing(call: ir.Call) -> Iterator[ir.Expr]:
    """What a call is given that may say where a connection leads, out of the objects and lists around it."""
    leading = [argument.value for argument in call.args[:1] if argument.keyword is None]
    exprs = [*leading, *(argument.value for argument in call.args if argument.keyword in LEADING)]
    while exprs:
        expr = exprs.pop()
        if isinstance(expr, ir.Map):
            exprs += [entry.value for entry in expr.entries if _leads(entry)]
        elif isinstance(expr, ir.List):
            exprs += expr.items
        else:
            yield expr


def _leads(entry: ir.Entry) -> bool:
    named = isinstance(entry.key, ir.Literal) and entry.key.value in LEADING
    return named or entry.key is None or isinstance(entry.value, ir.Map)


def _is_route(function: ir.Function) -> bool:
    calls = (decorator for decorator in function.decorators if isinstance(decorator, ir.Call))
    return any(callee_name(call.callee) in ROUTES and isinstance(call.callee, ir.Member) for call in calls)
