"""What counts as an effective limit: the rule that every detector of bounds shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import NOT_SHOWN
from agent_architecture.model.settings import Origin, Scalar, Setting
from agent_architecture.model.system import Bound, BoundKind, PathKind
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import FeedbackPath
    from agent_architecture.sources.source import Span

EFFECTIVE: Final = 200
"""A run that needs more steps than this is rare; a limit above it ends the bill, not the loop."""
TIGHT_DEFAULT: Final = 50
"""A library's own limit up to this stops a runaway early, though nobody chose it for the task."""

RISK_TIGHT_DEFAULT: Final = 0.3
RISK_LOOSE_DEFAULT: Final = 0.5
RISK_CONDITIONAL: Final = 0.5
"""A bound that holds on some paths only, or whose size somebody outside decides."""


class Judgement(NamedTuple):
    """The risk of a limit (None: not readable) and what was seen, as a clause."""

    risk: float | None
    seen: str


def judge_limit(limit: Setting, noun: str) -> Judgement:
    """A step limit: explicit up to 200 is effective, a default up to 50 nearly so, none at all or a huge one is not."""
    if limit.origin is Origin.UNKNOWN:
        return Judgement(None, f"the {noun} comes from {limit.source}")
    if limit.origin is Origin.ABSENT:
        return Judgement(1.0, f"no {noun} is set, and the library has none")
    judged = [(_judge_value(limit, value, noun), value) for value in limit.values]
    return max(judged, key=lambda each: (_worse(each[0]), each[1] if isinstance(each[1], (int, float)) else 0))[0]


def _worse(judgement: Judgement) -> float:
    return 2.0 if judgement.risk is None else judgement.risk


def _judge_value(limit: Setting, value: Scalar, noun: str) -> Judgement:
    whose = limit.default_of or "set here"
    if isinstance(value, str):
        return Judgement(None, f"the {noun} comes from {value}")
    if value is None or isinstance(value, bool) or not 0 < value < math.inf:
        what = "None" if value is None else "no number" if isinstance(value, bool) else f"{value:g}"
        return Judgement(1.0, f"the {noun} is switched off ({what}, {whose})")
    if value > EFFECTIVE:
        return Judgement(1.0, f"the {noun} of {value:g} ({whose}) is too high to stop a runaway")
    if limit.origin is Origin.WRITTEN:
        return Judgement(0.0, f"the {noun} is {value:g}")
    risk = RISK_TIGHT_DEFAULT if value <= TIGHT_DEFAULT else RISK_LOOSE_DEFAULT
    return Judgement(risk, f"the {noun} is {value:g}, {whose}, not sized to the task")


def judge_run(path: FeedbackPath) -> tuple[Judgement, Span | None]:
    """A framework's run: its step limit, a deadline around it, or the loosest of the bounds that its graph sets to each
    of its cycles; the best of them.
    """
    limit = judge_limit(path.step_limit, "step limit")
    if path.sent_limit and limit.risk == 0:
        usual = f"{path.step_limit.value:g} by default" if isinstance(path.step_limit.value, (int, float)) else ""
        limit = Judgement(RISK_CONDITIONAL, f"the step limit comes from the client, with no maximum ({usual})")
    found = [(limit, path.step_limit.span)]
    if path.deadline is not None:
        found.append((judge_bound(path.deadline), path.deadline.span))
    if path.bounds:
        found.append(_judge_graph(path))
    return min(found, key=lambda each: best_first(each[0]))


def _judge_graph(path: FeedbackPath) -> tuple[Judgement, Span]:
    counted, at = max(((judge_bound(bound), bound.span) for bound in path.bounds), key=lambda each: _worse(each[0]))
    return counted._replace(seen=f"in its graph, {counted.seen}"), at


def best_first(found: Judgement) -> float:
    """Effective bounds first, then those that cannot be read (they may be), then the others by risk."""
    if found.risk == 0:
        return 0.0
    return 0.1 if found.risk is None else found.risk


def effective_bound(path: FeedbackPath) -> Bound | None:
    """The best bound of hand-written code: what ends it first, as far as that can be told."""
    return min(path.bounds, key=lambda bound: best_first(judge_bound(bound)), default=None)


