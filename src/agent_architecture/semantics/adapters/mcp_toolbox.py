"""The server of MCP Toolbox for Databases: a file that names its tools, each with the statement that it runs.

Rows say which files are one and what a kind of tool does. A parameter is bound, and its type and limits are checked; a
template parameter is put into the statement as it is. The server answers with the rows that it finds, as a text.
Rule: internal/util/parameters/parameters.go, internal/server/mcp (genai-toolbox 0.30).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Effect, Enforcement, Parameter, ParameterKind, Schema, Shaped
from agent_architecture.model.settings import ABSENT
from agent_architecture.model.system import Annotations, Site, SiteKind, Tool
from agent_architecture.model.vocabulary import EFFECTS
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.effects.statement_words import by_first_word
from agent_architecture.semantics.matching.documents import at, entries, is_like
from agent_architecture.semantics.matching.properties import InDocument, of_node
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import DocumentRow
    from agent_architecture.sources.source import Span

PACK: Final = "mcp-toolbox"
FLAT: Final = frozenset({"tool", "tools"})
"""What a document of its own says that it is, where it is a tool."""
BOUND: Final = "parameters"
PUT_IN: Final = "templateParameters"
LIMITS: Final = ("allowedValues", "minValue", "maxValue")
HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


class Offered(NamedTuple):
    """A tool of such a file, and what the file says of it."""

    tool: Tool
    node: ir.Node
    records: Span | None
    """The statement whose rows it answers with."""


class ToolsFiles(NamedTuple):
    """The servers that files declare, and their tools."""

    sites: tuple[Site, ...] = ()
    offered: tuple[Offered, ...] = ()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools of all of them."""
        return tuple(each.tool for each in self.offered)


def tools_files(context: Context) -> ToolsFiles:
    """All such files of the project."""
    return context.once(_tools_files)


def _tools_files(context: Context) -> ToolsFiles:
    rows = [row for row in context.packs.documents if row.where.pack == PACK]
    servers: dict[str, Site] = {}
    offered: dict[Span, Offered] = {}
    for row in rows:
        for path, key, node in entries(context, row) if row.kind == SiteKind.MCP_SERVER else ():
            for name, tool in _tools(key, node):
                offered.setdefault(name.span, _offered(name, tool, _place(rows, tool)))
                start = name.span if key is None else key.span
                servers.setdefault(path, Site(start, path.rpartition("/")[2], PACK, SiteKind.MCP_SERVER))
    return ToolsFiles(tuple(servers.values()), tuple(offered.values()))


def _place(rows: Iterable[DocumentRow], tool: ir.Node) -> InDocument | None:
    """What a row says of such a tool."""
    fitting = (row for row in rows if row.kind == "tool" and row.only is not None and is_like(tool, row.only))
    return next((InDocument(row, tool) for row in fitting), None)


def _tools(key: ir.Literal | None, node: ir.Node) -> Iterator[tuple[ir.Literal, ir.Node]]:
    """The tools at a place, each with its name: a mapping of them, or a document that is one."""
    if key is None and _text(node, "kind") in FLAT:
        named = _first(node, "name")
        if isinstance(named, ir.Literal) and _first(node, "source") is not None:
            yield named, node
    elif key is not None and isinstance(node, ir.Map):
        for entry in node.entries:
            kind = _text(entry.value, "kind") or _text(entry.value, "type")
            if isinstance(entry.key, ir.Literal) and kind and _first(entry.value, "source") is not None:
                yield entry.key, entry.value


def _offered(name: ir.Literal, node: ir.Node, place: InDocument | None) -> Offered:
    symbol = str(name.value)
    effects = tuple(_effects(symbol, node, place))
    bound = tuple(_parameters(node, BOUND))
    put_in = tuple(_parameters(node, PUT_IN))
    written = (Parameter("sql", ParameterKind.FREE, name.span, text=True),) if _is_written(place) else ()
    parameters = (*bound, *put_in, *written)
    loose = any(parameter.kind is not ParameterKind.CLOSED and parameter.text for parameter in put_in)
    stated = place is not None
    schema = Schema(
        parameters,
        Enforcement.TYPES if stated or parameters else Enforcement.UNKNOWN,
        effects if loose else (),
        has_local_input=stated or bool(parameters),
    )
    tool = Tool(
        name.span, symbol, PACK, symbol, tuple(p.name for p in parameters), schema, effects,
        annotations=_annotations(node), stated=bool(effects),
    )  # fmt: skip
    records = next((e.span for e in effects if e.kind == "database_read"), None)
    return Offered(tool, node, records)


def _is_written(place: InDocument | None) -> bool:
    """Whether the model writes the statement."""
    return place is not None and "parameters" in place.row.constants


def _effects(symbol: str, node: ir.Node, place: InDocument | None) -> Iterator[Effect]:
    said = place.setting("effect") if place is not None else ABSENT
    if place is None or not isinstance(said.value, str):
        return
    kind = said.value if said.value in EFFECTS else by_first_word(said.value)
    shaped = Shaped.PARTLY if any(_parameters(node, PUT_IN)) else Shaped.NOT
    shaped = Shaped.WHOLLY if _is_written(place) else shaped
    yield Effect(said.span or node.span, symbol, PACK, kind, shaped)


def _parameters(node: ir.Node, group: str) -> Iterator[Parameter]:
    """The parameters that a model fills; what comes from the caller's token is none."""
    for each in at(node, (group, "[]")):
        name, kind = _first(each, "name"), _text(each, "type")
        if isinstance(name, ir.Literal) and _first(each, "authServices") is None:
            inner = _first(each, "items")
            limited = any(_first(part, limit) is not None for part in (each, inner) if part for limit in LIMITS)
            if kind == "boolean" or (limited and _first(each, "allowedValues") is not None):
                shape = ParameterKind.CLOSED
            elif kind == "map" and not _text(each, "valueType"):
                shape = ParameterKind.UNTYPED
            else:
                escaped = _first(inner or each, "escape") is not None
                shape = ParameterKind.BOUNDED if limited or escaped else ParameterKind.FREE
            is_text = kind in {"string", "array"} and shape is ParameterKind.FREE
            yield Parameter(str(name.value), shape, name.span, text=is_text)


def _annotations(node: ir.Node) -> Annotations:
    return Annotations(*(_hint(node, name) for name in HINTS))


def _hint(node: ir.Node, name: str) -> Setting:
    found = next(iter(at(node, ("annotations", name))), None)
    return ABSENT if found is None else of_node(found)


def _first(node: ir.Node, key: str) -> ir.Node | None:
    return next(iter(at(node, (key,))), None)


def _text(node: ir.Node, key: str) -> str:
    found = _first(node, key)
    return found.value if isinstance(found, ir.Literal) and isinstance(found.value, str) else ""
