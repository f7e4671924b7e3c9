"""The memory of answers: large circles of questions are answered whole, whichever question comes first."""

from __future__ import annotations

import pytest

from agent_architecture.names.memory import Answer, Kind, Memory

SIZE = 20_000
"""Questions in one circle. Of gptme, one of the largest projects that was read, 53,668 rest on each other."""


def together(_: object, before: Answer, found: Answer) -> Answer:
    """What two answers to one question come to together."""
    return in_order((*before, *found))


def in_order(found: Answer) -> Answer:
    """An answer as it is told: each part once."""
    return tuple(sorted(set(found)))


def circle(memory: Memory) -> Kind:
    """Questions that each ask two others of a circle: the answer of all is what question 7 knows by itself."""

    def work(number: int) -> Answer:
        asked = [memory.ask(each + 1, each, kind) for each in ((number + 1) % SIZE, (number + 3) % SIZE)]
        own = ("seven",) if number == 7 else ()
        return tuple(sorted({*own, *(each for answer in asked for each in answer)}))

    kind = Kind(work, (), frozenset, lambda _, reason: (reason,), together, lambda number: (number,), in_order)
    return kind


@pytest.mark.parametrize("first", [0, 7, 8, SIZE - 1])
def test_a_large_circle_is_answered_whole(first: int) -> None:
    memory = Memory()
    kind = circle(memory)
    assert memory.ask(first + 1, first, kind) == ("seven",)
    assert {memory.ask(each + 1, each, kind) for each in range(SIZE)} == {("seven",)}
    assert memory.is_idle


def test_what_is_met_while_a_circle_settles_is_no_part_of_it() -> None:
    memory, finals, worked = Memory(), [], [0]

    def work(number: int) -> Answer:
        worked[0] += 1
        if number >= 10:
            return ("alone",)
        asked = [memory.ask(each + 1, each, kind) for each in range(5) if each != number]
        found = {*(part for answer in asked for part in answer), *(("start",) if number == 4 else ())}
        if len(found) > 1 or (found and number == 4):
            found.update(memory.ask(number + 11, number + 10, kind))
            finals.append(memory.is_final(number + 11))
        return tuple(sorted(found))

    kind = Kind(work, (), frozenset, lambda _, reason: (reason,), together, lambda number: (number,), in_order)
    assert memory.ask(1, 0, kind) == ("alone", "start")
    assert all(finals)
    assert len(finals) >= 5
    assert worked[0] < 40
