"""What a fix is: changes to files, and the gap that they close. Frozen values."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Applicability(StrEnum):
    """Whether a fix may be written without a look at it."""

    SAFE = "safe"
    """The program does what it did: nothing that went well comes to an end or is refused."""
    UNSAFE = "unsafe"
    """It sets a limit, a question or a refusal that a run may meet: its value has to be sized to the task."""


class Edit(NamedTuple):
    """Put `text` in the place of what goes from `start` to `end` (bytes of the text in UTF-8, without a byte order
    mark). `span` is the same place in lines and columns, as reports count them.
    """

    path: str
    start: int
    end: int
    text: str
    span: Span


class Repair(NamedTuple):
    """The edits that close one gap: of the rule `key` (short), at `place`, about `symbol`, which lacks these `parts` of
    its control, where the rule tells parts apart. `message` says what they write, `rows` which fixes of packs say so:
    a pack and a number. `opens` are rules that what is changed answers to from then on.
    """

    key: str
    place: Span
    symbol: str
    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    parts: tuple[str, ...] = ()
    rows: tuple[tuple[str, int], ...] = ()
    opens: tuple[str, ...] = ()

    @property
    def about(self) -> tuple[str, str, str]:
        """What the gap is known by when lines above it have changed: rule, file and name."""
        return self.key, self.place.path, self.symbol


def edit_at(data: bytes, path: str, place: tuple[int, int], text: str) -> Edit:
    """An edit of a file's text at a place in bytes."""
    return Edit(path, *place, text, Span(path, *_point(data, place[0]), *_point(data, place[1])))


def _point(data: bytes, at: int) -> tuple[int, int]:
    begin = data.rfind(b"\n", 0, at) + 1
    return data.count(b"\n", 0, at) + 1, len(data[begin:at].decode("utf-8", "replace")) + 1


def edited(data: bytes, edits: Iterable[Edit]) -> bytes:
    """A text with edits to it, which must not overlap; of equal ones, one is made."""
    for edit in reversed(in_order(edits)):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data


def in_order(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits by place, each once; what goes on a line of its own comes after what ends the line before."""
    return tuple(sorted(dict.fromkeys(edits), key=lambda one: (one.path, one.start, one.end, one.text[:1] in "\r\n")))


def collide(first: Edit, second: Edit) -> bool:
    """Whether two different edits change one place: overlap, or insert at one and the same point."""
    if first == second or first.path != second.path:
        return False
    return first.start <= second.end and second.start <= first.end


def without_collisions(repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """Those of the repairs, in order, that can be made at the same time."""
    chosen: list[Repair] = []
    taken: list[Edit] = []
    for repair in repairs:
        if not any(collide(edit, other) for edit in repair.edits for other in taken):
            chosen.append(repair)
            taken += repair.edits
    return tuple(chosen)
