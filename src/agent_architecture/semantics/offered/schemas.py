"""The input of a tool that a project describes by itself: the schema that it gives, else the signature of its code.

Nothing enforces either but the project's own code, or the provider where the schema is strict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.effects import Enforcement, Schema
from agent_architecture.names.values import Entries
from agent_architecture.semantics import schema_annotations
from agent_architecture.semantics.offered.described import PARAMETERS
from agent_architecture.semantics.schema_shapes import structure
from agent_architecture.semantics.tool_arguments import of_function
from agent_architecture.semantics.tool_schemas import Source
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.match import Match
    from agent_architecture.semantics.offered.described import Described
    from agent_architecture.semantics.tool_schemas import Schemas

_PYTHON = (Language.PYTHON, Language.NOTEBOOK)


def schema_of(program: Program, schemas: Schemas, tool: Described, maker: Match | None) -> Schema:
    """The schema of a tool, behind the checks of the code that runs it, and of the library whose call `maker` makes a
    tool of it.
    """
    own = tool.functions[0] if tool.functions else None
    further = (of_function(function) for function in tool.functions[1:])
    bodies = (*schemas.bodies(tool.name, tool.node.span.path, own), *further)
    given = next((tool.entries[key] for key in PARAMETERS if key in tool.entries), None)
    if isinstance(tool.node, ir.Map):
        entries = {**tool.entries, **({"parameters": given} if given is not None else {})}
        return schemas.of_mapping(Entries((), tool.node), bodies, entries, maker)
    if given is not None:
        source = schemas.described(program.value_of(given))
        enforcement = Enforcement.NONE if maker is None else schemas.library(maker, source)
        return schemas.checked(source, enforcement, bodies)
    if own is None or program.module_of(own).language not in _PYTHON:
        return Schema(enforcement=Enforcement.UNKNOWN)
    found = schema_annotations.of_function(program, own)
    source = Source(structure(shape.named(name, span) for name, shape, span in found))
    return schemas.checked(source, Enforcement.NONE, bodies)
