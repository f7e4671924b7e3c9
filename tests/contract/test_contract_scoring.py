"""Scores, severities and confidences, each computed by hand from the contract's text."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from contract_world import everything, judged, metric_of, scores_of, tool, verdict_of, verdicts_of

from agent_architecture.contract import contract
from agent_architecture.degrees import DOUBTED_GAPS
from agent_architecture.detector import Severity, gap, ok, unknown
from agent_architecture.model.system import Confidence
from agent_architecture.scoring import MetricScore, Scores, ScoringConfig

HIGHER = {"context_memory_limits_score", "tool_state_limits_score", "long_term_memory_retention_score"}
ALL = [scalar.name for scalar in contract().scalars]

# Written out from scoring-and-keys.txt and the specification, not taken from the program.
GOVERNANCE = {"tool_policy_absence": 0.35, "schema_validation_gap": 0.35, "tool_result_validation_gap": 0.30}
RELIABILITY = {
    "loop_guard_absence": 0.14,
    "agent_eval_maturity_gap": 0.10,
    "cost_budget_enforcement_gap": 0.10,
    "memory_unbounded": 0.08,
    "retry_storm_risk": 0.08,
    "trace_linkage_gap": 0.07,
    "runtime_slo_coverage_gap": 0.06,
    "checkpoint_durability_gap": 0.06,
    "interrupt_resume_contract_gap": 0.05,
    "circuit_breaker_absence": 0.05,
    "output_validation_gap": 0.05,
    "trace_eval_regression_risk": 0.04,
    "decision_observability_gap": 0.04,
    "otel_genai_semconv_gap": 0.03,
    "hallucination_propagation_risk": 0.03,
    "otel_genai_event_coverage_gap": 0.02,
}
COORDINATION = {
    "coordination_risk": 0.20,
    "instruction_boundary_violation": 0.20,
    "routing_pattern_risk": 0.15,
    "fanout_control_absence": 0.13,
    "state_isolation_risk": 0.13,
    "deadlock_risk": 0.12,
    "callback_depth_risk": 0.07,
}
TOOL_EXECUTION = (
    "tool_sandbox_enforcement_gap",
    "tool_approval_bypass_risk",
    "human_approval_absence",
    "agent_shell_capable",
    "agent_tools_external_api",
    "untrusted_tool_output_boundary_gap",
    "prompt_injection_defense_gap",
    "sensitive_data_exposure_gap",
    "idempotency_gap",
    "memory_poisoning_defense_gap",
    "agent_code_execution_sandbox_gap",
    "goal_integrity_defense_gap",
)
MCP = (
    "mcp_auth_gap",
    "mcp_oauth_resource_binding_gap",
    "mcp_tool_annotation_gap",
    "mcp_structured_output_gap",
    "mcp_tool_poisoning_risk",
    "mcp_rug_pull_risk",
    "supply_chain_provenance_gap",
    "credential_scoping_gap",
    "mcp_shadow_server_risk",
)
A2A = (
    "a2a_agent_card_gap",
    "a2a_task_state_machine_gap",
    "a2a_webhook_auth_gap",
    "handoff_cycle_risk",
    "handoff_input_filter_gap",
    "guardrail_hook_absence",
)


def axis(scores: Scores, name: str) -> float:
    return next(axis.score for axis in scores.axes if axis.axis == name)


def applicable(scores: Scores, name: str) -> float | None:
    return next(axis.applicable_score for axis in scores.axes if axis.axis == name)


def uneven_risks() -> dict[str, float]:
    """A different risk for every detector."""
    return {name: (index + 1) / 100 for index, name in enumerate(ALL)}


def scored(risks: Mapping[str, float]) -> Scores:
    return scores_of(everything({name: [verdict_of(risk)] for name, risk in risks.items()}))


def weighted(risks: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return 100 * (1 - sum(weights[name] * risks[name] for name in weights) / sum(weights.values()))


# ------------------------------------------------------------------------------------------------------------ scalars
@pytest.mark.parametrize("name", ALL)
def test_a_risk_is_the_weighted_mean_of_the_judged_subjects(name: str) -> None:
    metric = metric_of(name, [verdict_of(0.0, 1), verdict_of(0.5, 2, weight=3), verdict_of(None, 3, weight=3)])
    assert metric.risk == (1 * 0.0 + 3 * 0.5) / (1 + 3)
    assert metric.value == (1 - 0.375 if name in HIGHER else 0.375)
    assert (metric.applicable, metric.judged, metric.unknown, metric.evidence_count) == (True, 2, 1, 1)


@pytest.mark.parametrize("name", ALL)
def test_without_a_subject_a_detector_is_good_and_not_applicable(name: str) -> None:
    metric = metric_of(name, [])
    assert (metric.risk, metric.value) == (0, 1 if name in HIGHER else 0)
    assert (metric.severity, metric.confidence) == (Severity.GOOD, Confidence.HIGH)
    assert (metric.applicable, metric.judged, metric.unknown) == (False, 0, 0)


@pytest.mark.parametrize("name", ALL)
def test_with_only_unknown_subjects_a_detector_is_applicable_at_low_confidence(name: str) -> None:
    metric = metric_of(name, verdicts_of(None, None))
    assert (metric.risk, metric.value) == (0, 1 if name in HIGHER else 0)
    assert (metric.severity, metric.confidence) == (Severity.GOOD, Confidence.LOW)
    assert (metric.applicable, metric.judged, metric.unknown) == (True, 0, 2)


@pytest.mark.parametrize("count", [1, 3, 7, 10, 49])
def test_a_mean_of_equal_risks_is_that_risk_exactly(count: int) -> None:
    assert metric_of("deadlock_risk", verdicts_of(*[0.2] * count)).risk == 0.2


@pytest.mark.parametrize(
    ("risks", "mean"),
    [((0.3, 0.3, 0.0), 0.2), ((0.1, 0.7, 0.0, 0.0), 0.2), ((0.1, 0.1, 0.1, 0.7, 0.0), 0.2), ((0.7, 0.7, 1.0), 0.8)],
)
def test_a_mean_that_is_a_threshold_in_decimals_is_that_threshold(risks: tuple[float, ...], mean: float) -> None:
    assert metric_of("deadlock_risk", verdicts_of(*risks)).risk == mean


def test_nothing_is_rounded() -> None:
    assert metric_of("deadlock_risk", verdicts_of(1.0, 0.0, 0.0)).risk == 1 / 3


# --------------------------------------------------------------------------------------------------------- composites
def test_governance_is_the_weighted_complement_of_its_three_metrics() -> None:
    risks = uneven_risks()
    assert axis(scored(risks), "governance") == pytest.approx(weighted(risks, GOVERNANCE), abs=1e-9)


def test_reliability_is_the_weighted_complement_of_its_sixteen_metrics() -> None:
    risks = uneven_risks()
    assert axis(scored(risks), "reliability") == pytest.approx(weighted(risks, RELIABILITY), abs=1e-9)


def test_coordination_is_the_weighted_complement_of_its_seven_metrics() -> None:
    risks = uneven_risks()
    assert axis(scored(risks), "coordination") == pytest.approx(weighted(risks, COORDINATION), abs=1e-9)


def test_safety_combines_the_plain_complements_of_its_three_groups() -> None:
    risks = uneven_risks()
    sub = {group: 1 - sum(risks[name] for name in group) / len(group) for group in (TOOL_EXECUTION, MCP, A2A)}
    expected = 100 * (0.40 * sub[TOOL_EXECUTION] + 0.30 * sub[MCP] + 0.30 * sub[A2A])
    assert axis(scored(risks), "safety") == pytest.approx(expected, abs=1e-9)


def test_a_safety_group_without_subjects_scores_full() -> None:
    scores = scored(dict.fromkeys(TOOL_EXECUTION, 1.0))
    assert axis(scores, "safety") == 60
    assert applicable(scores, "safety") == 0


def test_health_is_the_mean_of_the_axes_and_weakest_the_lowest() -> None:
    risks = uneven_risks()
    scores = scored(risks)
    found = [axis(scores, name) for name in ("reliability", "governance", "safety", "coordination")]
    assert scores.health == pytest.approx(0.25 * sum(found) / 100, abs=1e-12)
    assert scores.weakest == pytest.approx(min(found) / 100, abs=1e-12)


def test_the_memory_limit_scores_move_no_axis() -> None:
    assert [axis.score for axis in scored(dict.fromkeys(HIGHER, 1.0)).axes] == [100.0] * 4


def test_all_gaps_give_zero_and_no_gap_gives_full_exactly() -> None:
    worst, best = scored(dict.fromkeys(ALL, 1.0)), scored(dict.fromkeys(ALL, 0.0))
    assert ([a.score for a in worst.axes], worst.health, worst.weakest) == ([0.0] * 4, 0.0, 0.0)
    assert ([a.score for a in best.axes], best.health, best.weakest) == ([100.0] * 4, 1.0, 1.0)


def test_the_applicable_score_looks_at_the_applicable_detectors_alone() -> None:
    scores = scored({"tool_policy_absence": 1.0, "schema_validation_gap": 0.0})
    assert axis(scores, "governance") == pytest.approx(65)
    assert applicable(scores, "governance") == pytest.approx(50)
    assert applicable(scores, "coordination") is None


def test_a_detector_with_only_unknown_subjects_counts_as_applicable() -> None:
    scores = scores_of(
        everything({"tool_policy_absence": verdicts_of(None), "schema_validation_gap": verdicts_of(1.0)})
    )
    assert applicable(scores, "governance") == 50
    assert next(axis.applicable for axis in scores.axes if axis.axis == "governance") == 2


def test_in_the_applicable_score_an_empty_safety_group_drops_out() -> None:
    scores = scored({"mcp_auth_gap": 1.0, "handoff_cycle_risk": 0.5})
    assert applicable(scores, "safety") == pytest.approx(100 * (0.30 * 0 + 0.30 * 0.5) / 0.60)


def test_an_axis_counts_its_detectors_by_severity() -> None:
    scores = scored({"tool_policy_absence": 1.0, "schema_validation_gap": 0.1})
    governance = next(axis for axis in scores.axes if axis.axis == "governance")
    assert (governance.detectors, governance.applicable, governance.severities) == (3, 2, (1, 1, 0, 0, 1))


# ---------------------------------------------------------------------------------------- detectors that are not there
def test_a_detector_that_is_not_written_is_not_emitted_and_drops_out_of_its_axis() -> None:
    scores = scores_of([judged("tool_policy_absence", verdicts_of(1.0)), judged("schema_validation_gap")])
    assert [metric.key for metric in scores.metrics] == [
        "agent_architecture.tool_policy_absence",
        "agent_architecture.schema_validation_gap",
    ]
    assert axis(scores, "governance") == 50
    assert axis(scores, "reliability") == 100
    assert scores.incomplete
    assert len(scores.missing) == 54


def test_in_an_incomplete_run_a_safety_group_without_a_written_detector_drops_out() -> None:
    scores = scores_of([judged("agent_code_execution_sandbox_gap", verdicts_of(1.0)), judged("handoff_cycle_risk")])
    assert axis(scores, "safety") == pytest.approx(100 * 0.30 / 0.70)


def test_a_detector_that_fails_is_not_emitted_and_is_named() -> None:
    broken = judged("deadlock_risk", verdicts_of(1.0))._replace(error="ValueError: x")
    scores = scores_of([*everything()[:3], broken])
    assert "agent_architecture.deadlock_risk" not in [metric.key for metric in scores.metrics]
    assert scores.failed == (("agent_architecture.deadlock_risk", "ValueError: x"),)
    assert "agent_architecture.deadlock_risk" not in scores.missing


def test_a_full_run_is_complete() -> None:
    scores = scored({})
    assert not scores.incomplete
    assert len(scores.metrics) + len(scores.signals) == 56 + 25


# ----------------------------------------------------------------------------------------------- severity, confidence
@pytest.mark.parametrize(
    ("risk", "severity"),
    [
        (0.0, Severity.GOOD),
        (0.000001, Severity.LOW),
        (0.2, Severity.LOW),
        (0.200001, Severity.MEDIUM),
        (0.5, Severity.MEDIUM),
        (0.500001, Severity.HIGH),
        (0.8, Severity.HIGH),
        (0.800001, Severity.CRITICAL),
        (1.0, Severity.CRITICAL),
    ],
)
def test_the_bands_include_their_upper_end(risk: float, severity: Severity) -> None:
    assert metric_of("deadlock_risk", [verdict_of(risk)]).severity is severity


@pytest.mark.parametrize("impact", list(Severity)[1:])
def test_a_severity_is_capped_at_the_detectors_impact(impact: Severity) -> None:
    assert metric_of("deadlock_risk", [verdict_of(1.0)], impact=impact).severity is impact


def test_the_cap_raises_nothing() -> None:
    assert metric_of("deadlock_risk", [verdict_of(0.1)], impact=Severity.HIGH).severity is Severity.LOW


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        ("require_loop_guards", "loop_guard_absence"),
        ("require_tool_policy", "tool_policy_absence"),
        ("require_eval_harness", "agent_eval_maturity_gap"),
    ],
)
def test_a_required_control_is_critical_above_a_fifth_and_only_its_own(flag: str, name: str) -> None:
    config = ScoringConfig(**{flag: True})

    def severity(key: str, risk: float) -> Severity:
        return metric_of(key, [verdict_of(risk)], config, impact=Severity.MEDIUM).severity

    assert severity(name, 0.2) is Severity.LOW
    assert severity(name, 0.2000001) is Severity.CRITICAL
    assert severity("deadlock_risk", 1.0) is Severity.MEDIUM
    assert metric_of(name, [verdict_of(1.0)], impact=Severity.MEDIUM).severity is Severity.MEDIUM


def test_ten_subjects_at_exactly_a_fifth_do_not_escalate() -> None:
    config = ScoringConfig(require_loop_guards=True)
    assert metric_of("loop_guard_absence", verdicts_of(*[0.2] * 10), config).severity is Severity.LOW
    assert metric_of("loop_guard_absence", verdicts_of(1.0, 0.0, 0.0, 0.0, 0.0), config).severity is Severity.LOW


def confidence(*verdicts: object) -> Confidence:
    believed = min(set(ALL) - DOUBTED_GAPS)
    metric: MetricScore = metric_of(believed, verdicts)
    return metric.confidence


def test_confidence_is_the_lowest_that_a_verdict_needed() -> None:
    high, medium = verdict_of(1.0), ok(tool(line=2), "seen", confidence=Confidence.MEDIUM)
    assert confidence(high) is Confidence.HIGH
    assert confidence(high, medium) is Confidence.MEDIUM
    assert confidence(high, medium, gap(tool(line=3), "guess", confidence=Confidence.LOW)) is Confidence.LOW


def test_confidence_is_one_step_lower_when_more_than_half_is_unknown() -> None:
    half, most = verdicts_of(1.0, None), verdicts_of(1.0, None, None)
    assert confidence(*half) is Confidence.HIGH
    assert confidence(*most) is Confidence.MEDIUM
    low = unknown(tool(line=9), "guess", confidence=Confidence.LOW)
    assert confidence(*most, low) is Confidence.LOW


# ----------------------------------------------------------------------------------------------------------- evidence
def test_evidence_counts_distinct_places_symbols_and_reasons() -> None:
    same = [gap(tool(col=col), "no limit") for col in (1, 20)]
    others = [gap(tool(line=2), "no limit"), gap(tool(symbol="pay"), "no limit"), gap(tool(), "limit 10007")]
    assert metric_of("deadlock_risk", [*same, *others]).evidence_count == 4
    assert metric_of("deadlock_risk", [*same, *others]).judged == 5
