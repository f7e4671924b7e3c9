"""Google ADK's agents in YAML: `root_agent.yaml`, and the files that it names as sub-agents or as tools.

Rows cannot say this: a file refers to other files by their paths, and to code by dotted names that start beside the
folder of the agent. Each file becomes an object with the keywords of its class, so that the rows for the class speak of
it. Rules: google/adk/cli/utils/agent_loader.py (`root_agent.yaml`), google/adk/agents/config_agent_utils.py
(`_AgentConfigMapper`, `resolve_agent_reference`), google/adk/agents/config_schemas/AgentConfig.json.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from agent_architecture.names.definition_sites import Inline, InModule
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

ROOT: Final = "root_agent.yaml"
CLASSES: Final = frozenset({"LlmAgent", "LoopAgent", "ParallelAgent", "SequentialAgent"})
MODULE: Final = "py:google.adk.agents"
OF_CODE: Final = frozenset({"output_schema", "input_schema", "model_code"})
_CALLBACKS: Final = "_callbacks"


def is_root(path: str) -> bool:
    """Whether a file is what `adk` starts."""
    return posixpath.basename(path) == ROOT


def configured_agents(program: Program) -> Iterator[tuple[str, ir.Map, ir.Map]]:
    """The API path of each file's class, the document, and what stands for the arguments of its constructor."""
    waiting = [file.path for file in program.table.files() if is_root(file.path)]
    known = set(waiting)
    while waiting:
        path = waiting.pop(0)
        document = _document(program, path)
        kind = _text(_value(document, "agent_class")) or "LlmAgent" if document is not None else ""
        if document is None or kind.removeprefix("google.adk.agents.") not in CLASSES or not _named(document):
            continue
        yield f"{MODULE}.{kind.rpartition('.')[2]}", document, _arguments(program, path, document)
        further = [found for found in _files(path, document) if found not in known]
        known.update(further)
        waiting += further


def _document(program: Program, path: str) -> ir.Map | None:
    module = program.table.get(path)
    body = module.body if module is not None else ()
    return next((node for node in body if isinstance(node, ir.Map)), None)


def _named(document: ir.Map) -> bool:
    return bool(_text(_value(document, "name")))


def _value(node: ir.Node | None, key: str) -> ir.Expr | None:
    entries = node.entries if isinstance(node, ir.Map) else ()
    return next((e.value for e in entries if isinstance(e.key, ir.Literal) and e.key.value == key), None)


def _text(node: ir.Node | None) -> str:
    return str(node.value) if isinstance(node, ir.Literal) and isinstance(node.value, str) else ""


def _files(path: str, document: ir.Map) -> Iterator[str]:
    """The files of agents that a file names, anywhere in it."""
    for node in ir.walk(document):
        named = _text(_value(node, "config_path")) if isinstance(node, ir.Map) else ""
        if named:
            yield posixpath.normpath(posixpath.join(posixpath.dirname(path), named))


def _arguments(program: Program, path: str, document: ir.Map) -> ir.Map:
    return ir.Map(document.span, tuple(_argument(program, path, entry) for entry in document.entries))


def _argument(program: Program, path: str, entry: ir.Entry) -> ir.Entry:
    key = entry.key.value if isinstance(entry.key, ir.Literal) else None
    if not isinstance(key, str):
        return entry
    if key in OF_CODE:
        return ir.Entry(entry.key, _referred(program, path, entry.value))
    if isinstance(entry.value, ir.List) and (key in {"tools", "sub_agents"} or key.endswith(_CALLBACKS)):
        items = tuple(_referred(program, path, item) for item in entry.value.items)
        name = key.removesuffix("s") if key.endswith(_CALLBACKS) else key
        return ir.Entry(ir.Literal(entry.value.span, name), ir.List(entry.value.span, items))
    return entry


def _referred(program: Program, path: str, item: ir.Expr) -> ir.Expr:
    """What an element refers to: another file's agent, something in code, or the name of something of the library."""
    for node in ir.walk(item):
        named = _text(_value(node, "config_path")) if isinstance(node, ir.Map) else ""
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), named)) if named else ""
        document = _document(program, other) if other else None
        if document is not None:
            return document
    reference = _value(item, "name") or _value(item, "code")
    return next(_in_code(program, path, _text(reference)), reference or item)


def _in_code(program: Program, path: str, dotted: str) -> Iterator[ir.Expr]:
    """What a dotted name means, seen from the folder around the agent's, or from the agent's own."""
    folder, (*steps, name) = posixpath.dirname(path), dotted.split(".")
    for start in (posixpath.dirname(folder), folder) if steps else ():
        for end in (".py", "/__init__.py"):
            module = program.table.get(posixpath.normpath(posixpath.join(start, "/".join(steps) + end)))
            if module is not None:
                yield from _bound(program, module, name)


def _bound(program: Program, module: ir.Module, name: str) -> Iterator[ir.Expr]:
    for place in program.exports.locate(module, name):
        if isinstance(place, Inline):
            yield place.expr
        elif isinstance(place, InModule):
            for binding in program.exports.bindings(place.module).get(place.name, ()):
                if isinstance(binding.node, ir.Function):
                    yield binding.node
                elif binding.value is not None:
                    yield binding.value
