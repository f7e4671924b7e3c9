"""One effect, in the tool or behind any number of helpers, is one effect: every detector says the same of it.

The pages have the ways, with `EFFECT(x)` in the place of the call; here stand the calls. The first section of each page
says what all others are judged like.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from agent_architecture.registry import judge_one, load_one
from page_checks import understand, write
from pages import Section, pages_in

ASKING: Final = (
    "tool_policy_absence",
    "schema_validation_gap",
    "tool_result_validation_gap",
    "circuit_breaker_absence",
    "output_validation_gap",
    "hallucination_propagation_risk",
    "tool_sandbox_enforcement_gap",
    "agent_shell_capable",
    "agent_tools_external_api",
    "human_approval_absence",
    "untrusted_tool_output_boundary_gap",
    "idempotency_gap",
    "goal_integrity_defense_gap",
    "guardrail_hook_absence",
    "checkpoint_durability_gap",
)
"""The detectors that ask what a tool does to the world."""
PLACE: Final = re.compile(r"EFFECT\(([^()]*)\)")
PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}


class Call(NamedTuple):
    """A call with an effect: what has to be imported for it, and how it is written."""

    imported: str
    written: str


CALLS: Final = {
    "python": {
        "process": Call("import subprocess", 'subprocess.run(["convert", {0}], check=True)'),
        "network": Call("import requests", 'requests.post("https://desk.example.com/notes", json={{"text": {0}}})'),
        "database": Call(
            "import sqlite3", 'sqlite3.connect("desk.db").execute("INSERT INTO notes (text) VALUES (?)", ({0},))'
        ),
        "file": Call("from pathlib import Path", 'Path("notes.txt").write_text({0})'),
    },
    "typescript": {
        "process": Call('import {{ execFileSync }} from "node:child_process";', 'execFileSync("convert", [{0}])'),
        "network": Call('import axios from "axios";', 'axios.post("https://desk.example.com/notes", {{ text: {0} }})'),
        "database": Call(
            'import Database from "better-sqlite3";',
            'new Database("desk.db").prepare("INSERT INTO notes (text) VALUES (?)").run({0})',
        ),
        "file": Call('import {{ writeFileSync }} from "node:fs";', 'writeFileSync("notes.txt", {0})'),
    },
}
WAYS: Final = {f"{name}: {s.name}": (name, s) for name in CALLS for s in PAGES[name].sections if s.blocks}
FIRST: Final = {name: next(s for s in PAGES[name].sections if s.blocks) for name in CALLS}


def filled(section: Section, call: Call) -> Section:
    """A section with one call in the place of `EFFECT(x)`."""

    def text(of: str) -> str:
        imported = of.replace("import EFFECT", call.imported.format())
        return PLACE.sub(lambda found: call.written.format(found[1]), imported)

    return section._replace(blocks=tuple(block._replace(text=text(block.text)) for block in section.blocks))


def risks(section: Section, folder: Path) -> dict[str, list[float | None]]:
    """The risks that each of the detectors sees."""
    folder.mkdir(parents=True)
    write(section, folder)
    system, notices = understand(folder)
    assert notices == ()
    judged = {key: judge_one(load_one(key), system).verdicts for key in ASKING}
    return {key: sorted((verdict.risk for verdict in verdicts), key=str) for key, verdicts in judged.items()}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, list[float | None]]]:
    """What is said where the effect stands in the tool itself."""
    folder = tmp_path_factory.mktemp("effects")
    return {
        (name, effect): risks(filled(FIRST[name], call), folder / name / effect)
        for name, calls in CALLS.items()
        for effect, call in calls.items()
    }


@pytest.mark.parametrize("effect", CALLS["python"])
@pytest.mark.parametrize("way", WAYS)
def test_it_counts_the_same(
    way: str, effect: str, plain: dict[tuple[str, str], dict[str, list[float | None]]], tmp_path: Path
) -> None:
    name, section = WAYS[way]
    assert risks(filled(section, CALLS[name][effect]), tmp_path / "way") == plain[name, effect]
