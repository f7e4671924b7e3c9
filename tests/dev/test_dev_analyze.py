"""`./dev analyze`: without a path it judges the example, whatever values its flags take."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "development" / "analyze.py"


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], cwd=cwd, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    "arguments", [("--format", "json"), ("--no-cache", "--format=json", "--jobs", "1", "--include-tests")]
)
def test_the_value_of_a_flag_is_no_path(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["project"]["name"] == "support-agent"


@pytest.mark.parametrize("arguments", [("here", "--format", "json"), ("--format", "json", "--", "here")])
def test_a_path_is_obeyed_wherever_it_stands(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    done = run(*arguments, cwd=tmp_path)
    assert json.loads(done.stdout)["project"]["name"] == "here"


def test_a_mistake_and_the_help_are_the_commands_own(tmp_path: Path) -> None:
    mistake = run("--formt", "json", cwd=tmp_path)
    assert (mistake.returncode, mistake.stderr.count("error: ")) == (2, 1)
    assert run("--help", cwd=tmp_path).stdout.startswith("usage: agent-architecture analyze")
