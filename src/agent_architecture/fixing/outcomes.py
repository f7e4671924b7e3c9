"""Whether a change made a project worse anywhere: the verdicts of two reports, held against each other.

An edit moves lines, so verdicts are known by rule, file and name, and among equal ones by their number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.contract import short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_architecture.detector import Verdict
    from agent_architecture.fixing.edit import Repair
    from agent_architecture.report import Report

Identity: TypeAlias = "tuple[str, str, str]"
"""Rule, file and name of what a verdict is about."""
UNREADABLE: Final = 0.01
"""What stands for the risk of a verdict that cannot be reached: worse than none, better than any gap."""


def risks(report: Report) -> Mapping[Identity, tuple[float, ...]]:
    """The risks of all verdicts, the greatest first."""
    found: defaultdict[Identity, list[float]] = defaultdict(list)
    for row in report.subjects:
        found[identity(short(row.key), row.verdict)].append(_risk(row.verdict))
    return {name: tuple(sorted(some, reverse=True)) for name, some in found.items()}


def identity(key: str, verdict: Verdict) -> Identity:
    """What a verdict is known by, whatever lines stand above it."""
    return key, verdict.span.path, " ".join(verdict.subject.symbol.split())


def worse(before: Report, after: Report, repairs: Sequence[Repair] = ()) -> tuple[Identity, ...]:
    """What the second report says worse things of than the first, and what it cannot read any more. No worse is what
    one of the repairs makes answer to another rule for the first time, with no more of a gap than it closes.
    """
    first, second = risks(before), risks(after)
    opened = {
        (rule, edit.path): max(first.get(repair.about, (0.0,)))
        for repair in repairs
        for rule in repair.opens
        for edit in repair.edits
    }
    found = (
        name
        for name in second
        if _is_worse(first.get(name, ()), second[name])
        and not _is_opened(first.get(name, ()), second[name], opened.get(name[:2], 0.0))
    )
    lost = (notice for notice in after.notices if notice.incomplete and notice.path not in _incomplete(before))
    return (*sorted(found), *(("", notice.path, notice.message) for notice in lost))


def open_gaps(report: Report, repair: Repair) -> int:
    """How many gaps a report has of the rule and at the name that a repair is for, which lack what it is to bring."""
    return sum(_is_open(short(row.key), row.verdict, repair) for row in report.subjects)


def _is_open(key: str, verdict: Verdict, repair: Repair) -> bool:
    lacks = not repair.parts or not set(repair.parts).isdisjoint(verdict.lacks)
    return bool(verdict.risk) and lacks and identity(key, verdict) == repair.about


def _incomplete(report: Report) -> frozenset[str]:
    return frozenset(notice.path for notice in report.notices if notice.incomplete)


def _is_worse(before: tuple[float, ...], after: tuple[float, ...]) -> bool:
    known = before + (0.0,) * (len(after) - len(before))
    return any(new > old for old, new in zip(known, after, strict=False))


def _is_opened(before: tuple[float, ...], after: tuple[float, ...], closed: float) -> bool:
    """Whether all that changed is what there are more of, and none of these is more than the gap that is closed."""
    new = Counter(after) - Counter(before)
    return new.total() <= len(after) - len(before) and all(risk <= closed for risk in new)


def _risk(verdict: Verdict) -> float:
    return UNREADABLE if verdict.risk is None else verdict.risk
