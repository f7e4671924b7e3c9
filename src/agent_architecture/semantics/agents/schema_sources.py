"""A schema of a tool as it is written, and those that say nothing."""

from __future__ import annotations

from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.schemas.shapes import Shape, structure


class Source(NamedTuple):
    """A schema as it is written. `typed`: a schema that can check (a model, zod, a signature), not a description."""

    shape: Shape
    typed: bool = True


NO_INPUT: Final = Source(structure((), closed=True))
ONE_TEXT: Final = Source(structure(()))
"""What a tool takes whose library makes one text of whatever a model says, where no schema is written."""
UNREADABLE: Final = Source(structure(()), typed=False)
"""A schema that is there and cannot be read."""
