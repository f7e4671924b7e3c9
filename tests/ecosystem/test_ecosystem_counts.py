"""How many subjects were decided: what is read and what is made are told apart, and what is not sure does not count."""

from __future__ import annotations

import pytest
from ecosystem.counts import BAR, Counted, Tally, as_text, counted
from ecosystem.labels import Place
from ecosystem.twins import Expected, Round, Twins
from ecosystem.verdicts import Decided, Sheet, Verdicts

from agent_architecture.contract import scalars
from agent_architecture.detector import Outcome
from ecosystem import run

KEY = "loop_guard_absence"


def read(*subjects: tuple[Outcome, bool]) -> Verdicts:
    decided = tuple(Decided((Place("a.py", 1),), outcome, None, sure) for outcome, sure in subjects)
    return Verdicts("o/r", "", blind=True, digest="", sheets=(Sheet(KEY, complete=True, subjects=decided),))


def made(*outcomes: Outcome) -> Twins:
    return Twins("o/r", "", "", (Round((), tuple(Expected(KEY, "a.py", 1, 0, one, "") for one in outcomes)),))


def test_reading_and_mutation_are_counted_apart() -> None:
    read_ones = read((Outcome.ABSENT, True), (Outcome.PARTIAL, True), (Outcome.CONTROLLED, True))
    found = {one.key: one for one in counted([read_ones], [made(Outcome.CONTROLLED, Outcome.PARTIAL)])}
    assert found[KEY] == Counted(KEY, gaps=Tally(2, 1), controlled=Tally(1, 1))
    assert found["deadlock_risk"] == Counted("deadlock_risk", Tally(0, 0), Tally(0, 0))
    assert found.keys() == scalars().keys()


def test_what_is_unknown_or_not_sure_does_not_count() -> None:
    found = counted([read((Outcome.ABSENT, False), (Outcome.UNKNOWN, True))], [made(Outcome.UNKNOWN)])
    assert all(one.gaps.total + one.controlled.total == 0 for one in found)


def test_a_detector_below_the_bar_is_marked() -> None:
    enough = Counted("enough", Tally(BAR - 1, 1), Tally(0, BAR))
    below = Counted("below", Tally(BAR, 0), Tally(BAR - 1, 0))
    lines = as_text([enough, below]).splitlines()
    assert lines[2].split() == ["enough", "19", "1", "20", "0", "20", "20"]
    assert lines[3].split() == ["below", "20", "0", "20", "19", "0", "19", "*"]
    assert lines[4].startswith("1 of 2 have at least 20 gaps and 20 controlled subjects")


def test_the_command_needs_no_checkouts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--counts"]) == 0
    said = capsys.readouterr().out
    assert all(f"  {key} " in said for key in scalars())
