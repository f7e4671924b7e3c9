"""Where the tool runs beside a terminal: the commands of the GitHub Action, the pre-commit hook and the Dockerfile."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.cli.test_cli_command import environment
from tests.formats.test_formats import AGENT

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout" / "services" / "desk, one"
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text("import subprocess\n\n" + AGENT, "utf-8")
    return folder


# ---------------------------------------------------------------------------------------------------- the GitHub Action
def step(name: str) -> dict[str, str | dict[str, str]]:
    steps: list[dict[str, str | dict[str, str]]] = ACTION["runs"]["steps"]
    return next(one for one in steps if one.get("name") == name)


def analyzed(tmp_path: Path, project: Path, **inputs: str) -> tuple[int, dict[str, str], str]:
    """The step `Analyze` as a runner starts it: its exit code, its outputs and the job's summary."""
    output, summary = tmp_path / "output", tmp_path / "summary"
    output.touch()
    summary.touch()
    started = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", str(step("Analyze")["run"])],
        cwd=tmp_path / "checkout",
        env=environment(
            PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            RUNNER_TEMP=str(tmp_path),
            GITHUB_OUTPUT=str(output),
            GITHUB_STEP_SUMMARY=str(summary),
            **{"TARGET": str(project.relative_to(tmp_path / "checkout")), "ARGUMENTS": "", **inputs},
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    outputs = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
    return started.returncode, {**outputs, "log": started.stdout}, summary.read_text("utf-8")


def test_the_action_annotates_writes_sarif_and_a_summary(tmp_path: Path, project: Path) -> None:
    code, outputs, summary = analyzed(tmp_path, project)
    assert (code, outputs["exit-code"]) == (0, "0")
    assert "file=services/desk%2C one/agent.py,line=16," in outputs["log"]
    assert '"uri": "services/desk%2C%20one/agent.py"' in Path(outputs["sarif"]).read_text("utf-8")
    assert "loop-guard-absence" in summary


def test_the_action_fails_as_the_tool_does_and_keeps_what_was_written(tmp_path: Path, project: Path) -> None:
    code, outputs, _ = analyzed(tmp_path, project, TARGET="nowhere")
    assert (code, outputs["exit-code"]) == (2, "2")
    assert "sarif" not in outputs


def test_the_arguments_of_the_action_are_flags_and_never_commands(tmp_path: Path, project: Path) -> None:
    code, _, _ = analyzed(tmp_path, project, ARGUMENTS=f"--include *.py $(touch {tmp_path}/gone) ; exit 0")
    assert code == 2, "they are flags that the tool does not know"
    assert not (tmp_path / "gone").exists()


def test_the_action_writes_no_input_into_a_script() -> None:
    scripts = [str(one["run"]) for one in ACTION["runs"]["steps"] if "run" in one]
    assert scripts
    assert not any("${{" in script for script in scripts)


def test_the_action_runs_other_actions_by_commit_only() -> None:
    used = [str(one["uses"]) for one in ACTION["runs"]["steps"] if "uses" in one]
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name) for name in used)


# -------------------------------------------------------------------------------------------------- the pre-commit hook
def test_the_hook_judges_the_project_that_it_runs_in(project: Path) -> None:
    (hook,) = HOOKS
    program, *arguments = shlex.split(hook["entry"])
    assert program == "agent-architecture"
    done = subprocess.run(
        [sys.executable, "-m", "agent_architecture", *arguments, *hook["args"]],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "loop-guard-absence" in done.stdout


# ------------------------------------------------------------------------------------------------------- the Dockerfile
def instructions(name: str) -> list[str]:
    return [line.partition(" ")[2] for line in DOCKERFILE.splitlines() if line.startswith(f"{name} ")]


def test_the_image_installs_what_its_entry_point_runs(tmp_path: Path, project: Path) -> None:
    source, app = tmp_path / "source", tmp_path / "app"
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    kept = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    source.mkdir()
    for name in kept:
        (source / name).symlink_to(ROOT / name)
    (install,) = instructions("RUN")
    command = (
        install.replace("/source", str(source)).replace("/app", str(app)).replace("python -m", f"{sys.executable} -m")
    )
    subprocess.run(["bash", "-ec", command], check=True, capture_output=True)
    (entry,), (arguments,) = instructions("ENTRYPOINT"), instructions("CMD")
    started = [*yaml.safe_load(entry.replace("/app", str(app))), *yaml.safe_load(arguments)]
    done = subprocess.run(started, cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "loop-guard-absence" in done.stdout


def test_the_image_does_not_run_as_root() -> None:
    assert instructions("USER") == ["65534:65534"]
