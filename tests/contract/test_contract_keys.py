"""The shipped contract is the published one: 90 keys, rule ids, groups, owners, weights."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from contract_world import detector_of

from agent_architecture import contract as module
from agent_architecture.contract import SIGNAL_OWNERS, contract, scalars
from agent_architecture.scoring import ESCALATION_THRESHOLD, REQUIRED, SAFETY_GROUPS, WEIGHTS

SHIPPED = Path(module.__file__).with_name("schema") / "contract.json"
PUBLISHED = Path("/work/shared/contract/contract.json")
DIGEST = "6ccdba93ec83b7eb736baf75336456b36f2a29f6293ecb089d00e70e2117607b"


def shipped() -> dict[str, object]:
    return json.loads(SHIPPED.read_text())


def test_the_shipped_copy_is_the_published_contract() -> None:
    assert hashlib.sha256(SHIPPED.read_bytes()).hexdigest() == DIGEST
    if PUBLISHED.exists():
        assert shipped() == json.loads(PUBLISHED.read_text())


def test_there_are_exactly_90_keys_and_no_two_are_the_same() -> None:
    found = contract()
    assert [len(found.scalars), len(found.composites), len(found.signals), len(found.tables)] == [56, 6, 25, 3]
    assert len(set(found.keys)) == 90


def test_keys_come_in_the_order_of_the_contract() -> None:
    data = shipped()
    assert list(contract().keys) == [
        row["key"] for part in ("scalars", "composites", "signals", "tables") for row in data[part]
    ]


def test_groups_have_the_sizes_of_the_specification() -> None:
    sizes = {
        "governance": 3,
        "reliability": 16,
        "tool_execution": 12,
        "mcp": 9,
        "a2a": 6,
        "coordination": 7,
        "memory_limits": 3,
    }
    groups = [scalar.group for scalar in contract().scalars]
    assert {group: groups.count(group) for group in groups} == sizes


@pytest.mark.parametrize("scalar", contract().scalars, ids=lambda scalar: scalar.name)
def test_a_detectors_rule_id_is_the_contracts(scalar: module.Scalar) -> None:
    assert detector_of(scalar.name).rule_id == scalar.rule_id


def test_only_the_three_limit_scores_are_better_when_higher_and_belong_to_no_axis() -> None:
    higher = {scalar.name for scalar in contract().scalars if scalar.higher_is_better}
    assert higher == {"context_memory_limits_score", "tool_state_limits_score", "long_term_memory_retention_score"}
    assert {scalar.name for scalar in contract().scalars if scalar.axis is None} == higher


def test_every_signal_has_one_owner_that_is_a_detector() -> None:
    owned = [name for names in SIGNAL_OWNERS.values() for name in names]
    assert sorted(owned) == sorted(signal.name for signal in contract().signals)
    assert SIGNAL_OWNERS.keys() <= scalars().keys()


def test_the_weights_are_the_contracts() -> None:
    weights = shipped()["weights"]
    assert {name: weight for name, (_, weight) in WEIGHTS["governance"].items()} == weights["governance"]
    assert weights["safety"] == SAFETY_GROUPS
    assert set(weights["health"].values()) == {0.25}


@pytest.mark.parametrize("axis", WEIGHTS)
def test_a_weight_table_covers_its_axis_and_sums_to_one(axis: str) -> None:
    assert {key for key, _ in WEIGHTS[axis].values()} == {s.name for s in contract().scalars if s.axis == axis}
    assert sum(weight for _, weight in WEIGHTS[axis].values()) == pytest.approx(1)


def test_the_escalation_is_the_contracts() -> None:
    assert {flag: key for key, flag in REQUIRED.items()} == shipped()["require"]
    assert shipped()["require_threshold"] == ESCALATION_THRESHOLD
