"""Precision and recall, and the command that prints them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ecosystem.found import Found, found_in, system_of
from ecosystem.labels import Label, Place
from ecosystem.measure import is_same_limit, measure, together

from ecosystem import run

CODE = """\
from agents import Agent, Runner, function_tool

@function_tool
def search(query: str) -> str:
    return query

agent = Agent(name="a", tools=[search])

def main():
    Runner.run_sync(agent, "hello", max_turns=5)
"""


def label(line: int, *also: int, kind: str = "tool", sure: bool = True, limit: str = "") -> Label:
    return Label(kind, tuple(Place("a.py", number) for number in (line, *also)), sure, "x", limit)


def found(line: int, kind: str = "tool", limit: str = "") -> Found:
    return Found(kind, Place("a.py", line), "x", limit)


def of_kind(kind: str, labelled: list[Label], seen: list[Found]) -> tuple[list[int], list[int], list[int]]:
    one = next(measured for measured in measure(labelled, seen) if measured.kind == kind)
    return (
        [pair[0].places[0].line for pair in one.right],
        [missed.places[0].line for missed in one.missed],
        [false.place.line for false in one.false],
    )


def test_a_label_that_nothing_was_found_for_is_missed_and_a_find_without_a_label_is_false() -> None:
    assert of_kind("tool", [label(1), label(2)], [found(2), found(3)]) == ([2], [1], [3])


def test_any_of_the_lines_of_a_label_is_right_and_counts_once() -> None:
    assert of_kind("tool", [label(1, 7)], [found(7)]) == ([1], [], [])
    assert of_kind("tool", [label(1, 7)], [found(1), found(7)]) == ([1], [], [])


def test_two_labels_on_one_line_need_two_finds_there() -> None:
    other = label(1)._replace(what="y")
    assert of_kind("tool", [label(1), other], [found(1)]) == ([1], [1], [])
    assert of_kind("tool", [label(1), other], [found(1), found(1)._replace(what="y")]) == ([1, 1], [], [])


def test_an_unsure_label_is_neither_missed_nor_a_false_alarm_nor_right() -> None:
    assert of_kind("tool", [label(1, sure=False)], []) == ([], [], [])
    assert of_kind("tool", [label(1, sure=False)], [found(1)]) == ([], [], [])


def test_a_find_of_another_kind_on_the_line_does_not_count() -> None:
    assert of_kind("tool", [label(1)], [found(1, "agent")]) == ([], [1], [])


def test_shares_are_over_sure_labels_and_over_what_was_found() -> None:
    one = together([m for m in measure([label(1), label(2)], [found(2), found(3)]) if m.kind == "tool"] * 2)
    assert (one.recall, one.precision) == (0.5, 0.5)
    nothing = next(m for m in measure([], []) if m.kind == "tool")
    assert (nothing.recall, nothing.precision) == (None, None)


@pytest.mark.parametrize(
    ("labelled", "seen", "same"),
    [
        ("written 5", "written 5", True),
        ("written 5", "written 3|5", True),
        ("written 5", "default 5", False),
        ("written 5", "written 15", False),
        ("unknown", "unknown", True),
        ("absent", "none", False),
    ],
)
def test_a_limit_is_right_when_origin_and_value_are(labelled: str, seen: str, same: bool) -> None:
    assert is_same_limit(labelled, seen) is same


def test_what_the_tool_finds_is_told_in_the_words_of_labels(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE, encoding="utf-8")
    seen = {(one.kind, one.place.line): one for one in found_in(system_of(tmp_path))}
    assert {("site", 10), ("agent", 7)} <= seen.keys()
    assert seen["site", 10].limit == "written 5"
    assert any(kind == "tool" and line in {3, 4} for kind, line in seen)


def test_the_command_reports_each_project_and_says_what_it_did_not_measure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    head = f'commit = "{"0" * 40}"\nblind = true\n'
    (folder / "o__here.toml").write_text(
        f'repository = "o/here"\n{head}[[site]]\nat = "a.py:10"\nkind = "run"\nlimit = "written 5"\n'
        '[[agent]]\nat = "a.py:1"\nname = "b"\n',
        encoding="utf-8",
    )
    (folder / "o__gone.toml").write_text(f'repository = "o/gone"\n{head}', encoding="utf-8")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.py").write_text(CODE, encoding="utf-8")
    assert run.main([str(tmp_path), "--sheets", str(folder), "--json"]) == 0
    shown = capsys.readouterr()
    report = json.loads(shown.out)["o/here"]
    assert (report["site"]["right"], report["site"]["wrong_limits"]) == (1, [])
    assert report["agent"]["missed"] == ["a.py:1"]
    assert report["agent"]["false"] == ["a.py:7"]
    assert "not measured: o/gone" in shown.err


def test_a_folder_without_lists_or_without_their_projects_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = tmp_path / "lists"
    lists.mkdir()
    assert run.main([str(tmp_path), "--sheets", str(lists)]) == 2
    assert capsys.readouterr().err == f"ecosystem: no list is in {lists}\n"
    assert run.main([str(lists)]) == 2
    assert capsys.readouterr().err == f"ecosystem: no project of the lists is in {lists}\n"
