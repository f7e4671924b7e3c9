"""A round on whole reports is judged by a sample: drawn with a seed over all detectors, counted as readers wrote it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from ecosystem.judged import Said
from ecosystem.labels import Place
from ecosystem.record import HEAD_OF_STATEMENTS, Counts, as_toml, read, rounds
from ecosystem.sample import DRAWN, One, drawn, recorded

from agent_architecture.detector import Outcome
from agent_architecture.model.confidence import Confidence
from ecosystem import run

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "support-agent"


def gap(key: str, line: int) -> One:
    said = Said(Place("a.py", line), "", Outcome.ABSENT, 1.0, "", Confidence.HIGH)
    return One("gap", "p", key, said)


def test_every_detector_is_drawn_from_before_one_fills_the_sample() -> None:
    often = [gap("tool_sandbox_enforcement_gap", line) for line in range(500)]
    seldom = [gap("deadlock_risk", line) for line in range(3)]
    sample = drawn("seed", [*often, *seldom])
    assert len(sample) == DRAWN["gap"]
    assert sum(one.key == "deadlock_risk" for one in sample) == 3


def test_a_seed_draws_the_same_whatever_the_order_and_another_seed_something_else() -> None:
    every = [gap("deadlock_risk", line) for line in range(500)]
    assert drawn("seed", every) == drawn("seed", every[::-1])
    assert drawn("seed", every) != drawn("other", every)


def test_a_sample_of_a_project_is_filled_in_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--sample", "seed", str(EXAMPLE)]) == 0
    text = capsys.readouterr().out
    sample = tomllib.loads(text)
    assert sample["gap"]
    assert {"project", "key", "at", "reason", "confidence", "judged"} <= sample["gap"][0].keys()
    file = tmp_path / "judged.toml"
    file.write_text(text, encoding="utf-8")
    assert run.main(["--sample", "--judged", str(file)]) == 2
    assert "'judged' is one of true, false, debatable" in capsys.readouterr().err
    words = iter(["false", "debatable"])
    parts = text.split('judged = ""')
    filled = "".join(part + f'judged = "{next(words, "true")}"' for part in parts[:-1]) + parts[-1]
    file.write_text(filled, encoding="utf-8")
    assert run.main(["--sample", "--judged", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = "controlled" if "controlled" in sample else "gap"  # the first kind in the file
    first = next(line for line in lines if line.startswith(listed))
    assert first.split()[1:6:2] == [str(len(sample[listed]) - 2), "1", "1"]


def test_what_was_judged_is_kept_by_rule_and_confidence(tmp_path: Path) -> None:
    last = rounds()[-2:]
    told = [
        ("gap", "true", "high"),
        ("gap", "false", "medium"),
        ("gap", "debatable", "high"),
        ("controlled", "false", "low"),
    ]
    judged = [(kind, {"key": "deadlock_risk", "judged": word, "confidence": grade}) for kind, word, grade in told]
    found = recorded(last, judged)
    counts = Counts(right=(1, 0, 0), false=(0, 1, 0), denied=(0, 0, 1))
    assert (found.rules, found.tool) == ({"deadlock_risk": counts}, last[0]["tool"])
    assert found.projects == tuple(name for one in last for name in one["projects"])
    file = tmp_path / "kept.toml"
    file.write_text(as_toml(found, HEAD_OF_STATEMENTS), encoding="utf-8")
    assert read(file) == found


def test_statements_are_kept_of_rounds_that_are_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "judged.toml"
    file.write_text("", encoding="utf-8")
    assert run.main(["--sample", "--judged", str(file), "--record", "none"]) == 2
    assert "no round is called none" in capsys.readouterr().err
