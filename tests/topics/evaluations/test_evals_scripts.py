"""What a project says is run, and which commands that comes to."""

from __future__ import annotations

from pathlib import Path

from agent_architecture.names.modules import ModuleTable
from agent_architecture.semantics.topics.evaluations.scripts import Scripts
from agent_architecture.semantics.topics.evaluations.shell import commands
from agent_architecture.sources.walk import walk
from agent_architecture.syntax.parse import parse


def scripts(folder: Path, files: dict[str, str]) -> Scripts:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Scripts(ModuleTable(walk([folder]).files, parse))


def run(found: Scripts, text: str, folder: str = "") -> list[tuple[tuple[str, ...], str]]:
    return [(c.words, c.folder) for c in found.expanded(commands(text, folder))]


def test_a_script_that_calls_a_script_comes_to_the_last_command(tmp_path: Path) -> None:
    found = scripts(tmp_path, {"package.json": '{"scripts": {"ci": "npm run eval", "eval": "promptfoo eval"}}'})
    assert run(found, "npm run ci")[-1] == (("promptfoo", "eval"), "")


def test_scripts_that_call_each_other_end(tmp_path: Path) -> None:
    found = scripts(tmp_path, {"package.json": '{"scripts": {"a": "npm run b", "b": "npm run a && vitest"}}'})
    assert (("vitest",), "") in run(found, "npm run a")


def test_npm_test_is_the_script_test_and_npm_ci_is_none(tmp_path: Path) -> None:
    found = scripts(tmp_path, {"package.json": '{"scripts": {"test": "vitest run", "ci": "jest"}}'})
    assert run(found, "npm test")[-1][0] == ("vitest", "run")
    assert run(found, "npm ci") == [(("npm", "ci"), "")]


def test_the_package_in_the_folder_is_meant(tmp_path: Path) -> None:
    found = scripts(
        tmp_path,
        {
            "package.json": '{"scripts": {"eval": "echo root"}}',
            "agents/package.json": '{"scripts": {"eval": "evalite run"}}',
        },
    )
    assert run(found, "npm run eval")[-1] == (("echo", "root"), "")
    assert run(found, "cd agents && npm run eval")[-1] == (("evalite", "run"), "agents")
    assert run(found, "npm --prefix agents run eval")[-1] == (("evalite", "run"), "agents")


def test_a_target_of_a_makefile_brings_those_it_needs(tmp_path: Path) -> None:
    makefile = "X := 1\n.PHONY: eval\neval: data  ## grade\n\t@uv run inspect eval evals\n\ndata:\n\tpython make.py\n"
    found = scripts(tmp_path, {"Makefile": makefile})
    assert [words for words, _ in run(found, "make eval")] == [
        ("make", "eval"),
        ("make", "data"),
        ("inspect", "eval", "evals"),
        ("python", "make.py"),
    ]


def test_tasks_and_entry_points_of_pyproject_are_scripts(tmp_path: Path) -> None:
    text = '[tool.poe.tasks]\nevals = "deepeval test run tests"\n[project.scripts]\ngrade = "app.evals:main"\n'
    found = scripts(tmp_path, {"pyproject.toml": text})
    assert run(found, "poe evals")[-1][0] == ("deepeval", "test", "run", "tests")
    assert run(found, "uv run grade")[-1][0] == ("python-entry", "app.evals:main")


def test_a_shell_script_is_followed(tmp_path: Path) -> None:
    found = scripts(tmp_path, {"scripts/eval.sh": "#!/bin/sh\nset -e\npython evals/run.py\n"})
    assert run(found, "bash scripts/eval.sh")[-1][0] == ("python", "evals/run.py")
    assert run(found, "./scripts/eval.sh")[-1][0] == ("python", "evals/run.py")


def test_steps_of_each_service_are_found(tmp_path: Path) -> None:
    found = scripts(
        tmp_path,
        {
            ".github/workflows/a.yml": (
                "on: push\njobs:\n  t:\n    steps:\n      - name: Grade\n        run: make eval\n"
            ),
            ".gitlab-ci.yml": "grade:\n  script:\n    - npm ci\n    - npm run eval\n",
            ".circleci/config.yml": "jobs:\n  t:\n    steps:\n      - run:\n          command: pytest\n",
            "azure-pipelines.yml": "steps:\n  - script: deepeval test run\n",
        },
    )
    assert {(step.span.path, step.text) for step in found.steps} == {
        (".github/workflows/a.yml", "make eval"),
        (".gitlab-ci.yml", "npm ci\nnpm run eval"),
        (".circleci/config.yml", "pytest"),
        ("azure-pipelines.yml", "deepeval test run"),
    }
    assert all(step.gates for step in found.steps)


def test_a_step_gates_only_where_its_failure_counts(tmp_path: Path) -> None:
    text = """
on: {trigger}
jobs:
  soft:
    continue-on-error: true
    steps:
      - run: soft
  hard:
    steps:
      - run: allowed
        continue-on-error: true
      - run: never
        if: false
      - run: hard
"""
    found = scripts(
        tmp_path,
        {
            ".github/workflows/a.yml": text.format(trigger="[pull_request, workflow_dispatch]"),
            ".github/workflows/hand.yml": text.format(trigger="workflow_dispatch"),
        },
    )
    gates = {(step.span.path, step.text): step.gates for step in found.steps}
    assert {key for key, gating in gates.items() if gating} == {(".github/workflows/a.yml", "hard")}
    assert (".github/workflows/a.yml", "never") not in gates


def test_the_working_folder_of_a_job_holds_for_its_steps(tmp_path: Path) -> None:
    text = (
        "on: push\n"
        "jobs:\n"
        "  t:\n"
        "    defaults:\n"
        "      run:\n"
        "        working-directory: ./agents\n"
        "    steps:\n"
        "      - run: x\n"
    )
    (step,) = scripts(tmp_path, {".github/workflows/a.yml": text}).steps
    assert step.folder == "agents"


def test_hostile_files_end_without_an_error(tmp_path: Path) -> None:
    deep = "on: push\njobs: " + "{a: " * 2000 + "1" + "}" * 2000
    found = scripts(
        tmp_path,
        {
            ".github/workflows/deep.yml": deep,
            ".github/workflows/odd.yml": "- 1\n- [run, {run: [1, null, {run: x}]}]\n",
            "package.json": '{"scripts": {"a": {"b": ["npm run a", 7]}, "c": null}}',
            "Makefile": "a:\n" * 3000 + ":::\n\tx\n" + "é: ü\n\t" + "'" * 500,
            "pyproject.toml": "[tool.poe.tasks.x]\nsequence = [{cmd = 'x'}, 1]\n",
        },
    )
    assert run(found, "npm run a && make a") is not None
