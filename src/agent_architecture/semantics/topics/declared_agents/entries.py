"""Agents as entries of documents that code of the project loads: `{"desk": {"systemPrompt": "…", "tools": ["find"]}}`.

An entry is an agent's if it says what the agent is told and which tools it has; without tools, if a model is named in
it and the file or the entries are called agents. The code has to read files of this kind, and to know the key under
which an entry keeps its prompt.
"""

from __future__ import annotations

from posixpath import basename
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Agent
from agent_architecture.names.read_files import documents_read, loading
from agent_architecture.semantics.agents.shapes.evidence import has_models
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import SourceFile

PROMPTS: Final = (
    "systemPrompt", "system_prompt", "systemMessage", "system_message", "systemInstruction", "system_instruction",
    "instructions", "prompt",
)  # fmt: skip
"""Where an entry keeps what its agent is told."""
TOOLS: Final = ("tools", "toolNames", "tool_names", "allowedTools", "allowed_tools")
"""Where it lists the agent's tools."""
MODELS: Final = ("model", "modelKey", "model_key", "modelName", "model_name", "modelId", "model_id", "llm")
NAMES: Final = ("name", "id", "key")
AGENTS: Final = frozenset({"agent", "agents", "subagent", "subagents", "assistant", "assistants"})
DEPTH: Final = 3
"""How deep in a document entries may stand."""


def agents_in_documents(context: Context, tools: Iterable[Tool]) -> Iterator[Agent]:
    """The agents of the documents that the program loads, by file and position."""
    program = context.program
    known = tuple(key for key in PROMPTS if _is_known(program, key))
    if not known or not has_models(context):
        return
    by_name = {tool.name: tool for tool in tools}
    files = {file.path: file for call in loading(program) for file in documents_read(program, call)}
    for path in sorted(files):
        if any(key.encode() in files[path].data for key in known):
            yield from _in_file(program, files[path], by_name)


def _is_known(program: Program, key: str) -> bool:
    """Whether code of the application has a key in it."""
    code = (file for file in program.table.files() if file.language in CODE and file.role is Role.APP)
    return any(key.encode() in file.data for file in code)


def _in_file(program: Program, file: SourceFile, tools: Mapping[str, Tool]) -> Iterator[Agent]:
    module = program.table.get(file.path)
    called = _says_agent(basename(file.path).rpartition(".")[0])
    for document in module.body if module is not None else ():
        yield from _within(document, None, tools, called=called)


def _within(
    node: ir.Node, key: ir.Literal | None, tools: Mapping[str, Tool], *, called: bool, depth: int = DEPTH
) -> Iterator[Agent]:
    """The agents at a place of a document, or below it; `called` says that what is around them is called so."""
    agent = _agent(node, key, tools, called=called) if isinstance(node, ir.Map) else None
    if agent is not None:
        yield agent
        return
    inner: list[tuple[ir.Literal | None, ir.Node]] = []
    if isinstance(node, ir.Map):
        inner = [(entry.key, entry.value) for entry in node.entries if isinstance(entry.key, ir.Literal)]
    elif isinstance(node, ir.List):
        inner = [(None, item) for item in node.items]
    for at, below in inner if depth else ():
        is_called = called or (at is not None and _says_agent(str(at.value)))
        yield from _within(below, at, tools, called=is_called, depth=depth - 1)


def _agent(node: ir.Map, key: ir.Literal | None, tools: Mapping[str, Tool], *, called: bool) -> Agent | None:
    entries = {str(entry.key.value): entry.value for entry in node.entries if isinstance(entry.key, ir.Literal)}
    told = next((text for name in PROMPTS if (text := _text(entries.get(name)))), "")
    listed = next((given for name in TOOLS if isinstance(given := entries.get(name), ir.List)), None)
    is_asked = called and any(_text(entries.get(name)) for name in MODELS)
    name = next((text for each in NAMES if (text := _text(entries.get(each)))), str(key.value) if key else "")
    if not told or not name or not (listed is not None or is_asked):
        return None
    named = (_text(item) for item in listed.items) if listed is not None else ()
    own = tuple(dict.fromkeys(tools[text] for text in named if text in tools))
    return Agent(key.span if key is not None else node.span, name, "", own, degree=Degree.INFERRED)


def _text(node: ir.Node | None) -> str:
    return node.value.strip() if isinstance(node, ir.Literal) and isinstance(node.value, str) else ""


def _says_agent(name: str) -> bool:
    return any(word in AGENTS for word in words_of(name))
