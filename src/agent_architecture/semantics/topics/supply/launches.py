"""Launch commands of MCP servers, in code and in the configuration of hosts: what each fetches before it starts.

A launch is a mapping or a call with a `command` and its `args`. Must not know which library takes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem, InstallPath
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Const, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.declared_lines import at, pairs, words
from agent_architecture.semantics.manifests.install_commands import launched
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.manifests.install_commands import Installed
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import SourceFile, Span

_RUNNER: Final = regex(rb"\b(?:npx|bunx|pnpx|uvx|uv|pipx|docker|podman|pnpm|yarn|bun|npm)\b")
_ABOUT: Final = regex(rb"mcp|context_servers|modelcontextprotocol")
"""What a file says that has to do with such servers, in small letters."""
_DOCUMENTS: Final = (".json", ".jsonc", ".yaml", ".yml", ".toml", ".code-workspace")
_SERVERS: Final = frozenset(
    {"mcpServers", "mcp_servers", "servers", "context_servers", "extensions", "mcp", "mcp_config"}
)
_LARGEST: Final = 1_000_000
_PAGES: Final = (".tsx", ".jsx")
_STARTS: Final = regex(
    rb"child_process|execa|StdioClientTransport|MCPClient|createMCPClient|MCPServerStdio|[\"']ink[\"']"
)
"""What a component says that starts a program or a client."""


def launches(context: Context) -> Iterator[InstallPath]:
    """Every launch command that fetches what it starts, with the place of the package in it."""
    table = context.program.table
    clients: dict[str, list[Match]] = {}
    for match in context.of_kind("mcp_client"):
        clients.setdefault(match.node.span.path, []).append(match)
    parsed = {module.path: module for module in context.program.modules}
    for file in table.files():
        is_code = file.language in CODE
        if (is_code and file.path not in parsed) or not told(file, _may_launch):
            continue
        if is_code:
            if _is_shown(file):
                continue
            for match in clients.get(file.path, ()):
                yield from _at(context, match)
            for node in _nodes(parsed[file.path]):
                yield from _in_code(context, node)
        elif file.path.lower().endswith(_DOCUMENTS) and len(file.data) <= _LARGEST:
            module = table.get(file.path)
            for document in module.body if module is not None else ():
                yield from _in_document(document)


def _may_launch(data: bytes) -> bool:
    return _RUNNER.search(data) is not None and _ABOUT.search(data.lower()) is not None


def _is_shown(file: SourceFile) -> bool:
    """Whether a file is a page that shows its reader what to write into a host's configuration, and starts nothing."""
    return file.path.lower().endswith(_PAGES) and _STARTS.search(file.data) is None


def _nodes(module: ir.Module) -> Iterator[ir.Node]:
    yield from ir.walk(*module.body)
    for function in module.index.functions:
        yield from own_nodes(function)
    for cls in module.index.classes:
        yield from ir.walk(*cls.parts.body)


def _at(context: Context, match: Match) -> Iterator[InstallPath]:
    """What a client is told to start, wherever its library takes that: `MCPServerStdio("npx", ["-y", …])`."""
    places = [match.row.properties.get(name) for name in ("command", "arguments")]
    if match.arguments is None or any(place is None for place in places):
        return
    given = [expressions(context.program, match.arguments, place) for place in places if place is not None]
    read = [word for exprs in given for expr in exprs[:1] for word in zip(*read_words(context, expr), strict=True)]
    yield from _path(launched([word for word, _ in read]), tuple(span for _, span in read))


def _in_code(context: Context, node: ir.Node) -> Iterator[InstallPath]:
    """`StdioServerParameters(command="npx", args=[…])`, `{command: "uvx", args: […]}`."""
    if isinstance(node, ir.Call):
        parts = {a.keyword: a.value for a in node.args if a.keyword in {"command", "args"}}
    elif isinstance(node, ir.Map):
        parts = {str(key.value): value for key, value in pairs(node) if key.value in {"command", "args"}}
    else:
        return
    if "command" not in parts:
        return
    argv, spans = read_words(context, parts["command"])
    more, places = read_words(context, parts["args"]) if "args" in parts else ((), ())
    yield from _path(launched((*argv, *more)), (*spans, *places))


def read_words(context: Context, expr: ir.Expr) -> tuple[tuple[str | None, ...], tuple[Span, ...]]:
    """The words that an expression is, each with where it stands; None for one that cannot be read."""
    whole, start = _sliced(expr)
    values = context.program.value_of(whole)
    items = next((value.items[start:] for value in values if isinstance(value, Items)), None)
    read: list[tuple[str | None, Span]] = []
    for item in (expr,) if items is None else items:
        texts = [v for v in context.program.value_of(item) if isinstance(v, Const) and isinstance(v.value, str)]
        word = texts[0] if len(texts) == 1 else None
        text = str(word.value) if word else None
        read.append((text, word.span if word and word.span.path == expr.span.path else item.span))
    return tuple(text for text, _ in read), tuple(span for _, span in read)


def _sliced(expr: ir.Expr) -> tuple[ir.Expr, int]:
    """The list that an expression is the rest of, and from where: `command[1:]`."""
    if isinstance(expr, ir.Index) and isinstance(expr.key, ir.Slice):
        start = expr.key.lower
        if isinstance(start, ir.Literal) and isinstance(start.value, int) and start.value >= 0:
            return expr.target, start.value
    return expr, 0


def _in_document(document: ir.Node) -> Iterator[InstallPath]:
    """The servers of a host's configuration: mappings below a key that names servers."""
    stack: list[tuple[ir.Node, bool]] = [(document, False)]
    while stack:
        node, below = stack.pop()
        if isinstance(node, ir.List):
            stack += [(item, below) for item in node.items]
        if not isinstance(node, ir.Map):
            continue
        if below and at(node, "command") is not None:
            argv = [*words(at(node, "command")), *words(at(node, "args"))]
            yield from _path(launched([str(word.value) for word in argv]), tuple(word.span for word in argv))
        stack += [(value, below or str(key.value) in _SERVERS) for key, value in pairs(node)]


def _path(found: Installed | None, spans: tuple[Span, ...]) -> Iterator[InstallPath]:
    if found is not None and found.at < len(spans):
        span = spans[found.at]
        yield InstallPath(span, found.name, "", "launch", (InstallItem(found.name, found.pin, span),))
