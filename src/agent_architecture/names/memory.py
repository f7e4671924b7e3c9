"""The memory of answers: questions about a program whose answers may depend on each other, and on themselves.

A local fixpoint solver: the questions of a circle (found as Tarjan finds strongly connected components) start with
nothing, and are worked out again whenever an answer that they read has changed, until nothing changes; then all of them
are answered for good. So an answer does not depend on which question came first. Must not know what a question means.
"""

from __future__ import annotations

import heapq
import sys
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = tuple[Any, ...]

DEPTH: Final = 1000
"""Questions that are answered inside each other by plain recursion, where there is room for it (`recursion.py`); deeper
ones wait until those above are done, which makes large circles of small ones (langgraph needs 474, nanobot 643).
"""

SHALLOW: Final = 40
"""As many where there turns out to be no room for so many."""

CALLS: Final = 25
"""Calls of Python that a question takes until it asks the next one."""

STEPS: Final = 400_000
"""Evaluations that one question may cost before what is left of it is given up as not readable."""

RESTARTS: Final = 2
"""Times that a question is put off until one that lies too deep behind it is answered."""

CHANGES: Final = 8
"""Times that an answer in a circle may change before it is given up as one that grows for ever."""


class Kind(NamedTuple):
    """A kind of question.

    `work` answers one; `start` is its answer while nothing is known; `shape` is what two answers are compared by;
    `unreadable` stands for an answer that cannot be given, with the reason.
    """

    work: Callable[[Any], Answer]
    start: Answer
    shape: Callable[[Answer], object]
    unreadable: Callable[[Any, str], Answer]


class _Guess:
    """The answer to a question as far as it is known.

    `order` is how many were met before it; `readers` are the questions whose answers rest on it; `low` is the number of
    the outermost open question that it rests on itself.
    """

    __slots__ = ("changes", "found", "key", "kind", "low", "order", "readers", "subject")

    def __init__(self, key: int, subject: object, kind: Kind, number: int, order: int) -> None:
        self.key = key
        self.subject = subject
        self.kind = kind
        self.found = kind.start
        self.changes = 0
        self.low = number
        self.order = order
        self.readers: dict[int, None] = {}


class _TooDeepError(Exception):
    """A question that must be answered before the one that leads to it."""

    def __init__(self, key: int, subject: object, kind: Kind) -> None:
        super().__init__(key)
        self.question = (key, subject, kind)


class _Waiting:
    """The questions that have to be worked out again: those first that were met last, which others rest on."""

    __slots__ = ("_heap", "_keys")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int]] = []
        self._keys: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self._heap)

    def add(self, guess: _Guess) -> None:
        """Once, however often it is added."""
        if guess.key not in self._keys:
            self._keys.add(guess.key)
            heapq.heappush(self._heap, (-guess.order, guess.key))

    def latest(self) -> int:
        """The key of the one that was met last; it is no longer in here."""
        key = heapq.heappop(self._heap)[1]
        self._keys.remove(key)
        return key


