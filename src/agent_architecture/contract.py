"""The 90 keys that the metric emits, as data: names, ranges, directions, groups, axes, rule ids and signal owners.

Everything but the owners is read from `schema/contract.json`, a compact copy of the published contract. This module
must not know any weight, threshold or formula (`scoring`), and no detector.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final, Literal

from agent_architecture.records import NamedTuple

METRIC: Final = "agent_architecture"
AXES: Final = ("reliability", "governance", "safety", "coordination")
"""In the order of the composites in the contract."""

SIGNAL_OWNERS: Final = {
    "tool_policy_absence": ("dangerous_tool_count", "scoped_tool_ratio"),
    "schema_validation_gap": ("tool_input_schema_coverage",),
    "tool_result_validation_gap": ("tool_output_schema_coverage",),
    "loop_guard_absence": ("effective_step_budget_ratio", "budget_propagation_coverage", "max_nested_loop_depth"),
    "trace_linkage_gap": ("trace_linkage_coverage_ratio", "step_span_coverage_ratio"),
    "runtime_slo_coverage_gap": (
        "runtime_slo_coverage_ratio",
        "latency_coverage_ratio",
        "error_coverage_ratio",
        "cost_accounting_coverage_ratio",
    ),
    "agent_eval_maturity_gap": (
        "agent_eval_maturity_score",
        "trajectory_eval_coverage",
        "adversarial_eval_present",
        "stochastic_runs_present",
    ),
    "cost_budget_enforcement_gap": ("cost_budget_coverage_ratio",),
    "trace_eval_regression_risk": ("trace_eval_coverage",),
    "decision_observability_gap": (
        "decision_point_logging_coverage_ratio",
        "state_transition_coverage_ratio",
        "confidence_routing_logging_coverage_ratio",
        "outcome_tracking_coverage_ratio",
    ),
    "agent_shell_capable": ("agent_files_with_process",),
    "agent_tools_external_api": ("agent_files_with_external_api",),
}
"""Which detector makes which signals, by short key."""

PRESENCE_MARKERS: Final = frozenset({"adversarial_eval_present", "stochastic_runs_present"})
"""Ratios that are 0 or 1 and are measured with or without sites."""

_FILE: Final = Path(__file__).with_name("schema") / "contract.json"


class Scalar(NamedTuple):
    """A detector's key. `name` is the key without the metric's name; `axis` is None for the memory-limit scores."""

    key: str
    name: str
    group: str
    axis: str | None
    higher_is_better: bool
    rule_id: str


class Composite(NamedTuple):
    """A composite key; its values lie in 0..`highest`, higher is better."""

    key: str
    name: str
    highest: int


class Signal(NamedTuple):
    """A supplemental key: a ratio in 0..1 or a whole number, made by the detector `owner` (a short key)."""

    key: str
    name: str
    type: Literal["ratio", "count", "depth"]
    owner: str


class Contract(NamedTuple):
    """All 90 keys, in the order in which they are emitted."""

    scalars: tuple[Scalar, ...]
    composites: tuple[Composite, ...]
    signals: tuple[Signal, ...]
    tables: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key in full: scalars, composites, signals, tables."""
        return (
            *(item.key for item in self.scalars),
            *(item.key for item in self.composites),
            *(item.key for item in self.signals),
            *self.tables,
        )


def short(key: str) -> str:
    """A key without the metric's name."""
    return key.removeprefix(METRIC + ".")


def full(name: str) -> str:
    """A key with the metric's name, which it may have already."""
    return f"{METRIC}.{short(name)}"


@cache
def contract() -> Contract:
    """The contract, read once."""
    data = json.loads(_FILE.read_bytes())
    owners = {name: owner for owner, names in SIGNAL_OWNERS.items() for name in names}
    return Contract(
        scalars=tuple(
            Scalar(row["key"], short(row["key"]), row["group"], row["axis"], row["higher_is_better"], row["rule_id"])
            for row in data["scalars"]
        ),
        composites=tuple(Composite(row["key"], short(row["key"]), row["range"][1]) for row in data["composites"]),
        signals=tuple(
            Signal(row["key"], short(row["key"]), row["type"], owners[short(row["key"])]) for row in data["signals"]
        ),
        tables=tuple(row["key"] for row in data["tables"]),
    )


@cache
def scalars() -> dict[str, Scalar]:
    """The 56 scalars by short key, in contract order."""
    return {scalar.name: scalar for scalar in contract().scalars}
