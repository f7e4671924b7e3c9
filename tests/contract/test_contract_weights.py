"""Weight tables from the configuration: names, normalisation, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from contract_world import everything, scores_of, verdicts_of

from agent_architecture.errors import ConfigurationError
from agent_architecture.scoring import ScoringConfig

GAP = verdicts_of(1.0)


def score_of(axis: str, config: ScoringConfig, *gaps: str) -> float:
    scores = scores_of(everything(dict.fromkeys(gaps, GAP)), config)
    return next(found.score for found in scores.axes if found.axis == axis)


@pytest.mark.parametrize("name", ["tool_policy", "tool_policy_absence", "agent_architecture.tool_policy_absence"])
def test_a_weight_is_named_short_or_by_its_key(name: str) -> None:
    config = ScoringConfig(governance_weights={name: 0.7})
    assert score_of("governance", config, "tool_policy_absence") == pytest.approx(100 * (1 - 0.7 / 1.35))


def test_weights_are_normalised() -> None:
    tenfold = {"tool_policy": 3.5, "schema_validation": 3.5, "tool_result_validation": 3}
    config = ScoringConfig(governance_weights=tenfold)
    assert score_of("governance", config, "schema_validation_gap") == 65


def test_a_name_that_is_not_given_keeps_its_default() -> None:
    config = ScoringConfig(coordination_weights={"routing": 0})
    assert score_of("coordination", config, "routing_pattern_risk") == 100
    assert score_of("coordination", config, "deadlock_risk") == pytest.approx(100 * (1 - 0.12 / 0.85))


def test_one_axis_weights_leave_the_others_alone() -> None:
    config = ScoringConfig(reliability_weights={"loop_guards": 100})
    assert score_of("governance", config, "tool_policy_absence", "loop_guard_absence") == 65


@pytest.mark.parametrize("weight", [-0.1, float("nan"), float("inf"), True, "0.3", None, [1]])
def test_a_weight_that_is_no_weight_is_refused_by_its_name(weight: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"scoring\.reliability_weights\.loop_guards: a weight is a finite"):
        ScoringConfig(reliability_weights={"loop_guards": weight})


def test_a_table_of_zeros_is_refused() -> None:
    zeros = dict.fromkeys(("tool_policy", "schema_validation", "tool_result_validation"), 0)
    with pytest.raises(ConfigurationError, match=r"scoring\.governance_weights: every weight is 0"):
        ScoringConfig(governance_weights=zeros)


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(ConfigurationError, match=r"coordination_weights\.rooting: .*nearest name is routing"):
        ScoringConfig(coordination_weights={"rooting": 1})


def test_a_weight_of_another_axis_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"governance_weights\.loop_guards"):
        ScoringConfig(governance_weights={"loop_guards": 1})


def test_the_same_weight_under_two_names_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="tool_policy and tool_policy_absence are the same weight"):
        ScoringConfig(governance_weights={"tool_policy": 1, "tool_policy_absence": 2})


def test_huge_weights_do_not_overflow() -> None:
    config = ScoringConfig(governance_weights={"tool_policy": 1e308, "schema_validation": 1e308})
    assert score_of("governance", config, "tool_policy_absence") == pytest.approx(50)
