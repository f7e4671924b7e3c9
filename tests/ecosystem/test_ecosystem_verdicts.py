"""Verdicts of readers: the form of their files, and how far the detectors agree with them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from ecosystem.judged import Agreement, Said, agree
from ecosystem.labels import LabelError, Place
from ecosystem.verdicts import FOLDER, Decided, Sheet, read

from agent_architecture.detector import Outcome
from agent_architecture.model.confidence import Confidence
from ecosystem import run, verdicts

FILES = sorted(FOLDER.glob("*.toml"))
HEAD = f'repository = "o/here"\ncommit = "{"0" * 40}"\nblind = true\n'

CODE = """\
from agents import Agent, Runner, WebSearchTool

agent = Agent(name="a", tools=[WebSearchTool()])

def main():
    Runner.run_sync(agent, "hello", max_turns=None)

def other():
    Runner.run_sync(agent, "hello", max_turns=5)
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_verdicts_names_a_pinned_commit_and_is_called_like_its_repository(path: Path) -> None:
    read_back = read(path)
    assert path.stem == read_back.repository.replace("/", "__")
    assert len(read_back.commit) == 40
    assert len(read_back.digest) == 16


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[loop_guard]\n", "o__here.toml: no detector is called loop_guard"),
        (
            '[deadlock_risk]\nsubjects = [{ at = "a.py:1", verdict = "fine" }]\n',
            "o__here.toml: deadlock_risk 1: 'fine'",
        ),
        ('[deadlock_risk]\nsubjects = [{ at = "a.py", verdict = "absent" }]\n', "o__here.toml: deadlock_risk 1: "),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_entry(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "o__here.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(LabelError) as caught:
        read(path)
    assert str(caught.value).startswith(message)


def decided(line: int, outcome: Outcome, risk: float | None = None, *, sure: bool = True, name: str = "") -> Decided:
    return Decided((Place("a.py", line),), outcome, risk, sure, name)


def said(line: int, outcome: Outcome, risk: float | None = None, name: str = "x") -> Said:
    return Said(Place("a.py", line), name, outcome, risk, "because", Confidence.HIGH)


def agreed(subjects: list[Decided], found: list[Said], *, complete: bool = True) -> Agreement:
    return agree(Sheet("deadlock_risk", complete, tuple(subjects)), found)


def test_a_gap_that_the_tool_does_not_see_is_missed_whatever_it_says_instead() -> None:
    gap = decided(1, Outcome.ABSENT, 1.0)
    for found in ([], [said(1, Outcome.CONTROLLED, 0.0)], [said(1, Outcome.UNKNOWN)]):
        assert len(agreed([gap], found).missed) == 1


def test_a_partial_gap_is_a_gap_and_its_grade_is_counted_apart() -> None:
    one = agreed([decided(1, Outcome.PARTIAL, 0.5)], [said(1, Outcome.ABSENT, 1.0)])
    assert (len(one.right), len(one.wrong_grades)) == (1, 1)
    assert not agreed([decided(1, Outcome.PARTIAL)], [said(1, Outcome.PARTIAL, 0.3)]).wrong_grades


def test_a_gap_where_the_reader_saw_none_is_false() -> None:
    found = [said(1, Outcome.ABSENT, 1.0)]
    assert len(agreed([decided(1, Outcome.CONTROLLED, 0.0)], found).false) == 1
    assert len(agreed([decided(1, Outcome.UNKNOWN)], found).false) == 1
    assert len(agreed([], found).false) == 1
    assert not agreed([], found, complete=False).false


def test_a_safe_subject_that_is_left_out_is_counted() -> None:
    one = agreed(
        [decided(1, Outcome.CONTROLLED, 0.0), decided(2, Outcome.CONTROLLED, 0.0)], [said(1, Outcome.CONTROLLED)]
    )
    assert (len(one.controlled), len(one.unseen)) == (1, 1)


def test_what_is_not_sure_counts_for_nothing_and_against_nothing() -> None:
    unsure = decided(1, Outcome.CONTROLLED, 0.0, sure=False)
    assert agreed([unsure], [said(1, Outcome.ABSENT, 1.0)]) == Agreement("deadlock_risk")


def test_subjects_on_one_line_are_told_apart_by_their_names() -> None:
    subjects = [decided(1, Outcome.CONTROLLED, 0.0, name="read"), decided(1, Outcome.ABSENT, 1.0, name="write")]
    one = agreed(subjects, [said(1, Outcome.ABSENT, 1.0, "write"), said(1, Outcome.CONTROLLED, 0.0, "read")])
    assert (len(one.right), len(one.controlled), len(one.false)) == (1, 1, 0)


def test_the_command_prints_a_line_a_detector_and_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "verdicts").mkdir()
    (tmp_path / "verdicts" / "o__here.toml").write_text(
        HEAD + '[loop_guard_absence]\ncomplete = true\nsubjects = [{ at = "a.py:6", verdict = "absent" }]\n',
        encoding="utf-8",
    )
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.py").write_text(CODE, encoding="utf-8")
    monkeypatch.setattr(verdicts, "read_all", partial(verdicts.read_all, tmp_path / "verdicts"))
    assert run.main([str(tmp_path), "--verdicts", "--misses"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["o/here", "right", "missed", "false", "recall", "precision", "controlled", "grades"]
    assert lines[1].split() == ["loop_guard_absence", "1", "0", "0", "1.00", "1.00", "0", "of", "0", "1", "of", "1"]
