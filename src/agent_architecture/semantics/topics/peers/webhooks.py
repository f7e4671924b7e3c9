"""Push notifications of tasks: what posts them to the addresses of clients, and the routes that take them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.peers import ReceivedPush, SentPush
from agent_architecture.model.protocols import EndpointRole
from agent_architecture.model.settings import ABSENT, Origin, Setting, default, written
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Func
from agent_architecture.regexes import Sought, regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.protocols.credential_checks import COMPARING, check_in
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.protocols import A2AEndpoint
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

KIND: Final = "push_sender"
POSTING: Final = ("post", "fetch", "request", "urlopen", "put")
ROUTING: Final = frozenset(
    {"post", "route", "add_route", "add_api_route", "Route", "api_route", "all", "add_post", "put"}
)
SPEAKS: Final = Sought(regex(rb"\ba2a\b|@a2a-js|push[_ -]?notif"), (b"a2a", b"push"))
"""What files say, in small letters, that have to do with such notifications."""
PROTOCOL: Final = regex(
    rb"push[_ -]?notif|message/(?:send|stream)|tasks/(?:get|send|cancel)|well-known/agent|@a2a-js"
    rb"|\b(?:from|import) a2a\b"
)
"""What only a program says that speaks the protocol, in small letters; a product may be called A2A, too."""
PUSHED: Final = regex(r"push|notif|webhook|callback", re.IGNORECASE)
ADDRESS: Final = regex(r"(?:^|[._])(?:url|uri|endpoint|callback|webhook|target)$|url$", re.IGNORECASE)
SCREENING: Final = regex(
    r"(?:valid|allow|screen|safe|ssrf|verify|check|permit|block|public|private|internal|trusted)\w*", re.IGNORECASE
)
OF_ADDRESS: Final = regex(r"url|host|scheme|origin|domain|netloc|protocol|address|ip", re.IGNORECASE)
PROVING: Final = regex(r"authorization|[-_]token|signature|bearer|hmac|jwt", re.IGNORECASE)
TASK: Final = regex(r"task_?id|taskid|context_?id", re.IGNORECASE)
SIGNED_IN: Final = frozenset({"SAMLResponse", "authorization_code", "id_token"})
"""What a provider of identities calls what it posts back."""
GRANTED: Final = frozenset({"code", "state"})
"""And both of these together, of OAuth."""
JAVASCRIPT: Final = (".ts", ".tsx", ".mts", ".js", ".mjs", ".cts", ".cjs")
CAPABILITY: Final = frozenset({"pushNotifications", "push_notifications"})


def sent_pushes(context: Context, endpoints: tuple[A2AEndpoint, ...]) -> tuple[SentPush, ...]:
    """What libraries send, then what code of the project posts by itself."""
    found: dict[tuple[str, int], SentPush] = {}
    handlers = [match for match in context.of_kind("a2a_server") if "url_check" in match.row.properties]
    for match in context.of_kind(KIND):
        own = effective(context, match, "url_check")
        said = (effective(context, handler, "url_check") for handler in handlers)
        other = next((one for one in said if one.origin is not Origin.DEFAULT and one.value is not None), None)
        check = own if other is None or (own.origin is Origin.WRITTEN and own.value is not None) else other
        head = (match.node.span, context.symbol(match.node), match.row.where.pack)
        _keep(found, SentPush(*head, check, effective(context, match, "auth")))
    for endpoint in endpoints:
        if endpoint.role is EndpointRole.SERVER and not found and _sends_by_itself(endpoint):
            head = (endpoint.span, endpoint.symbol, endpoint.framework)
            _keep(found, SentPush(*head, default(None, "its library"), default("token", "its library")))
    for posted in _by_hand(context):
        _keep(found, posted)
    return tuple(sorted(found.values(), key=lambda push: push.span))


def _keep(found: dict[tuple[str, int], SentPush], push: SentPush) -> None:
    found.setdefault((push.span.path, push.span.line), push)


def _sends_by_itself(endpoint: A2AEndpoint) -> bool:
    """Whether the handler of the JavaScript SDK makes a sender, because the card promises notifications."""
    card = endpoint.card
    if card is None or not endpoint.span.path.endswith(JAVASCRIPT):
        return False
    return any(part.name in CAPABILITY and part.value.value is True for part in card.capabilities.entries)


def _speaking(context: Context, path: str) -> bool:
    return path in context.once(_speakers)


def _speakers(context: Context) -> frozenset[str]:
    """The paths of the modules that say anything of such notifications, in a program that speaks the protocol."""
    files = (context.program.table.file(module.path) for module in context.program.modules)
    found = {file.path: low for file in files if file is not None and SPEAKS.is_in(low := file.data.lower())}
    return frozenset(found) if any(map(PROTOCOL.search, found.values())) else frozenset()


# ------------------------------------------------------------------------------------------------------------ senders
def _by_hand(context: Context) -> Iterator[SentPush]:
    program = context.program
    for name in POSTING:
        for site in program.calls(name):
            if not _speaking(context, site.call.span.path) or not _is_clients(program, site.call):
                continue
            function = site.scope if isinstance(site.scope, ir.Function) else None
            nodes = program.structure(site.scope).nodes
            symbol = function.name if function is not None and function.name else callee_name(site.call.callee) or name
            yield SentPush(site.call.span, symbol, "", _screened(nodes, site.call), _proven(nodes), _unverified(nodes))


def _is_clients(program: Program, call: ir.Call) -> bool:
    """Whether a request goes to an address that a notification's configuration holds."""
    for argument in call.args[:2]:
        expr = argument.value
        if argument.keyword not in {None, "url"}:
            continue
        name = dotted(expr)
        if isinstance(expr, ir.Name) and not PUSHED.search(name):
            sources = program.visible(expr)
            names = [
                dotted(b.node.value) for b in sources if isinstance(b.node, ir.Assign) and b.node.value is not None
            ]
            name = next((one for one in names if one), name)
        if name and ADDRESS.search(name) and PUSHED.search(name) and not name.isupper():
            return True
    return False


