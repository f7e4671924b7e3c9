"""The cache of answers: it never changes one, it is used where nothing has changed, and it is never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from tests.cli.test_cli_command import environment, run
from tests.formats.test_formats import AGENT

from agent_architecture import cache, pipeline, results
from agent_architecture.config import Config
from agent_architecture.report import Outcome

CACHED = Config(cached=True)
TODAY = date(2026, 11, 21)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "app").mkdir(parents=True)
    (folder / "app" / "agent.py").write_text("import subprocess\n\n" + AGENT, "utf-8")
    (folder / "requirements.txt").write_text("openai-agents==0.6.0\n", "utf-8")
    return folder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that is empty at first, on a file system whose times are exact."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(results, "YOUNG", 0)
    return tmp_path / "cache" / "agent-architecture"


def cached(project: Path) -> Outcome:
    return pipeline.analyze([project], CACHED, today=TODAY)


def fresh(project: Path) -> Outcome:
    return pipeline.analyze([project], Config(), today=TODAY)


@pytest.fixture
def no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a project in which nothing changed was read")

    monkeypatch.setattr(pipeline, "read_sources", refuse)


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A line for each analysis that was made in full."""
    made: list[str] = []
    judged = pipeline.understand_agents

    def counted(*arguments: object) -> object:
        made.append("analysed")
        return judged(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "understand_agents", counted)
    return made


def test_a_project_in_which_nothing_changed_is_not_read_again(project: Path, request: pytest.FixtureRequest) -> None:
    first = cached(project)
    request.getfixturevalue("no_reading")
    assert cached(project) == first


def test_the_answer_is_that_of_a_run_without_a_cache(project: Path) -> None:
    plain = fresh(project)
    assert [cached(project), cached(project)] == [plain, plain]


@pytest.mark.parametrize("name", ["app/agent.py", "requirements.txt", "app/new.py", ".gitignore", "sub/.gitignore"])
def test_a_file_that_was_changed_or_added_counts(project: Path, name: str) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "agent.py").write_text(AGENT, "utf-8")
    (project / ".git").mkdir()
    cached(project)
    text = "agent.py\n" if name.endswith("ignore") else "openai-agents==0.5.0\n" if name.endswith("txt") else AGENT
    (project / name).write_text(text, "utf-8")
    assert cached(project) == fresh(project)


def test_a_change_that_keeps_size_and_time_of_a_file_counts(project: Path) -> None:
    file = project / "app" / "agent.py"
    before = file.stat()
    first = cached(project)
    file.write_text(file.read_text("utf-8").replace("max_turns=None", "max_turns=1   "), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    assert cached(project) == fresh(project) != first


def test_an_ignore_file_above_the_project_counts_from_the_moment_it_is_there(project: Path) -> None:
    (project.parent / ".git").mkdir()
    first = cached(project)
    (project.parent / ".gitignore").write_text("app\n", "utf-8")
    assert cached(project) == fresh(project) != first


def test_what_a_link_leads_to_counts(project: Path) -> None:
    (project / "app" / "linked.py").symlink_to(project / "later.py")
    first = cached(project)
    (project / "later.py").write_text(AGENT, "utf-8")
    assert cached(project) == fresh(project) != first


def test_the_configuration_is_part_of_the_question(project: Path) -> None:
    cached(project)
    narrow = CACHED._replace(data=CACHED.data._replace(exclude=("app",)))
    assert not pipeline.analyze([project], narrow, today=TODAY).report.applicable


def test_the_same_content_elsewhere_has_the_same_answer(project: Path, tmp_path: Path, analysed: list[str]) -> None:
    elsewhere = tmp_path / "elsewhere" / "project"
    elsewhere.parent.mkdir()
    first = cached(project)
    project.rename(elsewhere)
    assert cached(elsewhere) == first
    assert analysed == ["analysed"]


def test_comments_that_hide_findings_still_do(project: Path) -> None:
    file = project / "app" / "agent.py"
    comment = "    # agent-architecture: ignore[loop_guard_absence] one turn is all that it takes\n"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines[:-1], comment, lines[-1]]), "utf-8")
    first = cached(project)
    assert [hidden.reason for hidden in first.report.suppressed] == ["one turn is all that it takes"]
    assert cached(project) == first == fresh(project)


def test_a_file_that_has_just_been_written_is_read_again(
    project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "YOUNG", 10**15)
    cached(project)
    assert [file.suffix for file in folder.iterdir() if file.suffix != ".packs"] == [".answer"]


@pytest.mark.parametrize("rubbish", [b"", b"rubbish", b"\x80\x05N."])
def test_a_damaged_cache_changes_nothing(project: Path, folder: Path, rubbish: bytes) -> None:
    first = cached(project)
    for file in folder.iterdir():
        file.write_bytes(rubbish)
    assert cached(project) == first


def test_a_cache_that_cannot_be_written_changes_nothing(project: Path, folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file where the folder should be", "utf-8")
    assert cached(project) == fresh(project)


# ---------------------------------------------------------------------------------------------------------- the command
def test_two_runs_at_once_say_the_same(project: Path) -> None:
    command = [sys.executable, "-m", "agent_architecture", "analyze", str(project), "--format", "json"]
    started = [subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE) for _ in range(3)]
    texts = {process.communicate()[0] for process in started}
    assert len(texts) == 1
    assert run("analyze", project, "--format", "json", "--no-cache").stdout.encode() in texts


def test_no_cache_keeps_nothing(project: Path, folder: Path) -> None:
    assert run("analyze", project, "--no-cache").returncode == 0
    assert run("analyze", project, AGENT_ARCHITECTURE_NO_CACHE="1").returncode == 0
    assert not folder.exists()


def test_cache_clean_removes_what_was_kept_and_says_so(project: Path, folder: Path) -> None:
    run("analyze", project)
    kept = len(list(folder.iterdir()))
    assert kept
    done = run("cache", "clean")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"removed {kept} files, ")
    assert list(folder.iterdir()) == []
    assert run("cache", "dir").stdout == f"{folder}\n"


# ----------------------------------------------------------------------------------------------------------- the folder
def test_the_oldest_go_when_there_are_too_many_or_they_are_too_large(folder: Path) -> None:
    for number in range(5):
        cache.keep(folder / f"{number}.answer", b"x" * 1000, at_most=3, at_most_bytes=2500)
        os.utime(folder / f"{number}.answer", ns=(0, number * 10**9))
    assert sorted(file.name for file in folder.iterdir()) == ["3.answer", "4.answer"]


def test_a_file_of_somebody_else_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.keep(folder / "one.answer", b"x", at_most=1)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert cache.load(folder / "one.answer") is None


def test_who_interrupts_while_an_answer_is_kept_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_: Path, target: Path) -> Path:
        raise KeyboardInterrupt(target)

    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        cache.keep(tmp_path / "one.answer", "said", at_most=3)
    assert list(tmp_path.iterdir()) == []
