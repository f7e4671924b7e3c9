"""Files that git calls renamed take their findings along, and a gap that got worse is new."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.policy.policy_project import AGENT, SHELL, commit, git, run, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.mark.parametrize("staged", [True, False])
def test_a_file_that_git_calls_renamed_takes_its_findings_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, staged: bool
) -> None:
    folder = write(tmp_path / "services" / "desk", SHELL)
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    (folder / "lib").mkdir()
    git(tmp_path, "mv", "services/desk/agent.py", "services/desk/lib/helper.py")
    if not staged:
        commit(tmp_path, "renamed")
    before = "HEAD" if staged else "HEAD~1"
    changes = run(capsys, "analyze", folder, "--baseline", before, "--format", "json").json["changes"]
    assert [changes[kind] for kind in ("new", "fixed", "added", "removed", "grown")] == [[]] * 5


def test_a_saved_report_that_is_committed_knows_what_was_renamed_since(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, SHELL)
    monkeypatch.chdir(folder)
    (folder / "known.json").write_text(run(capsys, "analyze", ".", "--format", "json").out)
    commit(folder)
    git(folder, "mv", "agent.py", "helper.py")
    commit(folder, "renamed")
    changes = run(capsys, "analyze", ".", "--baseline", "known.json", "--format", "json").json["changes"]
    assert (changes["new"], changes["fixed"]) == ([], [])
    assert run(capsys, "diff", "known.json", "HEAD", "--format", "json").json["new"] == []


def test_a_file_that_is_no_longer_alike_is_not_renamed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, SHELL)
    commit(folder)
    git(folder, "rm", "-q", "agent.py")
    commit(write(folder, AGENT.replace("helper", "another").replace("search", "look"), "other.py"))
    changes = run(capsys, "analyze", folder, "--baseline", "HEAD~1", "--format", "json").json["changes"]
    assert {gap["path"] for gap in changes["new"]} >= {"other.py"}
    assert {gap["path"] for gap in changes["fixed"]} >= {"agent.py"}


def test_a_gap_that_got_worse_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, AGENT.replace("question)", "question, max_turns=60)"))
    commit(folder)
    write(folder, AGENT.replace("question)", "question, max_turns=None)"))
    changes = run(capsys, "analyze", folder, "--baseline", "HEAD", "--format", "json").json["changes"]
    assert "arxo/agent-loop-guard-absence" in {gap["rule_id"] for gap in changes["new"]}
    commit(folder)
    write(folder, AGENT.replace("question)", "question, max_turns=60)"))
    changes = run(capsys, "analyze", folder, "--baseline", "HEAD", "--format", "json").json["changes"]
    assert (changes["new"], changes["worse"]) == ([], False)
