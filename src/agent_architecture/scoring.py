"""Scores, severities and confidences from verdicts: the only file with a weight, a threshold or a formula.

The rules are those of the contract and of the scores' specification. It must not know what a detector looks for, nor
how anything is shown. Values are computed exactly (as decimal fractions) and turned into floats at the end, so that 0.2
is 0.2 whatever the number, the weight and the order of the subjects; nothing is rounded here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeVar

from agent_architecture.contract import AXES, PRESENCE_MARKERS, Scalar, contract, short
from agent_architecture.detector import Effort, Severity, Verdict
from agent_architecture.errors import ConfigurationError
from agent_architecture.model.system import Confidence
from agent_architecture.records import NamedTuple
from agent_architecture.registry import Judged
from agent_architecture.sources.source import Span

if TYPE_CHECKING:
    from typing import Self

_C = TypeVar("_C", bound="ScoringConfig")

_NONE: Final[Mapping[str, float]] = {}

# --------------------------------------------------------------------------------------------------------------- tables
WEIGHTS: Final[Mapping[str, Mapping[str, tuple[str, float]]]] = {
    "governance": {
        "tool_policy": ("tool_policy_absence", 0.35),
        "schema_validation": ("schema_validation_gap", 0.35),
        "tool_result_validation": ("tool_result_validation_gap", 0.30),
    },
    "reliability": {
        "loop_guards": ("loop_guard_absence", 0.14),
        "agent_eval": ("agent_eval_maturity_gap", 0.10),
        "cost_budget": ("cost_budget_enforcement_gap", 0.10),
        "memory_bounds": ("memory_unbounded", 0.08),
        "retry_storm": ("retry_storm_risk", 0.08),
        "trace_linkage": ("trace_linkage_gap", 0.07),
        "runtime_slo": ("runtime_slo_coverage_gap", 0.06),
        "checkpoint_durability": ("checkpoint_durability_gap", 0.06),
        "interrupt_resume": ("interrupt_resume_contract_gap", 0.05),
        "circuit_breaker": ("circuit_breaker_absence", 0.05),
        "output_validation": ("output_validation_gap", 0.05),
        "trace_eval_regression": ("trace_eval_regression_risk", 0.04),
        "decision_observability": ("decision_observability_gap", 0.04),
        "otel_semconv": ("otel_genai_semconv_gap", 0.03),
        "hallucination_propagation": ("hallucination_propagation_risk", 0.03),
        "otel_events": ("otel_genai_event_coverage_gap", 0.02),
    },
    "coordination": {
        "coordination": ("coordination_risk", 0.20),
        "instruction_boundary": ("instruction_boundary_violation", 0.20),
        "routing": ("routing_pattern_risk", 0.15),
        "fanout": ("fanout_control_absence", 0.13),
        "state_isolation": ("state_isolation_risk", 0.13),
        "deadlock": ("deadlock_risk", 0.12),
        "callback_depth": ("callback_depth_risk", 0.07),
    },
}
"""Axis → short name → (key, default weight). Each table sums to 1."""

SAFETY_GROUPS: Final = {"tool_execution": 0.40, "mcp": 0.30, "a2a": 0.30}
"""The contract's weights of the safety sub-scores; inside a group every scalar counts the same."""

BANDS: Final = (
    (0.0, Severity.GOOD),
    (0.2, Severity.LOW),
    (0.5, Severity.MEDIUM),
    (0.8, Severity.HIGH),
    (1.0, Severity.CRITICAL),
)
"""The highest risk of each severity band."""

ESCALATION_THRESHOLD: Final = 0.2
"""A required control whose risk is above this is Critical (contract: "Require-Policy Severity Escalation")."""

REQUIRED: Final = {
    "loop_guard_absence": "require_loop_guards",
    "tool_policy_absence": "require_tool_policy",
    "agent_eval_maturity_gap": "require_eval_harness",
}
"""Key → the flag that escalates it."""

SEVERITY_RANK: Final = {severity: rank for rank, severity in enumerate(Severity)}
"""Severities by number, rising: their names do not sort."""

_CONFIDENCES: Final = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)
CONFIDENCE_RANK: Final = {confidence: rank for rank, confidence in enumerate(reversed(_CONFIDENCES))}
"""Confidences by number, rising."""

