"""What a command needs is imported, and nothing else: that is most of what a short run costs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TELL = """
import sys
from agent_architecture.cli import main
code = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""

NEVER = {
    "agent_architecture.semantics.build",
    "agent_architecture.names.program",
    "agent_architecture.semantics.packs.packs",
    "ahocorasick_rs",
    "tree_sitter_python",
}
"""What understands code."""

SLOW = {
    "configparser",
    "dataclasses",
    "difflib",
    "email",
    "importlib.metadata",
    "inspect",
    "packaging.specifiers",
    "packaging.tags",
    "pathspec",
    "subprocess",
    "tempfile",
    "typing_extensions",
    "urllib.request",
    "yaml",
}
"""What a plain project of six files does not need, and takes long to import."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example, as it has been for a while: what changed just now is not kept by its looks."""
    copy = tmp_path / "support-agent"
    shutil.copytree(ROOT / "examples" / "support-agent", copy)
    for path in (copy, *copy.rglob("*")):
        os.utime(path, (0, 0))
    return copy


def imported(folder: Path, *arguments: str) -> set[str]:
    caches = dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"), str(folder / "cache"))
    # What an interpreter that measures coverage imports is not the command's doing.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE_", "COV_CORE_"))}
    done = subprocess.run(
        [sys.executable, "-c", TELL, *arguments],
        cwd=folder,
        env=kept | caches,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [("--help",), ("rules",), ("explain", "loop_guard_absence"), ("cache", "dir")])
def test_what_tells_of_rules_understands_no_code(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    found = imported(tmp_path, *arguments)
    assert not found & (NEVER | SLOW)


def test_explain_imports_the_one_detector(tmp_path: Path) -> None:
    found = imported(tmp_path, "explain", "loop_guard_absence")
    detectors = {name for name in found if name.startswith("agent_architecture.detectors.") and name.count(".") == 3}
    assert detectors == {"agent_architecture.detectors.reliability.loop_guard_absence"}


def test_a_cold_run_of_a_plain_project_imports_nothing_slow(project: Path, tmp_path: Path) -> None:
    imported(tmp_path, "analyze", str(project), "--no-progress")  # the packs are compiled, and read from TOML for that
    (project / "support" / "further.py").write_text("x = 1\n", encoding="utf-8")
    found = imported(tmp_path, "analyze", str(project), "--no-progress")
    assert "agent_architecture.semantics.build" in found
    assert not found & SLOW


def test_where_nothing_changed_no_code_is_understood(project: Path, tmp_path: Path) -> None:
    imported(tmp_path, "analyze", str(project), "--no-progress")
    found = imported(tmp_path, "analyze", str(project), "--no-progress")
    assert not found & (NEVER | SLOW)
