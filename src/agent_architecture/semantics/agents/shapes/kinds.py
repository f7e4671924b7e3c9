"""Classes of tools, one for each: they say their name and what they do, have something to run, and derive from a base
that is called a kind of tool, or from one base of the project's with others that describe themselves alike; one that
derives from nothing says by a schema what it is called with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.callers import constructions
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Instance
from agent_architecture.semantics.agents.offered.tool_descriptions import Described, of_object
from agent_architecture.semantics.agents.shapes import evidence
from agent_architecture.semantics.agents.shapes.words import ABILITIES, is_kind_of_tool, words_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

SEVERAL: Final = 2
"""Siblings from which on a base without a telling name is taken for a kind of tool."""


def kinds_of_tools(context: Context) -> Iterator[Described]:
    """The classes that are tools, by position; a base that others derive from, and that nobody makes, is none."""
    program, with_models = context.program, evidence.has_models(context)
    found: list[tuple[ir.Class, Described]] = []
    alike: dict[ir.Class, list[tuple[ir.Class, Described]]] = {}
    for cls in _candidates(context):
        tool = of_object(program, Instance(cls))
        if tool is None or tool.node is not cls or not tool.functions:
            continue
        bases = tuple(base_names(program, cls))
        if any(map(is_kind_of_tool, bases)):
            found.append((cls, tool))
        elif with_models and evidence.says(tool.entries) and evidence.has_schema(program, tool.entries):
            named = any(words_of(base)[-1:] and words_of(base)[-1] in ABILITIES for base in bases)
            if named or not cls.bases:  # one that derives from nothing fits a protocol by its parts alone
                found.append((cls, tool))
            for base in classes.lineage(program, cls)[-1:]:
                alike.setdefault(base, []).append((cls, tool))
    known = {id(cls) for cls, _ in found}
    found += [
        pair
        for base, group in alike.items()
        if len([cls for cls, _ in group if cls is not base]) >= SEVERAL
        for pair in group
        if pair[0] is not base and id(pair[0]) not in known
    ]
    above = {id(base) for cls, _ in found for base in classes.lineage(program, cls)[1:]}
    for cls, tool in sorted(found, key=lambda pair: pair[0].span):
        if id(cls) not in above or any(one is cls for one, _ in constructions(program, cls)):
            yield tool


def _candidates(context: Context) -> Iterator[ir.Class]:
    """The classes in files that describe something."""
    for module in context.program.modules:
        file = context.program.table.file(module.path)
        if file is None or (b"desc" not in file.data.lower() and b'"""' not in file.data):
            continue
        for cls in module.index.classes:
            if cls.kind == "class" and context.at(cls, "tool", "agent") is None:
                yield cls


def base_names(program: Program, cls: ir.Class) -> Iterator[str]:
    """What the bases of a class are called, those of its bases included."""
    for one in classes.lineage(program, cls):
        for base in one.bases:
            plain = base.target if isinstance(base, ir.Index) else base
            yield callee_name(plain.callee if isinstance(plain, ir.Call) else plain)
