"""Commits before and after a control was added: the risk has to go where the reader of the commit says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from ecosystem.trees import TreeError, write_tree

from agent_architecture.contract import scalars
from ecosystem import pairs

CODE = """\
from agents import Agent, Runner, WebSearchTool

agent = Agent(name="a", tools=[WebSearchTool()])

def main():
    Runner.run_sync(agent, "hello", max_turns={})
"""


def git(repository: Path, *arguments: str) -> str:
    names = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    command = ["git", "-c", "commit.gpgsign=false", *arguments]
    done = subprocess.run(
        command, cwd=repository, env={**os.environ, **names}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "app").mkdir(parents=True)
    git(root, "init", "-q")
    for limit in ("None", "5"):
        (root / "app" / "a.py").write_text(CODE.format(limit), encoding="utf-8")
        (root / "notes.txt").write_text(limit, encoding="utf-8")
        (root / "link").unlink(missing_ok=True)
        (root / "link").symlink_to("/etc")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", limit)
    return root


def test_every_pair_names_commits_and_detectors_of_the_contract() -> None:
    for pair in pairs.read():
        assert set(pair.detectors) <= scalars().keys(), pair
        assert len(pair.before) >= 12, pair
        assert len(pair.after) >= 12, pair
        assert pair.why, pair


def test_a_tree_is_written_out_without_links_and_below_a_folder(repository: Path, tmp_path: Path) -> None:
    write_tree(repository / ".git", "HEAD", "", tmp_path / "all")
    assert sorted(str(p.relative_to(tmp_path / "all")) for p in (tmp_path / "all").rglob("*") if p.is_file()) == [
        "app/a.py",
        "notes.txt",
    ]
    write_tree(repository / ".git", "HEAD~1", "app", tmp_path / "app")
    assert [str(p.relative_to(tmp_path / "app")) for p in (tmp_path / "app").rglob("*.*")] == ["app/a.py"]
    assert "max_turns=None" in (tmp_path / "app" / "app" / "a.py").read_text(encoding="utf-8")


def test_a_commit_that_is_not_there_is_said(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(TreeError):
        write_tree(repository / ".git", "0" * 40, "", tmp_path / "x")
    with pytest.raises(TreeError, match="has no files in nowhere"):
        write_tree(repository / ".git", "HEAD", "nowhere", tmp_path / "x")


def test_the_table_speaks_of_the_pairs_and_nothing_in_it_is_wrong() -> None:
    assert pairs.rows().keys() <= {(key, pair.name) for pair in pairs.read() for key in pair.detectors}
    assert not [line for line in pairs.rows().values() if line.startswith("wrong")]


def test_what_is_unseen_has_a_reason_and_is_wrong_once_it_is_seen() -> None:
    pair = pairs.Pair("o/name", "a" * 12, "b" * 12, ("x", "y"), pairs.Direction.LOWER, "", "a limit", {"y": "a reason"})
    outcomes = [pairs.Measured(pair, key, 1.0, after).outcome for key in ("x", "y") for after in (0.5, 1.0)]
    assert outcomes == ["right", "wrong", "wrong", "unseen"]


@pytest.mark.parametrize(("risk", "code"), [("lower", 0), ("higher", 1)])
def test_the_command_says_where_each_risk_went(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, risk: str, code: int
) -> None:
    folder = repository.parent / "repositories"
    folder.mkdir()
    (repository / ".git").rename(folder / "o+name")
    before, after = (git(folder, "--git-dir=o+name", "rev-parse", name) for name in ("HEAD~1", "HEAD"))
    listed, table = folder / "pairs.toml", folder / "pairs.txt"
    listed.write_text(
        f'[[pair]]\nrepository = "o/name"\nbefore = "{before}"\nafter = "{after}"\n'
        f'detectors = ["loop_guard_absence"]\nrisk = "{risk}"\nwhy = "a limit"\n',
        encoding="utf-8",
    )
    given = pairs.read(listed)
    monkeypatch.setattr(pairs, "read", lambda: given)
    assert pairs.main([str(folder), "--write", str(table)]) == code
    first, last = capsys.readouterr().out.splitlines()
    assert first.split()[1:5] == ["loop_guard_absence", "1.000", "->", "0.000"]
    assert last == f"pairs: {1 - code} of 1 as their readers say, 0 unseen"
    assert [first.startswith(line) for line in pairs.rows(table).values()] == [True]
