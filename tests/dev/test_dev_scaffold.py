"""`./dev new`: what it writes works before anybody edits it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agent_architecture.model.system import SiteKind
from agent_architecture.semantics.packs import load_packs

ROOT = Path(__file__).resolve().parents[2]
DETECTORS = [
    ("coordination", "routing_pattern_risk"),
    ("reliability", "trace_eval_regression_risk"),  # owns a ratio
    ("tool_execution", "agent_shell_capable"),  # owns a count
]
BLOCK = re.compile(r"^## (Gaps|Fine)$|^```(python|typescript)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNS = {"python": "page.py", "typescript": "page.ts"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A project like this one, without the detectors that are scaffolded here."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for group, key in DETECTORS:
        for kind in ("py", "md"):
            (tmp_path / f"src/agent_architecture/detectors/{group}/{key}.{kind}").unlink(missing_ok=True)
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
def test_a_new_detector_is_found_and_its_page_holds(copy: Path, group: str, key: str) -> None:
    done = new(copy, "detector", group, key)
    assert done.returncode == 0, done.stderr
    code, page = (copy / name for name in done.stdout.split())
    loaded = run_in(copy, "-c", f"from agent_architecture.registry import load_one; print(load_one({key!r}).key)")
    assert loaded.stdout.strip() == key, loaded.stderr
    configuration = str(ROOT / "pyproject.toml")
    style = run_in(copy, "-m", "ruff", "check", "--quiet", "--no-cache", "--config", configuration, str(code))
    assert style.stdout == ""
    assert expected(page, key) == judged(copy, page, key)


def expected(page: Path, key: str) -> list[tuple[str, int, str]]:
    """Section and file, line and outcome of each expectation on a page."""
    found = []
    for place, text in blocks(page):
        for number, line in enumerate(text.splitlines(), 1):
            if comment := re.search(rf"(?:#|//) (gap|ok): {key}$", line):
                found.append((place, number, {"gap": "absent", "ok": "controlled"}[comment[1]]))
    assert len(found) == 4
    return sorted(found)


def judged(root: Path, page: Path, key: str) -> list[tuple[str, int, str]]:
    for place, text in blocks(page):
        file = root / "project" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    done = run_in(
        root, "-m", "agent_architecture", "analyze", "project", "--format", "json", "--subjects", "--no-progress"
    )
    assert done.returncode == 0, done.stderr
    subjects = json.loads(done.stdout)["results"][0]["subjects"]
    return sorted((each["path"], each["line"], each["outcome"]) for each in subjects if each["key"].endswith(key))


def blocks(page: Path) -> list[tuple[str, str]]:
    found, section = [], ""
    for heading, language, text in BLOCK.findall(page.read_text()):
        section = heading.lower() or section
        if language:
            found.append((f"{section}/{RUNS[language]}", text))
    return found


def test_a_new_pack_loads_and_finds_what_its_page_shows(copy: Path) -> None:
    done = new(copy, "framework", "new-library")
    assert done.returncode == 0, done.stderr
    pack, page = done.stdout.split()
    assert page == "tests/frameworks/new-library.md"
    assert "new-library" in load_packs((copy / pack).parent).packs
    text = re.findall(r"^```python\n(.*?)^```$", (copy / page).read_text(), re.MULTILINE | re.DOTALL)[0]
    (copy / "project").mkdir()
    (copy / "project" / "app.py").write_text(text)
    done = run_in(copy, "-m", "agent_architecture", "analyze", "project", "--format", "json", "--no-progress")
    sites = json.loads(done.stdout)["project"]["sites"]
    assert [(site["line"], site["kind"], site["framework"]) for site in sites] == [(4, SiteKind.RUN, "new-library")]


def test_nothing_is_overwritten(copy: Path) -> None:
    assert new(copy, "framework", "new-library").returncode == 0
    page = copy / "tests/frameworks/new-library.md"
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
