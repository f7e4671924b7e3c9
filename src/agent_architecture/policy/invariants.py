"""Invariants: what has to hold of an emitted key. The names and thresholds of a policy are checked before any scan.

Nothing here reads a file, nor knows what a violation leads to (`gate`).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from agent_architecture.config import Invariant
from agent_architecture.contract import contract, full, short
from agent_architecture.errors import ConfigurationError
from agent_architecture.records import NamedTuple
from agent_architecture.report import Violation

OPERATORS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ALIASES: Final = {
    "agent_eval_absence": "agent_eval_maturity_gap",
    "agent_observability_gap": "trace_linkage_gap",
}
"""Names that older documents use for keys."""
DIGITS: Final = 6
"""Digits in which a value is compared with a baseline's: a saved report has no more (`render.json`)."""


class Checked(NamedTuple):
    """Invariants whose metrics are keys in full, and what to tell of their old names."""

    invariants: tuple[Invariant, ...]
    notices: tuple[str, ...]


class Found(NamedTuple):
    """The violations, and the invariants that nothing can be said of, because no detector gave their key."""

    violations: tuple[Violation, ...]
    unchecked: tuple[Invariant, ...]


def checked(invariants: Iterable[Invariant]) -> Checked:
    """The invariants with their keys in full.

    Raises:
        ConfigurationError: no such key or operator, no number to compare with, a threshold that no value can reach.
    """
    made: list[Invariant] = []
    notices: list[str] = []
    for invariant in invariants:
        name = short(invariant.metric)
        if name in ALIASES:
            notices.append(f"{_at(invariant)}{invariant.metric} is called {ALIASES[name]} now: write that")
        made.append(_checked(invariant._replace(metric=full(ALIASES.get(name, name)))))
    return Checked(tuple(made), tuple(notices))


def violations(
    invariants: Iterable[Invariant],
    values: Mapping[str, float],
    baseline: Mapping[str, float] | None = None,
    *,
    fail_fast: bool = False,
) -> Found:
    """What does not hold, in the order of the invariants; with `fail_fast` the first error is the last one.

    Raises:
        ConfigurationError: an invariant compares with a baseline that there is not, or that lacks its key.
    """
    found: list[Violation] = []
    unchecked: list[Invariant] = []
    for invariant in invariants:
        actual = values.get(invariant.metric)
        if actual is None:
            unchecked.append(invariant)
            continue
        violation = _violation(invariant, actual, _expected(invariant, baseline))
        if violation is not None:
            found.append(violation)
            if fail_fast and violation.severity == "error":
                break
    return Found(tuple(found), tuple(unchecked))


def _violation(invariant: Invariant, actual: float, expected: float) -> Violation | None:
    compared = round(actual, DIGITS) if invariant.baseline else actual
    if OPERATORS[invariant.op](compared, expected):
        return None
    return Violation(
        invariant.metric, invariant.op, expected, actual, invariant.severity, invariant.message, invariant.baseline
    )


def _expected(invariant: Invariant, baseline: Mapping[str, float] | None) -> float:
    if not invariant.baseline:
        return invariant.value or 0
    if baseline is None:
        raise ConfigurationError(
            f"{_at(invariant)}{short(invariant.metric)} is compared with a baseline, and there is none; "
            "say which (policy.baseline, or --baseline)"
        )
    if invariant.metric not in baseline:
        raise ConfigurationError(
            f"{_at(invariant)}the baseline has no value of {short(invariant.metric)}; write it anew (baseline write)"
        )
    return round(baseline[invariant.metric], DIGITS)


# -------------------------------------------------------------------------------------------------------------- checks
def _checked(invariant: Invariant) -> Invariant:
    name = short(invariant.metric)
    highest = _ranges().get(invariant.metric)
    if highest is None:
        raise ConfigurationError(f"{_at(invariant)}{_no_number(name)}")
    if invariant.op not in OPERATORS:
        raise ConfigurationError(f"{_at(invariant)}{invariant.op!r} is no comparison; use {', '.join(OPERATORS)}")
    if invariant.baseline:
        if invariant.value is not None:
            raise ConfigurationError(f"{_at(invariant)}{name} has a value and baseline: true; give one of them")
    elif invariant.value is None:
        raise ConfigurationError(f"{_at(invariant)}{name} is compared with nothing: give a value, or baseline: true")
    elif not math.isfinite(invariant.value) or not 0 <= invariant.value <= highest:
        raise ConfigurationError(
            f"{_at(invariant)}{name} {invariant.op} {invariant.value:g}: {name} lies {_range(highest)}"
        )
    return invariant


def _ranges() -> dict[str, float]:
    """The highest value of every numeric key, in full; the lowest is always 0."""
    keys = contract()
    return (
        dict.fromkeys((scalar.key for scalar in keys.scalars), 1.0)
        | {composite.key: float(composite.highest) for composite in keys.composites}
        | {signal.key: 1.0 if signal.type == "ratio" else math.inf for signal in keys.signals}
    )


def _range(highest: float) -> str:
    return "between 0 and " + f"{highest:g}" if math.isfinite(highest) else "at 0 or above"


def _no_number(name: str) -> str:
    from difflib import get_close_matches

    if full(name) in contract().tables:
        return f"{name} is a table, and an invariant needs a number"
    names = [short(key) for key in _ranges()] + list(ALIASES)
    near = get_close_matches(name, names, n=1, cutoff=0.0)[0]
    return f"there is no metric {name}; the nearest name is {near}"


def _at(invariant: Invariant) -> str:
    return f"{invariant.where}: " if invariant.where else ""
