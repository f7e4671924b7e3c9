"""Questions that do not rest on each other, shared out among processes (`--jobs`).

Each further process is a fork of this one, so that it knows all that is known by then; whoever is free takes the next
question, and what a fork has answered comes back through a pipe. What both know, they name instead of copying it, so
that it stays one and the same thing. An answer that does not come back is worked out here: nothing is lost.

Where there is no fork (Windows), or just one job, all is answered here, one after the other. The answers are the same.
"""

from __future__ import annotations

import io
import os
import pickle
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

CAN_FORK: Final = hasattr(os, "fork")
MOST: Final = 255
"""Questions that one byte can name."""


class Jobs(NamedTuple):
    """How questions are worked out: in so many processes; `step` is told how many this one answered, of how many."""

    processes: int = 1
    step: Callable[[int, int], None] | None = None


ALONE: Final = Jobs()


class _Helper(NamedTuple):
    """A fork of this process, and the end of the pipe on which its answers come."""

    process: int
    answers: int


def shared_out(
    questions: Mapping[str, Callable[[], object]],
    processes: int,
    step: Callable[[int, int], None] | None = None,
    known: Iterable[object] = (),
) -> dict[str, Any]:
    """The answer to each question, in their order.

    Args:
        questions: what is worked out, by name; no question may need what another one leaves behind.
        processes: so many at most, this one among them.
        step: is told before each question that this process answers how many it has answered, and how many there are.
        known: objects that answers may contain and that are compared by identity elsewhere.
    """
    questions = questions if step is None else _counted(questions, step)
    order = list(questions)[:MOST]
    helpers: list[_Helper] = []
    mine: dict[str, object] = {}
    if processes > 1 and CAN_FORK and len(order) > 1:
        same = {id(each): each for each in known}
        tickets, put = os.pipe()
        os.write(put, bytes(range(len(order))))
        os.close(put)
        helpers = [_helper(questions, order, tickets, same) for _ in range(min(processes, len(order)) - 1)]
        mine = _answered(questions, order, tickets)
        os.close(tickets)
        for helper in helpers:
            mine |= _received(helper, same)
    return {name: mine[name] if name in mine else question() for name, question in questions.items()}


def _counted(
    questions: Mapping[str, Callable[[], object]], step: Callable[[int, int], None]
) -> dict[str, Callable[[], object]]:
    answered = 0

    def telling(question: Callable[[], object]) -> Callable[[], object]:
        def asked() -> object:
            nonlocal answered
            step(answered, len(questions))
            answered += 1
            return question()

        return asked

    return {name: telling(question) for name, question in questions.items()}


def _answered(questions: Mapping[str, Callable[[], object]], order: list[str], tickets: int) -> dict[str, object]:
    """The answers to the questions whose tickets this process draws."""
    found: dict[str, object] = {}
    while ticket := os.read(tickets, 1):
        name = order[ticket[0]]
        found[name] = questions[name]()
    return found


def _helper(
    questions: Mapping[str, Callable[[], object]], order: list[str], tickets: int, same: Mapping[int, object]
) -> _Helper:
    answers, put = os.pipe()
    process = os.fork()
    if process:
        os.close(put)
        return _Helper(process, answers)
    code = 1
    try:  # the fork: it must never return into the program
        os.close(answers)
        packed = _packed(_answered(questions, order, tickets), same)
        with os.fdopen(put, "wb") as stream:
            stream.write(packed)
        code = 0
    finally:
        os._exit(code)


def _received(helper: _Helper, same: Mapping[int, object]) -> dict[str, object]:
    """What a helper has answered; nothing where it did not come to its end."""
    with os.fdopen(helper.answers, "rb") as stream:
        packed = stream.read()
    _, status = os.waitpid(helper.process, 0)
    return _unpacked(packed, same) if os.waitstatus_to_exitcode(status) == 0 else {}


# ------------------------------------------------------------------------------------------------------ what is sent
class _Packer(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, same: Mapping[int, object]) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self._same = same

    def persistent_id(self, obj: object) -> int | None:
        """The address of what both processes know: a fork has everything where its parent has it."""
        return id(obj) if id(obj) in self._same else None


class _Unpacker(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, same: Mapping[int, object]) -> None:
        super().__init__(stream)
        self._same = same

    def persistent_load(self, pid: Any) -> object:
        """What has this address."""
        return self._same[pid]


def _packed(answers: dict[str, object], same: Mapping[int, object]) -> bytes:
    stream = io.BytesIO()
    _Packer(stream, same).dump(answers)
    return stream.getvalue()


def _unpacked(packed: bytes, same: Mapping[int, object]) -> dict[str, object]:
    found: dict[str, object] = _Unpacker(io.BytesIO(packed), same).load()  # what our own fork wrote
    return found
