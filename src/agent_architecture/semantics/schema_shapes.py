"""The shape of a tool's input as a schema gives it: how much each parameter admits.

Joins shapes; knows no notation: annotations, zod and JSON Schema are read by the modules beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.model.effects import Parameter, ParameterKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.sources.source import Span

DEPTH: Final = 8
"""Levels of nested objects that are read; what lies deeper is taken as a structure without fields."""

_ORDER: Final = (
    ParameterKind.CLOSED,
    ParameterKind.BOUNDED,
    ParameterKind.STRUCTURE,
    ParameterKind.FREE,
    ParameterKind.UNTYPED,
)
"""From what admits least to what admits most."""

FURTHER: Final = "**"
"""The name of what stands for keys that a schema lets through without saying what they hold."""


class Shape(NamedTuple):
    """What a value may be. `text`: it may be a string of any content. `closed`: an object that refuses further keys."""

    kind: ParameterKind
    fields: tuple[Parameter, ...] = ()
    text: bool = False
    closed: bool = False

    def named(self, name: str, span: Span) -> Parameter:
        """The shape as a parameter."""
        return Parameter(name, self.kind, span, self.fields, self.text)


CLOSED: Final = Shape(ParameterKind.CLOSED)
BOUNDED: Final = Shape(ParameterKind.BOUNDED)
TEXT: Final = Shape(ParameterKind.FREE, text=True)
NUMBER: Final = Shape(ParameterKind.FREE)
UNTYPED: Final = Shape(ParameterKind.UNTYPED, text=True)


def structure(fields: Iterable[Parameter], *, closed: bool = False) -> Shape:
    """An object with these fields."""
    return Shape(ParameterKind.STRUCTURE, tuple(fields), closed=closed)


def either(shapes: Iterable[Shape]) -> Shape:
    """What may be any of these: what admits most counts; the fields of several objects stand together."""
    found = tuple(shapes)
    if not found:
        return UNTYPED
    kind = max((shape.kind for shape in found), key=_ORDER.index)
    fields = tuple(field for shape in found for field in shape.fields) if kind is ParameterKind.STRUCTURE else ()
    objects = [shape for shape in found if shape.kind is ParameterKind.STRUCTURE]
    text = any(shape.text for shape in found) and kind in {ParameterKind.FREE, ParameterKind.UNTYPED}
    return Shape(kind, fields, text, bool(objects) and all(shape.closed for shape in objects))


def constrained(shape: Shape) -> Shape:
    """The shape behind a check of its content: a pattern, a length, bounds, a validator."""
    return BOUNDED if shape.kind is ParameterKind.FREE else shape


def texts_of(parameters: Iterable[Parameter]) -> Iterator[str]:
    """The names of the parameters, nested ones included, that may be a string of any content."""
    for parameter in parameters:
        if parameter.text:
            yield parameter.name
        yield from texts_of(parameter.fields)
