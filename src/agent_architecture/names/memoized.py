"""Answers that are asked for again and again, worked out once: of questions about nodes that no circle is settled for.

What rests on a question that is still open is worked out anew each time, and only kept when it holds for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.program import Program

T = TypeVar("T")

UNKNOWN: Final = object()
"""Stands for an answer that is not there."""


class Once:
    """The answers of one program, by the function that gives them and by what they are about: nodes and scopes, which
    are told apart by identity.
    """

    __slots__ = ("_answers", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._answers: dict[Callable[..., Any], dict[object, Any]] = {}

    def ask(self, question: Callable[..., T], *about: object) -> T:
        """What `question(program, *about)` returns, which must be the same each time and is changed by nobody."""
        answers = self._answers.get(question)
        if answers is None:
            answers = self._answers[question] = {}
        key = about[0] if len(about) == 1 else about
        found = answers.get(key, UNKNOWN)
        if found is UNKNOWN:
            before = self._program.unsettled
            found = question(self._program, *about)
            if self._program.unsettled == before:
                answers[key] = found
        return found  # type: ignore[no-any-return]  # each question has answers of its own type

    def forget(self) -> None:
        """All of it: what was found while classes were still told apart does not hold."""
        self._answers.clear()
