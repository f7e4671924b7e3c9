"""`./dev new`: what it writes works before anybody edits it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DETECTORS = [
    ("coordination", "routing_pattern_risk"),
    ("reliability", "trace_eval_regression_risk"),  # owns a ratio
    ("tool_execution", "agent_shell_capable"),  # owns a count
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A project like this one, without its detectors."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").mkdir()
    for file in [ROOT / "pyproject.toml", *(ROOT / "tests").glob("*.py")]:
        shutil.copy(file, tmp_path / file.relative_to(ROOT))
    for file in (tmp_path / "src/agent_architecture/detectors").glob("*/*.*"):
        if file.name != "__init__.py":
            file.unlink()
    return tmp_path


def new(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "development" / "scaffold.py"), "--root", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_in(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={"PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("group", "key"), DETECTORS)
def test_a_new_detector_is_in_order_and_its_page_holds(copy: Path, group: str, key: str) -> None:
    done = new(copy, "detector", group, key)
    assert done.returncode == 0, done.stderr
    code, page = (copy / name for name in done.stdout.split())
    assert code.with_suffix(".md") == page
    for check in (("check",), ("format", "--check")):
        style = run_in(copy, "-m", "ruff", *check, "--quiet", "--no-cache", str(code))
        assert (style.returncode, style.stdout) == (0, "")
    tested = run_in(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_pages.py", "-k", key)
    assert tested.returncode == 0, tested.stdout
    assert "3 passed" in tested.stdout  # gaps, fine, form


def test_a_new_pack_gives_the_model_that_its_page_shows(copy: Path) -> None:
    done = new(copy, "framework", "new-library")
    assert done.returncode == 0, done.stderr
    assert [(copy / name).stem for name in done.stdout.split()] == ["new_library", "new_library"]
    page = "tests/test_framework_pages.py"
    tested = run_in(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", page, "-k", "new_library")
    assert tested.returncode == 0, tested.stdout
    assert "3 passed" in tested.stdout  # the model, the pair, the form


def test_nothing_is_overwritten(copy: Path) -> None:
    assert new(copy, "framework", "new-library").returncode == 0
    page = copy / "tests/frameworks/new_library.md"
    page.write_text("mine")
    done = new(copy, "framework", "new-library")
    assert (done.returncode, page.read_text()) == (2, "mine")
    assert "is there already" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("detector", "reliability", "routing_pattern_risk"), "coordination routing_pattern_risk"),
        (("detector", "coordination", "routing_patern_risk"), "the nearest is routing_pattern_risk"),
        (("framework", "../escape"), "is no id"),
        (("framework", "Upper"), "is no id"),
    ],
)
def test_a_name_that_does_not_fit_is_refused_with_the_right_one(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = new(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []
