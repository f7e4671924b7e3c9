"""Schemas in the form of a model's API or of MCP, and the code that runs under their names: a function that is called
so, an entry of a table, a branch that asks for the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.values import Const, Entries
from agent_architecture.semantics.agents.offered.tool_descriptions import Described, described
from agent_architecture.semantics.agents.shapes.objects import is_given
from agent_architecture.semantics.schemas import json_schema
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.tool_facts import ToolFacts
    from agent_architecture.semantics.matching.context import Context

FORMS: Final = ("input_schema", "inputSchema", "parameters", "parametersJsonSchema")
"""Where OpenAI, Anthropic, Gemini and MCP keep what a tool is called with."""
SHAPING: Final = frozenset({"json_schema", "response_format", "responseFormat", "text", "responseSchema"})
"""Keys under which a schema shapes an answer."""
SEVERAL: Final = 2
"""Schemas in one list from which on they are tools, whatever runs them."""


def listed(context: Context, facts: ToolFacts) -> Iterator[Described]:
    """The tools that such schemas declare, by position: inferred where their code is found, guessed in a list of
    several.
    """
    program = context.program
    for module in program.modules:
        file = context.program.table.file(module.path)
        if file is None or b"description" not in file.data or not any(key.encode() in file.data for key in FORMS):
            continue
        for scope in (*module.code, *module.index.classes):
            nodes = program.structure(scope).nodes
            for node in nodes:
                if isinstance(node, ir.Map) and (tool := _schema(context, scope, node)) is not None:
                    yield from _with_code(context, facts, scope, tool)


def _schema(context: Context, scope: ir.Scope, node: ir.Map) -> Described | None:
    """The tool that a mapping describes in one of these forms, and that stands in no call of which a pack speaks."""
    keys = {str(e.key.value) for e in node.entries if isinstance(e.key, ir.Literal)}
    if not (keys >= {"name", "description"} and keys & {*FORMS}) and not keys >= {"type", "function"}:
        return None
    found = described(context.program, node)
    if found is None or found.functions or not _is_form(context.program, found):
        return None
    if "type" in found.entries and not _is_function(context.program, found.entries["type"]):
        return None
    return None if _is_shaping(context.program, scope, node) or is_given(context, scope, node) else found


def _is_form(program: Program, tool: Described) -> bool:
    """Whether what a tool is called with stands there as a JSON Schema, described."""
    given = next((tool.entries[key] for key in FORMS if key in tool.entries), None)
    if given is None or "description" not in tool.entries:
        return False
    return any(isinstance(v, Entries) and json_schema.is_schema(v) for v in program.value_of(given))


def _is_function(program: Program, expr: ir.Expr) -> bool:
    return any(isinstance(v, Const) and v.value in {"function", "custom"} for v in program.value_of(expr))


def _is_shaping(program: Program, scope: ir.Scope, node: ir.Map) -> bool:
    """Whether a schema is a part of another one that stands in its own place, or shapes an answer."""
    around = program.structure(scope).parent(node)
    if not isinstance(around, ir.Map):
        return False
    keys = {str(e.key.value) for e in around.entries if isinstance(e.key, ir.Literal) and e.value is node}
    return bool(keys & SHAPING) or "function" in keys


def _with_code(context: Context, facts: ToolFacts, scope: ir.Scope, tool: Described) -> Iterator[Described]:
    function = facts.function_named(tool.name, tool.node.span.path)
    if function is not None:
        yield tool._replace(functions=(function,), degree=Degree.INFERRED)
    elif facts.dispatch.bodies(tool.name, tool.node.span.path):
        yield tool._replace(degree=Degree.INFERRED)
    elif _beside(context.program, scope, tool) >= SEVERAL:
        yield tool._replace(degree=Degree.GUESSED)


def _beside(program: Program, scope: ir.Scope, tool: Described) -> int:
    """How many mappings stand in the same list as a tool's, or in a mapping under their names, itself included."""
    match program.structure(scope).parent(tool.node):
        case ir.List(items=items):
            return sum(isinstance(item, ir.Map) for item in items)
        case ir.Map(entries=entries) if any(entry.value is tool.node and _is_key(entry, tool) for entry in entries):
            return sum(isinstance(entry.value, ir.Map) for entry in entries)
        case _:
            return 0


def _is_key(entry: ir.Entry, tool: Described) -> bool:
    return isinstance(entry.key, ir.Literal) and entry.key.value == tool.name
