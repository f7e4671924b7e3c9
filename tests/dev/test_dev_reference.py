"""`./dev docs` and the benchmark: what they write."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from agent_architecture.registry import load
from agent_architecture.semantics.packs.packs import own_packs

ROOT = Path(__file__).resolve().parents[2]


def reference(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "development" / "reference.py"), "--folder", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_pages_that_were_just_written_are_current(tmp_path: Path) -> None:
    assert reference(tmp_path, "--check").returncode == 1
    assert reference(tmp_path).returncode == 0
    assert reference(tmp_path, "--check").returncode == 0


def test_a_page_that_was_changed_by_hand_is_named(tmp_path: Path) -> None:
    reference(tmp_path)
    page = tmp_path / "frameworks.md"
    page.write_text(page.read_text() + "more\n")
    done = reference(tmp_path, "--check")
    assert done.returncode == 1
    assert done.stdout == "docs/frameworks.md is out of date: run ./dev docs\n"


def test_every_detector_and_every_package_is_listed(tmp_path: Path) -> None:
    reference(tmp_path)
    detectors, frameworks = (tmp_path / "detectors.md").read_text(), (tmp_path / "frameworks.md").read_text()
    for detector in load():
        page = f"src/agent_architecture/detectors/{detector.group}/{detector.key}.md"
        assert f"(../{page})" in detectors
        assert (ROOT / page).is_file()
        assert f"`{detector.rule_id}`" in detectors
    for pack in own_packs().packs.values():
        for package in pack.packages:
            assert f"| {pack.id} | `{package.name}` | {package.ecosystem} | {package.verified} |" in frameworks


def test_the_benchmark_measures_the_tool_its_stages_and_parsing_alone(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("from agents import Agent, Runner\nRunner.run_sync(Agent(name='a'), 'hi')\n")
    (tmp_path / "app.ts").write_text("export const a = 1;\n")
    command = [sys.executable, str(ROOT / "benchmarks" / "bench.py"), str(tmp_path), "--runs", "1", "--json"]
    (result,) = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert (result["files"], result["code_files"], result["thousand_code_lines"]) == (2, 2, 0.003)
    assert result["parse_only_seconds"] > 0
    assert result["wall_seconds"] > 0
    assert {"reading", "parsing", "judging"} <= result["stages_seconds"].keys()
    assert result["peak_megabytes"] is None or result["peak_megabytes"] > 5
