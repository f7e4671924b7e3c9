"""Tools that stand in documents of the project: entries of which code makes objects that a model is offered.

Which files are read is often known only at run time. What makes an entry a tool is its shape: that of the class whose
objects are offered, `Command(**entry)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.callers import constructions
from agent_architecture.names.read_files import documents_read, loading
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.offered.tool_descriptions import NAMES, PARAMETERS, SAYING, Described
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import SourceFile

VALIDATING: Final = frozenset({"model_validate", "parse_obj", "validate_python", "from_dict", "fromJSON"})
"""Methods of a class that make an object of a mapping."""
DEPTH: Final = 4
"""How deep in a document the entries may stand."""
TELLING: Final = 3
"""Fields that an entry must have, its name included, for its shape to tell: two are those of many things."""


class Shape(NamedTuple):
    """What the entries of documents look like that are tools."""

    required: frozenset[str]
    """What each must have: fields without a default that the code itself does not give."""
    fields: frozenset[str] | None = None
    """What each may have; None for anything."""
    names: tuple[str, ...] = NAMES
    """Where its name stands; without any of these the name is the key of the entry."""


def made_of_entries(program: Program, cls: ir.Class) -> tuple[Described, ...]:
    """The entries of documents that become objects of a class."""
    shapes = tuple(_shapes(program, cls))
    if not shapes:
        return ()
    files = {file.path: file for call in loading(program) for file in documents_read(program, call)}
    return tuple(tool for path in sorted(files) for tool in _in_file(program, files[path], shapes))


def loaded_by(program: Program, call: ir.Call, names: tuple[str, ...]) -> tuple[Described, ...]:
    """The entries of the documents that a call loads, where the names of what it loads are offered: those that say
    what they are and what they are called with.
    """
    shapes = tuple(Shape(frozenset({name}), names=(name,)) for name in names)
    found = (
        tool for file in (documents_read(program, call) if shapes else ()) for tool in _in_file(program, file, shapes)
    )
    return tuple(tool for tool in found if tool.entries.keys() & {*SAYING} and tool.entries.keys() & {*PARAMETERS})


def _in_file(program: Program, file: SourceFile, shapes: tuple[Shape, ...]) -> Iterator[Described]:
    fitting = [shape for shape in shapes if all(name.encode() in file.data for name in shape.required)]
    module = program.table.get(file.path) if fitting else None
    for document in module.body if module is not None else ():
        for shape in fitting:
            whole = _of_entry(shape, None, document)
            yield from _within(shape, document, DEPTH) if whole is None else (whole,)


def _shapes(program: Program, cls: ir.Class) -> Iterator[Shape]:
    """One shape for each call that makes objects of mappings."""
    for made, call in constructions(program, cls):
        if any(argument.spread == "**" for argument in call.args):
            yield _shape(program, made, frozenset(a.keyword for a in call.args if a.keyword))
    for name in sorted(VALIDATING):
        for site in program.calls(name):
            callee = site.call.callee
            if isinstance(callee, ir.Member) and isinstance(callee.target, ir.Name) and callee.target.id == cls.name:
                yield _shape(program, cls, frozenset())


def _shape(program: Program, cls: ir.Class, given: frozenset[str]) -> Shape:
    fields = frozenset(classes.fields(program, cls))
    plain = (
        node.target.id
        for one in classes.lineage(program, cls)
        for node in one.body
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.value is None
    )
    required = frozenset(plain) & fields - given
    return Shape(required, fields - given, () if given & {*NAMES} else NAMES)


def _within(shape: Shape, node: ir.Node, depth: int) -> Iterator[Described]:
    """The tools in a node: all of a mapping's values, or of a list's elements, are tools, or none is."""
    if depth <= 0:
        return
    match node:
        case ir.Map(entries=entries):
            found = [_of_entry(shape, entry.key, entry.value) for entry in entries]
            inner: tuple[ir.Node, ...] = tuple(entry.value for entry in entries)
        case ir.List(items=items):
            found = [_of_entry(shape, None, item) for item in items]
            inner = items
        case _:
            return
    tools = [tool for tool in found if tool is not None]
    if tools and len(tools) == len(found):
        yield from tools
        return
    for part in inner:
        yield from _within(shape, part, depth - 1)


def _of_entry(shape: Shape, key: ir.Expr | None, node: ir.Node) -> Described | None:
    if not isinstance(node, ir.Map):
        return None
    entries = {str(e.key.value): e.value for e in node.entries if isinstance(e.key, ir.Literal)}
    named = next((entries[name] for name in shape.names if name in entries), key)
    name = named.value if isinstance(named, ir.Literal) and isinstance(named.value, str) else ""
    known = entries.keys() & {*SAYING, *PARAMETERS} and len(entries.keys() | {"name"}) >= TELLING
    fits = shape.required <= entries.keys() and (shape.fields is None or entries.keys() <= shape.fields)
    if not name or not known or not fits or len(entries) != len(node.entries):
        return None
    return Described(node, name, entries, at=key.span if named is key and key is not None else node.span)
