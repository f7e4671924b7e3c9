"""What makes a test an evaluation: cases, graders, trials, attacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals_project import AGENT, CASES, CLERK, file_of, kinds, only_suite, understand


def test_a_table_of_cases_that_is_run_for_real_is_an_evaluation(tmp_path: Path) -> None:
    suite = only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": CASES})
    assert (suite.dataset, suite.scorer, suite.threshold) == (True, True, True)
    assert (suite.trajectory, suite.adversarial, suite.mocked_model) == (False, False, False)


@pytest.mark.parametrize(
    "body",
    [
        "@pytest.mark.parametrize('q', load())\ndef test_it(q):\n    assert app.answer(q)",
        "def test_it():\n    for q, a in ROWS:\n        assert app.answer(q) == a",
        (
            "@pytest.fixture\n"
            "def agent():\n"
            "    return app.agent\n\n\n"
            "@pytest.mark.parametrize('q', ['a', 'b'])\n"
            "def test_it(agent, q):\n"
            "    assert agent.invoke({'messages': [q]})"
        ),
        (
            "def run(q):\n"
            "    return app.answer(q)\n\n\n"
            "@pytest.mark.parametrize('q', ['a', 'b'])\n"
            "def test_it(q):\n"
            "    assert run(q)"
        ),
    ],
)
def test_cases_may_come_in_several_ways(tmp_path: Path, body: str) -> None:
    assert kinds(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}) == ["evaluation"]


def test_one_row_is_one_case(tmp_path: Path) -> None:
    body = "@pytest.mark.parametrize('q', ['a'])\ndef test_it(q):\n    assert app.answer(q)"
    assert kinds(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}) == ["one case"]


@pytest.mark.parametrize(
    ("grader", "trajectory"),
    [
        ("assert 'x' in result", False),
        ("assert [m.tool_calls for m in result['messages']] == ['upper']", True),
        ("called = result['tool_calls']\n    assert called", True),
        ("assert Path('out.txt').exists()", True),
        ("rows = sqlite3.connect('db').execute('select 1').fetchall()\n    assert rows", True),
    ],
)
def test_a_grader_may_look_at_steps_or_at_the_state_that_is_left(tmp_path: Path, grader: str, trajectory: bool) -> None:
    body = f"@pytest.mark.parametrize('q', ['a', 'b'])\ndef test_it(q):\n    result = app.answer(q)\n    {grader}"
    text = file_of(body, "import sqlite3\nfrom pathlib import Path")
    assert only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": text}).trajectory is trajectory


@pytest.mark.parametrize(
    ("loop", "found"),
    [
        ("for case in CASES:\n    result = answer(case['q'])\n    passed += result == case['a']\n", True),
        ("for case in CASES:\n    result = answer(case['q'])\n    scores.append(grade(result, case['a']))\n", True),
        ("for case in CASES:\n    result = answer(case['q'])\n    print(case['q'], result)\n", False),
        ("for case in CASES:\n    answer(case['q'])\n", False),
        (
            "def one(case):\n    return answer(case['q']) == case['a']\n\n\nresults = [one(case) for case in CASES]\n",
            True,
        ),
    ],
)
def test_a_loop_is_an_evaluation_when_it_compares_answers_with_cases(tmp_path: Path, loop: str, found: bool) -> None:
    cases = "CASES = [{'q': 'a', 'a': 'A'}, {'q': 'b', 'a': 'B'}]\npassed = 0\nscores = []\n\n\n"
    text = f"from app import answer\n\n{cases}{loop}"
    suites = understand(tmp_path, {"app.py": AGENT, "scripts/grade.py": text}).eval_suites
    assert bool(suites) is found


def test_a_batch_of_the_application_is_no_evaluation(tmp_path: Path) -> None:
    text = (
        "from app import answer\n\n\n"
        "def work(queue):\n"
        "    for job in queue:\n"
        "        result = answer(job.text)\n"
        "        if result == 'retry':\n"
        "            job.again()\n"
        "        job.done(result)\n\n\n"
        "work([])\n"
    )
    assert understand(tmp_path, {"app.py": AGENT, "worker.py": text}).eval_suites == ()


@pytest.mark.parametrize(
    ("body", "trials"),
    [
        (
            (
                "@pytest.mark.parametrize('q', ['a', 'b'])\n"
                "@pytest.mark.parametrize('n', range(4))\n"
                "def test_it(q, n):\n"
                "    assert app.answer(q)"
            ),
            4,
        ),
        (
            (
                "@pytest.mark.repeat(5)\n"
                "@pytest.mark.parametrize('q', ['a', 'b'])\n"
                "def test_it(q):\n"
                "    assert app.answer(q)"
            ),
            5,
        ),
        (
            (
                "TRIALS = 6\n\n\n"
                "@pytest.mark.parametrize('q', ['a', 'b'])\n"
                "def test_it(q):\n"
                "    for _ in range(TRIALS):\n"
                "        assert app.answer(q)"
            ),
            6,
        ),
        ("@pytest.mark.parametrize('q', ['a', 'b'])\ndef test_it(q):\n    assert app.answer(q)", None),
    ],
)
def test_trials_are_counted(tmp_path: Path, body: str, trials: int | None) -> None:
    assert only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}).trials.value == trials


def test_a_suite_that_says_that_it_attacks_does(tmp_path: Path) -> None:
    body = "@pytest.mark.parametrize('text', ['a', 'b'])\ndef test_prompt_injection(text):\n    assert app.answer(text)"
    assert only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}).adversarial


def test_cases_of_javascript_may_stand_in_a_loop_around_the_test(tmp_path: Path) -> None:
    test = (
        'import { answer } from "./agent";\n'
        'for (const q of ["a", "b"]) {\n'
        "  test(q, async () => {\n"
        "    expect(await answer(q)).toBe(q);\n"
        "  });\n"
        "}\n"
    )
    assert kinds(tmp_path, {"agent.ts": CLERK, "agent.test.ts": test}) == ["evaluation"]