NOUNS: Final = {
    BoundKind.RANGE: "loop range",
    BoundKind.COUNTER: "counter limit",
    BoundKind.DEADLINE: "deadline",
    BoundKind.BUDGET: "budget",
}


def judge_bound(bound: Bound) -> Judgement:
    """One bound of a hand-written loop."""
    match bound.kind:
        case BoundKind.COLLECTION:
            return Judgement(0.0, "it iterates over a collection that is fixed before")
        case BoundKind.NO_PROGRESS:
            return Judgement(0.0, "it stops when nothing changes")
        case BoundKind.PERSON:
            return Judgement(RISK_CONDITIONAL, "only a person, asked on every pass, ends it")
        case _:
            return _judge_counted(bound)


def _judge_counted(bound: Bound) -> Judgement:
    noun = NOUNS[bound.kind]
    if bound.reset is not None:
        return Judgement(RISK_CONDITIONAL, f"the {noun} is reset inside the loop (line {bound.reset.line})")
    if bound.from_caller:
        return Judgement(RISK_CONDITIONAL, f"the {noun} comes from the caller, with no maximum")
    limit = _above_zero(bound.limit) if bound.zero_ends else bound.limit
    if bound.limit.is_known and not limit.values:
        return Judgement(0.0, f"the {noun} of {bound.limit.value} ends it at once")
    if bound.kind in {BoundKind.DEADLINE, BoundKind.BUDGET} and bound.limit.is_known:
        found = max((_judge_amount(value, noun) for value in bound.limit.values), key=_worse)
    else:
        found = judge_limit(limit, noun)
    if not bound.every_path and found.risk == 0:
        return Judgement(RISK_CONDITIONAL, f"some passes do not count towards the {noun}")
    return found


def _above_zero(limit: Setting) -> Setting:
    """A limit without the values that let no pass begin."""
    return limit._replace(
        values=tuple(v for v in limit.values if isinstance(v, bool) or not isinstance(v, (int, float)) or v > 0)
    )


def _judge_amount(value: Scalar, noun: str) -> Judgement:
    """Seconds, tokens and money have no common scale: any finite amount above zero ends the loop."""
    if isinstance(value, str):
        return Judgement(None, f"the {noun} comes from {value}")
    if value is None or isinstance(value, bool) or not 0 < value < math.inf:
        return Judgement(1.0, f"the {noun} is switched off ({value})")
    return Judgement(0.0, f"the {noun} is {value:g}")


# ------------------------------------------------------------------------------------------------------- conversations
REST: Final = {
    "drop": "dropped",
    "summarise": "summarised",
    "flush": "kept elsewhere",
    "truncate": "cut off",
    NOT_SHOWN: "not shown",
}


def judge_size(bound: Setting, overflow: Setting) -> Judgement:
    """What a conversation or collection may hold at most: 0 where that is bounded, 1 where it is not."""
    if bound.origin is Origin.UNKNOWN:
        return Judgement(None, f"its size limit comes from {bound.source}")
    if bound.origin is Origin.ABSENT:
        return Judgement(1.0, "no size limit")
    whose = bound.default_of or "set here"
    off = [value for value in bound.values if _is_off(value)]
    if off:
        return Judgement(1.0, f"its size limit is off ({off[0]}, {whose})")
    rest = REST.get(str(overflow.value))
    then = f", the rest is {rest}" if rest else ""
    return Judgement(0.0, f"limited {_sized(bound.value)} ({whose}){then}")


def _is_off(value: Scalar) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value is None or value is False or (is_number and not 0 < float(value) < math.inf)


def _sized(value: Scalar) -> str:
    return f"to {value:g}" if isinstance(value, (int, float)) else f"by {value}"


def judge_passes(paths: tuple[FeedbackPath, ...]) -> Judgement:
    """How often passes can make something longer: the loosest of the paths that do."""
    return max((_judge_path(path) for path in paths), key=_worse)


def _judge_path(path: FeedbackPath) -> Judgement:
    if path.kind is PathKind.RUN:
        return judge_run(path)[0]
    best = effective_bound(path)
    return Judgement(1.0, "only the model's answer ends the loop") if best is None else judge_bound(best)
