"""Clients of MCP and A2A that are written by hand: code that sends the methods of a protocol itself, over HTTP or to a
process.

Who only compares a request with them is a server (`servers_by_hand.py`). The site is the class whose methods send them,
else
the function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Site, SiteKind
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.own_library import own_folders
from agent_architecture.semantics.protocols.published_by_hand import sendings
from agent_architecture.semantics.protocols.servers_by_hand import PROTOCOLS, answering
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

SENDING: Final = regex(r"(?i)(?:request|rpc|send|call|post|invoke|query|exchange)")
"""What functions are called that send a request by its method's name."""
KEYS: Final = frozenset({"method"})
"""The key of JSON-RPC under which a request names its method."""


class Sent(NamedTuple):
    """A protocol by what its clients send: one method of each."""

    kind: SiteKind
    rows: tuple[str, ...]
    """Kinds of the packs' rows by which a library speaks the protocol for a file."""
    methods: tuple[frozenset[str], ...]


SPOKEN: Final = (
    Sent(
        SiteKind.MCP_CLIENT,
        ("mcp_client", "mcp_server", "mcp_start"),
        (frozenset({"tools/call"}), frozenset({"initialize", "tools/list"})),
    ),
    Sent(
        SiteKind.A2A,
        ("a2a_client", "a2a_server"),
        (frozenset({"message/send", "message/stream", "tasks/send", "tasks/sendSubscribe"}),),
    ),
)


def hand_written_clients(context: Context) -> Iterator[Site]:
    """The clients of both protocols; a file in which a library, or a server by hand, speaks one has none besides."""
    own = own_folders(context.packs, context.versions.files)
    for sent in SPOKEN:
        speaking = {match.node.span.path for match in context.of_kind(*sent.rows)}
        speaking |= {found.asking.span.path for spoken in PROTOCOLS for found in answering(context, spoken)}
        for module in context.program.modules:
            file = context.program.table.file(module.path)
            if file is None or module.language not in CODE or module.path in speaking or module.path.startswith(own):
                continue
            if all(any(name.encode() in file.data for name in names) for names in sent.methods):
                yield from _clients(context.program, module, sent)
    yield from (one.site for one in sendings(context))


def _clients(program: Program, module: ir.Module, sent: Sent) -> Iterator[Site]:
    wanted = frozenset[str]().union(*sent.methods)
    known: dict[ir.Scope, dict[str, ir.Node]] = {}
    for scope in module.code:
        for node in program.structure(scope).nodes:
            for name in _sent(node, wanted):
                root = enclosing_class(program, node) or scope
                known.setdefault(root, {}).setdefault(name, node)
    whole = {name for asked in known.values() for name in asked}
    if not all(whole & names for names in sent.methods):
        return
    for root, asked in known.items():
        if asked.keys() & sent.methods[0]:
            node = next(node for name, node in asked.items() if name in sent.methods[0])
            yield _site(root, node, sent.kind)


def _site(root: ir.Scope, node: ir.Node, kind: SiteKind) -> Site:
    if isinstance(root, (ir.Class, ir.Function)):
        return Site(root.name_span, root.qualname, "", kind, degree=Degree.INFERRED)
    return Site(node.span, "", "", kind, degree=Degree.INFERRED)


def _sent(node: ir.Node, wanted: frozenset[str]) -> Iterator[str]:
    """The methods that a node sends: under the key of a request, or as an argument of a function that sends."""
    match node:
        case ir.Map():
            for entry in node.entries:
                if isinstance(entry.key, ir.Literal) and entry.key.value in KEYS:
                    yield from _among(entry.value, wanted)
        case ir.Call() if SENDING.search(callee_name(node.callee)):
            for argument in node.args:
                if argument.keyword is None or argument.keyword in KEYS:
                    yield from _among(argument.value, wanted)
        case _:
            return


def _among(expr: ir.Expr, wanted: frozenset[str]) -> Iterator[str]:
    if isinstance(expr, ir.Literal) and isinstance(expr.value, str) and expr.value in wanted:
        yield expr.value
