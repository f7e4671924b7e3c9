"""The order of a report: what to fix first, rules by severity, places by their own risk, and how much fits."""

from __future__ import annotations

import re
from typing import Final

import pytest
from cli_outcomes import RUN, SYSTEM, judged, span
from test_cli_console import show

from agent_architecture.changes import Changes
from agent_architecture.contract import scalars
from agent_architecture.detector import Severity, Verdict, gap, ok
from agent_architecture.findings import every_evidence
from agent_architecture.model.system import Confidence, Tool
from agent_architecture.render.first import fix_first
from agent_architecture.report import Outcome, build_report
from agent_architecture.scoring import ScoringConfig

KEYS: Final = (
    "loop_guard_absence", "deadlock_risk", "retry_storm_risk", "tool_policy_absence", "memory_unbounded",
    "routing_pattern_risk", "fanout_control_absence", "state_isolation_risk", "coordination_risk", "mcp_auth_gap",
    "idempotency_gap", "goal_integrity_defense_gap", "schema_validation_gap",
)  # fmt: skip


def place(line: int, reason: str = "nothing bounds it", *, path: str = "app/a.py", **how: float) -> Verdict:
    return gap(Tool(span(path, line), "search", "", "search"), reason, **how)


def outcome_of(said: dict[str, list[Verdict]], impact: Severity = Severity.HIGH) -> Outcome:
    results = [
        judged(key, scalars()[key].group, *verdicts, title=f"About {key}", impact=impact, fix=f"Mend {key}.")
        for key, verdicts in said.items()
    ]
    made = build_report(SYSTEM, results, ScoringConfig(), lambda _: "", name="desk", version="0.1.0")
    return Outcome(made)


def many(places: int) -> Outcome:
    """Thirteen rules with so many places each, no two with one reason."""
    return outcome_of({key: [place(line, f"reason {line} of {key}") for line in range(places)] for key in KEYS})


def titles(text: str) -> list[str]:
    return re.findall(r"(?m)^(?:CRITICAL|HIGH|MEDIUM|LOW) .*?About (\w+)", text)


# ------------------------------------------------------------------------------------------------------------ fix first
def test_what_to_fix_first_names_a_rule_once_and_at_most_ten() -> None:
    firsts = fix_first(many(4).report)
    assert len(firsts) == 10
    assert len({one.place.finding.rule_id for one in firsts}) == 10
    assert {len(one.others) for one in firsts} == {3}


def test_a_place_comes_first_by_risk_weight_and_confidence() -> None:
    said = {
        "mcp_auth_gap": [place(1, risk=0.3)],
        "mcp_rug_pull_risk": [place(2)],
        "mcp_tool_annotation_gap": [place(3, weight=3)],
        "mcp_shadow_server_risk": [place(4, confidence=Confidence.LOW)],
    }
    assert [one.place.span.line for one in fix_first(outcome_of(said).report)] == [3, 2, 4, 1]


def test_what_a_fix_gains_is_what_the_health_lacks_for_it() -> None:
    outcome = outcome_of({"loop_guard_absence": [place(1), place(2, risk=0.5)], "mcp_auth_gap": [place(3)]})
    lost = sum(one.gain for finding in outcome.report.findings for one in every_evidence(finding))
    assert lost == pytest.approx(1 - outcome.report.scores.health)


def test_a_place_has_its_own_severity_not_its_detectors() -> None:
    said = {key: [place(1), place(2), place(3, risk=0.1)] for key in KEYS[:4]}
    said["mcp_auth_gap"] = [place(line) for line in range(9)]
    said["deadlock_risk"] = [place(7, risk=0.1)]
    text = show(outcome_of(said)).partition("Findings")[0]
    assert re.search(r"LOW  app/a.py:7:1", text)


def test_with_few_rules_the_list_says_it_alone() -> None:
    assert "Fix first" not in show(outcome_of({key: [place(1)] for key in KEYS[:3]}))
    assert "Fix first" in show(outcome_of({key: [place(1)] for key in KEYS[:4]}))


# ---------------------------------------------------------------------------------------------------------------- order
def test_places_of_a_rule_stand_by_their_own_risk() -> None:
    lines = show(outcome_of({"deadlock_risk": [place(1, "a", risk=0.6), place(2, "b"), place(3, "c", risk=0.2)]}))
    shown = re.findall(r"(?m)^  app/a.py:(\d+)", lines)
    assert shown == ["2", "1"]
    assert "… 1 more place" in lines


def test_the_least_risk_can_be_asked_for() -> None:
    outcome = outcome_of({"deadlock_risk": [place(1, risk=0.1), place(2)]})
    assert "app/a.py:1" not in show(outcome)
    assert "app/a.py:1" in show(outcome, least_risk=0.0)
    assert "app/a.py:1" in show(outcome, verbose=True)


def test_a_rule_of_small_risks_alone_says_so() -> None:
    text = show(outcome_of({"deadlock_risk": [place(1, risk=0.1), place(2, risk=0.2)]}))
    assert "2 places, each of a risk below 0.5" in text


def test_equal_reasons_are_one_with_all_their_places() -> None:
    text = show(outcome_of({"deadlock_risk": [place(line, path=f"app/{line}.py") for line in range(1, 5)]}))
    assert text.count("nothing bounds it") == 1
    assert "the same at app/2.py:2, app/3.py:3, app/4.py:4" in text


