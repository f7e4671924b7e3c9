"""Where a text is put together that a request is given: behind a name, in the function that makes it.

A message often says `content: prompt`; what the project decided of it stands where `prompt` is written. Says where
that is, and nothing of whose texts are in it.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

INSIDE: Final = 3
"""Functions and names that are followed to where a prompt is put together."""


def made_by(program: Program, text: ir.Expr) -> Iterator[ir.Expr]:
    """What a name is given, and what the function that a call runs returns."""
    if isinstance(text, ir.Name):
        bound = visible_bindings(program, text)
        yield from (each.value for each in bound if each.value is not None)
    elif isinstance(text, ir.Call):
        for function in program.callees(text):
            yield from program.structure(function).returns


def entered_at(program: Program, message: ir.Node, texts: tuple[ir.Expr, ...], way: tuple[Span, ...]) -> Span | None:
    """Where the text of a way stands that ends in a message: the innermost of its places there; for a name that hands
    on what was put together before, where that is; what a helper puts together is each message's own.
    """
    inside = tuple(takewhile(message.span.contains, reversed(way)))
    if not inside:
        return None
    handed = next((text for text in texts if text.span == inside[-1] and isinstance(text, ir.Name)), None)
    written = None if handed is None else _written(program, handed, way, INSIDE)
    return inside[-1] if written is None else written.span


def _written(program: Program, text: ir.Expr, way: tuple[Span, ...], left: int) -> ir.Expr | None:
    """The text around words of the project's that a way passes: of several the one that is written first."""
    made = sorted(made_by(program, text), key=lambda each: each.span) if left and isinstance(text, ir.Name) else ()
    for each in made:
        if any(each.span.contains(place) for place in way) and not isinstance(each, ir.Name) and _joins(program, each):
            return each
    return next((found for each in made if (found := _written(program, each, way, left - 1)) is not None), None)


def _joins(program: Program, text: ir.Expr) -> bool:
    """Whether a text is words of the project's with something else among them."""
    pieces = pieces_of(program, text)
    words = any(isinstance(piece, str) and piece.strip() for piece in pieces)
    return words and any(not isinstance(piece, str) for piece in pieces)
