"""The report: every key in contract order, the tables, the N/A state, the project."""

from __future__ import annotations

import pytest
from contract_world import (
    detector_of,
    everything,
    judged,
    report_of,
    site,
    span,
    system,
    tool,
    value_of,
    verdict_of,
    verdicts_of,
)

from agent_architecture.contract import contract
from agent_architecture.detector import Severity, gap
from agent_architecture.model.system import Agent, AgentSystem, Dependency
from agent_architecture.registry import Judged, judge, judge_one
from agent_architecture.report import Report, Table, build_report
from agent_architecture.scoring import ScoringConfig
from agent_architecture.sources.source import Notice

NO_SITES = system(sites=())
PRESENCE = {"adversarial_eval_present", "stochastic_runs_present"}
COUNTS = {"max_nested_loop_depth", "dangerous_tool_count", "agent_files_with_process", "agent_files_with_external_api"}


def table(report: Report, name: str) -> list[dict[str, object]]:
    found = value_of(report, name)
    assert isinstance(found, Table)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


# ---------------------------------------------------------------------------------------------------------------- data
def test_a_full_run_emits_the_90_keys_in_contract_order() -> None:
    assert tuple(row.key for row in report_of(everything()).data) == contract().keys


def test_results_in_any_order_give_contract_order() -> None:
    assert report_of(reversed(everything())) == report_of(everything())


def test_keys_of_unwritten_detectors_and_their_signals_are_not_emitted() -> None:
    report = report_of([judged("loop_guard_absence", verdicts_of(1.0)), judged("deadlock_risk")])
    assert [row.key.removeprefix("agent_architecture.") for row in report.data] == [
        "loop_guard_absence",
        "deadlock_risk",
        "agent_reliability_score",
        "governance_readiness",
        "safety_protocol_score",
        "coordination_maturity_score",
        "overall_agent_health",
        "weakest_axis_min",
        "effective_step_budget_ratio",
        "budget_propagation_coverage",
        "max_nested_loop_depth",
        "detector_summary",
        "top_evidence",
        "axis_summary",
    ]


def test_each_composite_key_has_the_score_of_its_axis() -> None:
    report = report_of(everything({"tool_policy_absence": verdicts_of(1.0), "mcp_auth_gap": verdicts_of(1.0)}))
    assert value_of(report, "agent_reliability_score") == 100
    assert value_of(report, "governance_readiness") == 65
    assert value_of(report, "safety_protocol_score") == pytest.approx(100 - 30 / 9)
    assert value_of(report, "coordination_maturity_score") == 100
    assert value_of(report, "overall_agent_health") == pytest.approx((100 + 65 + 100 - 30 / 9 + 100) / 400)
    assert value_of(report, "weakest_axis_min") == 0.65


@pytest.mark.parametrize("signal", contract().signals, ids=lambda signal: signal.name)
def test_a_signal_has_the_value_that_its_owner_gives(signal: object) -> None:
    report = report_of(judge([detector_of(signal.owner, signals=_signals(signal.owner, signal.name, 1.0))], system()))
    assert value_of(report, signal.name) == 1.0


def _signals(owner: str, name: str, value: float) -> dict[str, float]:
    return {
        signal.name: value if signal.name == name else 0.0 for signal in contract().signals if signal.owner == owner
    }


# ----------------------------------------------------------------------------------------------------------- N/A state
def all_at_work_without_sites(signal: float) -> list[Judged]:
    detectors = [
        detector_of(
            scalar.name,
            verdicts_of(1.0, 0.0),
            signals={s.name: signal for s in contract().signals if s.owner == scalar.name} or None,
        )
        for scalar in contract().scalars
    ]
    return [judge_one(detector, NO_SITES) for detector in detectors]


@pytest.mark.parametrize("scalar", contract().scalars, ids=lambda scalar: scalar.name)
def test_without_sites_every_gap_is_zero_and_good_whatever_the_verdicts(scalar: object) -> None:
    report = report_of(all_at_work_without_sites(0.0), NO_SITES)
    row = next(row for row in table(report, "detector_summary") if row["key"] == scalar.key)
    assert value_of(report, scalar.name) == (1 if scalar.higher_is_better else 0)
    assert (row["risk"], row["severity"], row["applicable"], row["judged"]) == (0, "good", False, 0)


def test_without_sites_composites_are_full_and_the_report_says_not_applicable() -> None:
    report = report_of(all_at_work_without_sites(0.0), NO_SITES)
    assert [value_of(report, item.name) for item in contract().composites] == [100, 100, 100, 100, 1, 1]
    assert not report.applicable
    assert (report.findings, report.subjects, table(report, "top_evidence")) == ((), (), [])
    assert [row["applicable_score"] for row in table(report, "axis_summary")] == [None] * 4


@pytest.mark.parametrize("signal", contract().signals, ids=lambda signal: signal.name)
def test_without_sites_ratios_are_one_and_counts_and_markers_are_measured(signal: object) -> None:
    report = report_of(all_at_work_without_sites(0.0), NO_SITES)
    assert value_of(report, signal.name) == (0 if signal.name in COUNTS | PRESENCE else 1)
    measured = report_of(all_at_work_without_sites(1.0), NO_SITES)
    assert value_of(measured, signal.name) == 1


