"""The documentation: it builds, its commands run, its configurations are valid, its workflows hold together."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.cli.test_cli_command import environment

from agent_architecture.contract import contract

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USAGE = 2
CONFIGURATION = "# agent-architecture.yaml"
"""The first line of a block that is a configuration file."""


def blocks(language: str) -> list[tuple[str, str]]:
    """The blocks of a language in the hand-written pages, with the name of their page."""
    return [
        (page.name, text)
        for page in PAGES
        for found, text in FENCE.findall(page.read_text("utf-8"))
        if found == language
    ]


def contract_keys() -> list[str]:
    return [scalar.key.rpartition(".")[2] for scalar in contract().scalars]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example as somebody's own repository, of which one commit is there."""
    folder = tmp_path / "support-agent"
    shutil.copytree(ROOT / "examples" / "support-agent", folder)
    (folder / "services" / "agent").mkdir(parents=True)
    shutil.copytree(folder / "support", folder / "checkouts" / "desk")
    (folder / "repositories.txt").write_text("checkouts/desk\n", "utf-8")
    (folder / "repositories.json").write_text('[{"path": "checkouts/desk", "owner": "people"}]', "utf-8")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "begin"]):
        identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    subprocess.run(["git", "update-ref", "refs/remotes/origin/main", "main"], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as HTML; the builder fails on a link that leads nowhere."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, ROOT / "development" / "site.py", "--folder", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def test_the_site_has_the_guides_and_a_page_for_each_detector(site: Path) -> None:
    assert "Quick start" in (site / "index.html").read_text("utf-8")
    assert {folder.name for folder in (site / "detectors").iterdir() if folder.is_dir()} == set(contract_keys())


def test_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    home = (site / "index.html").read_text("utf-8")
    assert re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//[^"]+"', home) == []


def commands(page: str) -> list[str]:
    shown = [*blocks("sh"), *blocks("yaml")]
    lines = [line.strip().removeprefix("- ") for name, text in shown if name == page for line in text.splitlines()]
    written = [line.split("#")[0].strip() for line in lines if line.startswith("agent-architecture ")]
    elsewhere = (
        "--http",
        "--engine ray",
    )  # what serves until it is stopped, or needs a cluster: tests/serving, tests/fleet
    return [line for line in written if not any(flag in line for flag in elsewhere)]


@pytest.mark.parametrize("page", [page.name for page in PAGES if commands(page.name)])
def test_every_command_of_a_page_is_understood(page: str, project: Path) -> None:
    for command in commands(page):
        _, *arguments = shlex.split(command)
        done = subprocess.run(
            [sys.executable, "-m", "agent_architecture", *arguments],
            cwd=project,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != USAGE, f"{command}: {done.stderr}"
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("page", "text"), [one for one in blocks("yaml") if CONFIGURATION in one[1]])
def test_every_configuration_of_a_page_is_valid(page: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "agent-architecture.yaml"
    file.write_text(text, "utf-8")
    command = [sys.executable, "-m", "agent_architecture", "config", "validate", str(file)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{page}: {done.stderr}"


def test_the_workflows_of_the_pages_name_actions_and_inputs_that_are_there() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    steps = [
        step
        for _, text in blocks("yaml")
        for job in (yaml.safe_load(text) or {}).get("jobs", {}).values()
        for step in job["steps"]
    ]
    ours = [step for step in steps if "agent-architecture" in step.get("uses", "")]
    assert ours
    for step in ours:
        assert set(step.get("with", {})) <= set(action["inputs"])
