"""How MCP servers of the project are started: calls in programs, and what registries, marketplaces and packed
extensions are told (`server.json`, `smithery.yaml`, a `manifest.json`), as the rows of the packs describe it.

A file that describes a server is no site; what stands in it are facts about the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import NO_PARTS, McpInput, McpStart, Part, Parts
from agent_architecture.model.settings import ABSENT, Origin, Setting, unknown, written
from agent_architecture.semantics.manifests.pins import registry_pin
from agent_architecture.semantics.matching.documents import entries, first
from agent_architecture.semantics.matching.properties import AtCall, InDocument, of_node
from agent_architecture.semantics.protocols.access import Access
from agent_architecture.semantics.protocols.connection import spelled
from agent_architecture.semantics.protocols.network_listeners import opened
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.matching.properties import Source
    from agent_architecture.sources.source import Span

KIND: Final = "mcp_start"
INPUT: Final = "mcp_input"
REMOTE: Final = frozenset({"http", "sse", "websocket"})
_LONGEST: Final = 20_000


def mcp_starts(context: Context) -> tuple[McpStart, ...]:
    """Every start, by position; what a file asks of its user belongs to the start around it, else to all in it."""
    access = Access(context)
    found = [_in_program(context, access, match) for match in context.of_kind(KIND)]
    found += opened(context, access)
    described = list(_described(context))
    for one in _inputs(context):
        around = [number for number, start in enumerate(described) if _within(one.span, start.span)]
        beside = [number for number, start in enumerate(described) if start.span.path == one.span.path]
        for number in around or beside:
            described[number] = described[number]._replace(inputs=(*described[number].inputs, one))
    return tuple(sorted((*found, *described), key=lambda start: (start.span, start.symbol)))


def _in_program(context: Context, access: Access, match: Match) -> McpStart:
    """A start with what its program puts in front of it, unless it is not reached over a network."""
    start = _start(AtCall(context, match), match.node.span, context.symbol(match.node), match.row.where.pack)
    remote = set(start.transport.values) & REMOTE
    return start._replace(checks=access.before(match)) if remote else start


def _described(context: Context) -> Iterator[McpStart]:
    for row in context.packs.documents:
        for path, key, node in entries(context, row) if row.kind == KIND else ():
            source = InDocument(row, node, key)
            start = _start(source, node.span, path.rpartition("/")[2], row.where.pack)._replace(configured=True)
            function = row.relations.get("function")
            made = first(node, function) if function is not None else None
            yield _as_made(start, made.value) if isinstance(made, ir.Literal) else start


def _start(source: Source, span: Span, symbol: str, framework: str) -> McpStart:
    package = source.setting("package")
    said = source.setting("transport")
    words = tuple(dict.fromkeys(spelled(value) for value in said.values if value is not None))
    return McpStart(
        span,
        str(package.value) if isinstance(package.value, str) else symbol,
        framework,
        transport=said._replace(values=words),
        host=source.setting("host"),
        port=source.setting("port"),
        path=source.setting("path"),
        url=source.setting("url"),
        auth=source.setting("auth"),
        command=source.setting("command"),
        arguments=source.parts("arguments"),
        environment=source.parts("environment"),
        registry=source.setting("registry"),
        package=package,
        version=source.setting("version"),
        pinned=_pinned(source, package),
    )


def _pinned(source: Source, package: Setting) -> Setting:
    """How firmly the published package is chosen."""
    registry, version = source.setting("registry").value, source.setting("version").value
    if not isinstance(package.value, str) or package.span is None or not isinstance(registry, str):
        return ABSENT
    digest = source.setting("digest").origin is Origin.WRITTEN
    pin = registry_pin(registry, package.value, version if isinstance(version, str) else "", digest=digest)
    return written(pin.value, package.span)


# ------------------------------------------------------------------------------------------- what is asked of the user
def _inputs(context: Context) -> Iterator[McpInput]:
    for row in context.packs.documents:
        if row.kind == INPUT:
            for _, key, node in entries(context, row):
                source = InDocument(row, node, key)
                name = source.setting("name").value
                if isinstance(name, str):
                    flags = (source.setting("required"), source.setting("secret"), source.setting("value"))
                    yield McpInput(key.span if key is not None else node.span, name, row.where.pack, *flags)


def _within(inner: Span, outer: Span) -> bool:
    ends = (inner.end_line, inner.end_col) <= (outer.end_line, outer.end_col)
    return inner.path == outer.path and (outer.line, outer.col) <= (inner.line, inner.col) and ends


# -------------------------------------------------------------------------- a function of JavaScript that says the rest
def _as_made(start: McpStart, text: object) -> McpStart:
    """The start with what a function in the file gives: `(config) => ({command: "node", args: ["x.js"]})`."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        return start._replace(command=unknown("a function that makes it", start.span))
    file = SourceFile(start.span.path, Language.JAVASCRIPT, Role.CONFIG, f"export default {text.strip()}\n".encode())
    module = parse(file)
    bodies = (*module.body, *(statement for function in module.index.functions for statement in function.body))
    made = {id(node): node for node in ir.walk(*bodies) if isinstance(node, ir.Map) and _at(node, "command")}
    if len(made) != 1:
        return start._replace(command=unknown("a function that makes it", start.span))
    (node,) = made.values()
    return start._replace(
        command=_given(_at(node, "command"), start.span),
        arguments=_parts(_at(node, "args"), start.span),
        environment=_parts(_at(node, "env"), start.span),
    )


def _at(node: ir.Map, key: str) -> ir.Expr | None:
    return next((e.value for e in node.entries if isinstance(e.key, ir.Literal) and e.key.value == key), None)


def _given(expr: ir.Expr | None, span: Span) -> Setting:
    """What the function gives there; its text has no lines of its own in the file."""
    if isinstance(expr, ir.Literal):
        return of_node(expr)._replace(span=span)
    return unknown("what its user gives", span)


def _parts(expr: ir.Expr | None, span: Span) -> Parts:
    if isinstance(expr, ir.List):
        spread = any(isinstance(item, ir.Spread) for item in expr.items)
        items = tuple(Part("", _given(item, span)) for item in expr.items if not isinstance(item, ir.Spread))
        return Parts(Origin.WRITTEN, items, complete=not spread, span=span)
    if isinstance(expr, ir.Map):
        named = ((e.key.value, e.value) for e in expr.entries if isinstance(e.key, ir.Literal))
        items = tuple(Part(str(key), _given(value, span)) for key, value in named)
        return Parts(Origin.WRITTEN, items, complete=len(items) == len(expr.entries), span=span)
    return NO_PARTS if expr is None else Parts(Origin.UNKNOWN, complete=False, span=span)
