"""What is said of one claim of a pack: right, wrong, or not readable, and why."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

_STEP: Final = re.compile(r"\(\)|\[\]|\*|[\w$]+")


class State(StrEnum):
    """What became of a claim."""

    FOUND = "found"
    DRIFT = "drift"
    UNCHECKED = "unchecked"


class Answer(NamedTuple):
    """The answer to one claim; `why` is a sentence without its full stop, empty for what is found."""

    state: State
    why: str = ""


FOUND: Final = Answer(State.FOUND)
CALL: Final = "()"
ELEMENT: Final = "[]"
ANY: Final = "*"


def missing(why: str) -> Answer:
    """The library does not have it."""
    return Answer(State.DRIFT, why)


def unreadable(why: str) -> Answer:
    """Reading alone does not tell."""
    return Answer(State.UNCHECKED, why)


def steps_of(members: str) -> tuple[str, ...]:
    """The steps of the members of an API path: names, `()`, `[]` and `*`."""
    return tuple(_STEP.findall(members))


def best(answers: list[Answer]) -> Answer:
    """Of several alternatives the best is right: found, else not readable, else the first that is wrong."""
    for state in (State.FOUND, State.UNCHECKED):
        for answer in answers:
            if answer.state is state:
                return answer
    return answers[0]
