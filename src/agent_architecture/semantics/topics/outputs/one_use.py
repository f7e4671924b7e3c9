"""Which uses of a model's output are one: an answer that a function tries to take apart in several ways, the lines that
it writes one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Consumer, ModelOutput, Validation
from agent_architecture.semantics.topics.verification.checks import scope_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

JOINED: Final = frozenset({Consumer.PARSE, Consumer.KEEP})
_ORDER: Final = tuple(Validation)


def each_once(program: Program, outputs: Iterable[ModelOutput]) -> Iterator[ModelOutput]:
    """The uses, of those that are one the least checked, at its place; the others stand on its trail."""
    same: dict[tuple[object, ...], list[ModelOutput]] = {}
    for output in outputs:
        same.setdefault(_use(program, output), []).append(output)
    for found in same.values():
        first = min(found, key=lambda each: (_ORDER.index(each.validation), each.span))
        others = (each.span for each in sorted(found, key=lambda each: each.span) if each is not first)
        yield first._replace(trail=(*first.trail, *others))


def _use(program: Program, output: ModelOutput) -> tuple[object, ...]:
    """What tells uses apart: the place; of those that are joined, the function and the answer."""
    if output.consumer not in JOINED or output.is_argument:
        return output.consumer, output.span
    scope = id(scope_at(program, output.span))
    return output.consumer, scope, output.source if output.consumer is Consumer.PARSE else ""