# -------------------------------------------------------------------------------------------------------------- tables
def test_the_detector_summary_has_one_row_for_each_detector_in_contract_order() -> None:
    said = {"agent_shell_capable": [verdict_of(1.0, 1), verdict_of(0.0, 2), verdict_of(None, 3)]}
    rows = table(report_of(everything(said)), "detector_summary")
    assert [row["key"] for row in rows] == [scalar.key for scalar in contract().scalars]
    assert next(row for row in rows if row["key"].endswith("shell_capable")) == {
        "key": "agent_architecture.agent_shell_capable",
        "rule_id": "arxo/agent-shell-capable",
        "axis": "safety",
        "risk": 0.5,
        "severity": "medium",
        "confidence": "high",
        "applicable": True,
        "judged": 2,
        "unknown": 1,
        "evidence_count": 1,
        "impact": "critical",
        "effort": "low",
    }


def test_top_evidence_is_sorted_by_severity_then_weighted_risk_then_place() -> None:
    results = [
        judged("mcp_auth_gap", [verdict_of(1.0, 9)], impact=Severity.LOW),
        judged("deadlock_risk", [verdict_of(1.0, 2), verdict_of(1.0, 1), verdict_of(0.9, 5, weight=3)]),
        judged("loop_guard_absence", [verdict_of(1.0, 1, path="a.py")]),
    ]
    rows = table(report_of(results), "top_evidence")
    assert [(row["severity"], row["file"], row["line"], row["detector"].split(".")[1]) for row in rows] == [
        ("critical", "app.py", 5, "deadlock_risk"),
        ("critical", "a.py", 1, "loop_guard_absence"),
        ("critical", "app.py", 1, "deadlock_risk"),
        ("critical", "app.py", 2, "deadlock_risk"),
        ("low", "app.py", 9, "mcp_auth_gap"),
    ]
    assert {row["reason"] for row in rows} == {"nothing bounds it"}


def test_top_evidence_has_twenty_rows_at_most_without_doubles() -> None:
    gaps = [gap(tool(line=line, col=col), "no limit") for line in range(1, 30) for col in (1, 9)]
    rows = table(report_of([judged("deadlock_risk", gaps)]), "top_evidence")
    assert [row["line"] for row in rows] == list(range(1, 21))


def test_the_axis_summary_counts_what_its_axis_has() -> None:
    said = {"tool_policy_absence": verdicts_of(1.0), "schema_validation_gap": verdicts_of(0.3)}
    rows = table(report_of(everything(said)), "axis_summary")
    assert [row["axis"] for row in rows] == ["reliability", "governance", "safety", "coordination"]
    assert [row["detectors"] for row in rows] == [16, 3, 27, 7]
    governance = rows[1]
    assert governance["score"] == pytest.approx(100 - 35 - 10.5)
    assert governance["applicable_score"] == pytest.approx(35)
    assert [governance[name] for name in ("applicable", "good", "low", "medium", "high", "critical")] == [
        2,
        1,
        0,
        1,
        0,
        1,
    ]


# ------------------------------------------------------------------------------------------------------------- the rest
def test_subjects_list_every_verdict_safe_ones_too() -> None:
    report = report_of([judged("deadlock_risk", verdicts_of(0.0, 1.0, None))])
    assert [(row.key, row.verdict.span.line, row.verdict.outcome) for row in report.subjects] == [
        ("agent_architecture.deadlock_risk", 1, "controlled"),
        ("agent_architecture.deadlock_risk", 2, "absent"),
        ("agent_architecture.deadlock_risk", 3, "unknown"),
    ]


def test_the_project_is_sorted_and_without_doubles() -> None:
    lock = Dependency("langgraph", "pypi", "1.2.22", "lock", "uv.lock")
    newest = Dependency("@langchain/langgraph", "npm", "1.0.0", "newest", None)
    found = system(sites=(site(line=9), site(line=2)))
    found = found._replace(
        project=found.project._replace(dependencies=(lock, newest, lock), notices=(Notice("b.py", None, "skipped"),)),
        agents=(Agent(span(line=4), "b", ""), Agent(span(line=3), "a", "")),
    )
    report = _built(found, notices=(Notice("a.py", 3, "partly read"), Notice("b.py", None, "skipped")))
    assert report.project.frameworks == (newest, lock)
    assert [found.span.line for found in report.project.sites] == [2, 9]
    assert [agent.symbol for agent in report.project.agents] == ["a", "b"]
    assert [notice.path for notice in report.notices] == ["a.py", "b.py"]


def _built(agent_system: AgentSystem, notices: tuple[Notice, ...]) -> Report:
    config = ScoringConfig()
    return build_report(agent_system, [], config, lambda _: "", name="demo", version="0.1.0", notices=notices)


def test_the_order_of_verdicts_changes_nothing() -> None:
    gaps = [verdict_of(risk, line, weight) for line in range(1, 9) for risk in (0.1, 0.3, 1 / 3) for weight in (1, 3)]
    assert report_of([judged("deadlock_risk", reversed(gaps))]) == report_of([judged("deadlock_risk", gaps)])
