"""Room for deep recursion: what it allows, what comes back out of it, and what it leaves behind."""

from __future__ import annotations

import sys
import threading

import pytest

from agent_architecture.names.memory import Answer, Kind, Memory
from agent_architecture.recursion import with_room

LONG = 600
"""Questions of a chain whose two ends rest on each other; langgraph and nanobot have such of 474 and 643."""


def together(_: object, before: Answer, found: Answer) -> Answer:
    """What two answers to one question come to together."""
    return in_order((*before, *found))


def in_order(found: Answer) -> Answer:
    """An answer as it is told: each part once."""
    return tuple(sorted(set(found)))


def nested(depth: int) -> int:
    return 0 if not depth else 1 + sum(nested(depth - 1) for _ in range(1))


def test_calls_may_lie_thousands_deep_inside_each_other() -> None:
    with pytest.raises(RecursionError):
        nested(5_000)
    assert with_room(lambda: nested(5_000)) == 5_000


def test_an_error_comes_out_as_it_was_raised_and_the_limits_are_those_of_before() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()
    with pytest.raises(ValueError, match="not today"):
        with_room(lambda: (_ for _ in ()).throw(ValueError("not today")))
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


def counted(depth: int) -> tuple[int, int]:
    """How often the questions of a chain are worked out, and its answer. Each takes `depth` calls to ask the next one;
    each tenth asks the one before it, too, so that the chain falls apart into pairs.
    """
    memory, worked = Memory(), [0]

    def work(number: int) -> Answer:
        worked[0] += 1
        return called(number, depth)

    def called(number: int, calls: int) -> Answer:
        if calls:
            return called(number, calls - 1)
        if number == LONG:
            return ("end",)
        back = memory.ask(number, number - 1, kind) if number and number % 10 == 0 else ()
        return tuple(sorted({*back, *memory.ask(number + 2, number + 1, kind)}))

    kind = Kind(work, (), frozenset, lambda _, reason: (reason,), together, lambda number: (number,), in_order)
    assert memory.ask(1, 0, kind) == ("end",)
    return worked[0], LONG + 1


def test_a_chain_of_small_circles_is_worked_out_about_once_where_there_is_room() -> None:
    worked, questions = with_room(lambda: counted(20))
    assert worked < 1.3 * questions


def test_where_there_is_less_room_than_was_thought_the_answer_is_the_same() -> None:
    worked, questions = with_room(lambda: counted(120))  # 600 times 120 calls are more than there is room for
    assert worked >= questions
