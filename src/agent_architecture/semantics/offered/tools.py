"""Tools that a project describes by itself as entities: their code, their input, what they do.

The input is the schema that is given, else the signature of the code. Nothing enforces either but the project's own
code, the provider where the schema is strict, or the library that makes a tool of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree, weakest
from agent_architecture.model.effects import Enforcement, Schema
from agent_architecture.model.settings import ABSENT, unknown
from agent_architecture.model.system import Tool
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
    from agent_architecture.semantics.tool_facts import ToolFacts
    from agent_architecture.semantics.tool_schemas import Schemas

UNKNOWN_LIBRARY: Final = "a library that is not known"
"""Who decides what is asked before a tool runs that is only known by its shape."""
_PYTHON = (Language.PYTHON, Language.NOTEBOOK)


def tool_of(
    facts: ToolFacts, schemas: Schemas, described: Described, framework: str, maker: Match | None
) -> tuple[Tool, ir.Function | None]:
    """The tool, and the project's function that it runs; `maker` is the library's call that makes a tool of it."""
    node, name = described.node, described.name
    own = described.functions[0] if described.functions else None
    in_code = isinstance(node, ir.Map) and described.at is None
    function = facts.function_named(name, node.span.path) if own is None and in_code else own
    span = node.name_span if isinstance(node, (ir.Function, ir.Class)) else described.at or node.span
    parameters = parameters_of(own) if own is not None else ()
    by_name = own is None and function is not None
    degree = weakest((described.degree, Degree.INFERRED)) if by_name else described.degree
    made = facts.complete(Tool(span, name, framework, name, parameters, degree=degree), None, function)
    made = made._replace(schema=_schema_of(schemas.program, schemas, described, maker))
    return of_unknown_library(made) if described.outside else made, function


def as_given(tool: Tool, giver: Match | None) -> Tool:
    """A tool as who is handed it makes it: one that only its shape shows has a library that nobody knows."""
    return tool if giver is None or giver.degree is Degree.RESOLVED else of_unknown_library(tool)


def of_unknown_library(tool: Tool) -> Tool:
    """The tool with all unknown that a library decides which nobody knows: what it checks, whom it asks."""
    schema, gate = tool.schema, tool.gate
    if schema.enforcement is Enforcement.NONE:
        schema = schema._replace(enforcement=Enforcement.UNKNOWN)
    if gate.approval is ABSENT:
        gate = gate._replace(approval=unknown(UNKNOWN_LIBRARY, tool.span))
    return tool._replace(schema=schema, gate=gate, degree=weakest((tool.degree, Degree.INFERRED)))


def parameters_of(function: ir.Function) -> tuple[str, ...]:
    """The names that a tool is called with. A destructured object first is all that the model writes: one by one; what
    follows it comes from the library.
    """
    first = function.params[0].pattern if function.params else None
    keys = first.entries if isinstance(first, ir.Map) else ()
    inner = tuple(str(entry.key.value) for entry in keys if isinstance(entry.key, ir.Literal))
    return inner or tuple(parameter.name for parameter in function.params)


def _schema_of(program: Program, schemas: Schemas, tool: Described, maker: Match | None) -> Schema:
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
    enforcement = Enforcement.NONE if maker is None else schemas.library(maker, source)
    return schemas.checked(source, enforcement, bodies)
