"""Feedback paths: ways back to a model call, and what can end them. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class BoundKind(StrEnum):
    """What can end a loop."""

    RANGE = "range"
    """It runs over a range of `limit` numbers."""
    COLLECTION = "collection"
    """It runs over a collection that exists before it starts."""
    COUNTER = "counter"
    """A counter is compared with `limit`, and the loop left."""
    DEADLINE = "deadline"
    """A clock is compared with `limit` seconds."""
    BUDGET = "budget"
    """Spent tokens or money are compared with `limit`."""
    NO_PROGRESS = "no_progress"
    """It is left when the state repeats."""
    PERSON = "person"
    """Every pass waits for a person."""


class Bound(NamedTuple):
    """One thing that can end a loop, as it was seen."""

    kind: BoundKind
    span: Span
    limit: Setting = ABSENT
    every_path: bool = True
    """Whether every pass moves it towards its end (no `continue` or handler skips the increment)."""
    reset: Span | None = None
    """Where the loop itself sets it back."""
    from_caller: bool = False
    """Whether its limit or start comes from a parameter that nobody in the project bounds."""
    zero_ends: bool = False
    """Whether a limit of 0 ends the loop at once, as in `count < limit`; elsewhere it says that there is none."""


class PathKind(StrEnum):
    """What makes a feedback path repeat."""

    RUN = "run"
    """A framework runs steps until the model stops."""
    LOOP = "loop"
    RECURSION = "recursion"


class FeedbackPath(NamedTuple):
    """A way back to a model call. For a framework's run, `step_limit` bounds it, and so may `bounds`, all together:
    what its graph counts itself; for hand-written code, any of `bounds` does.

    `depth` counts the feedback paths around the innermost model call along calls, this one included. `inner` are the
    paths that one pass of this one starts; `budget_passed` says for each whether it receives this one's counter, budget
    or deadline.
    """

    span: Span
    symbol: str
    framework: str
    kind: PathKind
    step_limit: Setting = ABSENT
    bounds: tuple[Bound, ...] = ()
    depth: int = 1
    inner: tuple[FeedbackPath, ...] = ()
    budget_passed: tuple[bool, ...] = ()
    confidence: Confidence = Confidence.HIGH
    deadline: Bound | None = None
    """Of a framework's run: the time after which the code around it ends it."""
    sent_limit: bool = False
    """Whether the step limit is a client's to choose, with no maximum: what is written is its default."""
