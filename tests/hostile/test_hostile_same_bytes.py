"""The same project says the same, byte for byte, whatever the hash seed, the place, the order of files, the number of
processes, the time zone, the locale and the folder that the command is started in.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest
from hostile_runs import analyze

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "support-agent"
FORMATS: Final = ("json", "sarif", "markdown", "github", "junit", "html", "console")
ENVIRONMENTS: Final = {
    "another hash seed": {"PYTHONHASHSEED": "1"},
    "a third hash seed": {"PYTHONHASHSEED": "4294967295"},
    "another time zone": {"TZ": "Pacific/Kiritimati"},
    "another locale": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    "no locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "optimised": {"PYTHONOPTIMIZE": "2", "COLUMNS": "40", "PYTHONDEVMODE": "0"},
}
JOBS: Final = ("2", "3")


def written(project: Path, *flags: str, at: Path | None = None, **environment: str) -> dict[str, bytes]:
    """What is written of a project in each format that does not depend on a terminal's encoding."""
    results = project.parent / "results"
    results.mkdir(exist_ok=True)
    outputs = [word for form in FORMATS for word in ("--format", form, "--output", str(results / form))]
    analyze(project, *flags, *outputs, "--no-cache", at=at or project, **environment)
    return {form: (results / form).read_bytes() for form in FORMATS}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A copy of the example, and what is written of it."""
    project = tmp_path_factory.mktemp("a") / "project"
    shutil.copytree(EXAMPLE, project)
    return project, written(project, PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C.UTF-8")


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_environment_changes_nothing(environment: str, first: tuple[Path, dict[str, bytes]]) -> None:
    project, said = first
    assert written(project, **ENVIRONMENTS[environment]) == said


@pytest.mark.parametrize("jobs", JOBS)
def test_the_number_of_processes_changes_nothing(jobs: str, first: tuple[Path, dict[str, bytes]]) -> None:
    project, said = first
    assert written(project, "--jobs", jobs, PYTHONHASHSEED="7") == said


def test_neither_the_place_nor_the_order_of_the_files_changes_anything(
    first: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    project, said = first
    other = tmp_path / "some where\u00e9lse" / "deeper" / "project"
    files = sorted(path.relative_to(project) for path in project.rglob("*") if path.is_file())
    for name in reversed(files):
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_bytes((project / name).read_bytes())
    assert written(other) == said
