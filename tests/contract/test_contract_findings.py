"""Findings: one for a rule and a file, its evidence, fingerprints and advice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest
from contract_world import PAGE, everything, judged, scores_of, span, tool, verdict_of, verdicts_of

from agent_architecture.detector import Severity, Verdict, gap, ok, unknown
from agent_architecture.findings import EvidenceKind, Finding, first_paragraph, metrics_to_findings, moved
from agent_architecture.model.system import Confidence, Fix
from agent_architecture.registry import Judged
from agent_architecture.sources.source import Span


def symbol_paths(lines: Mapping[int, str]) -> Callable[[Span], str]:
    return lambda place: lines.get(place.line, "")


def findings_of(
    results: Iterable[Judged], lines: Mapping[int, str] | None = None, fixes: tuple[Fix, ...] = ()
) -> tuple[Finding, ...]:
    settled = tuple(results)
    return metrics_to_findings(scores_of(settled), settled, fixes, symbol_paths(lines or {}))


def finding_of(
    verdicts: Iterable[Verdict], lines: Mapping[int, str] | None = None, fixes: tuple[Fix, ...] = ()
) -> Finding:
    (finding,) = findings_of([judged("deadlock_risk", verdicts)], lines, fixes)
    return finding


def prints(finding: Finding) -> list[str]:
    return [evidence.fingerprint for evidence in (*finding.evidence, *finding.others) if evidence.fingerprint]


# ------------------------------------------------------------------------------------------------------------ grouping
def test_there_is_one_finding_for_each_rule_and_file() -> None:
    gaps = [verdict_of(1.0, 1, path="b.py"), verdict_of(1.0, 9, path="a.py"), verdict_of(1.0, 2, path="b.py")]
    found = findings_of([judged("mcp_auth_gap", gaps[1:2]), judged("deadlock_risk", gaps)])
    assert [(finding.rule_id, finding.path, len(finding.evidence)) for finding in found] == [
        ("arxo/agent-deadlock-risk", "a.py", 1),
        ("arxo/agent-deadlock-risk", "b.py", 2),
        ("arxo/agent-mcp-auth-gap", "a.py", 1),
    ]


def test_controlled_and_unknown_subjects_make_no_finding() -> None:
    assert findings_of([judged("deadlock_risk", verdicts_of(0.0, None))]) == ()


def test_without_evidence_there_are_no_findings() -> None:
    assert findings_of(everything()) == ()


def test_without_a_site_there_are_no_findings() -> None:
    results = [judged("deadlock_risk", verdicts_of(1.0))]
    assert metrics_to_findings(scores_of(results, has_sites=False), results, (), symbol_paths({})) == ()


def test_severity_and_confidence_are_the_detectors_not_the_single_gaps() -> None:
    gaps = [verdict_of(1.0, 1, path="bad.py"), *(verdict_of(0.1, line, path="good.py") for line in range(1, 10))]
    found = findings_of([judged("deadlock_risk", [*gaps, unknown(tool(), "hidden", confidence=Confidence.LOW)])])
    assert {(finding.severity, finding.confidence) for finding in found} == {(Severity.LOW, Confidence.LOW)}


def test_a_finding_carries_what_its_detector_says() -> None:
    finding = finding_of(verdicts_of(1.0))
    assert finding.title == "Title of deadlock_risk"
    assert finding.description == "What it means, on two lines."
    assert finding.recommendation == "Bound it."
    assert finding.references == ("CWE-835",)
    assert (finding.impact, finding.effort) == ("critical", "low")


# ------------------------------------------------------------------------------------------------------------ evidence
def test_evidence_with_a_line_is_a_code_span() -> None:
    related = (span("other.py", 7),)
    (evidence,) = finding_of([gap(tool("a.py", 3), "nothing bounds it", related=related)]).evidence
    assert evidence[:5] == (EvidenceKind.CODE_SPAN, "nothing bounds it", span("a.py", 3), "search", related)


def test_evidence_without_a_line_is_a_path() -> None:
    nowhere = tool("mcp.json")._replace(span=Span("mcp.json", 0, 0, 0, 0))
    (evidence,) = finding_of([gap(nowhere, "no lock file")]).evidence
    assert (evidence.kind, evidence.span.path) == (EvidenceKind.PATH, "mcp.json")


def test_equal_evidence_is_shown_once() -> None:
    same = [gap(tool(col=col), "no limit") for col in (1, 20)]
    other = [gap(tool(), "limit 10007"), gap(tool(symbol="pay"), "no limit"), gap(tool(line=2), "no limit")]
    assert len(finding_of([*same, *other]).evidence) == 4


def test_of_equal_evidence_the_worst_is_kept() -> None:
    mild, bad = gap(tool(col=1), "no limit", risk=0.3), gap(tool(col=9), "no limit", risk=0.9)
    (evidence,) = finding_of([mild, bad]).evidence
    assert evidence.span.col == 9


def test_the_worst_evidence_comes_first() -> None:
    gaps = [verdict_of(0.5, 1), verdict_of(1.0, 4), verdict_of(0.5, 2, weight=3), verdict_of(1.0, 3)]
    assert [evidence.span.line for evidence in finding_of(gaps).evidence] == [2, 3, 4, 1]


@pytest.mark.parametrize(
    ("count", "overflow"), [(5, None), (6, "1 more place in this file"), (25, "20 more places in this file")]
)
def test_five_pieces_of_evidence_are_shown_and_the_rest_is_counted(count: int, overflow: str | None) -> None:
    finding = finding_of(verdicts_of(*[1.0] * count))
    spans = [evidence for evidence in finding.evidence if evidence.kind is EvidenceKind.CODE_SPAN]
    texts = [evidence.message for evidence in finding.evidence if evidence.kind is EvidenceKind.TEXT]
    assert [evidence.span.line for evidence in spans] == [1, 2, 3, 4, 5]
    assert texts == ([overflow] if overflow else [])
    assert len(finding.others) == count - 5
    assert finding.evidence[-1].kind is (EvidenceKind.TEXT if overflow else EvidenceKind.CODE_SPAN)


# -------------------------------------------------------------------------------------------------------- fingerprints
def test_a_fingerprint_survives_moved_lines_and_another_reason() -> None:
    before = finding_of([verdict_of(1.0, 3)], {3: "Desk.answer"})
    after = finding_of([gap(tool(line=90), "the limit of 400 is too high", risk=0.5)], {90: "Desk.answer"})
    assert prints(before) == prints(after)


@pytest.mark.parametrize(
    "other",
    [
        (verdict_of(1.0, 3, symbol="pay"), "answer", "deadlock_risk"),
        (verdict_of(1.0, 3, path="b.py"), "answer", "deadlock_risk"),
        (verdict_of(1.0, 3), "ask", "deadlock_risk"),
        (verdict_of(1.0, 3), "answer", "mcp_auth_gap"),
    ],
)
def test_a_fingerprint_tells_rule_file_symbol_and_what_is_around_apart(other: tuple[Verdict, str, str]) -> None:
    verdict, around, key = other
    (changed,) = findings_of([judged(key, [verdict])], {3: around})
    assert prints(changed) != prints(finding_of([verdict_of(1.0, 3)], {3: "answer"}))


def test_equal_gaps_in_one_function_are_told_apart_in_the_order_of_their_lines() -> None:
    gaps = {line: verdict_of(1.0, line) for line in (3, 5, 7)}
    alone = prints(finding_of([gaps[5]]))
    all_three = prints(finding_of([gaps[7], gaps[3], gaps[5]]))
    assert len(set(all_three)) == 3
    assert all_three[0] == alone[0]
    worse_last = [gaps[3], gaps[5], verdict_of(1.0, 7, weight=3)]
    assert prints(finding_of(worse_last)) == [all_three[2], all_three[0], all_three[1]]


def test_a_fingerprint_follows_a_renamed_file() -> None:
    before, after = (prints(finding_of([verdict_of(1.0, 3, path=path)])) for path in ("a.py", "lib/b.py"))
    assert before != after
    assert [moved(one, "lib/b.py") for one in before] == after


def test_the_fingerprint_of_hidden_evidence_is_kept() -> None:
    finding = finding_of(verdicts_of(*[1.0] * 8), {line: f"run({line})" for line in range(9)})
    assert len(set(prints(finding))) == 8


def test_a_file_name_that_is_not_unicode_has_a_fingerprint() -> None:
    assert len(prints(finding_of([verdict_of(1.0, path="a\udcff.py")]))[0]) == 64


# -------------------------------------------------------------------------------------------------------------- advice
FIXES = (
    Fix("deadlock_risk", "langgraph", "pypi", "graph.invoke(x, {'recursion_limit': 25})"),
    Fix("deadlock_risk", "langgraph", "npm", "graph.invoke(x, {recursionLimit: 25})"),
    Fix("mcp_auth_gap", "crewai", "pypi", "of another detector"),
)


@pytest.mark.parametrize(
    ("path", "framework", "text"),
    [
        ("a.py", "langgraph", f"{FIXES[0].text}  # for search"),
        ("notebooks/a.ipynb", "langgraph", f"{FIXES[0].text}  # for search"),
        ("a.ts", "langgraph", f"{FIXES[1].text} // for search"),
        ("a.MJS", "langgraph", f"{FIXES[1].text} // for search"),
        ("a.yaml", "langgraph", "Bound it."),
        ("a.py", "crewai", "Bound it."),
        ("a.py", "", "Bound it."),
    ],
)
def test_the_librarys_own_line_is_recommended_where_there_is_one(path: str, framework: str, text: str) -> None:
    assert finding_of([gap(tool(path, framework=framework), "no limit")], fixes=FIXES).recommendation == text


def test_the_line_is_that_of_the_worst_gaps_library() -> None:
    worse, other = gap(tool(line=1), "by hand"), gap(tool(line=2, framework="langgraph"), "no limit", risk=0.5)
    assert finding_of([worse, other], fixes=FIXES).recommendation == "Bound it."
    assert finding_of([other], fixes=FIXES).recommendation == f"{FIXES[0].text}  # for search"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (PAGE, "What it means, on two lines."),
        ("# T\nDirectly below.\n", "Directly below."),
        ("# T\r\n\r\nWindows\r\nlines.\r\n", "Windows lines."),
        ("# T\n", ""),
        ("", ""),
    ],
)
def test_the_description_is_the_first_paragraph_of_the_page(page: str, text: str) -> None:
    assert first_paragraph(page) == text


def test_a_controlled_subject_on_the_same_line_hides_no_gap() -> None:
    assert len(finding_of([ok(tool(), "bounded"), gap(tool(), "no limit")]).evidence) == 1
