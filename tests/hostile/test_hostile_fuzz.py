"""Two thousand damaged files (`./dev fuzz`): nothing is raised, nothing hangs, a second process says the same bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

SCRIPT: Final = Path(__file__).parents[2] / "development" / "fuzz.py"
FILES: Final = 500
BATCHES: Final = range(4)
"""Each is a test of its own, so that processes can share them."""


@pytest.mark.parametrize("batch", BATCHES)
def test_damaged_files_do_no_harm(batch: int) -> None:
    flags = ["--files", str(FILES), "--first", str(batch * 1000), "--seed", "2026", "--seconds", "600"]
    done = fuzz(*flags)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 projects failed" in done.stdout
    assert int(done.stdout.split()[0]) >= FILES


def fuzz(*flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *flags], capture_output=True, encoding="utf-8", check=False)


def test_a_run_that_was_ended_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "corpora" / "one"
    folder.mkdir(parents=True)
    (folder / "main.py").write_text("from agents import Agent\n\nagent = Agent(name='a')\n", encoding="utf-8")
    flags = [str(folder.parent), "--record", str(tmp_path / "record.json"), "--one-core", "--files"]
    assert fuzz(*flags, "50").stdout.startswith("50 damaged files")
    assert fuzz(*flags, "100").stdout.startswith("100 damaged files")
    (stretch,) = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert (stretch["first"], stretch["next"], stretch["files"], stretch["failed"]) == (0, 2, 100, [])
    assert fuzz(*flags, "100").stdout.startswith("100 damaged files")
