"""Repairs, tried in memory: those are kept that close their gap and make no verdict of any rule worse, until nothing
is left to change. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from agent_architecture.fixing.edit import Applicability, Repair, edited, without_collisions
from agent_architecture.fixing.outcomes import open_gaps, worse
from agent_architecture.fixing.repairs import repairs_of
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.fixing.repairs import Read
    from agent_architecture.report import Outcome

Analyze = Callable[[Mapping[str, bytes]], "Outcome"]
"""What an analysis says of the project with these files changed."""
MOST_ROUNDS: Final = 20
"""A repair that makes place for another one takes a round; more in a row are none that come to an end."""


class Applied(NamedTuple):
    """The texts of the files that changed, the repairs that changed them, those that were tried and taken back, what
    the last analysis said, and how many unsafe repairs were left alone.
    """

    texts: Mapping[str, bytes]
    repairs: tuple[Repair, ...]
    dropped: tuple[Repair, ...]
    outcome: Outcome
    left: int = 0


class _Tried(NamedTuple):
    """How far it came."""

    texts: Mapping[str, bytes]
    outcome: Outcome
    kept: tuple[Repair, ...]
    dropped: tuple[Repair, ...]


def applied(analyze: Analyze, read: Read, *, unsafe: bool) -> Applied:
    """Make the safe repairs of a project, or all of them."""
    state = _Tried({}, analyze({}), (), ())
    for _ in range(MOST_ROUNDS):
        wanted = _wanted(state, read, unsafe=unsafe)
        if not wanted:
            break
        state = _round(state, wanted, analyze, read)
    left = 0 if unsafe else len(_wanted(state, read, unsafe=True))
    return Applied(state.texts, state.kept, state.dropped, state.outcome, left)


def _wanted(state: _Tried, read: Read, *, unsafe: bool) -> tuple[Repair, ...]:
    """The repairs of the project as it is now that were not taken back before."""
    refused = {(repair.about, repair.message) for repair in state.dropped}
    found = repairs_of(state.outcome.report, lambda path: _text(state.texts, read, path))
    allowed = (one for one in found if unsafe or one.applicability is Applicability.SAFE)
    return without_collisions([one for one in allowed if (one.about, one.message) not in refused])


def _text(texts: Mapping[str, bytes], read: Read, path: str) -> bytes | None:
    return texts[path] if path in texts else read(path)


def _round(state: _Tried, wanted: Sequence[Repair], analyze: Analyze, read: Read) -> _Tried:
    """All of them at once; where that is not good, the halves of them, down to single ones."""
    tried = _with(state, wanted, analyze, read)
    if tried is not None:
        return tried
    if len(wanted) == 1:
        return state._replace(dropped=(*state.dropped, *wanted))
    first = _round(state, wanted[: len(wanted) // 2], analyze, read)
    return first if first.texts != state.texts else _round(first, wanted[len(wanted) // 2 :], analyze, read)


def _with(state: _Tried, wanted: Sequence[Repair], analyze: Analyze, read: Read) -> _Tried | None:
    """The project with these repairs; None where one of them does not close its gap, or something is worse."""
    edits = [edit for repair in wanted for edit in repair.edits]
    texts = dict(state.texts)
    for path in sorted({edit.path for edit in edits}):
        data = _text(state.texts, read, path)
        if data is None:
            return None
        texts[path] = edited(data, (edit for edit in edits if edit.path == path))
    outcome = analyze(texts)
    before, after = state.outcome.report, outcome.report
    closes = all(open_gaps(after, repair) < open_gaps(before, repair) for repair in wanted)
    if not closes or worse(before, after, wanted):
        return None
    return _Tried(texts, outcome, (*state.kept, *wanted), state.dropped)
