"""A run that is interrupted, a full disk, a home that cannot be written, a cache that is none any more: the answer is
right, or one line says what is wrong, and no half file stays.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from hostile_runs import BOUNDED, PATIENCE, SOURCES, analyze, project

from agent_architecture import cache
from agent_architecture.version import VERSION

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "support-agent"
SMALL_FILES: Final = """\
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
"""
"""A disk on which no file grows over two thousand bytes, as a full one."""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example, whose files are old enough for the cache to trust their times."""
    shutil.copytree(EXAMPLE, tmp_path / "project")
    for path in (tmp_path / "project", *(tmp_path / "project").rglob("*")):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return tmp_path / "project"


def environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"], "HOME": str(folder.parent / "home"), "XDG_CACHE_HOME": str(folder.parent / "cache"),
        "PYTHONPATH": SOURCES, "PYTHONUTF8": "1",
    }  # fmt: skip


def kept(folder: Path) -> list[Path]:
    """The files of the cache."""
    return sorted((folder.parent / "cache" / cache.NAME).iterdir())


# ------------------------------------------------------------------------------------------------ interrupted and full
def test_an_interrupted_run_leaves_nothing_half(example: Path) -> None:
    target = example.parent / "report.json"
    for after in (0.2, 0.8, 1.6):
        command = [sys.executable, "-c", BOUNDED, "analyze", ".", "--no-progress", "--output", str(target)]
        process = subprocess.Popen(command, cwd=example, env=environment(example), stderr=subprocess.PIPE)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode in {0, 130, -signal.SIGINT, 1}, said
        assert not target.exists() or target.read_bytes().endswith(b"}\n")
    ran = analyze(".", "--format", "json", at=example)
    assert ran.out == analyze(".", "--format", "json", "--no-cache", at=example).out
    assert [file.suffix for file in kept(example) if file.suffix not in {".answer", ".place", ".packs"}] == []


def test_on_a_full_disk_the_answer_is_right_and_nothing_half_is_kept(example: Path) -> None:
    whole = analyze(".", "--format", "json", "--no-cache", at=example)
    command = [sys.executable, "-c", SMALL_FILES + BOUNDED, "analyze", ".", "--format", "json", "--no-progress"]
    done = subprocess.run(
        command, cwd=example, env=environment(example), capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, whole.out, b"")
    assert [file for file in kept(example) if file.suffix not in {".answer", ".place", ".packs"}] == []
    assert analyze(".", "--format", "json", at=example).out == whole.out


def test_a_report_that_does_not_fit_on_the_disk_is_one_line(example: Path) -> None:
    command = [sys.executable, "-c", SMALL_FILES + BOUNDED, "analyze", ".", "--no-progress", "--output", "../r.json"]
    done = subprocess.run(
        command, cwd=example, env=environment(example), capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: cannot write ../r.json")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_standard_output_that_is_full_is_one_line(example: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-c", BOUNDED, "analyze", ".", "--format", "json", "--no-progress"]
        done = subprocess.run(
            command,
            cwd=example,
            env=environment(example),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("home", ["/proc", "/dev/null", "/nonexistent/home", ""])
def test_a_home_that_cannot_be_written_changes_nothing(home: str, example: Path) -> None:
    whole = analyze(".", "--format", "json", "--no-cache", at=example)
    ran = analyze(".", "--format", "json", at=example, HOME=home, XDG_CACHE_HOME="")
    assert (ran.out, ran.said) == (whole.out, "")


# ----------------------------------------------------------------------------------------------------------- the cache
def test_a_cache_cut_off_anywhere_changes_nothing(example: Path) -> None:
    whole = analyze(".", "--format", "json", at=example)
    originals = {file: file.read_bytes() for file in kept(example)}
    assert {file.suffix for file in originals} >= {".answer"}
    for share in (0.0, 0.1, 0.5, 0.99):
        for file, data in originals.items():
            file.write_bytes(data[: int(len(data) * share)])
        ran = analyze(".", "--format", "json", at=example)
        assert (ran.out, ran.said) == (whole.out, "")


@pytest.mark.parametrize("value", [None, (), ("a", "b", "c"), "text", {"a": 1}, ("x", (("y", None),)), 10**6], ids=str)
def test_a_cache_that_holds_something_else_changes_nothing(value: object, example: Path) -> None:
    whole = analyze(".", "--format", "json", at=example)
    for file in kept(example):
        file.write_bytes(pickle.dumps(value))
    ran = analyze(".", "--format", "json", at=example)
    assert (ran.out, ran.said) == (whole.out, "")


def test_a_cache_in_the_project_is_not_loaded(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    inside = folder / ".cache"
    whole = analyze(".", "--format", "json", "--no-cache", at=folder)
    assert analyze(".", "--format", "json", at=folder, XDG_CACHE_HOME=str(inside)).out == whole.out
    assert not inside.exists()
    (folder / "src").mkdir()
    (folder / ".git").mkdir()
    analyze("src", "--format", "json", at=folder, XDG_CACHE_HOME=str(inside))
    assert not inside.exists()


def test_processes_that_share_a_cache_say_the_same(example: Path) -> None:
    command = [sys.executable, "-c", BOUNDED, "analyze", ".", "--format", "json", "--no-progress"]
    running = [
        subprocess.Popen(command, cwd=example, env=environment(example), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    answers = {process.communicate(timeout=PATIENCE) for process in running}
    whole = analyze(".", "--format", "json", "--no-cache", at=example)
    assert answers == {(whole.out, b"")}
    assert analyze(".", "--format", "json", at=example).out == whole.out


def test_a_cache_of_another_version_is_not_believed(example: Path) -> None:
    """Two versions share a cache folder, and say of the same project each its own: an update, or one of each beside
    the other.
    """
    other = example.parent / "other"
    shutil.copytree(
        Path(SOURCES) / "agent_architecture", other / "agent_architecture", ignore=shutil.ignore_patterns("__pycache__")
    )
    page = other / "agent_architecture" / "version.py"
    page.write_text(page.read_text("utf-8").replace(f'"{VERSION}"', '"99.0.0"'), encoding="utf-8")
    detector = other / "agent_architecture" / "detectors" / "reliability" / "loop_guard_absence.py"
    detector.write_text(detector.read_text("utf-8").replace('title="', 'title="Otherwise: '), encoding="utf-8")

    def said(place: str) -> tuple[bytes, bytes]:
        ran = [analyze(".", "--format", form, at=example, PYTHONPATH=place) for form in ("json", "sarif")]
        assert [one.said for one in ran] == ["", ""]
        return ran[0].out, ran[1].out

    own = said(SOURCES)
    before = {file.name for file in kept(example) if file.suffix == ".answer"}
    others = said(str(other))
    after = {file.name for file in kept(example) if file.suffix == ".answer"}
    assert len(after - before) == len(before) == 1
    assert b"99.0.0" in others[0]
    assert b"Otherwise: " in others[1]
    assert b"99.0.0" not in own[0]
    assert (said(SOURCES), said(str(other))) == (own, others)