class Memory:
    """Answers to questions, which are told apart by a key (an id of their subject, which is kept alive)."""

    __slots__ = ("_depth", "_final", "_guesses", "_met", "_open", "_put_off", "_steps", "_waiting")

    def __init__(self) -> None:
        self._final: dict[int, tuple[Answer, object]] = {}
        self._guesses: dict[int, _Guess] = {}  # in the order in which they were met: those of a circle follow its first
        self._open: list[_Guess] = []
        self._waiting = _Waiting()
        self._put_off: set[int] = set()
        self._depth = 0
        self._met = 0
        self._steps = 0

    @property
    def is_idle(self) -> bool:
        """Whether no question is open, so that what is found now holds for good."""
        return not self._open

    def is_final(self, key: int) -> bool:
        """Whether a question has been answered for good: it is in no circle with an open one."""
        return key in self._final

    def ask(self, key: int, subject: object, kind: Kind) -> Answer:
        """The answer to a question; inside of a question in the same circle what is known of it so far."""
        known = self._final.get(key)
        if known is not None:
            return known[0]
        reader = self._open[-1] if self._open else None
        guess = self._guesses.get(key)
        if guess is None:
            if reader is None:
                return self._outermost(key, subject, kind)
            if self._steps > STEPS:
                return kind.unreadable(subject, "a long chain of values")
            guess = self._first_met(key, subject, kind)
        if reader is not None and key not in self._final:
            guess.readers[reader.key] = None
            reader.low = min(reader.low, guess.low)
        return guess.found

    def _outermost(self, key: int, subject: object, kind: Kind) -> Answer:
        self._depth = min(DEPTH, sys.getrecursionlimit() // CALLS)
        self._steps = 0
        self._put_off = set()
        questions = [(key, subject, kind)]
        while questions:
            try:
                found = self._first_met(*questions[-1]).found
                questions.pop()
            except _TooDeepError as deep:
                questions.append(deep.question)
                self._forget()
            except RecursionError:
                self._forget()
                if self._depth > SHALLOW:
                    self._depth = SHALLOW
                    continue
                found = kind.unreadable(subject, "a long chain of values")
                self._final[key] = (found, subject)
                break
        return found

    def _forget(self) -> None:
        self._guesses, self._waiting, self._open = {}, _Waiting(), []

    def _first_met(self, key: int, subject: object, kind: Kind) -> _Guess:
        number = len(self._open)
        if number >= self._depth and key not in self._put_off and len(self._put_off) < RESTARTS:
            self._put_off.add(key)
            raise _TooDeepError(key, subject, kind)
        self._met += 1
        guess = self._guesses[key] = _Guess(key, subject, kind, number, self._met)
        if number >= self._depth:
            guess.low = 0
            self._waiting.add(guess)
            return guess
        self._work(guess)
        if guess.low == number:
            self._close(guess, number)
        return guess

    def _work(self, guess: _Guess) -> None:
        self._steps += 1
        self._open.append(guess)
        found = guess.kind.work(guess.subject)
        self._open.pop()
        self._change(guess, found)

    def _change(self, guess: _Guess, found: Answer) -> None:
        before, guess.found = guess.found, found
        if guess.readers and guess.kind.shape(found) != guess.kind.shape(before):
            for key in guess.readers:
                if (reader := self._guesses.get(key)) is not None:
                    self._waiting.add(reader)
            guess.readers = {}

    # ---------------------------------------------------------------------------------------------------------- circles
    def _close(self, first: _Guess, number: int) -> None:
        """Answer for good the question that was met first in its circle, and with it all the others in it; not when
        that leads to an open question further out: then they are part of its circle.
        """
        if next(reversed(self._guesses)) != first.key or self._waiting or _is_nothing(first):
            self._open.append(first)
            for guess in self._members(first):
                guess.low = number
            low = self._settle(number)
            while low == number and self._give_up_the_empty(first):
                low = self._settle(number)
            self._open.pop()
            if low < number:
                for guess in self._members(first):
                    guess.low = low
                return
        for guess in self._members(first):
            del self._guesses[guess.key]
            self._final[guess.key] = (guess.found, guess.subject)

    def _members(self, first: _Guess) -> list[_Guess]:
        found: list[_Guess] = []
        for guess in reversed(self._guesses.values()):
            found.append(guess)
            if guess is first:
                break
        return found

    def _settle(self, number: int) -> int:
        """Work out again what rests on something that changed, until nothing does. The number of the outermost open
        question that any of it turns out to rest on.
        """
        low = number
        while self._waiting:
            guess = self._guesses.get(self._waiting.latest())
            if guess is None or guess.changes > CHANGES or self._steps > STEPS:
                continue
            guess.changes += 1
            self._work(guess)
            low = min(low, guess.low)
            guess.low = number
        return low

    def _give_up_the_empty(self, first: _Guess) -> bool:
        """What is still nothing rests on nothing but itself."""
        empty = [guess for guess in self._members(first) if _is_nothing(guess)]
        for guess in empty:
            guess.changes = CHANGES + 1
            self._change(guess, guess.kind.unreadable(guess.subject, "a value that depends on itself"))
        return bool(empty)


def _is_nothing(guess: _Guess) -> bool:
    return guess.kind.shape(guess.found) == guess.kind.shape(guess.kind.start)
