"""What fails a run, and with which exit code, on real files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.policy.policy_project import run, write

from agent_architecture.config import Invariant, PolicyConfig
from agent_architecture.contract import full
from agent_architecture.detector import Severity
from agent_architecture.pipeline import analyze
from agent_architecture.policy.gate import judge
from agent_architecture.report import Outcome
from agent_architecture.scoring import Failure

LOOP = full("loop_guard_absence")
HEALTH = full("overall_agent_health")


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return analyze([write(tmp_path_factory.mktemp("project"))])


def failing(outcome: Outcome) -> Outcome:
    """The same outcome, as if a detector had failed."""
    scores = outcome.report.scores._replace(failed=(Failure(LOOP, "KeyError: 'x'"),))
    return outcome._replace(report=outcome.report._replace(scores=scores))


# ---------------------------------------------------------------------------------------------------------- exit codes
def test_findings_alone_do_not_fail_a_run(analysed: Outcome) -> None:
    assert analysed.report.findings
    assert judge(analysed, PolicyConfig()).decision == (0, ())


def test_an_error_of_the_policy_fails_it(analysed: Outcome) -> None:
    done = judge(analysed, PolicyConfig(invariants=(Invariant(HEALTH, ">", 1),)))
    assert done.decision == (1, ("1 policy error",))


def test_warnings_alone_do_not_fail_it(analysed: Outcome) -> None:
    done = judge(analysed, PolicyConfig(invariants=(Invariant(HEALTH, ">", 1, severity="warning"),)))
    assert (len(done.violations), done.decision.exit_code) == (1, 0)


@pytest.mark.parametrize("severity", [Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL])
def test_fail_on_fails_at_this_severity_and_above(analysed: Outcome, severity: Severity) -> None:
    worse = list(Severity)[list(Severity).index(severity) :]
    expected = any(finding.severity in worse for finding in analysed.report.findings)
    assert judge(analysed, PolicyConfig(fail_on=severity)).decision.exit_code == int(expected)


def test_a_failed_detector_is_3_and_goes_before_a_violation(analysed: Outcome) -> None:
    policy = PolicyConfig(invariants=(Invariant(HEALTH, ">", 1),))
    done = judge(failing(analysed), policy)
    assert done.decision == (3, ("1 detector failed: loop_guard_absence", "1 policy error"))


def test_a_key_of_a_failed_detector_is_told_as_unchecked(analysed: Outcome) -> None:
    data = tuple(row for row in analysed.report.data if row.key != LOOP)
    broken = failing(analysed._replace(report=analysed.report._replace(data=data)))
    done = judge(broken, PolicyConfig(invariants=(Invariant(LOOP, "==", 0),)))
    assert [notice.message for notice in done.report.notices][:1] == [
        "loop_guard_absence could not be checked: its detector failed"
    ]
    assert done.decision.exit_code == 3


def test_a_stale_name_is_a_notice_that_leaves_nothing_unread(analysed: Outcome) -> None:
    policy = PolicyConfig(invariants=(Invariant("agent_eval_absence", "<=", 1),), strict=True)
    done = judge(analysed, policy)
    assert done.decision.exit_code == 0
    assert "agent_eval_absence is called agent_eval_maturity_gap now" in done.report.notices[0].message


# ------------------------------------------------------------------------------------------------- the command line
def test_require_agents_fails_where_nothing_was_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plain.py").write_text("print('hello')\n")
    assert run(capsys, "analyze", tmp_path).code == 0
    done = run(capsys, "analyze", tmp_path, "--require-agents")
    assert done.code == 1
    assert "no agent call sites found (--require-agents)" in done.out


def test_require_agents_is_content_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "analyze", write(tmp_path), "--require-agents").code == 0


def test_fail_on_is_said_at_the_end_and_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    text = run(capsys, "analyze", tmp_path, "--fail-on", "low")
    document = run(capsys, "analyze", tmp_path, "--fail-on", "low", "--format", "json")
    assert (text.code, document.code) == (1, 1)
    (reason,) = document.json["decision"]["reasons"]
    assert "of severity low or worse (--fail-on)" in reason
    assert f"failed: {reason}" in " ".join(text.out.split())


def test_strict_makes_what_was_left_unread_3_and_goes_before_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    (tmp_path / "large.py").write_text("x = 1\n" * 1000)
    flags = ("--max-file-size", "2000", "--fail-on", "low")
    assert run(capsys, "analyze", tmp_path, *flags).code == 1
    assert run(capsys, "analyze", tmp_path, *flags, "--strict").code == 3


@pytest.mark.parametrize("severity", ["good", "severe", ""])
def test_fail_on_takes_the_four_severities_of_gaps(severity: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "analyze", "--fail-on", severity)
    assert done.code == 2
    assert "invalid choice" in done.err


def test_a_mistake_in_the_policy_goes_before_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    (tmp_path / "large.py").write_text("x = 1\n" * 1000)
    flags = ("--max-file-size", "2000", "--strict", "--fail-on", "low")
    assert run(capsys, "analyze", tmp_path, *flags).code == 3
    done = run(capsys, "analyze", tmp_path, *flags, "--baseline", "no-such-thing")
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize(("flags", "count"), [((), 3), (("--fail-fast",), 2)])
def test_all_violations_are_told_unless_the_first_error_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], count: int
) -> None:
    rules = ("{op: '<', value: 0, severity: warning,", "{op: '<', value: 0,", "{op: '>', value: 1,")
    lines = [f"    - {rule} metric: overall_agent_health}}\n" for rule in rules]
    (write(tmp_path) / "agent-architecture.yaml").write_text("policy:\n  invariants:\n" + "".join(lines))
    done = run(capsys, "analyze", tmp_path, "--format", "json", *flags)
    assert (done.code, done.json["violations_count"], len(done.json["violations"])) == (1, count, count)