TRUST: Final = {Confidence.HIGH: 1.0, Confidence.MEDIUM: 0.7, Confidence.LOW: 0.4}
"""How far a place is believed where places are ranked."""


# -------------------------------------------------------------------------------------------------------- configuration
class _Settings(NamedTuple):
    governance_weights: Mapping[str, float] = _NONE
    reliability_weights: Mapping[str, float] = _NONE
    coordination_weights: Mapping[str, float] = _NONE
    require_loop_guards: bool = False
    require_tool_policy: bool = False
    require_eval_harness: bool = False


class ScoringConfig(_Settings):
    """What a user can set. Weight tables are by short name or metric key; a name that is not given keeps its default.

    Raises:
        ConfigurationError: an unknown or doubled name, a weight that is not a finite number >= 0, a table of zeros.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # a checker takes the parameters from the fields

        def __new__(cls, *values: Any, **named: Any) -> Self:
            """Refuse what cannot be obeyed."""
            return _obeyed(super().__new__(cls, *values, **named))

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            return _obeyed(super()._make(values))

    def requires(self, name: str) -> bool:
        """Whether a flag asks for the control that this detector (short key) looks for."""
        return name in REQUIRED and bool(getattr(self, REQUIRED[name]))


def _obeyed(config: _C) -> _C:
    for axis in WEIGHTS:
        _table(config, axis)
    return config


def _table(config: ScoringConfig, axis: str) -> dict[str, Fraction]:
    """The axis' weights by short metric key, in effect."""
    section = f"scoring.{axis}_weights"
    given: Mapping[str, float] = getattr(config, f"{axis}_weights")
    table = dict(WEIGHTS[axis].values())
    written: dict[str, str] = {}
    for name, weight in given.items():
        key = _key(name, axis, section)
        if key in written:
            raise ConfigurationError(f"{section}: {written[key]} and {name} are the same weight; give one")
        written[key] = name
        table[key] = _weight(weight, f"{section}.{name}")
    if not any(table.values()):
        raise ConfigurationError(f"{section}: every weight is 0; at least one must be above")
    return {key: _exact(weight) for key, weight in table.items()}


def _key(name: str, axis: str, section: str) -> str:
    keys = {alias: key for alias, (key, _) in WEIGHTS[axis].items()} | {key: key for key, _ in WEIGHTS[axis].values()}
    if short(name) not in keys:
        from difflib import get_close_matches

        nearest = get_close_matches(short(name), sorted(keys), n=1, cutoff=0.0)[0]
        raise ConfigurationError(f"{section}.{name}: there is no such weight; the nearest name is {nearest}")
    return keys[short(name)]


def _weight(value: object, where: str) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < 0:  # type: ignore[arg-type,operator]
        raise ConfigurationError(f"{where}: a weight is a finite number that is not negative, unlike {value!r}")
    return value  # type: ignore[return-value]


# ---------------------------------------------------------------------------------------------------------------- types
class MetricScore(NamedTuple):
    """What one detector's verdicts add up to.

    `value` is the emitted number: the risk, or 1 - risk where higher is better. `judged` and `unknown` count subjects,
    `evidence_count` distinct gaps; `weight` is that of all judged subjects, and `share` what a risk of 1 takes of the
    health (0..1). Not applicable: no subject, or no agent call site in the project.
    """

    key: str
    rule_id: str
    group: str
    axis: str | None
    risk: float
    value: float
    severity: Severity
    confidence: Confidence
    applicable: bool
    judged: int
    unknown: int
    evidence_count: int
    impact: Severity
    effort: Effort
    weight: float = 0.0
    share: float = 0.0


class AxisScore(NamedTuple):
    """One axis: its composite 0..100, the same over its applicable detectors alone (None: none is), and counts."""

    axis: str
    score: float
    applicable_score: float | None
    detectors: int
    applicable: int
    severities: tuple[int, ...]
    """How many detectors have each severity, Good first."""


class Failure(NamedTuple):
    """A detector that raised, and what."""

    key: str
    error: str


