"""Properties of every report: ranges, monotony, independence of order, schema."""

from __future__ import annotations

import json

from contract_world import everything, judged, report_of, scores_of, tool, verdict_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from agent_architecture.contract import contract
from agent_architecture.detector import Verdict, gap, ok, unknown
from agent_architecture.model.system import Confidence
from agent_architecture.registry import Judged
from agent_architecture.render.json import SCHEMA_FILE, render
from agent_architecture.report import Outcome
from agent_architecture.scoring import Scores

VALIDATOR = Draft202012Validator(json.loads(SCHEMA_FILE.read_text()))
NAMES = [scalar.name for scalar in contract().scalars]
QUICK = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

risks = st.one_of(st.none(), st.just(0.0), st.sampled_from([0.1, 0.2, 1 / 3, 0.5, 0.7, 1.0]), st.floats(1e-9, 1.0))


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    subject = tool(
        draw(st.sampled_from(["a.py", "b/c.ts", "ü.py"])),
        draw(st.integers(1, 4)),
        draw(st.sampled_from(["run", "pay"])),
        col=draw(st.integers(1, 2)),
    )
    risk, weight = draw(risks), draw(st.sampled_from([0.5, 1.0, 3.0]))
    confidence, reason = draw(st.sampled_from(list(Confidence))), draw(st.sampled_from(["no limit", "limit 10007"]))
    if risk is None:
        return unknown(subject, reason, weight=weight, confidence=confidence)
    if risk == 0:
        return ok(subject, reason, weight=weight, confidence=confidence)
    return gap(subject, reason, risk=risk, weight=weight, confidence=confidence)


said = st.dictionaries(st.sampled_from(NAMES), st.lists(verdicts(), max_size=6), max_size=8)


def totals(scores: Scores) -> list[float]:
    return [*(axis.score for axis in scores.axes), scores.health, scores.weakest]


def results_of(answers: dict[str, list[Verdict]]) -> tuple[Judged, ...]:
    return everything(answers)


@QUICK
@given(said)
def test_every_report_obeys_the_schema_and_so_every_value_its_range(answers: dict[str, list[Verdict]]) -> None:
    VALIDATOR.validate(json.loads(render(Outcome(report_of(results_of(answers))), subjects=True)))


@QUICK
@given(said, st.randoms(use_true_random=False))
def test_the_order_of_results_and_verdicts_changes_no_byte(answers: dict[str, list[Verdict]], random: object) -> None:
    results = list(results_of(answers))
    expected = render(Outcome(report_of(results)), subjects=True)
    shuffled = [
        result._replace(verdicts=tuple(random.sample(result.verdicts, len(result.verdicts)))) for result in results
    ]
    random.shuffle(shuffled)
    assert render(Outcome(report_of(shuffled)), subjects=True) == expected


@QUICK
@given(said, st.sampled_from(NAMES), st.sampled_from([0.5, 1.0, 3.0]))
def test_one_more_absent_control_improves_no_axis_and_not_the_health(
    answers: dict[str, list[Verdict]], name: str, weight: float
) -> None:
    before = totals(scores_of(results_of(answers)))
    more = {**answers, name: [*answers.get(name, []), verdict_of(1.0, 99, weight)]}
    after = totals(scores_of(results_of(more)))
    assert all(new <= old for new, old in zip(after, before, strict=True))


@QUICK
@given(said, st.sampled_from(NAMES), st.floats(0, 1), st.floats(0, 1), st.sampled_from([0.5, 1.0, 3.0]))
def test_a_worse_verdict_improves_no_axis_and_not_the_health(
    answers: dict[str, list[Verdict]], name: str, one: float, other: float, weight: float
) -> None:
    def at(risk: float) -> list[float]:
        subject = verdict_of(risk, 99, weight)
        return totals(scores_of(results_of({**answers, name: [*answers.get(name, []), subject]})))

    assert all(worse <= better for worse, better in zip(at(max(one, other)), at(min(one, other)), strict=True))


@QUICK
@given(st.lists(verdicts(), min_size=1, max_size=12))
def test_a_risk_lies_between_the_least_and_the_greatest_of_its_subjects(found: list[Verdict]) -> None:
    (metric,) = scores_of([judged("deadlock_risk", found)]).metrics
    known = [verdict.risk for verdict in found if verdict.risk is not None] or [0.0]
    assert min(known) <= metric.risk <= max(known)
    assert metric.judged + metric.unknown == len(found)


@QUICK
@given(st.lists(verdicts(), max_size=30))
def test_every_distinct_gap_is_in_exactly_one_finding(found: list[Verdict]) -> None:
    report = report_of([judged("deadlock_risk", found)])
    distinct = {(v.span.path, v.span.line, v.subject.symbol, v.reason) for v in found if v.risk}
    spans = [
        (evidence.span.path, evidence.span.line, evidence.symbol, evidence.message)
        for finding in report.findings
        for evidence in (*finding.evidence, *finding.others)
        if evidence.span is not None
    ]
    assert sorted(spans) == sorted(distinct)
    assert all(len(finding.evidence) <= 6 for finding in report.findings)
    prints = [e.fingerprint for f in report.findings for e in (*f.evidence, *f.others) if e.fingerprint]
    assert len(set(prints)) == len(distinct)
