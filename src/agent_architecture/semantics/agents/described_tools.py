"""Tools that a project describes by itself as entities: their code, their input, what they do.

The input is the schema that is given, else the signature of the code. Nothing enforces either but the project's own
code, the provider where the schema is strict, or the library that makes a tool of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree, weakest
from agent_architecture.model.effects import Enforcement, Schema
from agent_architecture.model.settings import ABSENT, UNKNOWN_LIBRARY, unknown
from agent_architecture.model.system import Tool
from agent_architecture.names.values import Const, Entries
from agent_architecture.semantics.agents.mcp_listed import ANNOTATIONS, said
from agent_architecture.semantics.agents.offered.tool_descriptions import PARAMETERS
from agent_architecture.semantics.agents.schema_sources import Source
from agent_architecture.semantics.callgraph.tool_arguments import of_function
from agent_architecture.semantics.schemas import python_annotations
from agent_architecture.semantics.schemas.shapes import CLOSED, NUMBER, TEXT, UNTYPED, structure
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.effects import Parameter
    from agent_architecture.model.system import Annotations
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.agents.tool_facts import ToolFacts
    from agent_architecture.semantics.agents.tool_schemas import Schemas
    from agent_architecture.semantics.matching.match import Match

JSON: Final = frozenset({"object", "string", "number", "integer", "boolean", "array", "null"})
"""The types of JSON Schema."""
OWN: Final = frozenset(
    {"self", "cls", "ctx", "context", "state", "runtime", "config", "options", "signal", "tool_context"}
)
"""What tools of a project's own kind take from the code that runs them."""
TYPED: Final = {"string": TEXT, "number": NUMBER, "boolean": CLOSED}
"""What an annotation of TypeScript says of an argument; nothing asks it when the program runs."""
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
    parameters = parameters_of(schemas.program, own) if own is not None else ()
    by_name = own is None and function is not None
    degree = weakest((described.degree, Degree.INFERRED)) if by_name else described.degree
    made = facts.complete(Tool(span, name, framework, name, parameters, degree=degree), None, function)
    made = made._replace(schema=_schema_of(schemas.program, schemas, described, maker))
    made = made._replace(annotations=_hints(schemas, described, maker))
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


def parameters_of(program: Program, function: ir.Function) -> tuple[str, ...]:
    """The names that a model calls a tool with. A destructured object first is all that it writes: one by one; what
    follows it comes from the library, and so does what an annotation or a default says a library fills in.
    """
    first = function.params[0].pattern if function.params else None
    keys = first.entries if isinstance(first, ir.Map) else ()
    inner = tuple(str(entry.key.value) for entry in keys if isinstance(entry.key, ir.Literal))
    annotated = program.module_of(function).language in _PYTHON
    supplied = {
        one.name
        for one in function.params
        if annotated
        and python_annotations.is_supplied(program, one, own=False)
        and not python_annotations.holds_arguments(one)
    }
    return inner or tuple(one.name for one in function.params if one.name not in supplied)


def _schema_of(program: Program, schemas: Schemas, tool: Described, maker: Match | None) -> Schema:
    """The schema of a tool, behind the checks of the code that runs it, and of the library whose call `maker` makes a
    tool of it.
    """
    own = tool.functions[0] if tool.functions else None
    further = (of_function(function) for function in tool.functions[1:])
    bodies = (*schemas.bodies(tool.name, tool.node.span.path, own), *further)
    given = next((tool.entries[key] for key in PARAMETERS if key in tool.entries), None)
    if own is not None and not tool.outside and maker is None and not _is_schema(program, given):
        return schemas.checked(_taken(program, own), Enforcement.NONE, bodies)
    if isinstance(tool.node, ir.Map):
        entries = {**tool.entries, **({"parameters": given} if given is not None else {})}
        return schemas.of_mapping(Entries((), tool.node), bodies, entries, maker)
    if given is not None:
        source = schemas.described(program.value_of(given))
        enforcement = Enforcement.NONE if maker is None else schemas.library(maker, source)
        return schemas.checked(source, enforcement, bodies)
    if own is None or program.module_of(own).language not in _PYTHON:
        return Schema(enforcement=Enforcement.UNKNOWN)
    found = python_annotations.of_function(program, own)
    source = Source(structure(shape.named(name, span) for name, shape, span in found))
    enforcement = Enforcement.NONE if maker is None else schemas.library(maker, source)
    return schemas.checked(source, enforcement, bodies)


def _hints(schemas: Schemas, tool: Described, maker: Match | None) -> Annotations | None:
    """What a tool says of itself that a server's call is made with: by its own object, else by that call."""
    hints = None if maker is None else schemas.hints(maker)
    return said(schemas.program, tool.entries) if hints is not None and ANNOTATIONS in tool.entries else hints


def _is_schema(program: Program, given: ir.Expr | None) -> bool:
    """Whether what stands in a schema's place may be one: `"query: string"` and `{type: "assistant"}` are none."""
    values = () if given is None else program.value_of(given)
    return given is not None and not (values and all(_says_nothing(program, value) for value in values))


def _says_nothing(program: Program, value: Value) -> bool:
    """Whether a value is a text, or a mapping whose type is none of JSON Schema's."""
    if isinstance(value, Entries) and len(value.entries) == 1:
        kinds = program.value_of(dict(value.entries)["type"]) if "type" in dict(value.entries) else ()
        return bool(kinds) and all(
            isinstance(v, Const) and isinstance(v.value, str) and v.value not in JSON for v in kinds
        )
    return isinstance(value, Const) and isinstance(value.value, str)


def _taken(program: Program, function: ir.Function) -> Source:
    """What a function takes, where no schema says it: nothing but its own types."""
    if program.module_of(function).language in _PYTHON:
        found = python_annotations.of_function(program, function)
        shapes = [shape.named(name, span) for name, shape, span in found if name not in OWN]
        return Source(structure(shapes))
    params = (param for param in function.params if param.name not in OWN and not param.kind)
    return Source(structure(each for param in params for each in _of_param(param)))


def _of_param(param: ir.Parameter) -> Iterator[Parameter]:
    """The arguments that a parameter of JavaScript stands for: itself, or the parts that it takes."""
    if isinstance(param.pattern, ir.Map):
        keys = (entry.key for entry in param.pattern.entries if isinstance(entry.key, ir.Literal))
        yield from (UNTYPED.named(str(key.value), key.span) for key in keys)
    else:
        named = param.annotation.id if isinstance(param.annotation, ir.Name) else ""
        yield TYPED.get(named, UNTYPED).named(param.name, param.span)
