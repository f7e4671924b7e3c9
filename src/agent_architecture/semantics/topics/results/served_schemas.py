"""What servers of MCP say of the results of a tool: a schema that is written, or the declared type of its function.

Says how much it fixes. Must not know what is returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.results import OutputSchema
from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Entries
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.conversations.result_checks import ANYTHING, HOLDING, PLAIN, result_type
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.sources.source import Span

CONTENT: Final = "content"
BLOCKS: Final = frozenset({
    "TextContent", "ImageContent", "EmbeddedResource", "CallToolResult", "ToolResult", "ContentBlock", "Content",
    "CreateTaskResult", "Image", "Audio", "AudioContent", "ResourceLink", "ContentResult", "File",
})  # fmt: skip
"""Types of what is sent as content."""
OPEN: Final = frozenset({"any", "unknown", "record", "looseObject", "passthrough", "map"})
"""What schema libraries call a type that holds anything."""
ALIASES: Final = 3
"""Names of names of types that are followed."""
LOOSE: Final = frozenset({OutputSchema.ANYTHING, OutputSchema.CONTENT})


class Declared(NamedTuple):
    """How much is fixed, and where that is written."""

    schema: OutputSchema
    span: Span | None = None


def given(values: Iterable[Value], stated: Setting) -> Declared:
    """What a written schema says."""
    kinds = [_kind_of(value) for value in values]
    if kinds and all(kind in LOOSE for kind in kinds):
        return Declared(kinds[0], stated.span)
    return Declared(OutputSchema.SHAPED, stated.span)


def by_type(program: Program, function: ir.Function) -> Declared:
    """What a server makes of the declared type of a result."""
    annotation = result_type(function)
    if annotation is None:
        return Declared(OutputSchema.NONE)
    kinds = {_kind(program, part) for part in _either(program, annotation)} - {None}
    for kind in (OutputSchema.ANYTHING, OutputSchema.CONTENT, OutputSchema.SHAPED):
        if kind in kinds:
            return Declared(kind, function.name_span)
    return Declared(OutputSchema.NONE)


def _kind(program: Program, part: ir.Expr) -> OutputSchema | None:
    """What one type says; None for text, numbers and flags."""
    name = _type_name(part)
    if name in BLOCKS:
        return OutputSchema.CONTENT
    if name in {"Any", "object", "any", "unknown"}:
        return OutputSchema.ANYTHING
    if isinstance(part, ir.Index) and name in HOLDING:
        key = part.key.items[-1] if isinstance(part.key, ir.List) and part.key.items else part.key
        inner = {_kind(program, each) for each in _either(program, key)}
        firm = OutputSchema.SHAPED if OutputSchema.SHAPED in inner or None in inner else OutputSchema.ANYTHING
        return OutputSchema.CONTENT if OutputSchema.CONTENT in inner else firm
    if name in HOLDING:
        return OutputSchema.ANYTHING
    return None if name in ANYTHING or name in PLAIN or not name else OutputSchema.SHAPED


def _kind_of(value: Value) -> OutputSchema:
    """What a schema that is given says."""
    match value:
        case Api(path=path):
            name = path.rpartition(".")[2].partition("(")[0]
            return OutputSchema.ANYTHING if name in OPEN else OutputSchema.SHAPED
        case Entries(entries=entries):
            keys = dict(entries)
            is_json = "type" in keys and isinstance(keys["type"], ir.Literal) and isinstance(keys["type"].value, str)
            empty = is_json and not keys.keys() & {
                "properties",
                "items",
                "$ref",
                "anyOf",
                "oneOf",
                "enum",
                "prefixItems",
            }
            if keys.keys() == {CONTENT}:
                return OutputSchema.CONTENT
            return OutputSchema.ANYTHING if empty or not entries else OutputSchema.SHAPED
        case _:
            return OutputSchema.SHAPED


def _either(program: Program, annotation: ir.Expr, depth: int = ALIASES) -> Iterator[ir.Expr]:
    """The types that a type is one of; a name that stands for another type is that type."""
    meant = _aliased(program, annotation) if depth else None
    if meant is not None:
        yield from _either(program, meant, depth - 1)
    elif isinstance(annotation, ir.Operator) and annotation.op == ir.Op.BITOR:
        for operand in annotation.operands:
            yield from _either(program, operand, depth)
    elif isinstance(annotation, ir.Index) and callee_name(annotation.target) == "Union":
        yield from annotation.key.items if isinstance(annotation.key, ir.List) else (annotation.key,)
    else:
        yield annotation


def _aliased(program: Program, annotation: ir.Expr) -> ir.Expr | None:
    """The type that a name was given to: `Blocks = list[TextContent | ImageContent]`."""
    if not isinstance(annotation, ir.Name):
        return None
    value = only_value(program, annotation)
    return value if isinstance(value, (ir.Index, ir.Operator)) else None


def _type_name(part: ir.Expr) -> str:
    if isinstance(part, ir.Literal):
        return part.value.split("[")[0].rpartition(".")[2].strip() if isinstance(part.value, str) else ""
    return callee_name(part.target if isinstance(part, ir.Index) else part)


def is_wrapped(sent: ir.Expr) -> bool:
    """Whether what is sent as data is the content once more: `{ content: text }`."""
    named = [e.key.value for e in sent.entries if isinstance(e.key, ir.Literal)] if isinstance(sent, ir.Map) else []
    return named == [CONTENT]


def is_flat(items: Iterable[ir.Expr]) -> bool:
    """Whether what is answered is a list of texts or of blocks of content, and no list of records."""
    return all(isinstance(item, (ir.Literal, ir.Template)) for item in items) or any(
        isinstance(item, ir.Call) and callee_name(item.callee) in BLOCKS for item in items
    )
