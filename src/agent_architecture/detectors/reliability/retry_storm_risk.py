"""Retries that amplify: without an end, in too many layers, for every error, without a pause that grows, of effects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.resilience import Retry
from agent_architecture.model.settings import Origin, Scalar, Setting
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import fitting

MOST: Final = 10
"""Above this many tries of one call, the layers together are a storm."""
UNBOUNDED: Final = 1.0
EVERY_ERROR: Final = 0.5
REPEATS_EFFECT: Final = 0.5
NO_PAUSE: Final = 0.3

ALL: Final = frozenset({"all", "Exception", "BaseException", "py:builtins.Exception", "py:builtins.BaseException"})
STEADY: Final = frozenset({"none", "fixed"})


@detector(
    title="Retries that can turn one failure into a storm",
    impact=Severity.HIGH,
    effort=Effort.LOW,
    fix="Retry in one layer only: a few attempts, exponential backoff with jitter, transient errors alone.",
    references=("CWE-405", "CWE-799", "CWE-834", "CWE-770", "OWASP LLM06:2026", "OWASP ASI08", "AISVS 9.1.2"),
    parts={
        "attempts": "Stop after a few attempts, in one layer only.",
        "errors": "Retry transient errors alone.",
        "effect": "Repeat an effect only under a key that makes a second time find it done.",
        "pauses": "Wait longer after each try, with jitter.",
    },
)
def retry_storm_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every retry and every model client; of several defects the worst counts."""
    for retry in system.retries:
        yield judge(retry)


def judge(retry: Retry) -> Verdict:
    """The verdict on one retry."""
    if retry.attempts.is_known and all(isinstance(v, (int, float)) and v <= 1 for v in retry.attempts.values):
        return ok(retry, f"{retry.symbol} tries once: no retry.", confidence=retry.confidence)
    defects = [*_amplified(retry), *([] if retry.is_client else _careless(retry))]
    if defects:
        risk = max(defect[0] for defect in defects)
        lacks = [part for _, part, _ in defects]
        reason = fitting(f"{retry.symbol}: ", [text for _, _, text in sorted(defects, key=lambda d: -d[0])])
        return gap(retry, reason, risk=risk, confidence=retry.confidence, related=retry.related, lacks=lacks)
    hidden = [s for s in (retry.attempts, retry.backoff, retry.jitter, retry.filters) if s.origin is Origin.UNKNOWN]
    if hidden:
        reason = f"{retry.symbol}: how it retries comes from {hidden[0].source}."
        return unknown(retry, reason, confidence=retry.confidence)
    return ok(retry, _bounded(retry), confidence=retry.confidence, related=retry.related)


def _bounded(retry: Retry) -> str:
    if retry.attempts.origin is Origin.ABSENT:
        return f"{retry.symbol} has bounded retries with growing pauses."
    counted = any(map(_is_finite, retry.attempts.values))
    number = f"at most {_largest(retry.attempts):g} tries" if counted else "a time limit"
    whose = f" ({retry.attempts.default_of})" if counted and retry.attempts.default_of else ""
    if "answer" in retry.filters.values:
        return f"{retry.symbol} has {number}{whose}, each for an answer that failed its check."
    return f"{retry.symbol} has {number}{whose}, growing pauses and an error filter."


def _amplified(retry: Retry) -> Iterator[tuple[float, str, str]]:
    """How often one call can be made: risk, part of the control, reason."""
    if _is_unbounded(retry):
        yield UNBOUNDED, "attempts", "no limit on attempts or time"
        return
    numbers = [most for layer in retry.layers if layer.is_known and (most := _largest(layer)) < math.inf]
    product = math.prod(numbers)
    if product > MOST:
        factors = " x ".join(f"{number:g}" for number in numbers)
        how = f"{factors} = {product:g}" if len(numbers) > 1 else f"{product:g}"
        yield UNBOUNDED, "attempts", f"one call is tried up to {how} times"


def _is_unbounded(retry: Retry) -> bool:
    if retry.is_client:
        return any(value == math.inf for value in retry.attempts.values)
    if retry.attempts.origin is Origin.UNKNOWN or _limits(retry.time_limit):
        return False
    return not retry.attempts.values or any(not _is_finite(value) for value in retry.attempts.values)


def _limits(time_limit: Setting) -> bool:
    return time_limit.origin is Origin.UNKNOWN or any(value is not None for value in time_limit.values)


def _is_finite(value: Scalar) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value < math.inf


def _largest(setting: Setting) -> float:
    return max((float(v) for v in setting.values if isinstance(v, (int, float))), default=1.0)


def _careless(retry: Retry) -> Iterator[tuple[float, str, str]]:
    """What is repeated, and how soon: risk, part of the control, reason."""
    if retry.filters.origin is Origin.ABSENT or any(value in ALL or value is None for value in retry.filters.values):
        yield EVERY_ERROR, "errors", "every error is retried"
    if retry.repeats_effect:
        yield REPEATS_EFFECT, "effect", f"the effect of {retry.repeats_effect} is repeated"
    if "answer" in retry.filters.values:
        return
    if _lacks(retry.backoff, STEADY):
        pause = "fixed pauses, no backoff" if "fixed" in retry.backoff.values else "no pauses between tries"
        yield NO_PAUSE, "pauses", pause
    elif _lacks(retry.jitter, frozenset({"none"})):
        yield NO_PAUSE, "pauses", "pauses without jitter"


def _lacks(setting: Setting, without: frozenset[str]) -> bool:
    """Whether a property is absent, nothing, or one of these words; what cannot be read does not lack."""
    if setting.origin is Origin.ABSENT:
        return True
    return any(value is None or value is False or value in without or value == 0 for value in setting.values)
