"""A setting: what a property is in effect, and where that was decided.

The difference between "not written", "written as None" and "not readable" is kept here, once, for every detector.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

Scalar: TypeAlias = "str | int | float | bool | None"


class Origin(StrEnum):
    """Where an effective value comes from."""

    WRITTEN = "written"
    """Somebody wrote it in the project (an explicit `None` included)."""
    DEFAULT = "default"
    """Nobody wrote it; the library supplies it."""
    ABSENT = "absent"
    """Nobody wrote it and the library supplies nothing."""
    UNKNOWN = "unknown"
    """It may have been written, but cannot be read without running the program."""


class Setting(NamedTuple):
    """The effective value of one property.

    `values` holds every value that it can have (more than one where branches or callers differ); it is empty for
    `ABSENT` and
    `UNKNOWN`. `span` is where it was written. `source` says in words whose it is: "langgraph 1.2.22",
    "os.getenv('LIMIT')".
    """

    origin: Origin
    values: tuple[Scalar, ...] = ()
    span: Span | None = None
    source: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the value can be read."""
        return self.origin in {Origin.WRITTEN, Origin.DEFAULT}

    @property
    def value(self) -> Scalar:
        """The only or first value; None when there is none (ask `origin` first)."""
        return self.values[0] if self.values else None

    @property
    def highest(self) -> float:
        """The highest number among the values; 0 where none is a number."""
        return max((float(value) for value in self.values if isinstance(value, (int, float))), default=0.0)

    @property
    def default_of(self) -> str:
        """Whose default it is, as a reason says it ("the default of openai 2.1"); "" where it is nobody's."""
        return f"the default of {self.source}" if self.origin is Origin.DEFAULT else ""

    @property
    def remark(self) -> str:
        """The same in brackets, to stand behind what is said of the value."""
        return f" ({self.default_of})" if self.default_of else ""


ABSENT: Final = Setting(Origin.ABSENT)
HOLE: Final = "{…}"
"""What stands in a text, as an address, for a part that is only known at run time."""
UNKNOWN_LIBRARY: Final = "a library that is not known"
"""Who decides what a construct does by default that is only known by its shape."""


def first_of(settings: Iterable[Setting]) -> Setting:
    """The first of several settings that somebody wrote or supplies; ABSENT without any."""
    return next((one for one in settings if one is not ABSENT), ABSENT)


def written(value: Scalar, span: Span, source: str = "") -> Setting:
    """A value that the project wrote at `span`."""
    return Setting(Origin.WRITTEN, (value,), span, source)


def default(value: Scalar, source: str) -> Setting:
    """A value that the library `source` (name and version) supplies."""
    return Setting(Origin.DEFAULT, (value,), None, source)


def unknown(source: str, span: Span | None = None) -> Setting:
    """A value that cannot be read; `source` says why, as the end of the sentence "it comes from …"."""
    return Setting(Origin.UNKNOWN, (), span, source)
