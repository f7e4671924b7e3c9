"""What starts an evaluation, and which CI steps count as running it."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals_project import AGENT, CASES, CLERK, only_suite, understand

from agent_architecture.model.system import AgentSystem

EVALITE = """
import { evalite } from "evalite";
import { answer } from "../agent";

const long = ({ output }) => output.length;
evalite("clerk", { data: () => [{ input: "a", expected: "b" }], task: answer, scorers: [long] });
"""
EXPERIMENT = """
from langsmith import evaluate

from app import answer


def correct(outputs, reference_outputs):
    return outputs == reference_outputs


def main():
    evaluate(answer, data="questions", evaluators=[correct])
"""
WORKFLOW = "on: {on}\njobs:\n  t:\n    steps:\n      - name: Grade\n        run: {run}\n"


def workflow(run: str, on: str = "push") -> dict[str, str]:
    return {".github/workflows/a.yml": WORKFLOW.format(run=run, on=on)}


def gates(system: AgentSystem) -> list[bool]:
    return [job.threshold for job in system.ci_jobs]


# ------------------------------------------------------------------------------------------------------ who starts it
def test_a_test_file_is_collected_by_its_name(tmp_path: Path) -> None:
    suite = only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": CASES})
    assert suite.started_by == "the test run that collects tests/test_app.py"


def test_a_program_starts_what_it_calls(tmp_path: Path) -> None:
    text = f'{EXPERIMENT}\n\nif __name__ == "__main__":\n    main()\n'
    assert only_suite(tmp_path, {"app.py": AGENT, "evals/run.py": text}).started_by == "executing evals/run.py"


def test_a_function_that_nobody_calls_is_not_started(tmp_path: Path) -> None:
    assert only_suite(tmp_path, {"app.py": AGENT, "evals/run.py": EXPERIMENT}).started_by == ""


def test_a_command_of_a_command_line_starts_what_it_calls(tmp_path: Path) -> None:
    text = EXPERIMENT.replace("def main", "app = typer.Typer()\n\n\n@app.command()\ndef main").replace(
        "from langsmith", "import typer\nfrom langsmith"
    )
    assert only_suite(tmp_path, {"app.py": AGENT, "evals/run.py": text}).started_by == "executing evals/run.py"


def test_another_file_may_start_it(tmp_path: Path) -> None:
    files = {"app.py": AGENT, "evals/run.py": EXPERIMENT, "evals/__main__.py": "from evals.run import main\n\nmain()\n"}
    assert only_suite(tmp_path, files).started_by == "executing evals/__main__.py"


@pytest.mark.parametrize(
    ("entry", "starter"),
    [
        ("evals.run:main", "the script grade of pyproject.toml"),
        ("evals.run:other", ""),
        ("evals.walk:main", ""),
    ],
)
def test_an_entry_point_starts_the_function_that_it_names(tmp_path: Path, entry: str, starter: str) -> None:
    files = {
        "app.py": AGENT,
        "evals/run.py": EXPERIMENT,
        "pyproject.toml": f'[project.scripts]\ngrade = "{entry}"\n',
    }
    assert only_suite(tmp_path, files).started_by == starter


@pytest.mark.parametrize(
    ("files", "starter"),
    [
        ({}, ""),
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, ""),
        ({"package.json": '{"scripts": {"evals": "evalite run"}}'}, "the script evals of package.json"),
        ({"package.json": '{"scripts": {"evals": "evalite run other"}}'}, ""),
        ({"Makefile": "evals:\n\tnpx evalite\n"}, "the target evals of Makefile"),
        ({"run.sh": "npx evalite run\n"}, "run.sh"),
        (
            {"package.json": '{"scripts": {"evals": "evalite"}}', **workflow("npm run evals")},
            "the CI step at .github/workflows/a.yml:6",
        ),
    ],
)
def test_a_file_of_a_library_needs_its_command(tmp_path: Path, files: dict[str, str], starter: str) -> None:
    assert only_suite(tmp_path, {"agent.ts": CLERK, "evals/a.eval.ts": EVALITE, **files}).started_by == starter


# -------------------------------------------------------------------------------------------------------------- CI jobs
@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("pytest", [True]),
        ("uv run pytest -q tests", [True]),
        ("python -m pytest tests/test_app.py", [True]),
        ("tox -e py311", [True]),
        ("pytest || true", [False]),
        ("pytest tests/unit", []),
        ("pytest --ignore tests", []),
        ("pytest -m 'not slow'", [True]),
        ("ruff check .", []),
        ("vitest run", []),
    ],
)
def test_a_ci_step_runs_the_tests_that_its_paths_name(tmp_path: Path, run: str, expected: list[bool]) -> None:
    files = {"app.py": AGENT, "tests/test_app.py": CASES, **workflow(run)}
    assert gates(understand(tmp_path, files)) == expected


def test_a_mark_chooses_tests(tmp_path: Path) -> None:
    marked = CASES.replace("@pytest.mark.parametrize", "@pytest.mark.slow\n@pytest.mark.parametrize")
    files = {"app.py": AGENT, "tests/test_app.py": marked}
    assert gates(understand(tmp_path, {**files, **workflow("pytest -m 'not slow'")})) == []
    assert gates(understand(tmp_path, {**files, **workflow("pytest -m slow")})) == [True]
    assert gates(understand(tmp_path, {**files, **workflow("pytest -m 'fast or slow'")})) == [True]


@pytest.mark.parametrize(
    ("options", "run", "expected"),
    [
        ("addopts = \"-q -m 'not slow'\"", "pytest", []),
        ("addopts = \"-q -m 'not slow'\"", "pytest -m slow", [True]),
        ('testpaths = ["tests/unit"]', "pytest", []),
        ('testpaths = ["tests"]', "pytest", [True]),
        ('testpaths = ["tests/unit"]', "pytest tests", [True]),
    ],
)
def test_the_configuration_of_pytest_counts(tmp_path: Path, options: str, run: str, expected: list[bool]) -> None:
    marked = CASES.replace("@pytest.mark.parametrize", "@pytest.mark.slow\n@pytest.mark.parametrize")
    pyproject = f"[tool.pytest.ini_options]\n{options}\n"
    files = {"app.py": AGENT, "tests/test_app.py": marked, "pyproject.toml": pyproject, **workflow(run)}
    assert gates(understand(tmp_path, files)) == expected


def test_a_workflow_that_is_started_by_hand_is_no_gate(tmp_path: Path) -> None:
    files = {"app.py": AGENT, "tests/test_app.py": CASES, **workflow("pytest", on="workflow_dispatch")}
    assert gates(understand(tmp_path, files)) == [False]


def test_unit_tests_with_a_stand_in_are_no_evaluation_in_ci(tmp_path: Path) -> None:
    test = (
        "from unittest.mock import patch\n\n"
        "import app\n\n\n"
        "@patch('app.client')\n"
        "def test_it(client):\n"
        "    assert app.ask([])\n"
    )
    app = (
        "import openai\n\n"
        "client = openai.OpenAI()\n\n\n"
        "def ask(items):\n"
        "    while True:\n"
        "        reply = client.responses.create(model='x', input=items)\n"
        "        items += reply.output\n"
        "        if not reply.tool_calls:\n"
        "            return reply\n"
    )
    system = understand(tmp_path, {"app.py": app, "test_app.py": test, **workflow("pytest")})
    assert [suite.mocked_model for suite in system.eval_suites] == [True]
    assert system.ci_jobs == ()


@pytest.mark.parametrize(
    ("after", "gated"),
    [
        ("print(results)", False),
        ("assert results.score > 0.8", True),
        ("if results.score < 0.8:\n        sys.exit(1)", True),
        ("if results.score < 0.8:\n        raise SystemExit(1)", True),
        ("if results.score < 0.8:\n        sys.exit(0)", False),
        ("if results.failed:\n        print(results)", False),
    ],
)
def test_a_script_gates_when_a_low_score_ends_it(tmp_path: Path, after: str, gated: bool) -> None:
    text = EXPERIMENT.replace("    evaluate(", "    results = evaluate(").rstrip() + f"\n    {after}\n\n\nmain()\n"
    files = {"app.py": AGENT, "evals/run.py": f"import sys\n{text}", **workflow("python evals/run.py")}
    assert gates(understand(tmp_path, files)) == [gated]


@pytest.mark.parametrize(
    ("run", "config", "gated"),
    [
        ("npx evalite run", "", False),
        ("npx evalite run --threshold=80", "", True),
        ("npx evalite run", "export default { scoreThreshold: 80 };", True),
    ],
)
def test_a_threshold_may_stand_on_the_command_line_or_in_a_configuration(
    tmp_path: Path, run: str, config: str, gated: bool
) -> None:
    files = {"agent.ts": CLERK, "evals/a.eval.ts": EVALITE, "evalite.config.ts": config, **workflow(run)}
    assert gates(understand(tmp_path, files)) == [gated]


def test_a_red_team_runs_by_its_own_command_only(tmp_path: Path) -> None:
    config = "tests:\n  - assert: [{type: contains, value: x}]\nredteam:\n  plugins: [ssrf]\n"
    files = {"agent.ts": CLERK, "promptfooconfig.yaml": config}
    (plain, attack) = understand(tmp_path, {**files, **workflow("npx promptfoo eval")}).eval_suites
    assert (plain.adversarial, bool(plain.started_by)) == (False, True)
    assert (attack.adversarial, bool(attack.started_by)) == (True, False)
    (plain, attack) = understand(tmp_path, {**files, **workflow("npx promptfoo redteam run")}).eval_suites
    assert (bool(plain.started_by), bool(attack.started_by)) == (False, True)


def test_a_red_team_may_be_a_command_alone(tmp_path: Path) -> None:
    suite = only_suite(tmp_path, {"agent.ts": CLERK, **workflow("python -m garak --target_type rest")})
    assert (suite.adversarial, suite.dataset, suite.scorer) == (True, True, True)
    assert suite.span.path == ".github/workflows/a.yml"


@pytest.mark.parametrize(
    ("run", "trials"),
    [("deepeval test run tests", 1), ("deepeval test run tests --repeat 4", 4), ("pytest --count=5", 5)],
)
def test_the_command_line_may_repeat_the_cases(tmp_path: Path, run: str, trials: int) -> None:
    suite = only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": CASES, **workflow(run)})
    assert (suite.trials.value or 1) == trials


def test_tests_of_javascript_are_chosen_by_pattern(tmp_path: Path) -> None:
    test = (
        'import { answer } from "./agent";\n'
        'it.each(["a", "b"])("x", async (q) => { expect(await answer(q)).toBe(1); });\n'
    )
    options = "--testPathPatterns=\\\\.test\\\\.ts$ --testPathIgnorePatterns=\\\\.int\\\\.test\\\\.ts$"
    package = f'{{"scripts": {{"test": "jest {options}"}}}}'
    for name, runs in (("agent.test.ts", True), ("agent.int.test.ts", False)):
        folder = tmp_path / name
        system = understand(folder, {"agent.ts": CLERK, name: test, "package.json": package, **workflow("npm test")})
        assert bool(system.ci_jobs) is runs, name
