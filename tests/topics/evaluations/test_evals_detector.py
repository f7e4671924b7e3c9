"""The verdict, its place and reason, and the four signals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from evals_project import AGENT, CASES, understand

from agent_architecture.detector import Outcome
from agent_architecture.detectors.reliability import agent_eval_maturity_gap as detector
from agent_architecture.model.settings import unknown, written
from agent_architecture.model.system import AgentSystem, CiJob, EvalSuite, Project, Site, SiteKind
from agent_architecture.sources.source import Span


def span(path: str, line: int = 1) -> Span:
    return Span(path, line, 1, line, 2)


SITE = Site(span("app.py", 7), "answer", "", SiteKind.RUN)
EVAL = EvalSuite(span("evals/a.py"), "a", "", dataset=True, scorer=True, started_by="a script")
THRICE = written(3, span("evals/a.py"))
GATE = CiJob(span("ci.yml"), "grade", "", threshold=True)
FULL = EVAL._replace(trajectory=True, trials=THRICE, adversarial=True)


def system(*suites: EvalSuite, jobs: tuple[CiJob, ...] = (), sites: tuple[Site, ...] = (SITE,)) -> AgentSystem:
    return AgentSystem(Project({}, {}, ()), sites=sites, eval_suites=suites, ci_jobs=jobs)


def risk(*suites: EvalSuite, jobs: tuple[CiJob, ...] = ()) -> float | None:
    (verdict,) = detector.agent_eval_maturity_gap.judge(system(*suites, jobs=jobs))
    return verdict.risk


def reason(*suites: EvalSuite, jobs: tuple[CiJob, ...] = ()) -> str:
    (verdict,) = detector.agent_eval_maturity_gap.judge(system(*suites, jobs=jobs))
    return verdict.reason


def signals(found: AgentSystem) -> dict[str, float]:
    return detector.signals(found, tuple(detector.agent_eval_maturity_gap.judge(found)))


UNIT = EvalSuite(span("test_a.py"), "test_a", "", mocked_model=True, started_by="the test run")


@pytest.mark.parametrize(
    ("suites", "jobs", "expected"),
    [
        ((), (), 1.0),
        ((UNIT,), (), 0.8),
        ((UNIT._replace(started_by=""),), (), 1.0),
        ((EVAL._replace(dataset=False),), (), 0.8),
        ((EVAL._replace(scorer=False),), (), 1.0),
        ((EVAL._replace(started_by=""),), (), 1.0),
        ((EVAL,), (), 0.6),
        ((EVAL._replace(scorer=False, trajectory=True),), (), 0.4),
        ((EVAL._replace(trajectory=True),), (), 0.4),
        ((EVAL._replace(trials=THRICE),), (), 0.6),
        ((EVAL._replace(trajectory=True, trials=written(2, span("x"))),), (), 0.4),
        ((EVAL._replace(trajectory=True, trials=unknown("the environment variable K")),), (), 0.4),
        ((EVAL._replace(trajectory=True, trials=THRICE),), (), 0.2),
        ((FULL,), (), 0.2),
        ((FULL._replace(adversarial=False),), (GATE,), 0.2),
        ((FULL,), (GATE._replace(threshold=False),), 0.2),
        ((FULL,), (GATE,), 0.0),
        ((EVAL._replace(trajectory=True), EVAL._replace(trials=THRICE, adversarial=True)), (GATE,), 0.0),
    ],
)
def test_a_level_needs_all_lower_ones(suites: tuple[EvalSuite, ...], jobs: tuple[CiJob, ...], expected: float) -> None:
    assert risk(*suites, jobs=jobs) == pytest.approx(expected)


def test_a_suite_that_is_not_run_adds_nothing() -> None:
    assert risk(EVAL, FULL._replace(started_by=""), jobs=(GATE,)) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("suites", "jobs", "said"),
    [
        ((), (), "No evaluation of this agent"),
        ((UNIT,), (), "mocked model (test_a.py:1)"),
        ((EVAL._replace(started_by=""),), (), "Evaluation a (evals/a.py:1) is never run"),
        ((EVAL._replace(scorer=False),), (), "grades nothing"),
        ((EVAL,), (), "grades final answers only"),
        ((EVAL._replace(trajectory=True),), (), "runs each case once"),
        ((EVAL._replace(trajectory=True, trials=written(2, span("x"))),), (), "runs each case 2 times"),
        ((EVAL._replace(trajectory=True, trials=unknown("K")),), (), "how often it runs a case comes from K"),
        ((FULL,), (), "is in no CI step"),
        ((FULL._replace(adversarial=False),), (GATE,), "has no adversarial case"),
        ((FULL,), (GATE._replace(threshold=False),), "does not fail CI (ci.yml:1)"),
        ((FULL,), (GATE,), "gates CI (ci.yml:1)"),
    ],
)
def test_the_reason_names_what_was_seen_and_what_is_missing(
    suites: tuple[EvalSuite, ...], jobs: tuple[CiJob, ...], said: str
) -> None:
    assert said in reason(*suites, jobs=jobs)


def test_the_verdict_stands_at_the_first_evaluation_that_counts_else_at_the_first_site() -> None:
    idle, later = EVAL._replace(span=span("a.py"), started_by=""), EVAL._replace(span=span("z.py"))
    (verdict,) = detector.agent_eval_maturity_gap.judge(system(idle, EVAL, later))
    assert verdict.span.path == "evals/a.py"
    (verdict,) = detector.agent_eval_maturity_gap.judge(system(idle))
    assert verdict.span.path == "a.py"
    (verdict,) = detector.agent_eval_maturity_gap.judge(system(UNIT))
    assert verdict.span == SITE.span


def test_without_a_site_there_is_no_verdict_but_what_is_present_is_measured() -> None:
    found = system(FULL, sites=())
    assert tuple(detector.agent_eval_maturity_gap.judge(found)) == ()
    assert signals(found) == {
        "agent_eval_maturity_score": 1.0,
        "trajectory_eval_coverage": 1.0,
        "adversarial_eval_present": 1.0,
        "stochastic_runs_present": 1.0,
    }


def test_the_signals_of_a_project_without_evaluations() -> None:
    assert signals(system(UNIT)) == {
        "agent_eval_maturity_score": pytest.approx(0.2),
        "trajectory_eval_coverage": 0.0,
        "adversarial_eval_present": 0.0,
        "stochastic_runs_present": 0.0,
    }


def test_the_share_of_suites_that_look_at_steps() -> None:
    assert signals(system(EVAL, FULL, UNIT))["trajectory_eval_coverage"] == pytest.approx(0.5)


def test_a_project_with_all_of_it_is_controlled(tmp_path: Path) -> None:
    attack = CASES.replace("test_answers", "test_jailbreak")
    steps = CASES.replace("    assert", "    for _ in range(3):\n        answer(question)\n    assert").replace(
        "expected in answer(question)", "answer(question).tool_calls == expected"
    )
    workflow = "on: push\njobs:\n  t:\n    steps:\n      - run: pytest\n"
    files = {
        "app.py": AGENT,
        "tests/test_app.py": steps,
        "tests/test_attacks.py": attack,
        ".github/workflows/a.yml": workflow,
    }
    (verdict,) = detector.agent_eval_maturity_gap.judge(understand(tmp_path, files))
    assert (verdict.outcome, str(verdict.span)) == (Outcome.CONTROLLED, "tests/test_app.py:7")


def test_the_evaluations_are_the_same_under_every_hash_seed(tmp_path: Path) -> None:
    files = {f"tests/test_{n}.py": CASES for n in range(6)}
    understand(tmp_path, {"app.py": AGENT, **files, "Makefile": "a b c:\n\tpytest\n"})
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from pathlib import Path\nfrom evals_project import understand\n"
        f"found = understand(Path({str(tmp_path)!r}), {{}})\nprint(found.eval_suites, found.ci_jobs)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert b"the target a of Makefile" in outputs.pop()


def test_more_tests_than_are_read_are_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agent_architecture.semantics.topics.evaluations import files as eval_files

    monkeypatch.setattr(eval_files, "LIMIT", 3 * len(CASES))
    found = understand(tmp_path, {"app.py": AGENT, **{f"tests/test_{n}.py": CASES for n in range(5)}})
    assert len(found.eval_suites) == 3
    (notice,) = found.project.notices
    assert (notice.path, notice.incomplete) == ("tests/test_3.py", True)
    assert "2 test files" in notice.message


def test_a_test_that_cannot_be_parsed_is_a_notice_and_hides_no_other(tmp_path: Path) -> None:
    broken = f"{CASES}\n\ndef (:\n" + "(" * 5000
    found = understand(tmp_path, {"app.py": AGENT, "tests/test_a.py": broken, "tests/test_b.py": CASES})
    assert "tests/test_b.py" in {suite.span.path for suite in found.eval_suites}
    assert "tests/test_a.py" in {notice.path for notice in found.project.notices}


def test_where_more_tests_are_there_than_are_read_those_called_evaluations_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agent_architecture.semantics.topics.evaluations import files as eval_files

    monkeypatch.setattr(eval_files, "LIMIT", 2 * len(CASES))
    files = {"app.py": AGENT, "tests/test_a.py": CASES, "tests/test_b.py": CASES, "tests/evals/test_z.py": CASES}
    found = understand(tmp_path, files)
    assert {suite.span.path for suite in found.eval_suites} == {"tests/evals/test_z.py", "tests/test_a.py"}
