"""Answers that are asked for again and again, worked out once: of questions about nodes that no circle is settled for.

What rests on a question that is still open is worked out anew each time, and only kept when it holds for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.program import Program

T = TypeVar("T")


class Once:
    """The answers of one program, by the function that gives them and by what they are about (told apart by identity,
    and kept alive here, so that ids mean the same for as long as they are remembered).
    """

    __slots__ = ("_answers", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._answers: dict[tuple[object, ...], tuple[Any, tuple[object, ...]]] = {}

    def ask(self, question: Callable[..., T], *about: object) -> T:
        """What `question(program, *about)` returns, which must be the same each time and is changed by nobody."""
        key = (question, *map(id, about))
        found = self._answers.get(key)
        if found is None:
            before = self._program.unsettled
            found = question(self._program, *about), about
            if self._program.unsettled == before:
                self._answers[key] = found
        return found[0]  # type: ignore[no-any-return]  # each question has answers of its own type

    def forget(self) -> None:
        """All of it: what was found while classes were still told apart does not hold."""
        self._answers.clear()
