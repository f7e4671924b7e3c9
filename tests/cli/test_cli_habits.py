"""What users bring along from other tools: names of commands, short flags, a look at the help."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.test_cli_command import run


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("check", "analyze"), ("lint", "analyze"), ("scan", "analyze"), ("Audit", "analyze"), ("list", "rules")],
)
def test_what_users_of_other_tools_type_leads_to_what_they_mean(typed: str, meant: str) -> None:
    done = run(typed)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: there is no command {typed!r}; did you mean {meant}?")


def test_help_shows_a_configuration_and_a_comment_that_are_obeyed(tmp_path: Path) -> None:
    for arguments in (["--help"], ["analyze", "--help"]):
        text = run(*arguments).stdout
        assert "agent-architecture.yaml" in text
        assert "# agent-architecture: ignore[loop-guard-absence] " in text
    example = next(line for line in text.splitlines() if line.startswith("  data: "))
    (tmp_path / "agent-architecture.yaml").write_text(example.strip() + "\n", encoding="utf-8")
    assert run("config", "validate", cwd=tmp_path).returncode == 0


def test_the_output_has_a_short_flag(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert run("analyze", ".", "-o", "out.json", cwd=tmp_path).returncode == 0
    assert (tmp_path / "out.json").read_text(encoding="utf-8").startswith("{")
