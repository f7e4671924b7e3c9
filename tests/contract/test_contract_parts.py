"""Several projects in one repository: by the nearest manifest with a site, each with scores of its own."""

from __future__ import annotations

import json

import jsonschema
import pytest
from contract_world import everything, judged, site, system, tool, verdict_of

from agent_architecture.detector import Verdict, gap
from agent_architecture.parts import owner_of, parts_of
from agent_architecture.registry import Judged
from agent_architecture.render.json import SCHEMA_FILE, document
from agent_architecture.render.places import placed
from agent_architecture.render.projects import by_project, rows
from agent_architecture.report import Outcome, Report, build_report
from agent_architecture.scoring import ScoringConfig

MANIFESTS = (
    "services/desk/pyproject.toml",
    "services/bot/requirements/base.txt",
    "services/bot/uv.lock",
    "lib/package.json",
)
SITES = ("services/desk/app/agent.py", "services/bot/bot.py", "services/bot/other.py")
CONFIG = ScoringConfig()


def folders(manifests: tuple[str, ...], sites: tuple[str, ...]) -> list[tuple[str, int]]:
    return [(part.path, part.sites) for part in parts_of(manifests, sites, everything(), CONFIG)]


def test_a_project_is_the_folder_of_a_manifest_with_a_site() -> None:
    assert folders(MANIFESTS, SITES) == [("services/bot", 2), ("services/desk", 1)]


def test_the_nearest_manifest_is_responsible() -> None:
    manifests = ("package.json", "web/package.json", "web/agents/package.json")
    assert folders(manifests, ("main.ts", "web/a.ts", "web/agents/b.ts")) == [(".", 1), ("web", 1), ("web/agents", 1)]


@pytest.mark.parametrize(
    ("manifests", "sites"),
    [
        (MANIFESTS, ("services/bot/bot.py",)),
        (("pyproject.toml",), SITES),
        ((), SITES),
        (MANIFESTS, ()),
        (("services/package.json",), ("services2/a.ts", "services/a.ts")),
    ],
)
def test_one_project_has_no_parts(manifests: tuple[str, ...], sites: tuple[str, ...]) -> None:
    assert folders(manifests, sites) == []


def results(*verdicts: Verdict) -> list[Judged]:
    return [judged("loop_guard_absence", verdicts), judged("deadlock_risk", ())]


def test_each_project_has_the_scores_that_it_would_have_alone() -> None:
    said = [verdict_of(1.0, 1, path=SITES[0]), verdict_of(0.5, 2, path=SITES[1]), verdict_of(1.0, 3, path="lib/a.ts")]
    bot, desk = parts_of(MANIFESTS, SITES, results(*said), CONFIG)
    alone = build_report(system(), results(said[0]), CONFIG, lambda _: "", name="desk", version="0").scores
    assert (desk.health, desk.axes) == (alone.health, alone.axes)
    assert bot.health > desk.health
    nothing_else = [axis.axis for axis in desk.axes if axis.applicable]
    assert nothing_else == ["reliability"]


def test_what_lies_in_no_project_is_told_apart() -> None:
    parts = parts_of(MANIFESTS, SITES, results(), CONFIG)
    owners = [owner_of(path, parts) for path in ("services/bot/x/y.py", "services/bottle/x.py", "x.py")]
    assert [owner and owner.path for owner in owners] == ["services/bot", None, None]


def report() -> Report:
    gaps = [gap(tool(path, 4), "nothing bounds it") for path in (*SITES, "lib/shared.ts")]
    sites = [site(path) for path in SITES]
    return build_report(
        system(sites), results(*gaps), CONFIG, lambda _: "", name="mono", version="0.1.0", manifests=MANIFESTS
    )


def test_places_are_grouped_by_project_and_the_rest_comes_last() -> None:
    groups = by_project(report(), list(placed(report().findings)))
    assert [(name, len(group)) for name, group in groups] == [
        ("services/bot", 2),
        ("services/desk", 1),
        ("elsewhere", 1),
    ]


def test_the_table_has_the_worst_first_and_the_whole_last() -> None:
    head, *parts, whole = rows(report())
    assert head[:4] == ("project", "sites", "places", "health")
    assert [row[:3] for row in parts] == [("services/bot", "2", "2"), ("services/desk", "1", "1")]
    assert whole[:3] == ("all", "3", "4")
    assert "n/a" in parts[0]


def test_json_names_the_projects() -> None:
    made = json.loads(json.dumps(document(Outcome(report()), subjects=False)))
    jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_bytes())).validate(made)
    assert [part["path"] for part in made["project"]["parts"]] == ["services/bot", "services/desk"]
    assert made["project"]["parts"][0]["axes"]["reliability"] == made["project"]["parts"][1]["axes"]["reliability"]
