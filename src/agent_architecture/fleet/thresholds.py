"""What fails a run over a fleet: findings of a severity, and what repositories with a tag may not fall below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.errors import INCOMPLETE, PASSED, VIOLATED
from agent_architecture.fleet.entries import EVERY, Threshold
from agent_architecture.fleet.overview import SEVERITIES
from agent_architecture.fleet.summary import repositories
from agent_architecture.render.counted import counted
from agent_architecture.report import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.fleet.overview import Repository


def decided(
    found: Sequence[Repository], thresholds: Iterable[Threshold], fail_on: str | None, *, strict: bool
) -> Decision:
    """The exit code, and why it is not 0. Nothing that could be read is incomplete, as is, if `strict`, any error."""
    every = (Threshold(EVERY, fail_on),) if fail_on else ()
    violated = tuple(reason for one in (*every, *thresholds) for reason in _violated(found, one))
    unread = sum(one.status != "ok" for one in found)
    incomplete = bool(unread) and (strict or unread == len(found))
    reasons = (f"{repositories(unread)} could not be read",)
    code = INCOMPLETE if incomplete else VIOLATED if violated else PASSED
    return Decision(code, (*(reasons if incomplete else ()), *violated))


def _violated(found: Iterable[Repository], threshold: Threshold) -> Iterator[str]:
    about = "" if threshold.tag == EVERY else f" (tag {threshold.tag})"
    worse = SEVERITIES[: SEVERITIES.index(threshold.fail_on) + 1] if threshold.fail_on else ()
    for one in found:
        if threshold.tag != EVERY and threshold.tag not in one.tags:
            continue
        places = sum(getattr(one, severity) for severity in worse)
        if places:
            yield f"{one.repository}: {counted(places, 'place')} of severity {threshold.fail_on} or worse{about}"
        if one.judged and one.health is not None and one.health < threshold.min_health:
            yield f"{one.repository}: health {one.health:.2f} is below {threshold.min_health:g}{about}"
