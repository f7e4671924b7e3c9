"""What types and schemas admit that stand on a line, and who holds values to them, in words (`explain FILE:LINE`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Enforcement, ParameterKind
from agent_architecture.model.outputs import Validation
from agent_architecture.model.system import Tool
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.schemas import python_annotations
from agent_architecture.semantics.schemas.output_schemas import ORDER, shape_of
from agent_architecture.semantics.schemas.shapes import UNTYPED
from agent_architecture.semantics.schemas.values import of_schema_value
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.effects import Parameter
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.schemas.shapes import Shape

ASKING: Final = ("model_call", "run")
ADMITTED: Final = {
    ParameterKind.CLOSED: "nothing but what is listed",
    ParameterKind.BOUNDED: "within bounds",
    ParameterKind.FREE: "any number",
    ParameterKind.UNTYPED: "anything",
}
CHECKED: Final = {
    Enforcement.NONE: "nothing checks the arguments of {}",
    Enforcement.TYPES: "the arguments of {} are checked before it runs; further keys are let through",
    Enforcement.CLOSED: "the arguments of {} are checked before it runs; further keys are refused",
}
HELD: Final = {
    Validation.ENFORCED: "the answer of {} is held to its schema",
    Validation.SHAPE_ASKED: "the answer of {} is only asked to keep to its schema",
}


def schemas_at(
    context: Context, begun: Iterable[ir.Function], nodes: Iterable[ir.Node], entities: Iterable[object]
) -> Iterator[str]:
    """What the types and schemas of a line admit: of functions and classes that begin there, of what is assigned; and
    who holds the arguments of tools and the answers of requests to them.
    """
    program = context.program
    for function in (each for each in begun if is_python(each.span.path)):
        for name, shape, _ in python_annotations.of_function(program, function):
            yield f"{name}: {_admits(shape)}"
    for node in nodes:
        match node:
            case ir.Class() if python_annotations.is_model(program, node):
                yield f"{node.name}: {_admits(python_annotations.of_class(program, node))}"
            case ir.Assign(target=ir.Name(id=name), value=value) if value is not None:
                shapes = (of_schema_value(program, each) for each in program.value_of(value))
                yield from (f"{name}: {_admits(shape)}" for shape in shapes if shape is not UNTYPED)
            case ir.Call():
                yield from _of_request(context, node)
            case _:
                continue
    for entity in entities:
        if isinstance(entity, Tool) and entity.schema.enforcement in CHECKED:
            yield CHECKED[entity.schema.enforcement].format(entity.name)


def _of_request(context: Context, call: ir.Call) -> Iterator[str]:
    """Whether the answer of a request is held to a schema that it names."""
    match = next((found for kind in ASKING if (found := context.at(call, kind)) is not None), None)
    asked = [shape_of(value) for value in written_values(context, match, "output_schema")] if match is not None else []
    held = min(asked, key=ORDER.index, default=Validation.NONE)
    if held in HELD:
        yield HELD[held].format(called(call) or "a call")


def _admits(shape: Shape | Parameter) -> str:
    """What a shape admits, its fields in braces."""
    if shape.kind is ParameterKind.STRUCTURE:
        fields = ", ".join(f"{each.name}: {_admits(each)}" for each in shape.fields)
        further = "; no further keys" if getattr(shape, "closed", False) else ""
        return f"an object {{{fields}{further}}}" if fields else "an object"
    return "any text" if shape.kind is ParameterKind.FREE and shape.text else ADMITTED[shape.kind]
