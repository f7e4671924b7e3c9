"""Twins by mutation: the form of their files, how edits are made, and what the command says of the copies."""

from __future__ import annotations

from pathlib import Path

import pytest
from ecosystem.labels import LabelError
from ecosystem.twins import FOLDER, read

from agent_architecture.contract import scalars
from ecosystem import run, twins

FILES = sorted(FOLDER.glob("*.toml"))
HEAD = f'repository = "o/here"\ncommit = "{"0" * 40}"\n'
CODE = """\
from agents import Agent, Runner, WebSearchTool

agent = Agent(name="a", tools=[WebSearchTool()])

def main():
    # how long
    return Runner.run_sync(agent, "hello", max_turns=5)
"""
TAKEN_OUT = '[[twin]]\npath = "a.py"\nline = 7\nreplace = ["=5", "=None"]\nthen = { loop_guard_absence = "absent" }\n'
PUT_IN = """
[[twin]]
path = "a.py"
line = 5
delete = [6, 6]
insert = '''
    Runner.run_sync(agent, "well", max_turns=None)
    Runner.run_sync(agent, "well", max_turns=3)'''
at = "a.py:5+2"
then = { loop_guard_absence = "controlled" }
"""
MADE = """
[[twin]]
path = "more/b.py"
create = '''
from agents import Runner
from a import agent
Runner.run_sync(agent, "hi", max_turns=9)
'''
[[twin]]
path = "more/b.py"
line = 3
replace = ["9", "4"]
then = { loop_guard_absence = "controlled" }
"""
SAID_WRONG = '[[twin]]\nround = 2\npath = "a.py"\nline = 7\nthen = { loop_guard_absence = "absent" }\n'


@pytest.fixture
def checkouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "checkouts" / "here").mkdir(parents=True)
    (tmp_path / "checkouts" / "here" / "a.py").write_text(CODE, encoding="utf-8")
    monkeypatch.setattr(twins, "FOLDER", tmp_path)
    return tmp_path / "checkouts"


def write(checkouts: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = checkouts.parent / "o__here.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    monkeypatch.setattr(twins, "read_all", lambda: (read(path),))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_twins_names_a_pinned_commit_and_is_called_like_its_repository(path: Path) -> None:
    read_back = read(path)
    assert path.stem == read_back.repository.replace("/", "__")
    assert len(read_back.commit) == 40
    assert len(read_back.digest) == 16
    assert {one.key for made in read_back.rounds for one in made.expected} <= scalars().keys()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[twin]]\npath = "a.py"\n', "o__here.toml: twin 1: 'line'"),
        ('[[twin]]\npath = "a.py"\nline = 1\nthen = { loop_guard = "absent" }\n', "no detector is called loop_guard"),
        ('[[twin]]\npath = "a.py"\nline = 1\nthn = { deadlock_risk = "absent" }\n', "twin 1: nobody reads thn"),
        ('[[twin]]\npath = "a.py"\nline = 1\nthen = { deadlock_risk = "fine" }\n', "o__here.toml: twin 1: 'fine'"),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_entry(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "o__here.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(LabelError, match=message):
        read(path)


def test_the_edits_of_a_round_are_made_in_one_copy_and_places_move_along(
    checkouts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(checkouts, TAKEN_OUT + PUT_IN + SAID_WRONG, monkeypatch)
    assert run.main([str(checkouts), "--twins", "--misses"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[1].split() == ["loop_guard_absence", "2", "of", "3", "1", "of", "2", "1", "of", "1"]
    assert "a.py:7" in said  # the second round starts from the checkout again
    assert (checkouts / "here" / "a.py").read_text(encoding="utf-8") == CODE


def test_an_edit_that_does_not_fit_the_checkout_is_said(
    checkouts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(checkouts, TAKEN_OUT.replace("line = 7", "line = 6"), monkeypatch)
    assert run.main([str(checkouts), "--twins"]) == 2
    assert "a.py:6: '=5' is not there" in capsys.readouterr().err
    write(checkouts, TAKEN_OUT.replace("line = 7", "line = 70"), monkeypatch)
    assert run.main([str(checkouts), "--twins"]) == 2


def test_a_file_may_be_made_and_then_edited_but_not_one_that_is_there(
    checkouts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(checkouts, MADE, monkeypatch)
    assert run.main([str(checkouts), "--twins", "--pin"]) == 0  # its text is no part of the checkout
    assert run.main([str(checkouts), "--twins"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[1:4] == ["1", "of", "1"]
    assert not (checkouts / "here" / "more").exists()
    write(checkouts, MADE.replace("more/b.py", "a.py"), monkeypatch)
    assert run.main([str(checkouts), "--twins"]) == 2
    assert "a.py: the file to create is there already" in capsys.readouterr().err


def test_pinned_twins_refuse_another_checkout(
    checkouts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(checkouts, TAKEN_OUT, monkeypatch)
    assert run.main([str(checkouts), "--twins", "--pin"]) == 0
    path = checkouts.parent / "o__here.toml"
    assert "digest = " in path.read_text(encoding="utf-8")
    monkeypatch.setattr(twins, "read_all", lambda: (read(path),))
    (checkouts / "here" / "a.py").write_text(CODE + "\n", encoding="utf-8")
    assert run.main([str(checkouts), "--twins"]) == 2
    assert "the checkout is not at 000000000000" in capsys.readouterr().err