class Scores(NamedTuple):
    """Everything numeric in a report. Keys are full; tuples are in contract order.

    `missing` are the detectors that are not written, `failed` those that raised; neither is emitted.
    """

    metrics: tuple[MetricScore, ...]
    axes: tuple[AxisScore, ...]
    health: float
    weakest: float
    signals: tuple[tuple[str, float], ...]
    applicable: bool
    missing: tuple[str, ...]
    failed: tuple[Failure, ...]

    @property
    def incomplete(self) -> bool:
        """Whether any of the contract's detectors is not emitted."""
        return bool(self.missing or self.failed)


# -------------------------------------------------------------------------------------------------------------- scoring
def score(results: Iterable[Judged], config: ScoringConfig, *, has_sites: bool) -> Scores:
    """All scores. Without an agent call site nothing is applicable, whatever the verdicts ("N/A Semantics")."""
    by_name = {result.detector.key: result for result in results}
    ran = [(scalar, by_name[scalar.name]) for scalar in contract().scalars if scalar.name in by_name]
    metrics = tuple(
        _metric(scalar, result, config, has_sites=has_sites) for scalar, result in ran if result.error is None
    )
    axes = tuple(_axis(axis, metrics, config) for axis in AXES)
    totals = [_exact(axis.score) for axis in axes]
    shares = _shares(metrics, config)
    return Scores(
        metrics=tuple(metric._replace(share=shares.get(metric.key, 0.0)) for metric in metrics),
        axes=axes,
        health=float(sum(totals) / len(totals) / 100),
        weakest=float(min(totals) / 100),
        signals=_signals([result for _, result in ran], has_sites=has_sites),
        applicable=has_sites,
        missing=tuple(scalar.key for scalar in contract().scalars if scalar.name not in by_name),
        failed=tuple(Failure(scalar.key, result.error) for scalar, result in ran if result.error is not None),
    )


def _metric(scalar: Scalar, result: Judged, config: ScoringConfig, *, has_sites: bool) -> MetricScore:
    detector = result.detector
    verdicts = result.verdicts if has_sites else ()
    exact = _mean((verdict.weight, verdict.risk) for verdict in verdicts if verdict.risk is not None)
    risk = float(exact or 0)
    unknown = sum(verdict.risk is None for verdict in verdicts)
    return MetricScore(
        key=scalar.key,
        rule_id=scalar.rule_id,
        group=scalar.group,
        axis=scalar.axis,
        risk=risk,
        value=float(1 - (exact or 0)) if scalar.higher_is_better else risk,
        severity=severity_of(risk, detector.impact, required=config.requires(scalar.name)),
        confidence=confidence_of(verdicts),
        applicable=bool(verdicts),
        judged=len(verdicts) - unknown,
        unknown=unknown,
        evidence_count=len(distinct_gaps(verdicts)),
        impact=detector.impact,
        effort=detector.effort,
        weight=sum(verdict.weight for verdict in verdicts if verdict.risk is not None),
    )


def gain_of(metric: MetricScore, risk: float, weight: float) -> float:
    """What closing one gap of a detector adds to the health (0..1)."""
    return metric.share * risk * weight / metric.weight if metric.weight else 0.0


def urgency(metric: MetricScore, risk: float, weight: float, confidence: Confidence, gain: float) -> float:
    """How early to fix a place: its own severity, risk, weight and confidence, and points of health that it gains."""
    return SEVERITY_RANK[severity_of(risk, metric.impact)] * risk * weight * TRUST[confidence] + 100 * gain


def severity_of(risk: float, impact: Severity, *, required: bool = False) -> Severity:
    """The severity of a risk (0..1): its band, at most `impact`; Critical past it when the control is required."""
    if required and risk > ESCALATION_THRESHOLD:
        return Severity.CRITICAL
    band = next(severity for highest, severity in BANDS if risk <= highest)
    return min(band, impact, key=SEVERITY_RANK.__getitem__)


def confidence_of(verdicts: Collection[Verdict]) -> Confidence:
    """The lowest step that a verdict needed, one lower when most subjects are unknown; low when all of them are."""
    unknown = sum(verdict.risk is None for verdict in verdicts)
    if verdicts and unknown == len(verdicts):
        return Confidence.LOW
    lowest = max((_CONFIDENCES.index(verdict.confidence) for verdict in verdicts), default=0)
    mostly_unknown = 2 * unknown > len(verdicts)
    return _CONFIDENCES[min(lowest + mostly_unknown, len(_CONFIDENCES) - 1)]


