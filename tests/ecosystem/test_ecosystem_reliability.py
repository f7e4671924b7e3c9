"""Rules say less where readers of blind rounds contradicted them too often: the tables are what the rounds count."""

from __future__ import annotations

from ecosystem.record import Counts, total
from ecosystem.reliability import as_said, of_rules, reliability

from agent_architecture import degrees
from agent_architecture.contract import scalars

GOOD = Counts(right=(8, 0, 0), false=(2, 0, 0), controlled=(8, 0, 0), denied=(2, 0, 0))
POOR = Counts(right=(7, 4, 0), false=(3, 5, 1), controlled=(7, 0, 0), denied=(2, 1, 0))
FEW = Counts(right=(1, 0, 0), false=(6, 7, 0))


def test_the_tables_of_the_tool_are_what_the_rounds_count() -> None:
    """After a round was recorded, write what this says into `degrees.py`."""
    said = (degrees.DOUBTED_GAPS, degrees.UNLIKELY_GAPS, degrees.DOUBTED_CONTROLS)
    assert said == tuple(reliability())
    assert frozenset().union(*said) <= scalars().keys()


def test_a_rule_is_doubted_below_four_of_five_of_at_least_eight_cases() -> None:
    found = of_rules({"good": GOOD, "poor": POOR, "few": FEW})
    assert tuple(found) == (frozenset({"poor"}), frozenset({"poor"}), frozenset({"poor"}))


def test_what_judges_said_of_enough_cases_comes_before_lists() -> None:
    lists, judged = {"sound": POOR, "seldom": POOR}, {"sound": Counts(right=(9, 0, 0), false=(1, 0, 0)), "seldom": FEW}
    assert of_rules(lists, judged).doubted_gaps == {"seldom"}
    assert of_rules({"sound": GOOD}, {"sound": POOR}).doubted_gaps == {"sound"}


def test_what_is_doubted_is_counted_one_step_lower_and_none_is_lost() -> None:
    said = as_said({"good": GOOD, "poor": POOR, "few": FEW})
    assert (said["good"], said["few"]) == (GOOD, FEW)
    assert (said["poor"].right, said["poor"].false) == ((0, 7, 4), (0, 3, 6))
    assert (said["poor"].controlled, said["poor"].denied) == ((0, 7, 0), (0, 3, 0))
    assert [sum(part) for part in (total(said.values()).right, total(said.values()).false)] == [20, 24]
