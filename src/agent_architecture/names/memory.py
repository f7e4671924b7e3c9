"""The memory of answers: questions about a program whose answers may depend on each other, and on themselves.

A local fixpoint solver: the questions of a circle (found as Tarjan finds strongly connected components) start with
nothing, and are worked out again whenever an answer that they read has changed, until nothing changes; then all of them
are answered for good. So an answer does not depend on which question came first. Must not know what a question means.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.names.rests import Rests
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = tuple[Any, ...]
Place = tuple[object, ...]
Key = object
"""What tells a question from others: hashable, made of ids of what its subject keeps alive."""

DEPTH: Final = 3000
"""Questions that are answered inside each other by plain recursion, where there is room for it (`recursion.py`); deeper
ones wait until those above are done, which makes large circles of small ones (openai-agents-python needs more than a
thousand).
"""

SHALLOW: Final = 40
"""As many where there turns out to be no room for so many."""

CALLS: Final = 25
"""Calls of Python that a question takes until it asks the next one."""

STEPS: Final = 400_000
"""Evaluations that one question may cost before what is left of it is given up as not readable."""

RESTARTS: Final = 2
"""Times that a question is put off until one that lies too deep behind it is answered."""

CHANGES: Final = 32
"""Times that an answer in a circle may change freely; from then on it only grows, so that every circle ends: there are
only so many alternatives, and a chain of steps goes through each place in the code only so often
(`alternatives.folded`).
"""


class Kind(NamedTuple):
    """A kind of question.

    `work` answers one; `start` is its answer while nothing is known, an empty tuple of some type; `shape` is what two
    answers are compared by; `unreadable` stands for an answer that cannot be given, with the reason; `joined` is what
    two answers to the same question come to together. `place` tells where the subject of a question stands, to put
    questions in order, and `ordered` puts the parts of an answer in order. One that `gathers` rests on very many
    others.
    """

    work: Callable[[Any], Answer]
    start: Answer
    shape: Callable[[Answer], object]
    unreadable: Callable[[Any, str], Answer]
    joined: Callable[[Any, Answer, Answer], Answer]
    place: Callable[[Any], Place]
    ordered: Callable[[Any], Answer]
    gathers: bool = False


class _Guess:
    """The answer to a question as far as it is known.

    `order` is how many were met or answered before it was met, `answered` how many before it was first answered;
    `readers` are the questions whose answers rest on it; `low` is the number of the outermost open question that it
    rests on itself; `unsettled` counts those it read at last that were not final.
    `rests` is what was read for it, but for answers that are open. One that is `given_up` rests on nothing but itself,
    and stays what stands for that (`frozen`), if anything does.
    """

    __slots__ = (
        "answered", "changes", "found", "frozen", "given_up", "key", "kind", "low", "order", "readers", "rests",
        "subject", "unsettled",
    )  # fmt: skip

    def __init__(self, key: Key, subject: object, kind: Kind, number: int, order: int) -> None:
        self.key = key
        self.subject = subject
        self.kind = kind
        self.found = kind.start
        self.changes = 0
        self.low = number
        self.order = order
        self.answered = order
        self.readers: dict[Key, None] = {}
        self.rests = 0
        self.unsettled = 0
        self.given_up = False
        self.frozen = False


class _TooDeepError(Exception):
    """A question that must be answered before the one that leads to it."""

    def __init__(self, key: Key, subject: object, kind: Kind) -> None:
        super().__init__(key)
        self.question = (key, subject, kind)


class _Waiting:
    """The questions that have to be worked out again: those first that were answered first, which others rest on; those
    that gather many answers when nothing else waits.
    """

    __slots__ = ("_keys", "_lists")

    def __init__(self) -> None:
        self._lists: tuple[_InOrder, _InOrder] = (_InOrder(), _InOrder())
        self._keys: set[Key] = set()

    def __contains__(self, guess: _Guess) -> bool:
        return guess.key in self._keys

    def add(self, guess: _Guess) -> None:
        """Once, however often it is added."""
        if guess.key not in self._keys:
            self._keys.add(guess.key)
            self._lists[guess.kind.gathers].add(guess.answered, guess.key)

    def drop(self, guess: _Guess) -> None:
        """It is answered anew, or not needed any more."""
        self._keys.discard(guess.key)

    def next_of(self, first: _Guess) -> Key | None:
        """The key of the one that was answered first, of those met after `first`; it is no longer in here. None where
        those that wait were met before: they are part of a circle further out.
        """
        for waiting in self._lists:
            place = bisect_left(waiting.numbers, first.order)
            while place < len(waiting.numbers):
                key = waiting.pop(place)
                if key in self._keys:
                    self._keys.remove(key)
                    return key
        return None


class _InOrder:
    """Keys by number: two lists, since a search in plain numbers calls nothing."""

    __slots__ = ("keys", "numbers")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.keys: list[Key] = []

    def add(self, number: int, key: Key) -> None:
        place = bisect_right(self.numbers, number)
        self.numbers.insert(place, number)
        self.keys.insert(place, key)

    def pop(self, place: int) -> Key:
        del self.numbers[place]
        return self.keys.pop(place)


class Memory:
    """Answers to questions, which are told apart by a key (made of ids of what the subject keeps alive)."""

    def __init__(self, rests: Rests | None = None) -> None:
        self._rests = Rests() if rests is None else rests
        self.final: dict[Key, tuple[Answer, object, int]] = {}
        """The answers that hold for good, with the subjects of their questions, and what they rest on."""
        self.is_cut = False  # whether an answer was given up for its length: that depends on what was known before
        self._guesses: dict[Key, _Guess] = {}  # in the order in which they were met: those of a circle follow its first
        self._open: list[_Guess] = []
        self._waiting = _Waiting()
        self._put_off: set[Key] = set()
        self._entered: set[Key] = set()
        self._depth = 0
        self._met = 0
        self._steps = 0

    @property
    def is_idle(self) -> bool:
        """Whether no question is open, so that what is found now holds for good."""
        return not self._open

    @property
    def unsettled(self) -> int:
        """How many answers the innermost open question has read that were not final. Where this stays the same, what
        was found meanwhile holds for good.
        """
        return self._open[-1].unsettled if self._open else 0

    def is_final(self, key: Key) -> bool:
        """Whether a question has been answered for good: it is in no circle with an open one."""
        return key in self.final

    def ask(self, key: Key, subject: object, kind: Kind) -> Answer:
        """The answer to a question; inside of a question in the same circle what is known of it so far."""
        known = self.final.get(key)
        if known is not None:
            self._rests.read |= known[2]
            return known[0]
        reader = self._open[-1] if self._open else None
        guess = self._guesses.get(key)
        if guess is None:
            if reader is None:
                return self._outermost(key, subject, kind)
            if self._steps > STEPS:
                reader.unsettled += 1
                self.is_cut = True
                return kind.unreadable(subject, "a long chain of values")
            guess = self._first_met(key, subject, kind)
            known = self.final.get(key)
        if known is not None:
            self._rests.read |= known[2]
        elif reader is not None:
            reader.unsettled += 1
            guess.readers[reader.key] = None
            reader.low = min(reader.low, guess.low)
        return guess.found

    def _outermost(self, key: Key, subject: object, kind: Kind) -> Answer:
        self._depth = min(DEPTH, sys.getrecursionlimit() // CALLS)
        self._steps = 0
        self._put_off, self._entered = set(), set()
        questions = [(key, subject, kind)]
        read = self._rests.read
        while questions:
            try:
                found = self._first_met(*questions[-1]).found
                questions.pop()
            except _TooDeepError as deep:
                questions.append(deep.question)
                self._forget()
            except RecursionError:
                self.is_cut = True
                self._forget()
                if self._depth > SHALLOW:
                    self._depth = SHALLOW
                    continue
                found = kind.unreadable(subject, "a long chain of values")
                self.final[key] = (found, subject, 0)
                break
        self._rests.read = read | self.final[key][2]
        return found

    def _forget(self) -> None:
        self._guesses, self._waiting, self._open = {}, _Waiting(), []

    def _first_met(self, key: Key, subject: object, kind: Kind) -> _Guess:
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
        self._met += 1
        guess.answered = self._met
        if guess.low == number:
            if next(reversed(self._guesses)) is key and guess not in self._waiting and not _is_nothing(guess):
                del self._guesses[key]  # it rests on nothing that is open
                self.final[key] = (guess.found, subject, self._rests.same(guess.rests))
                return guess
            entry = self._close(guess, number)
            if entry is not guess:
                return self._from(entry, guess)
        return guess

    def _work(self, guess: _Guess) -> None:
        self._steps += 1
        self._open.append(guess)
        guess.unsettled = 0
        rests = self._rests
        around, rests.read = rests.read, guess.rests
        found = guess.kind.work(guess.subject)
        guess.rests, rests.read = rests.read, around
        self._open.pop()
        self._change(guess, found)

    def _change(self, guess: _Guess, found: Answer) -> None:
        before, shape = guess.found, guess.kind.shape
        if not guess.readers or found is before or shape(found) == shape(before):
            guess.found = found
            return
        if guess.changes >= CHANGES:
            found = guess.kind.joined(guess.subject, before, found)
            if shape(found) == shape(before):
                return
        guess.found = found
        guess.changes += 1
        for key in guess.readers:
            if (reader := self._guesses.get(key)) is not None:
                self._waiting.add(reader)
        guess.readers = {}

    # ---------------------------------------------------------------------------------------------------------- circles
    def _close(self, first: _Guess, number: int) -> _Guess:
        """Answer for good the question that was met first in its circle, and with it all the others in it; not when
        that leads to an open question further out: then they are part of its circle.

        Gives `first`, or the question that the circle is to be worked out from instead: where answers did not come to
        rest by themselves, it matters which is asked first, so it is always the same one.
        """
        members = [first]
        if next(reversed(self._guesses)) != first.key or first in self._waiting or _is_nothing(first):
            self._open.append(first)
            for guess in self._members(first):
                guess.low = number
            low = self._settle(first, number)
            while low == number and self._give_up_the_empty(first):
                low = self._settle(first, number)
            self._open.pop()
            members = self._members(first)
            if low < number:
                for guess in members:
                    guess.low = low
                return first
            is_new = first.key not in self._entered and self._steps < STEPS // 2  # there is room to do it again
            entry = _entry(members) if is_new else first
            if entry is not first:
                for guess in members:
                    del self._guesses[guess.key]
                    self._waiting.drop(guess)
                return entry
        rests = self._rests.same(reduce(or_, (guess.rests for guess in members)))
        for guess in members:
            del self._guesses[guess.key]
            if len(members) > 1:
                guess.found = guess.kind.ordered(guess.found)
            self.final[guess.key] = (guess.found, guess.subject, rests)
        return first

    def _from(self, entry: _Guess, first: _Guess) -> _Guess:
        """A question of a circle, after the one that the circle is to be worked out from."""
        self._entered.update((entry.key, first.key))
        self._first_met(entry.key, entry.subject, entry.kind)
        known = self.final.get(first.key)
        if known is not None:
            first.found = known[0]
            return first
        again = self._guesses.get(first.key)
        return self._first_met(first.key, first.subject, first.kind) if again is None else again

    def _members(self, first: _Guess) -> list[_Guess]:
        found: list[_Guess] = []
        for guess in reversed(self._guesses.values()):
            found.append(guess)
            if guess is first:
                break
        return found

    def _settle(self, first: _Guess, number: int) -> int:
        """Work out again what rests on something that changed, until nothing does, or until any of it turns out to rest
        on a question that is open further out: then that is where the circle begins. The number of that question.
        """
        while (key := self._waiting.next_of(first)) is not None:
            guess = self._guesses.get(key)
            if guess is None or guess.frozen or self._steps > STEPS:
                continue
            self._work(guess)
            if guess.low < number:
                return guess.low
        return number

    def _give_up_the_empty(self, first: _Guess) -> bool:
        """What is still nothing rests on nothing but itself."""
        empty = [guess for guess in self._members(first) if not guess.given_up and _is_nothing(guess)]
        for guess in empty:
            guess.given_up = True
            self._change(guess, guess.kind.unreadable(guess.subject, "a value that depends on itself"))
            guess.frozen = not _is_nothing(guess)
        return bool(empty)


def _is_nothing(guess: _Guess) -> bool:
    return not guess.found and type(guess.found) is type(guess.kind.start)


def _entry(members: list[_Guess]) -> _Guess:
    """The question from which a circle is worked out, whichever was asked first: the one that stands first in the code,
    of those that stand alone in their place. It matters only where answers changed until they were made to grow.
    """
    first = members[-1]
    if all(guess.changes < CHANGES for guess in members):
        return first
    places: dict[Place, list[_Guess]] = {}
    for guess in members:
        places.setdefault(guess.kind.place(guess.subject), []).append(guess)
    alone = [(place, found[0]) for place, found in places.items() if len(found) == 1]
    return min(alone, key=lambda pair: pair[0])[1] if alone else first
