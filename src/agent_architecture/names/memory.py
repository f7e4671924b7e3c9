"""The memory of answers: questions about a program whose answers may depend on each other, and on themselves.

A local fixpoint solver (top-down, after Le Charlier and Van Hentenryck 1992): in a circle every answer starts with
nothing, and is worked out again whenever an answer that it read has changed, until nothing changes. So an answer does
not depend on which question of the circle came first. Must not know what a question means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = tuple[Any, ...]

DEPTH: Final = 40
"""Questions that are answered inside each other by plain recursion; deeper ones wait until those above are done."""

STEPS: Final = 20_000
"""Evaluations that one question may cost before what is left of it is given up as not readable."""

CHANGES: Final = 6
"""Times that an answer may change: one that still grows then (`n = n + 1`) grows for ever."""


class Kind(NamedTuple):
    """A kind of question.

    `work` answers one; `shape` is what two answers are compared by; `unreadable` stands for an answer that cannot be
    given, with the reason; `widened` is the end of an answer that grows for ever.
    """

    work: Callable[[Any], Answer]
    shape: Callable[[Answer], object]
    unreadable: Callable[[Any, str], Answer]
    widened: Callable[[Any, Answer], Answer]


class _Guess:
    """The answer to a question as far as it is known. `readers` are the questions whose answers rest on it."""

    __slots__ = ("changes", "found", "key", "kind", "readers", "shape", "subject")

    def __init__(self, key: int, subject: object, kind: Kind) -> None:
        self.key = key
        self.subject = subject
        self.kind = kind
        self.found: Answer = ()
        self.shape: object = kind.shape(())
        self.changes = 0
        self.readers: dict[int, None] = {}


class Memory:
    """Answers to questions, which are told apart by a key (an id of their subject, which is kept alive)."""

    __slots__ = ("_final", "_guesses", "_open", "_steps", "_waiting")

    def __init__(self) -> None:
        self._final: dict[int, tuple[Answer, object]] = {}
        self._guesses: dict[int, _Guess] = {}
        self._open: list[int] = []
        self._waiting: dict[int, None] = {}
        self._steps = 0

    def ask(self, key: int, subject: object, kind: Kind) -> Answer:
        """The answer to a question; inside of another question perhaps only what is known of it so far."""
        known = self._final.get(key)
        if known is not None:
            return known[0]
        if not self._open:
            return self._solve(key, subject, kind)
        guess = self._guesses.get(key)
        if guess is None:
            if self._steps > STEPS:
                return kind.unreadable(subject, "a long chain of values")
            guess = self._guesses[key] = _Guess(key, subject, kind)
            if len(self._open) < DEPTH:
                self._work(guess)
            else:
                self._waiting[key] = None
        guess.readers[self._open[-1]] = None
        return guess.found

    def _solve(self, key: int, subject: object, kind: Kind) -> Answer:
        """Answer a question that nothing else waits for, and with it for good all those that it rests on."""
        self._steps = 0
        guess = self._guesses[key] = _Guess(key, subject, kind)
        try:
            self._work(guess)
            self._settle()
            while self._give_up_the_empty():
                self._settle()
        except RecursionError:
            self._guesses = {key: guess}
            guess.found = kind.unreadable(subject, "a long chain of values")
        for solved in self._guesses.values():
            self._final[solved.key] = (solved.found, solved.subject)
        self._guesses, self._waiting, self._open = {}, {}, []
        return guess.found

    def _settle(self) -> None:
        """Work out again what rests on something that changed, until nothing does."""
        while self._waiting:
            key = next(iter(self._waiting))
            del self._waiting[key]
            if self._steps <= STEPS:
                self._work(self._guesses[key])

    def _give_up_the_empty(self) -> bool:
        """What is still nothing rests on nothing but itself."""
        empty = [guess for guess in self._guesses.values() if not guess.found and guess.changes <= CHANGES]
        for guess in empty:
            guess.changes = CHANGES + 1
            self._change(guess, guess.kind.unreadable(guess.subject, "a value that depends on itself"))
        return bool(empty)

    def _work(self, guess: _Guess) -> None:
        if guess.changes > CHANGES:
            return
        self._steps += 1
        self._open.append(guess.key)
        found = guess.kind.work(guess.subject)
        self._open.pop()
        if guess.changes == CHANGES and guess.kind.shape(found) != guess.shape:
            found = guess.kind.widened(guess.subject, guess.found)
            guess.changes += 1
        self._change(guess, found)

    def _change(self, guess: _Guess, found: Answer) -> None:
        shape = guess.kind.shape(found)
        guess.found = found
        if shape != guess.shape:
            guess.shape = shape
            guess.changes += 1
            self._waiting.update(guess.readers)
            guess.readers = {}
