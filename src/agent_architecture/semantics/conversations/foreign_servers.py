"""Which MCP servers are somebody else's: those that the project does not start from its own files.

Says whose a server is; must not know what it offers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Const, Func, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.taint.sources import LOOPBACK
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

SERVERS: Final = ("mcp_client", "tool_set")
ELSEWHERE: Final = regex(r"^[/~]|^[A-Za-z]:/|://|(?:^|/)(?:node_modules|site-packages)/")
"""Paths that do not begin where the project lies, or that lead to what was installed."""
STARTED_BY: Final = ("command", "arguments", "url", "working_directory")


def is_foreign(context: Context, match: Match) -> bool:
    """Whether the tools of a client or toolkit are those of a server that the project does not hold itself."""
    if match.row.kind != "mcp_client":
        if "server" not in match.row.relations:
            return False
        clients = tuple(_clients(context, match))
        return not clients or any(is_foreign(context, client) for client in clients)
    words = tuple(_words(context, match))
    return not any(_is_own(context, word) for word in words)


def _clients(context: Context, match: Match) -> Iterator[Match]:
    read = at_call(context.program, match.arguments, match.api.receiver, match.row.relations["server"])
    yield from context.made_by(read.values, "mcp_client")
    for value in read.values:  # a function that opens the connection when it is wanted
        for made in context.program.structure(value.function).returns if isinstance(value, Func) else ():
            yield from context.made_by(context.program.value_of(made), "mcp_client")


def _words(context: Context, match: Match) -> Iterator[str]:
    """The constant texts that say how a server is reached."""
    for name in STARTED_BY:
        address = match.row.properties.get(name)
        if address is not None:
            yield from _texts(context, at_call(context.program, match.arguments, match.api.receiver, address).values)
    for node in ir.walk(match.node) if isinstance(match.node, ir.Call) else ():
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            yield node.value


def _texts(context: Context, values: Values) -> Iterator[str]:
    for value in values:
        if isinstance(value, Const) and isinstance(value.value, str):
            yield value.value
        elif isinstance(value, Items):
            for item in value.items:
                yield from _texts(context, context.program.value_of(item))


def _is_own(context: Context, word: str) -> bool:
    """Whether a word names a file of the project, also one that is only written later, or the machine itself, where the
    project has a server that may run there.
    """
    if LOOPBACK.match(word) and not word.startswith("/"):
        return any(True for _ in context.of_kind("mcp_server"))
    path = word.replace("\\", "/")
    name = path.rpartition("/")[2]
    if not name.endswith((".py", ".js", ".ts", ".mjs", ".cjs", ".mts")):
        return False
    if not ELSEWHERE.search(path):
        return True
    stem = name.rpartition(".")[0]
    return any(path.rpartition("/")[2].rpartition(".")[0] == stem for path in context.program.table.paths)
