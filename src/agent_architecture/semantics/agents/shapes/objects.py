"""Objects that are tools as they stand: a name, what a model reads, a schema, and the function that runs.

An object with a schema is one where models are asked or where something around it speaks of tools; one without, only
where its variable, its type or its key in a mapping says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import is_answer
from agent_architecture.names.values import Entries
from agent_architecture.semantics.agents.offered.tool_descriptions import (
    RUNNING,
    SAYING,
    Described,
    described,
    joined,
    running,
)
from agent_architecture.semantics.agents.shapes import evidence
from agent_architecture.semantics.agents.shapes.registrars import SHOWN
from agent_architecture.semantics.agents.shapes.words import OTHERWISE, TOOLS, words_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

ROUTES: Final = frozenset({"endpoint", "href", "method", "path", "url"})
"""Keys of what answers requests: routes of a server."""
AROUND: Final = 6
"""Nodes around an object that may say what it is."""


def objects(context: Context) -> Iterator[Described]:
    """The objects that are tools, by position."""
    program, with_models = context.program, evidence.has_models(context)
    for module in context.program.modules:
        if not _may_hold(context, module):
            continue
        for scope in (*module.code, *module.index.classes):
            for node in program.structure(scope).nodes:
                if isinstance(node, ir.Map):
                    yield from _tools(context, node, scope, with_models=with_models)


def _may_hold(context: Context, module: ir.Module) -> bool:
    """Whether a file has the words of such an object at all."""
    file = context.program.table.file(module.path)
    return file is not None and b"description" in file.data and any(key.encode() in file.data for key in RUNNING)


def _tools(context: Context, node: ir.Map, scope: ir.Scope, *, with_models: bool) -> Iterator[Described]:
    """The tool that an object is, or those that stand under their names in it."""
    keys = _keys(node)
    around = tuple(_around(context.program, scope, node))
    if keys & {*RUNNING} and keys & {*SAYING, "definition", "schema", "spec"} and not keys & (SHOWN | ROUTES):
        found = described(context.program, node)
        is_one = found is not None and _is_one(context.program, found, around, with_models=with_models)
        if found is not None and is_one and not is_given(context, scope, node):
            yield found
    elif _speaks(around[:1]) and not is_given(context, scope, node) and not _is_unread(context, scope, node):
        yield from _named(context.program, node)


def _is_unread(context: Context, scope: ir.Scope, node: ir.Map) -> bool:
    """Whether a mapping is a variable of a Python file whose name stands nowhere else: notes beside functions that are
    handed to a model elsewhere, or nowhere. What a script exports may be read by others.
    """
    around = context.program.structure(scope).parent(node)
    is_variable = isinstance(scope, ir.Module) and isinstance(around, ir.Assign) and isinstance(around.target, ir.Name)
    if not is_variable or not is_python(node.span.path):
        return False
    name = around.target.id.encode() if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name) else b""
    word = re.compile(rb"\b%s\b" % re.escape(name))
    files = (context.program.table.file(module.path) for module in context.program.modules)
    return sum(len(word.findall(file.data)) for file in files if file is not None) == 1


def _is_one(program: Program, tool: Described, around: tuple[str, ...], *, with_models: bool) -> bool:
    if not tool.functions or not evidence.says(tool.entries):
        return False
    has_schema = evidence.has_schema(program, tool.entries)
    return _speaks(around) or (has_schema and with_models)


def _speaks(names: tuple[str, ...]) -> bool:
    """Whether one of these names speaks of tools, and of nothing that is done with them."""
    return any(TOOLS & {*words_of(name)} and not OTHERWISE & {*words_of(name)} for name in names)


def _named(program: Program, node: ir.Map) -> Iterator[Described]:
    """The tools of a mapping under their names: `const tools = { search: { description, parameters, execute } }`."""
    for entry in node.entries:
        if not isinstance(entry.key, ir.Literal) or not isinstance(entry.value, ir.Map):
            continue
        inner = entry.value
        for value in program.value_of(inner):
            entries = joined(program, value) if isinstance(value, Entries) else {}
            functions = running(program, entries)
            named = entries.keys() & {"name", "toolName", "tool_name"} and described(program, inner) is not None
            if functions and not named and evidence.says(entries) and not (SHOWN | ROUTES) & entries.keys():
                yield Described(inner, str(entry.key.value), entries, functions)


def _keys(node: ir.Map) -> frozenset[str]:
    return frozenset(str(e.key.value) for e in node.entries if isinstance(e.key, ir.Literal))


def _around(program: Program, scope: ir.Scope, node: ir.Node) -> Iterator[str]:
    """What a reader sees around an object: the variable or key that it is put into, the type that is written of it, the
    function that gives it back.
    """
    for number, around in enumerate(program.structure(scope).ancestors(node)):
        if number >= AROUND:
            return
        match around:
            case ir.Assign(target=target, annotation=annotation):
                yield dotted(target)
                yield _last(annotation)
                return
            case ir.Call(callee=callee):
                yield dotted(callee)
            case _ if is_answer(around) and isinstance(scope, ir.Function):
                yield _last(scope.returns)
                yield scope.name
                return
            case ir.Map():
                yield from (
                    str(e.key.value) for e in around.entries if isinstance(e.key, ir.Literal) and e.value is node
                )
            case _:
                continue


def _last(annotation: ir.Expr | None) -> str:
    """The names in a type, joined: `ToolDefinition[]`, `Array<Tool>`."""
    if annotation is None:
        return ""
    return " ".join(
        n.id if isinstance(n, ir.Name) else n.name for n in ir.walk(annotation) if isinstance(n, (ir.Name, ir.Member))
    )


def is_given(context: Context, scope: ir.Scope, node: ir.Node) -> bool:
    """Whether an object stands in a call of which a pack speaks: what it is there is known."""
    around = context.program.structure(scope).ancestors(node)
    kinds = ("tool", "agent", "handoff", "tool_set", "run", "model_call", "mcp_server", "prompt", "mcp_client")
    return any(context.at(one, *kinds) is not None for one in around if isinstance(one, (ir.Call, ir.Map)))
