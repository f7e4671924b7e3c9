"""Whether other files may take a tool: some code of theirs says its name, or that of what holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.code_words import CodeWords
from agent_architecture.names.select import imported
from agent_architecture.names.structure import own_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.loaders import LOADING
from agent_architecture.semantics.callgraph.openings import INSIDE
from agent_architecture.semantics.callgraph.unreached import UNUSED_BY
from agent_architecture.sources.languages import CODE, is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Role, SourceFile, Span

WHOLE: Final = {True: INSIDE[True], False: regex(rb"\*\s*as\s+[\w$]+\s+from\s*[\"'](?:\.|[@~#]?/)")}
"""How code has all of another file, whatever it is called there, by whether it is Python."""


def may_be_taken(program: Program, tools: Collection[Span], apart: frozenset[Role]) -> frozenset[Span]:
    """Those of the tools that code of another file may take: what it says besides imports and re-exports names them,
    or something of their file in which their name stands; or it has the file as a whole. Files of the roles `apart`
    take none.
    """
    apart |= UNUSED_BY
    wanted = {python: [tool for tool in tools if is_python(tool.path) is python] for python in (True, False)}
    return frozenset(tool for python, some in wanted.items() if some for tool in _taken(program, python, some, apart))


def _taken(program: Program, python: bool, tools: list[Span], apart: frozenset[Role]) -> Iterator[Span]:
    """Those of the tools of one language."""
    every = (file for file in program.table.files() if file.language in CODE and file.role not in apart)
    files = [file for file in every if is_python(file.path) is python]
    if any(LOADING[python].search(file.data) for file in files):
        yield from tools
        return
    words, wholes = CodeWords(), {file.path for file in files if WHOLE[python].search(file.data)}
    for tool in tools:
        if tool.path in imported(program.exports.specifiers, wholes - {tool.path}) or _is_named(
            program, words, files, tool
        ):
            yield tool


def _is_named(program: Program, words: CodeWords, files: list[SourceFile], tool: Span) -> bool:
    module = program.table.get(tool.path)
    names = frozenset(_names(program, module, tool)) if module is not None else frozenset[str]()
    if module is None or not names or any(e.exported == "default" and e.local in names for e in module.index.exports):
        return True
    return any(_says(program, words, file, names) for file in files if file.path != tool.path)


def names_of(program: Program, module: ir.Module, tool: Span) -> tuple[str, ...]:
    """The names that a module has for a tool, or for what it is defined in."""
    return _naming(_bound(program, module), tool)


def _naming(bound: dict[str, tuple[Span, ...]], tool: Span) -> tuple[str, ...]:
    return tuple(n for n, spans in bound.items() if any(span.contains(tool) or tool.contains(span) for span in spans))


def _bound(program: Program, module: ir.Module) -> dict[str, tuple[Span, ...]]:
    bindings = program.bindings(module).items()
    return {name: tuple((one.value or one.node).span for one in every) for name, every in bindings}


def _names(program: Program, module: ir.Module, tool: Span) -> Iterator[str]:
    """The names of a module under which a tool may be taken; none where it has none of its own."""
    bound = _bound(program, module)
    queue = [*_naming(bound, tool)]
    for name in queue:  # grows
        yield name
        uses = [node.span for scope in module.code for node in own_nodes(scope) if _is_name(node, name)]
        further = (other for other, spans in bound.items() if any(s.contains(use) for s in spans for use in uses))
        queue.extend(other for other in dict.fromkeys(further) if other not in queue)


def _is_name(node: ir.Node, name: str) -> bool:
    return isinstance(node, ir.Name) and node.id == name


def _says(program: Program, words: CodeWords, file: SourceFile, names: frozenset[str]) -> bool:
    """Whether a file's code has one of these names, or another file as a whole."""
    if not any(name.encode("utf-8", "replace") in file.data for name in names):
        return False
    module = program.table.get(file.path)
    if module is None:
        return any(True for name in names for _ in words.places(file, name))
    apart = [node.span for _, node in module.index.imports]
    return any(
        not any(span.contains(node.span) for span in apart)
        for scope in module.code
        for node in own_nodes(scope)
        if (isinstance(node, ir.Name) and node.id in names) or (isinstance(node, ir.Member) and node.name in names)
    )