@pytest.mark.parametrize("places", [1, 3, 9, 40])
def test_a_report_keeps_to_what_somebody_reads(places: int) -> None:
    text = show(many(places))
    assert len(text.splitlines()) <= 150
    assert len(titles(text)) + len(re.findall(r"(?m)^HIGH +\d+ places? ", text)) >= len(KEYS)


def test_verbose_has_every_place() -> None:
    text = show(many(40), verbose=True)
    assert all(f"reason {line} of {key}" in text for key in KEYS for line in range(40))


def test_counts_agree_everywhere() -> None:
    outcome = many(7)
    text = show(outcome)
    assert "Findings (13 findings in 91 places)" in text
    assert text.splitlines()[-1].startswith("13 findings in 1 file (13 high) · 91 places · ")
    assert "Findings (13 findings in 91 places)" in show(outcome, counts=True)


def test_notices_and_scores_come_last() -> None:
    text = show(many(2))
    order = [text.index(word) for word in ("Fix first", "\nFindings", "\nScores")]
    assert order == sorted(order)


# ------------------------------------------------------------------------------------------------------------- projects
def several(count: int) -> Outcome:
    """A repository of so many projects, each with four rules' gaps, and one file of none."""
    sites = tuple(RUN._replace(span=span(f"p{number}/a.py", 1)) for number in range(count))
    paths = [*(site.span.path for site in sites), "shared/b.py"]
    said = {key: [place(1, f"{key} lacks", path=path) for path in paths] for key in KEYS[:4]}
    found = [
        judged(key, scalars()[key].group, *gaps, title=f"About {key}", impact=Severity.HIGH, fix=f"Mend {key}.")
        for key, gaps in said.items()
    ]
    manifests = [f"p{number}/pyproject.toml" for number in range(count)]
    made = build_report(
        SYSTEM._replace(sites=sites), found, ScoringConfig(), lambda _: "", name="mono", version="0.1.0",
        manifests=manifests,
    )  # fmt: skip
    return Outcome(made)


def test_a_repository_of_several_projects_is_told_by_project() -> None:
    text = show(several(3))
    assert text.index("Projects (3)") < text.index("Fix first")
    assert re.findall(r"(?m)^Findings: (\S+) \(4 findings in 4 places\)", text) == ["p0", "p1", "p2", "elsewhere"]
    assert re.search(r"(?m)^  all +3 +16 ", text)


@pytest.mark.parametrize("count", [12, 60])
def test_many_projects_keep_to_what_somebody_reads(count: int) -> None:
    lines = show(several(count)).splitlines()
    assert len(lines) <= 150
    assert f"  … {count - 10} more (-v lists all)" in lines


def test_one_project_has_no_such_section() -> None:
    assert "Projects" not in show(several(1))


# ------------------------------------------------------------------------------------------------------------- baseline
def test_what_is_new_is_marked_and_comes_before_all_else() -> None:
    outcome = outcome_of(
        {
            "deadlock_risk": [place(1, "old"), place(2, "added", risk=0.6)],
            "mcp_auth_gap": [place(3, "older", weight=3)],
            **{key: [place(4, key)] for key in ("retry_storm_risk", "idempotency_gap")},
        }
    )
    known = frozenset(
        piece.fingerprint
        for finding in outcome.report.findings
        for piece in every_evidence(finding)
        if piece.message != "added"
    )
    text = show(outcome._replace(comparison=Changes("main", "now", known=known)))
    first, new, old = (text.index(word) for word in ("Fix first, of what is new", "\nNew findings", "\nFindings that"))
    assert first < new < old
    assert re.findall(r"new  (app/a.py:\d+)", text[:old]) == ["app/a.py:2", "app/a.py:2"]
    assert "older" not in text[:old]


def test_several_projects_are_told_by_project_with_a_baseline_too() -> None:
    outcome = several(2)
    every = [piece for finding in outcome.report.findings for piece in every_evidence(finding)]
    known = frozenset(piece.fingerprint for piece in every if piece.span and piece.span.path != "p1/a.py")
    text = show(outcome._replace(comparison=Changes("main", "now", known=known)))
    assert re.findall(r"(?m)^New findings: (\S+) \((\d+) places\)", text) == [("p1", "4")]
    assert re.findall(r"(?m)^Findings that the baseline has: (\S+) \((\d+) places\)", text) == [
        ("p0", "4"),
        ("elsewhere", "4"),
    ]
    assert "Projects (2)" in text


def test_places_that_are_new_and_not_add_up() -> None:
    outcome = many(6)
    every = [piece.fingerprint for finding in outcome.report.findings for piece in every_evidence(finding)]
    text = show(outcome._replace(comparison=Changes("main", "now", known=frozenset(every[::3]))))
    sections = re.findall(r"(?m)^(?:New findings|Findings that the baseline has) \((\d+) places\)", text)
    assert sum(map(int, sections)) == len(every)


def test_the_safe_ones_are_no_places() -> None:
    safe = ok(Tool(span("app/a.py", 9), "look", "", "look"), "bounded")
    assert "1 place" in show(outcome_of({"deadlock_risk": [place(1), safe]}))
