"""The scan for words leaves files out: what that loses is found by parsing everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from ecosystem.selection import compare

from agent_architecture.sources.scan import Scanner
from ecosystem import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "support-agent"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def test_files_that_no_agent_needs_are_left_out_and_nothing_is_lost(tmp_path: Path) -> None:
    agent = "from agents import Agent, Runner\n\nclerk = Agent(name='clerk')\nRunner.run_sync(clerk, 'hello')\n"
    others = {f"sums{number}": "def add(a, b):\n    return a + b\n" for number in range(3)}
    found = compare(write(tmp_path, clerk=agent, **others))
    assert (found.selected.parsed, found.whole.parsed) == (1, 4)
    assert found.whole.said
    assert (found.lost, found.odd) == ((), ())


def test_what_a_scan_loses_is_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(Scanner, "hits", lambda *_: frozenset())
    assert run.main(["--selection", str(EXAMPLE)]) == 1
    shown = capsys.readouterr().out
    assert "  lost  " in shown
    assert shown.endswith("selection: 0 of 1 projects are read the same\n")


def test_the_example_is_read_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--selection", str(EXAMPLE)]) == 0
    assert "0 differ" in capsys.readouterr().out
