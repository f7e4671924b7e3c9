"""Invariants: which names, operators and thresholds there are, and what does not hold."""

from __future__ import annotations

import json

import pytest

from agent_architecture.config import Invariant
from agent_architecture.contract import contract, full
from agent_architecture.errors import ConfigurationError
from agent_architecture.policy.invariants import OPERATORS, checked, violations
from agent_architecture.render.json import SCHEMA_FILE

HEALTH = full("overall_agent_health")
LOOP = full("loop_guard_absence")


def refused(invariant: Invariant) -> str:
    with pytest.raises(ConfigurationError) as error:
        checked([invariant])
    return str(error.value)


# --------------------------------------------------------------------------------------------------------------- names
@pytest.mark.parametrize("metric", ["overall_agent_health", "agent_architecture.overall_agent_health"])
def test_a_metric_is_named_in_short_or_in_full(metric: str) -> None:
    made = checked([Invariant(metric, ">=", 0.7)])
    assert (made.invariants, made.notices) == ((Invariant(HEALTH, ">=", 0.7),), ())


def test_every_numeric_key_of_the_contract_can_be_named() -> None:
    keys = contract()
    numeric = [item.key for group in (keys.scalars, keys.composites, keys.signals) for item in group]
    assert len(checked([Invariant(key, ">=", 0) for key in numeric]).invariants) == 87


def test_a_metric_that_does_not_exist_is_a_configuration_error_with_the_nearest_name() -> None:
    text = refused(Invariant("overal_health", ">=", 0.7, where="agents.yaml:4"))
    assert text == "agents.yaml:4: there is no metric overal_health; the nearest name is overall_agent_health"


def test_a_table_is_no_number() -> None:
    assert refused(Invariant("axis_summary", "==", 0)) == "axis_summary is a table, and an invariant needs a number"


@pytest.mark.parametrize(
    ("old", "new"),
    [("agent_eval_absence", "agent_eval_maturity_gap"), ("agent_observability_gap", "trace_linkage_gap")],
)
def test_a_stale_name_is_accepted_with_a_notice(old: str, new: str) -> None:
    made = checked([Invariant(full(old), "<=", 0.5, where="agents.yaml:9")])
    assert made.invariants[0].metric == full(new)
    assert made.notices == (f"agents.yaml:9: agent_architecture.{old} is called {new} now: write that",)


# ---------------------------------------------------------------------------------------------------------- thresholds
@pytest.mark.parametrize(
    ("metric", "value", "text"),
    [
        ("overall_agent_health", 70, "overall_agent_health >= 70: overall_agent_health lies between 0 and 1"),
        ("governance_readiness", 101, "governance_readiness >= 101: governance_readiness lies between 0 and 100"),
        ("scoped_tool_ratio", 1.5, "scoped_tool_ratio >= 1.5: scoped_tool_ratio lies between 0 and 1"),
        ("dangerous_tool_count", -1, "dangerous_tool_count >= -1: dangerous_tool_count lies at 0 or above"),
        ("deadlock_risk", float("nan"), "deadlock_risk >= nan: deadlock_risk lies between 0 and 1"),
        ("dangerous_tool_count", float("inf"), "dangerous_tool_count >= inf: dangerous_tool_count lies at 0 or above"),
    ],
)
def test_a_threshold_that_no_value_reaches_is_an_error_that_says_the_range(
    metric: str, value: float, text: str
) -> None:
    assert refused(Invariant(metric, ">=", value)) == text


@pytest.mark.parametrize(("metric", "value"), [("governance_readiness", 100), ("dangerous_tool_count", 12)])
def test_scores_go_to_100_and_counts_have_no_end(metric: str, value: float) -> None:
    assert checked([Invariant(metric, "<=", value)]).invariants[0].value == value


def test_an_invariant_needs_one_thing_to_compare_with() -> None:
    assert "give a value, or baseline: true" in refused(Invariant("deadlock_risk", "<="))
    assert "give one of them" in refused(Invariant("deadlock_risk", "<=", 0.1, baseline=True))


def test_a_comparison_that_there_is_not_is_refused() -> None:
    assert refused(Invariant("deadlock_risk", "=<", 0.1)) == "'=<' is no comparison; use ==, !=, <, <=, >, >="


# ---------------------------------------------------------------------------------------------------------- violations
@pytest.mark.parametrize(
    ("op", "holds"),
    [("==", (0.5,)), ("!=", (0.4, 0.6)), ("<", (0.4,)), ("<=", (0.4, 0.5)), (">", (0.6,)), (">=", (0.5, 0.6))],
)
def test_each_comparison_means_what_it_says(op: str, holds: tuple[float, ...]) -> None:
    passed = [v for v in (0.4, 0.5, 0.6) if not violations([Invariant(LOOP, op, 0.5)], {LOOP: v}).violations]
    assert tuple(passed) == holds


def test_the_operators_are_those_of_the_schema() -> None:
    schema = json.loads(SCHEMA_FILE.read_bytes())
    assert set(schema["$defs"]["violation"]["properties"]["op"]["enum"]) == OPERATORS.keys()


def test_values_are_compared_unrounded() -> None:
    found = violations([Invariant(LOOP, "<=", 0.333333)], {LOOP: 1 / 3})
    assert [item.actual for item in found.violations] == [1 / 3]


def test_all_violations_are_collected_in_order() -> None:
    asked = [Invariant(LOOP, "==", 0), Invariant(HEALTH, ">", 0.9, severity="warning"), Invariant(LOOP, "<", 0.1)]
    found = violations(asked, {LOOP: 0.5, HEALTH: 0.5})
    assert [(item.metric, item.severity) for item in found.violations] == [
        (LOOP, "error"),
        (HEALTH, "warning"),
        (LOOP, "error"),
    ]


def test_fail_fast_stops_at_the_first_error_and_not_at_a_warning() -> None:
    asked = [Invariant(HEALTH, ">", 0.9, severity="warning"), Invariant(LOOP, "==", 0), Invariant(LOOP, "<", 0.1)]
    found = violations(asked, {LOOP: 0.5, HEALTH: 0.5}, fail_fast=True)
    assert [item.severity for item in found.violations] == ["warning", "error"]


def test_the_message_says_what_does_not_hold_and_the_users_own_words() -> None:
    (found,) = violations([Invariant(HEALTH, ">=", 0.9, "We agreed on it.")], {HEALTH: 0.75}).violations
    assert found.text == "overall_agent_health >= 0.9 does not hold: it is 0.75. We agreed on it."


# ------------------------------------------------------------------------------------------------------------ baseline
def test_the_value_of_the_baseline_is_compared_to_the_digits_of_a_saved_report() -> None:
    asked = [Invariant(LOOP, "<=", baseline=True)]
    assert violations(asked, {LOOP: 1 / 3}, {LOOP: 0.333333}).violations == ()
    (found,) = violations(asked, {LOOP: 0.5}, {LOOP: 0.333333}).violations
    assert found.text == "loop_guard_absence <= 0.333333 (the baseline) does not hold: it is 0.5"


def test_without_a_baseline_such_an_invariant_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match=r"compared with a baseline, and there is none"):
        violations([Invariant(LOOP, "<=", baseline=True)], {LOOP: 0.5})


def test_a_baseline_that_lacks_the_key_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match=r"the baseline has no value of loop_guard_absence"):
        violations([Invariant(LOOP, "<=", baseline=True)], {LOOP: 0.5}, {})


def test_a_key_that_no_detector_gave_cannot_be_checked() -> None:
    asked = Invariant(LOOP, "==", 0)
    assert violations([asked], {}).unchecked == (asked,)
