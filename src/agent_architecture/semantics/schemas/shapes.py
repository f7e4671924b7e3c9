"""The shape of a tool's input as a schema gives it: how much each parameter admits.

Joins shapes; knows no notation: annotations, zod and JSON Schema are read by the modules beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Parameter, ParameterKind
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.sources.source import Span

DEPTH: Final = 8
"""Levels of nested objects that are read; what lies deeper is taken as a structure without fields."""

LARGEST: Final = 400
"""Fields of an object, nested ones included; who writes more writes no schema for a model."""

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


class Level(NamedTuple):
    """How deep in nested types a reader is, and the named types that it has read: each is read once, so that types that
    contain themselves, or each other many times, cost no more than their text.
    """

    depth: int
    known: dict[int, Shape]

    @property
    def is_deep(self) -> bool:
        """Whether nothing further is read."""
        return self.depth > DEPTH

    def deeper(self) -> Level:
        """One level further in."""
        return self._replace(depth=self.depth + 1)

    def once(self, node: object, read: Callable[[Level], Shape]) -> Shape:
        """The shape of a type, by its node; inside itself it is a structure of which nothing more is said."""
        if id(node) not in self.known:
            self.known[id(node)] = structure(())
            self.known[id(node)] = structure(()) if self.is_deep else read(self.deeper())
        return self.known[id(node)]


def top() -> Level:
    """Where reading begins."""
    return Level(0, {})


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
    """An object with these fields; of one that is too large, only the outermost."""
    found = tuple(fields)
    if sum(map(_size, found)) > LARGEST:
        found = tuple(field._replace(fields=()) for field in found[:LARGEST])
    return Shape(ParameterKind.STRUCTURE, found, closed=closed)


def _size(parameter: Parameter) -> int:
    return 1 + sum(map(_size, parameter.fields))


def either(shapes: Iterable[Shape]) -> Shape:
    """What may be any of these: what admits most counts; the fields of several objects stand together. A number beside
    an object that may hold a text may be a text, too: `tuple[Document, float]`.
    """
    found = tuple(shapes)
    if not found:
        return UNTYPED
    kind = max((shape.kind for shape in found), key=_ORDER.index)
    fields = tuple(field for shape in found for field in shape.fields) if kind is ParameterKind.STRUCTURE else ()
    objects = [shape for shape in found if shape.kind is ParameterKind.STRUCTURE]
    holding = (shape.text or (shape.kind is ParameterKind.STRUCTURE and not holds_no_text(shape)) for shape in found)
    text = any(holding) and kind in {ParameterKind.FREE, ParameterKind.UNTYPED}
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


def holds_no_text(shape: Shape) -> bool:
    """Whether what a shape admits holds no text of any content."""
    if shape.kind is ParameterKind.STRUCTURE:
        return bool(shape.fields) and not any(True for _ in texts_of(shape.fields))
    return shape.kind in {ParameterKind.CLOSED, ParameterKind.BOUNDED} or (
        shape.kind is ParameterKind.FREE and not shape.text
    )
