"""What the degree of evidence of an entity makes of the verdicts about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.contract.contract_world import detector_of, span, system, tool

from agent_architecture.contract import contract
from agent_architecture.degrees import DOUBTED_CONTROLS, DOUBTED_GAPS, UNLIKELY_GAPS, recorded, weighed
from agent_architecture.detector import Outcome, Verdict, gap, ok
from agent_architecture.model.confidence import Confidence, Degree, at_most, weakest
from agent_architecture.model.system import Agent, Binding, Handoff
from agent_architecture.registry import judge_one

if TYPE_CHECKING:
    from collections.abc import Callable


def said(degree: Degree, confidence: Confidence = Confidence.HIGH) -> Verdict:
    (verdict,) = weighed([gap(tool()._replace(degree=degree), "no limit", confidence=confidence)], {})
    return verdict


def test_what_is_resolved_is_judged_as_it_was() -> None:
    assert said(Degree.RESOLVED)[1:] == gap(tool(), "no limit")[1:]


def test_what_is_inferred_is_judged_at_medium_confidence_at_most() -> None:
    assert (said(Degree.INFERRED).outcome, said(Degree.INFERRED).confidence) == (Outcome.ABSENT, Confidence.MEDIUM)
    assert said(Degree.INFERRED, Confidence.LOW).confidence is Confidence.LOW


@pytest.mark.parametrize(
    ("places", "expected"), [(0, Confidence.HIGH), (4, Confidence.HIGH), (5, Confidence.MEDIUM), (9, Confidence.MEDIUM)]
)
def test_a_gap_that_rests_on_several_places_is_of_medium_confidence_at_most(places: int, expected: Confidence) -> None:
    related = tuple(span(line=line + 2) for line in range(places))
    (verdict,) = weighed([gap(tool(), "no limit", related=related)], {})
    assert (verdict.outcome, verdict.confidence) == (Outcome.ABSENT, expected)
    (low,) = weighed([gap(tool(), "no limit", related=related, confidence=Confidence.LOW)], {})
    assert low.confidence is Confidence.LOW
    (fine,) = weighed([ok(tool(), "fine", related=related)], {})
    assert fine.confidence is Confidence.HIGH


def test_what_is_guessed_has_unknown_verdicts_alone() -> None:
    verdict = said(Degree.GUESSED)
    assert (verdict.outcome, verdict.risk, verdict.confidence) == (Outcome.UNKNOWN, None, Confidence.LOW)
    assert verdict.reason == "Only its name says that search belongs to an agent."


def test_a_verdict_about_a_part_has_the_degree_of_the_whole() -> None:
    guessed = tool()._replace(degree=Degree.GUESSED)
    binding = Binding(span(line=9), "search", "", guessed)
    edge = Handoff(span(line=9), "a", "", Agent(span(), "a", ""), Agent(span(), "b", "", degree=Degree.INFERRED))
    assert [verdict.degree for verdict in weighed([ok(binding, "fine"), ok(edge, "fine")], {})] == [
        Degree.GUESSED,
        Degree.INFERRED,
    ]


def test_a_verdict_that_stands_where_an_inferred_entity_stands_is_about_it() -> None:
    inferred = tool(line=3)._replace(degree=Degree.INFERRED)
    world = system()._replace(tools=(inferred,))
    judged = judge_one(detector_of("deadlock_risk", [gap(tool(line=3), "no time-out")]), world)
    assert [verdict.confidence for verdict in judged.verdicts] == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [((), Degree.RESOLVED), ((Degree.RESOLVED, Degree.INFERRED), Degree.INFERRED), (tuple(Degree), Degree.GUESSED)],
)
def test_the_weakest_degree_counts(degrees: tuple[Degree, ...], expected: Degree) -> None:
    assert weakest(degrees) is expected


def test_a_confidence_is_only_lowered() -> None:
    assert at_most(Confidence.LOW, Degree.INFERRED) is Confidence.LOW
    assert at_most(Confidence.HIGH, Degree.GUESSED) is Confidence.LOW


@pytest.mark.parametrize(
    ("rules", "verdict", "before", "expected"),
    [
        (DOUBTED_GAPS - UNLIKELY_GAPS, gap, Confidence.HIGH, Confidence.MEDIUM),
        (DOUBTED_GAPS - UNLIKELY_GAPS, gap, Confidence.MEDIUM, Confidence.MEDIUM),
        (UNLIKELY_GAPS, gap, Confidence.MEDIUM, Confidence.LOW),
        (UNLIKELY_GAPS & DOUBTED_GAPS, gap, Confidence.HIGH, Confidence.MEDIUM),
        (DOUBTED_GAPS - DOUBTED_CONTROLS, ok, Confidence.HIGH, Confidence.HIGH),
        (DOUBTED_CONTROLS, ok, Confidence.HIGH, Confidence.MEDIUM),
        (DOUBTED_CONTROLS, ok, Confidence.LOW, Confidence.LOW),
        (frozenset(scalar.name for scalar in contract().scalars) - DOUBTED_GAPS, gap, Confidence.HIGH, Confidence.HIGH),
    ],
)
def test_a_rule_that_readers_often_contradicted_says_less(
    rules: frozenset[str], verdict: Callable[..., Verdict], before: Confidence, expected: Confidence
) -> None:
    assert rules
    for key in rules:
        (found,) = recorded(key, [verdict(tool(), "said", confidence=before)])
        assert found.confidence is expected


def test_the_record_is_left_out_where_the_evidence_alone_is_asked_for() -> None:
    key = min(DOUBTED_GAPS - UNLIKELY_GAPS)
    detector = detector_of(key, [gap(tool(), "no control")])
    said = judge_one(detector, system()), judge_one(detector, system(), with_record=False)
    assert [one.verdicts[0].confidence for one in said] == [Confidence.MEDIUM, Confidence.HIGH]