def distinct_gaps(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """The gaps, worst first, one for each (file, line, symbol, reason): the evidence ("Findings Contract")."""
    found: dict[tuple[str, int, str, str], Verdict] = {}
    for verdict in sorted((verdict for verdict in verdicts if verdict.risk), key=badness):
        found.setdefault((verdict.span.path, verdict.span.line, verdict.subject.symbol, verdict.reason), verdict)
    return tuple(found.values())


def badness(verdict: Verdict) -> tuple[float, Span, str, str]:
    """A sorting key: the greatest weight·risk first, then by place."""
    return (-verdict.weight * (verdict.risk or 0), verdict.span, verdict.subject.symbol, verdict.reason)


def _axis(axis: str, metrics: Sequence[MetricScore], config: ScoringConfig) -> AxisScore:
    own = [metric for metric in metrics if metric.axis == axis]
    applicable = [metric for metric in own if metric.applicable]
    counts = Counter(metric.severity for metric in own)
    full = _complement(axis, own, config)
    return AxisScore(
        axis=axis,
        score=100.0 if full is None else full,
        applicable_score=_complement(axis, applicable, config),
        detectors=len(own),
        applicable=len(applicable),
        severities=tuple(counts[severity] for severity in Severity),
    )


def _shares(metrics: Sequence[MetricScore], config: ScoringConfig) -> dict[str, float]:
    """By key, what of the health a detector's whole risk takes: its weight in its axis, an axis being one of four."""
    shares: dict[str, float] = {}
    for axis in AXES:
        own = [metric for metric in metrics if metric.axis == axis]
        table = _safety_weights(own) if axis == "safety" else _table(config, axis)
        total = sum(table[short(metric.key)] for metric in own) or 1
        shares |= {metric.key: float(table[short(metric.key)] / total / len(AXES)) for metric in own}
    return shares


def _complement(axis: str, metrics: Sequence[MetricScore], config: ScoringConfig) -> float | None:
    """100 · (1 - weighted mean risk) of these detectors of an axis; None when nothing among them has a weight."""
    weights = _safety_weights(metrics) if axis == "safety" else _table(config, axis)
    mean = _mean((weights[short(metric.key)], metric.risk) for metric in metrics)
    return None if mean is None else float(100 * (1 - mean))


def _safety_weights(metrics: Sequence[MetricScore]) -> dict[str, Fraction]:
    """A group's weight is shared evenly by those of its detectors that are there; a group without any drops out."""
    sizes = Counter(metric.group for metric in metrics)
    return {short(metric.key): _exact(SAFETY_GROUPS[metric.group]) / sizes[metric.group] for metric in metrics}


def _signals(results: Sequence[Judged], *, has_sites: bool) -> tuple[tuple[str, float], ...]:
    measured = {name: value for result in results for name, value in (result.signals or {}).items()}
    return tuple(
        (signal.key, _signal_value(signal.name, signal.type, measured[signal.name], has_sites=has_sites))
        for signal in contract().signals
        if signal.name in measured
    )


def _signal_value(name: str, kind: str, value: float, *, has_sites: bool) -> float:
    """Counts are whole numbers; without a site a coverage ratio is 1."""
    if kind != "ratio":
        return int(value)
    return float(value) if has_sites or name in PRESENCE_MARKERS else 1.0


# ----------------------------------------------------------------------------------------------------------- arithmetic
def _exact(value: float | Fraction) -> Fraction:
    """A number as its shortest decimal says it: 0.2 is one fifth."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def _mean(pairs: Iterable[tuple[float | Fraction, float]]) -> Fraction | None:
    """The weighted mean of (weight, value) pairs; None without any weight. Equal pairs cost one operation."""
    counts = Counter(pairs)
    total = sum((_exact(weight) * count for (weight, _), count in counts.items()), Fraction(0))
    if not total:
        return None
    return (
        sum((_exact(weight) * _exact(value) * count for (weight, value), count in counts.items()), Fraction(0)) / total
    )