def _screened(nodes: tuple[ir.Node, ...], call: ir.Call) -> Setting:
    """What is tested of the address before it is used."""
    for node in nodes:
        if node.span > call.span:
            continue
        if isinstance(node, ir.Call):
            name = callee_name(node.callee) or ""
            words = " ".join([name, *(dotted(argument.value) for argument in node.args)])
            if SCREENING.match(name.lstrip("_").removeprefix("is_").removeprefix("is")) and OF_ADDRESS.search(words):
                return written(True, node.span)
        if isinstance(node, ir.Operator) and node.op in {ir.Op.IN, ir.Op.EQ, ir.Op.NE} and _of_address(node):
            return written(True, node.span)
    return ABSENT


def _of_address(node: ir.Operator) -> bool:
    names = (dotted(operand).rpartition(".")[2] for operand in node.operands)
    return any(OF_ADDRESS.search(name) for name in names if name)


def _proven(nodes: tuple[ir.Node, ...]) -> Setting:
    for node in nodes:
        if isinstance(node, ir.Literal) and isinstance(node.value, str) and PROVING.search(node.value):
            plain = node.value.lower().endswith("notification-token")
            return written("token" if plain else "authentication", node.span)
        if isinstance(node, ir.Call) and PROVING.search(callee_name(node.callee) or ""):
            return written("authentication", node.span)
    return ABSENT


def _unverified(nodes: tuple[ir.Node, ...]) -> Span | None:
    for node in nodes:
        for argument in node.args if isinstance(node, ir.Call) else ():
            value = argument.value
            if argument.keyword == "verify" and isinstance(value, ir.Literal) and value.value is False:
                return value.span
    return None


# ---------------------------------------------------------------------------------------------------------- receivers
def received_pushes(context: Context) -> tuple[ReceivedPush, ...]:
    """Every route for notifications, once."""
    found: dict[int, ReceivedPush] = {}
    for function, span, symbol in _routes(context):
        nodes = (*extent(context.program, function.body, set()).nodes(),)
        check = check_in(context, function)
        compared = any(isinstance(node, ir.Call) and callee_name(node.callee) in COMPARING for node in nodes)
        verified = check is not None and check.verifies
        found.setdefault(
            id(function),
            ReceivedPush(
                span,
                symbol,
                "",
                check,
                plainly=check is not None and not (compared or verified),
                expected=_expects(nodes),
            ),
        )
    return tuple(sorted(found.values(), key=lambda push: push.span))


def _expects(nodes: tuple[ir.Node, ...]) -> bool:
    """Whether the task that a notification speaks of is looked up or compared."""
    for node in nodes:
        if isinstance(node, (ir.Operator, ir.Index)) or (
            isinstance(node, ir.Call) and callee_name(node.callee) in {"get", "has", "includes", "pop"}
        ):
            for inner in ir.walk(node):
                word = inner.name if isinstance(inner, ir.Member) else inner.id if isinstance(inner, ir.Name) else ""
                if isinstance(inner, ir.Literal) and isinstance(inner.value, str):
                    word = inner.value
                if TASK.search(word) and not isinstance(node, ir.Index):
                    return True
                if word == "id" and isinstance(node, ir.Operator) and node.op == ir.Op.IN:
                    return True
    return False


def _routes(context: Context) -> Iterator[tuple[ir.Function, Span, str]]:
    """The functions that answer posts to an address which speaks of notifications."""
    program = context.program
    for name in sorted(ROUTING):
        for site in program.calls(name):
            path = _path(site.call)
            if path is None or not PUSHED.search(path) or not _speaking(context, site.call.span.path):
                continue
            if _only_gets(site.call):
                continue
            for argument in site.call.args[1:]:
                for value in program.value_of(argument.value):
                    if isinstance(value, Func) and not _signs_in(value.function):
                        yield value.function, site.call.span, path
    for module in program.modules:
        for function in module.index.functions if _speaking(context, module.path) else ():
            for decorator in function.decorators:
                path = _path(decorator) if isinstance(decorator, ir.Call) else None
                if path is None or not isinstance(decorator, ir.Call) or callee_name(decorator.callee) not in ROUTING:
                    continue
                if PUSHED.search(path) and not (_only_gets(decorator) or _signs_in(function)):
                    yield function, function.name_span, path


def _signs_in(function: ir.Function) -> bool:
    """Whether a function takes what a provider of identities posts back about who signs in: a token of the user's, or a
    code for one beside the state that was sent along.
    """
    names = {param.name for param in function.params}
    for node in ir.walk(*function.body):
        match node:
            case ir.Member(name=name) | ir.Literal(value=str() as name):
                names.add(name)
            case _:
                continue
    return not SIGNED_IN.isdisjoint(names) or names >= GRANTED


def _path(call: ir.Call) -> str | None:
    first = call.args[0].value if call.args else None
    text = first.value if isinstance(first, ir.Literal) else None
    return text if isinstance(text, str) and text.startswith("/") else None


def _only_gets(call: ir.Call) -> bool:
    for argument in call.args:
        if argument.keyword == "methods" and isinstance(argument.value, ir.List):
            return all(isinstance(item, ir.Literal) and item.value in {"GET", "HEAD"} for item in argument.value.items)
    return False
