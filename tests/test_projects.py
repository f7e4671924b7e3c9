"""Whole projects through the real command: what a user reads of them, and that the same project always gives the same.

The projects are pages (projects/*.md); what the command wrote stands beside them in projects/snapshots, rewritten with
AGENT_ARCHITECTURE_ACCEPT=1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from jsonschema import Draft202012Validator

import agent_architecture
from agent_architecture.render.json import SCHEMA_FILE
from agent_architecture.version import VERSION
from page_checks import write
from pages import Section, read_page

SOURCES: Final = Path(agent_architecture.__path__[0]).parent
PROJECTS: Final = Path(__file__).parent / "projects"
SNAPSHOTS: Final = PROJECTS / "snapshots"
SCHEMA: Final = Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
NAMES: Final = sorted(page.stem for page in PROJECTS.glob("*.md"))

CONSOLE: Final = ("--width", "120")
JSON: Final = ("--format", "json", "--subjects")


def files_of(name: str) -> Section:
    (section,) = read_page(PROJECTS / f"{name}.md").sections
    return section


def made(name: str, folder: Path, *, backwards: bool = False) -> Path:
    """The project, its files created in the order of its page or in the opposite one."""
    project = folder / name
    project.mkdir(parents=True)
    section = files_of(name)
    write(section._replace(blocks=section.blocks[::-1]) if backwards else section, project)
    damage = [*DAMAGE.items()] if name == "damaged" else []
    for file, spoil in damage[::-1] if backwards else damage:
        spoil(project / file)
    return project


def analyze(project: Path, *flags: str, seed: str = "0", exit_code: int = 0) -> str:
    """What the command says of a project, run beside it."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "SYSTEMROOT", "TMPDIR"}}
    done = subprocess.run(
        [sys.executable, "-m", "agent_architecture", "analyze", project.name, *flags],
        cwd=project.parent,
        env={**kept, "PYTHONPATH": str(SOURCES), "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (exit_code, "")
    return done.stdout


def accepted(file: str, text: str) -> str:
    """The snapshot that `text` must equal; with AGENT_ARCHITECTURE_ACCEPT=1, `text` itself from now on."""
    snapshot = SNAPSHOTS / file
    if os.environ.get("AGENT_ARCHITECTURE_ACCEPT") == "1":
        snapshot.write_text(text, encoding="utf-8")
    return snapshot.read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------- every project
class Analysed(NamedTuple):
    """A project and what the command says of it, in both forms."""

    name: str
    project: Path
    console: str
    json: str

    @property
    def document(self) -> Any:
        return json.loads(self.json)


def analysed(name: str, folder: Path) -> Analysed:
    project = made(name, folder)
    return Analysed(name, project, analyze(project, *CONSOLE), analyze(project, *JSON))


@pytest.fixture(scope="module", params=NAMES)
def each(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Analysed:
    return analysed(request.param, tmp_path_factory.mktemp("projects"))


def test_the_console_shows_what_was_accepted(each: Analysed) -> None:
    assert each.console == accepted(f"{each.name}.txt", each.console)


def test_the_json_obeys_the_schema_and_is_what_was_accepted(each: Analysed) -> None:
    SCHEMA.validate(each.document)
    text = each.json.replace(f'"version": "{VERSION}"', '"version": "the tool\'s"')
    assert text == accepted(f"{each.name}.json", text)


@pytest.mark.parametrize(("form", "suffix"), [("github", "github.txt"), ("markdown", "md")])
def test_the_formats_of_a_project_are_what_was_accepted(form: str, suffix: str, tmp_path: Path) -> None:
    """One project of middle size: the order of each format is what people read."""
    text = analyze(made("returns_desk", tmp_path), "--format", form)
    assert text == accepted(f"returns_desk.{suffix}", text)


def test_the_results_of_sarif_stand_in_the_order_that_was_accepted(tmp_path: Path) -> None:
    """Of the file what a viewer lists; its rules are those of the pages."""
    (run,) = json.loads(analyze(made("returns_desk", tmp_path), "--format", "sarif"))["runs"]
    lines = []
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        where = f"{place['artifactLocation']['uri']}:{place.get('region', {}).get('startLine', 0)}"
        lines.append(f"{result['level']} {result['rank']} {where} {result['ruleId']}: {result['message']['text']}\n")
    assert "".join(lines) == accepted("returns_desk.sarif.txt", "".join(lines))


def test_another_hash_seed_gives_the_same_bytes(each: Analysed) -> None:
    assert analyze(each.project, *CONSOLE, seed="4242") == each.console
    assert analyze(each.project, *JSON, seed="4242") == each.json


def test_files_created_in_another_order_give_the_same_bytes(each: Analysed, tmp_path: Path) -> None:
    assert analyze(made(each.name, tmp_path, backwards=True), *JSON) == each.json


# ----------------------------------------------------------------------------------------------- the one without agents
def test_a_project_without_agents_is_not_applicable_and_not_passed(tmp_path: Path) -> None:
    found = analysed("weather_page", tmp_path)
    assert found.document["project"]["applicable"] is False
    assert found.document["project"]["sites"] == []
    assert found.document["results"][0]["subjects"] == []
    assert "not applicable, not a pass" in found.console


# ------------------------------------------------------------------------------------------------------ the damaged one
def not_utf8(file: Path) -> None:
    file.write_bytes(
        b"from agents import Agent, Runner\n\n# caf\xe9\n"
        b'clerk = Agent(name="clerk", tools=[print])\nRunner.run_sync(clerk, "hello", max_turns=900)\n'
    )


def binary(file: Path) -> None:
    file.write_bytes(bytes(range(256)) * 8)


def too_large(file: Path) -> None:
    file.write_text("# padding\n" * 210_000, encoding="utf-8")


def leads_out(file: Path) -> None:
    outside = file.parent.parent / "outside.py"
    outside.write_text('raise RuntimeError("not part of the project")\n', encoding="utf-8")
    file.symlink_to(outside)


DAMAGE: Final[dict[str, Callable[[Path], None]]] = {
    "latin.py": not_utf8,
    "image.py": binary,
    "large.py": too_large,
    "out.py": leads_out,
}
LOOP: Final = "loop_guard_absence"
UNREADABLE: Final = {*DAMAGE, "torn.py", "uv.lock"}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Analysed:
    return analysed("damaged", tmp_path_factory.mktemp("damaged"))


def test_what_is_readable_of_a_damaged_project_is_judged(damaged: Analysed) -> None:
    subjects = damaged.document["results"][0]["subjects"]
    judged = {(each["path"], each["line"]): each["risk"] for each in subjects if each["key"].endswith(LOOP)}
    assert judged == {("good.py", 4): 1, ("torn.py", 4): 1, ("torn.py", 8): 1, ("latin.py", 5): 1}


def test_everything_damaged_is_said_once_and_nothing_else(damaged: Analysed) -> None:
    said = [notice["path"] for notice in damaged.document["project"]["notices"]]
    assert sorted(said) == sorted(UNREADABLE)


def test_a_damaged_project_is_incomplete_when_that_is_asked(damaged: Analysed) -> None:
    analyze(damaged.project, *CONSOLE, "--strict", exit_code=3)


def test_nothing_outside_a_project_is_read(damaged: Analysed) -> None:
    assert "outside.py" not in damaged.json
    assert "not part of the project" not in damaged.json
