"""One number of findings and one of places, whatever the format: who holds two reports together finds the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from test_projects import analyze, made

PROJECT: Final = "returns_desk"
"""The mid-size project of the snapshots."""
RULE: Final = "ignore: [{rule: loop-guard-absence, path: '**', reason: decided}]\n"


class Counts(NamedTuple):
    """What a report says of how much there is; None for what a format does not tell."""

    places: int
    findings: int | None = None
    files: int | None = None


@pytest.fixture(scope="module", params=["", RULE], ids=["all", "some suppressed"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = made(PROJECT, tmp_path_factory.mktemp("counts"))
    if request.param:
        (found / "agent-architecture.yaml").write_text(request.param, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def first(project: Path) -> Counts:
    """What the console says."""
    text = analyze(project, "--width", "100")
    last = re.search(r"(\d+) findings in (\d+) files? .*· (\d+) places", text.splitlines()[-1])
    head = re.search(r"(?m)^Findings \((\d+) findings in (\d+) places\)", text)
    assert last is not None
    assert head is not None
    assert head.groups() == (last[1], last[3])
    listed = re.findall(r"\((\d+) places?\)$|^(?:CRITICAL|HIGH|MEDIUM|LOW) +(\d+) places? ", text, re.MULTILINE)
    assert sum(int(one or other) for one, other in listed) == int(last[3])
    return Counts(int(last[3]), int(last[1]), int(last[2]))


def counted_only(project: Path) -> Counts:
    text = analyze(project, "--statistics", "--width", "100")
    head = re.search(r"(?m)^Findings \((\d+) findings in (\d+) places\)", text)
    assert head is not None
    return Counts(int(head[2]), int(head[1]))


def of_json(project: Path) -> Counts:
    result = json.loads(analyze(project, "--format", "json"))["results"][0]
    table = next(entry["value"] for entry in result["data"] if entry["key"].endswith(".detector_summary"))
    column = table["columns"].index("evidence_count")
    found = result["findings"]
    hidden = len(result.get("suppressed", []))
    every = sum(row[column] for row in table["rows"])
    return Counts(
        every - hidden,
        len(found),
        len({piece["path"] for one in found for piece in one["evidence"] if "path" in piece}),
    )


def sarif(project: Path) -> Counts:
    results = json.loads(analyze(project, "--format", "sarif"))["runs"][0]["results"]
    shown = [result for result in results if not result.get("suppressions")]
    places = [(one["ruleId"], one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for one in shown]
    return Counts(len(shown), len(set(places)), len({path for _, path in places}))


def markdown(project: Path) -> Counts:
    head = re.search(r"(?m)^### Findings: (\d+) in (\d+) places", analyze(project, "--format", "markdown"))
    assert head is not None
    return Counts(int(head[2]), int(head[1]))


def github(project: Path) -> Counts:
    lines = analyze(project, "--format", "github").splitlines()
    places = [line for line in lines if "(arxo/agent-" in line.partition("::")[2].partition("::")[0]]
    named = {(re.search(r"arxo/[\w-]+", line), re.search(r"file=[^,]+", line)) for line in places}
    keys = {(rule[0], file[0]) for rule, file in named if rule and file}
    return Counts(len(places), len(keys), len({file for _, file in keys}))


def junit(project: Path) -> Counts:
    failures = ET.fromstring(analyze(project, "--format", "junit")).iter("failure")  # noqa: S314 - our own output
    lines = [line for failure in failures for line in (failure.text or "").strip().splitlines()]
    return Counts(len(lines), None, len({line.partition(":")[0] for line in lines}))


FORMATS: Final[dict[str, Callable[[Path], Counts]]] = {
    "statistics": counted_only,
    "json": of_json,
    "sarif": sarif,
    "markdown": markdown,
    "github": github,
    "junit": junit,
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_counts_what_the_console_counts(project: Path, first: Counts, name: str) -> None:
    other = FORMATS[name](project)
    assert first.places > 20
    assert first == Counts(*(own if found is None else found for own, found in zip(first, other, strict=True)))
