"""What was measured, kept by rule (`--record`), and the page that is rendered from it."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

import pytest
from ecosystem.known_wrong import known_wrong
from ecosystem.labels import LabelError
from ecosystem.record import BLIND, STATEMENTS, TUNED, Counts, as_toml, commit_of, read, total
from tests.pages import expectations, read_page

from agent_architecture.registry import load, page_of, resolve
from ecosystem import accuracy, run, verdicts

HEAD = f'repository = "o/{{}}"\ncommit = "{"0" * 40}"\nblind = true\n'
FOUND = '[loop_guard_absence]\ncomplete = true\nsubjects = [{ at = "a.py:6", verdict = "absent" }]\n'
CODE = """\
from agents import Agent, Runner, WebSearchTool

agent = Agent(name="a", tools=[WebSearchTool()])

def main():
    Runner.run_sync(agent, "hello", max_turns=None)

def other():
    Runner.run_sync(agent, "hello", max_turns=None)
"""


@pytest.fixture
def checkouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three labelled projects: one as it was read, one of another commit, one that is not there."""
    (sheets := tmp_path / "verdicts").mkdir()
    for name, digest in (("here", ""), ("other", 'digest = "0000000000000000"\n'), ("gone", "")):
        (sheets / f"o__{name}.toml").write_text(HEAD.format(name) + digest + FOUND, encoding="utf-8")
    for name in ("here", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(CODE, encoding="utf-8")
    monkeypatch.setattr(verdicts, "read_all", partial(verdicts.read_all, sheets))
    monkeypatch.setattr("ecosystem.record.commit_of", lambda _: "0123abcd")
    return tmp_path


def test_a_record_has_the_counts_by_confidence_and_names_what_was_not_measured(
    checkouts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = checkouts / "measured.toml"
    assert run.main([str(checkouts), "--verdicts", "--record", str(file)]) == 2
    found = read(file)
    assert (found.tool, found.projects) == ("0123abcd", ("o/here@000000000000",))
    assert found.left_out == (
        "o/other: the checkout is not at 000000000000",
        f"o/gone is not in {checkouts.name}",
    )
    assert capsys.readouterr().err.splitlines() == [f"not measured: {sentence}" for sentence in found.left_out]
    assert found.rules == {"loop_guard_absence": Counts(right=(1, 0, 0), false=(1, 0, 0))}
    assert as_toml(found) == file.read_text("utf-8")


def test_a_record_is_refused_for_code_that_no_commit_has(tmp_path: Path) -> None:
    identity = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("", "utf-8")
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "begin"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert len(commit_of(tmp_path)) == 8
    (tmp_path / "src" / "a.py").write_text("changed", "utf-8")
    with pytest.raises(LabelError, match="a record names the code that it measured"):
        commit_of(tmp_path)


def test_shares_are_those_of_what_was_decided() -> None:
    one = total([Counts((8, 1, 0), (1, 0, 0), 3, (4, 0, 0), (1, 0, 0), 2), Counts(missed=1)])
    assert (one.precision, one.recall, one.of_controls) == (9 / 10, 9 / 13, 4 / 5)
    assert (Counts().precision, Counts().recall, Counts().of_controls) == (None, None, None)


def test_the_page_is_what_the_files_say() -> None:
    assert accuracy.main(["--check"]) == 0


@pytest.mark.parametrize("path", [TUNED, *sorted(BLIND.glob("*.toml"))], ids=lambda path: path.stem)
def test_figures_of_the_page_are_sums_of_the_file(path: Path) -> None:
    """Counted here by another way than the page is rendered."""
    found = read(path)
    right = sum(sum(one.right) for one in found.rules.values())
    missed = sum(one.missed for one in found.rules.values())
    false = sum(sum(one.false) for one in found.rules.values())
    shares = f"{right / (right + missed):.2f} | {right / (right + false):.2f}"
    row = f"{found.date}, commit `{found.tool}` | {right} | {missed} | {false} | {shares} |"
    assert row in accuracy.PAGE.read_text("utf-8")


def test_a_blind_record_is_about_the_projects_of_its_round() -> None:
    rounds = {one["name"]: one for one in accuracy.rounds()}
    for path in (*BLIND.glob("*.toml"), *STATEMENTS.glob("*.toml")):
        drawn = [project for name in path.stem.split("-") for project in rounds[name]["projects"]]
        assert sorted(read(path).projects) == sorted(drawn)


@pytest.mark.parametrize("path", sorted(STATEMENTS.glob("*.toml")), ids=lambda path: path.stem)
def test_statements_are_as_many_as_the_rounds_say(path: Path) -> None:
    """A sample of several rounds stands at the first."""
    rounds = {one["name"]: one for one in accuracy.rounds()}
    said = rounds[path.stem.split("-")[0]]["verdicts"]
    one = total(read(path).rules.values())
    assert [sum(one.right), sum(one.false)] == said["gaps"][:2]
    assert [sum(one.controlled), sum(one.denied)] == said["controlled"][:2]


@pytest.mark.parametrize("key", [detector.key for detector in load()])
def test_known_wrong_verdicts_are_those_of_the_page(key: str) -> None:
    found = known_wrong(next(one for one in load() if one.key == key))
    page = read_page(page_of(resolve(key)))
    marks = [each.mark for section in page.sections for each in expectations(page, section)]
    assert (found.missing, found.spurious) == (marks.count("MISSING"), marks.count("SPURIOUS"))
