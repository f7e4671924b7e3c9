"""Answers that are asked for again and again, worked out once: of questions about nodes that no circle is settled for.

What rests on a question that is still open is worked out anew each time, and only kept when it holds for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.program import Program
    from agent_architecture.names.rests import Rests

T = TypeVar("T")


class Once:
    """The answers of one program, by the function that gives them and by what they are about: nodes and scopes, which
    are told apart by identity.
    """

    __slots__ = ("_program", "answers", "lasting")

    def __init__(self, program: Program) -> None:
        self._program = program
        self.answers: dict[Callable[..., Any], dict[object, tuple[Any, int]]] = {}
        """The answers by question and subject, each with what it rests on."""
        self.lasting: set[Callable[..., Any]] = set()
        """The questions of others than `names` whose answers outlast an edit that they do not rest on."""

    def ask(self, question: Callable[..., T], *about: object) -> T:
        """What `question(program, *about)` returns, which must be the same each time and is changed by nobody."""
        key = about[0] if len(about) == 1 else about
        try:
            known = self.answers[question][key]
        except KeyError:
            known = None  # to be worked out below: not while an error is handled
        rests = self._program.rests
        if known is not None:
            if known[1]:
                rests.read |= known[1]
            return known[0]  # type: ignore[no-any-return]  # each question has answers of its own type
        answers = self.answers.setdefault(question, {})
        before = self._program.unsettled
        around, rests.read = rests.read, _of(rests, about) if rests.is_kept else 0
        found = question(self._program, *about)
        read, rests.read = rests.read, rests.read | around
        if self._program.unsettled == before:
            answers[key] = found, rests.same(read)
        return found

    def keep(self, question: Callable[..., T], *about: object) -> T:
        """The same for a question of `semantics` that asks nothing but the program, packs, and files with notes of them
        (`Program.reads`): its answer outlasts an edit that it does not rest on (`outlasting`). It is about nodes,
        modules and packs that are there in each scan, and says nothing that holds the program.
        """
        self.lasting.add(question)
        return self.ask(question, *about)

    def forget(self) -> None:
        """All of it: what was found while classes were still told apart does not hold."""
        self.answers.clear()


def _of(rests: Rests, about: tuple[object, ...]) -> int:
    """The bits of the modules in which nodes stand that a question is about."""
    found = 0
    for one in about:
        span = getattr(one, "span", None)
        if span is not None:
            found |= rests.of(span.path)
        elif isinstance(one, tuple):
            found |= _of(rests, one)
    return found
