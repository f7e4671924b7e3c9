"""What one node of an n8n workflow is for a model: a tool with the arguments that the model writes, a memory.

Whether n8n checks the arguments is not known: newer agents hand them to the node as they come.
Rule: n8n-core, create-node-as-tool.js (2.41). Must not know how nodes hang together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Effect, Parameter, ParameterKind, Schema, Shaped
from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import Setting, unknown
from agent_architecture.model.system import Tool
from agent_architecture.model.vocabulary import EFFECTS
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.documents import at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.properties import InDocument

SAID: Final = ("durable", "location", "bound", "overflow", "ttl", "namespace")
"""What a row may say of a memory."""
PACK: Final = "n8n"
DANGEROUS: Final = frozenset({"url", "query", "command"})
"""Parameters of nodes whose whole text decides what happens."""
JOINED: Final = frozenset({"database", "database_read", "database_write", "execute_shell"})
"""Effects whose text is put together from what it is given, as it is."""

_ARGUMENT: Final = regex(
    r"""\$fromAI\(\s*['"`]([\w-]{1,64})['"`]\s*(?:,\s*['"`][^'"`]*['"`]\s*(?:,\s*['"`](\w+)['"`])?)?"""
)
"""What the model writes, in an expression: `$fromAI('to', 'whom to write to', 'string')`."""
_ALONE: Final = regex(r"=\{\{\s*(?:/\*[^*]*\*/)?\s*\$fromAI\([^{}]*\)\s*\}\}\s*")
_KINDS: Final = {"boolean": ParameterKind.CLOSED, "json": ParameterKind.UNTYPED}


def tool_of(name: str, node: ir.Node, place: InDocument | None) -> Tool:
    """The tool that a node is for a model; `place` is what a row says of its type."""
    parameters = tuple(_parameters(node))
    effects = tuple(_effects(name, place)) if place is not None and place.row.kind == "tool" else ()
    unsafe = tuple(e for e in effects if e.kind in JOINED and _is_mixed(node))
    schema = Schema(parameters, unsafe_uses=unsafe)
    return Tool(node.span, name, PACK, name, tuple(p.name for p in parameters), schema, effects)


def _effects(name: str, place: InDocument) -> Iterator[Effect]:
    kind = _plain(place.setting("effect")).value
    if kind in EFFECTS:
        texts = [text for _, text in _texts(place.node)]
        deciding = [text for key, text in _texts(place.node) if key in DANGEROUS]
        shaped = Shaped.PARTLY if any(map(_is_shaped, texts)) else Shaped.NOT
        whole = any(_ALONE.fullmatch(text) for text in deciding)
        yield Effect(place.node.span, name, PACK, str(kind), Shaped.WHOLLY if whole else shaped)


def _is_mixed(node: ir.Node) -> bool:
    """Whether a text that decides what happens is put together from what the model writes."""
    return any(key in DANGEROUS and _is_shaped(text) and not _ALONE.fullmatch(text) for key, text in _texts(node))


def _is_shaped(text: str) -> bool:
    return text.startswith("=") and "$fromAI(" in text


def _parameters(node: ir.Node) -> Iterator[Parameter]:
    seen: set[str] = set()
    for _, text in _texts(node):
        for found in _ARGUMENT.finditer(text) if _is_shaped(text) else ():
            name, kind = found[1], found[2] or "string"
            if name not in seen:
                seen.add(name)
                shape = _KINDS.get(kind, ParameterKind.FREE)
                yield Parameter(name, shape, node.span, text=kind == "string")


def memory_of(name: str, place: InDocument) -> Memory:
    """The memory that a node is."""
    holds = Holding(str(place.setting("holds").value or Holding.CONVERSATION))
    durable, location, bound, overflow, ttl, namespace = (_plain(place.setting(name)) for name in SAID)
    return Memory(place.node.span, name, PACK, holds, durable, location, bound, overflow, ttl, namespace)


def _texts(node: ir.Node) -> Iterator[tuple[str, str]]:
    """The texts in the parameters of a node, with the keys that they stand at."""
    for parameters in at(node, ("parameters",)):
        for part in ir.walk(parameters):
            for entry in part.entries if isinstance(part, ir.Map) else ():
                if isinstance(entry.key, ir.Literal) and isinstance(entry.value, ir.Literal):
                    yield str(entry.key.value), str(entry.value.value)


def _plain(setting: Setting) -> Setting:
    """An expression is only known when the workflow runs."""
    is_expression = any(isinstance(value, str) and value.startswith("=") for value in setting.values)
    return unknown("an expression of the workflow", setting.span) if is_expression else setting


def text_at(node: ir.Node, key: str) -> str:
    """What a node says at a key; "" for nothing."""
    found = next(iter(at(node, (key,))), None)
    return str(found.value) if isinstance(found, ir.Literal) else ""


def is_on(node: ir.Node, key: str) -> bool:
    """Whether a node says yes at a key."""
    return any(isinstance(found, ir.Literal) and found.value is True for found in at(node, (key,)))


def limit_of(setting: Setting) -> Setting:
    """A limit of 0 or -1 is none."""
    said = _plain(setting)
    off = any(isinstance(value, int) and value <= 0 for value in said.values)
    return said._replace(values=(None,)) if off else said


def workflows_in(context: Context, path: str) -> Iterator[ir.Map]:
    """The workflows of a file: it is one, or a list or mapping of them."""
    module = context.program.table.get(path)
    for document in module.body if module is not None else ():
        for node in (document, *at(document, ("*",))):
            if isinstance(node, ir.Map) and at(node, ("nodes", "[]")) and at(node, ("connections",)):
                yield node
