"""Two thousand damaged files (`./dev fuzz`): nothing is raised, nothing hangs, a second process says the same bytes."""

from __future__ import annotations

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
    done = subprocess.run([sys.executable, str(SCRIPT), *flags], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{FILES} damaged files, 0 projects failed")
