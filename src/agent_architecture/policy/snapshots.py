"""What of a report a later one is compared with. Both sides come from the JSON form, so that a saved report and a
fresh one are the same, to the digit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NotRequired, TypedDict, cast

from agent_architecture.changes import Gap, Part, PartKind
from agent_architecture.detector import Severity
from agent_architecture.findings import NAMES_THE_FILE, Evidence, every_evidence, file_digits, moved
from agent_architecture.model.system import PROTOCOL_SITES, SiteKind
from agent_architecture.records import NamedTuple
from agent_architecture.render.json import document
from agent_architecture.report import Outcome, Report

WITHOUT_AGENT: Final = frozenset({SiteKind.HAND_WRITTEN_LOOP, SiteKind.DISPATCH})
"""Sites that have their tools themselves; those of the others are their agents'."""


class Snapshot(NamedTuple):
    """One report, called `name`. `reaches` has for each tool the kinds of its effects, with how much a model decides
    of each; a tool of a report that does not say that is not in it.
    """

    name: str
    version: str
    applicable: bool
    incomplete: bool
    values: Mapping[str, float]
    """By key in full; tables are left out."""
    gaps: tuple[Gap, ...]
    suppressed: frozenset[str]
    """The fingerprints of evidence that somebody gave a reason for."""
    left_out: tuple[str, ...]
    """The flags by which findings were left out."""
    parts: tuple[Part, ...]
    reaches: Mapping[Part, Mapping[str, str]]
    names_servers: bool


def of_report(report: Report, name: str) -> Snapshot:
    """The snapshot of a report that was just made."""
    made = of_document(cast("ReportDocument", document(Outcome(report), subjects=False)), name)
    told = {one.fingerprint: one for finding in report.findings for one in every_evidence(finding)}
    return made._replace(gaps=tuple(_located(gap, told.get(gap.fingerprint)) for gap in made.gaps))


def _located(gap: Gap, evidence: Evidence | None) -> Gap:
    """A gap with its line and its own words: of the sixth in a file on, the JSON form has only the fingerprint."""
    if gap.line or evidence is None or evidence.span is None:
        return gap
    return gap._replace(line=max(evidence.span.line, 0), message=evidence.message, risk=evidence.risk)


def renamed(snapshot: Snapshot, paths: Mapping[str, str]) -> Snapshot:
    """The snapshot as it would be if these files (old path to new one) had had their new names."""
    digits = {file_digits(old): new for old, new in paths.items()}

    def print_of(fingerprint: str) -> str:
        new = digits.get(fingerprint[:NAMES_THE_FILE])
        return fingerprint if new is None else moved(fingerprint, new)

    def part_of(part: Part) -> Part:
        return part._replace(path=paths.get(part.path, part.path))

    return snapshot._replace(
        gaps=tuple(
            gap._replace(path=paths.get(gap.path, gap.path), fingerprint=print_of(gap.fingerprint))
            for gap in snapshot.gaps
        ),
        suppressed=frozenset(map(print_of, snapshot.suppressed)),
        parts=tuple(map(part_of, snapshot.parts)),
        reaches={part_of(part): reach for part, reach in snapshot.reaches.items()},
    )


# ------------------------------------------------------------------------------------------------------------ documents
class ReportDocument(TypedDict):
    """What is read of a JSON report (`schema/report-v1.schema.json`)."""

    tool: ToolDocument
    project: ProjectDocument
    results: list[ResultDocument]


class ToolDocument(TypedDict):
    """Who made the report."""

    version: str


class ProjectDocument(TypedDict):
    """What was found."""

    applicable: bool
    incomplete: bool
    sites: list[SiteDocument]
    agents: list[PlacedDocument]
    tools: list[PlacedDocument]
    handoffs: list[EdgeDocument]
    servers: NotRequired[list[ServerDocument]]
    left_out: NotRequired[LeftOutDocument]


class LeftOutDocument(TypedDict):
    """What the user chose not to see."""

    by: list[str]


class PlacedDocument(TypedDict):
    """A site, agent or tool. `tools` are the names of those that it may call."""

    path: str
    line: int
    framework: str
    symbol: str
    name: NotRequired[str]
    tools: NotRequired[list[str]]
    effects: NotRequired[list[EffectDocument]]


class SiteDocument(PlacedDocument):
    """An agent call site."""

    kind: str


class EdgeDocument(TypedDict):
    """A handoff."""

    path: str
    line: int
    source: str
    target: str


class ServerDocument(TypedDict):
    """A server that the project is, or connects to."""

    path: str
    line: int
    role: str
    name: str
    transport: str
    target: str


class EffectDocument(TypedDict):
    """What a tool does, and how much of it a model decides."""

    kind: str
    shaped: str


class ResultDocument(TypedDict):
    """The values and findings."""

    data: list[DatumDocument]
    findings: NotRequired[list[FindingDocument]]
    suppressed: NotRequired[list[SuppressedDocument]]


class SuppressedDocument(TypedDict):
    """Evidence that is not shown."""

    fingerprint: str


class DatumDocument(TypedDict):
    """A key and its value."""

    key: str
    value: ValueDocument


class ValueDocument(TypedDict):
    """A number, or a table without `v`."""

    v: NotRequired[float]


class FindingDocument(TypedDict):
    """One rule in one file."""

    rule_id: str
    title: str
    severity: str
    path: str
    evidence: list[EvidenceDocument]
    other_fingerprints: list[str]


class EvidenceDocument(TypedDict):
    """One piece of evidence; a text has neither line nor fingerprint."""

    message: str
    line: NotRequired[int]
    fingerprint: NotRequired[str]
    risk: NotRequired[float]


# -------------------------------------------------------------------------------------------------------------- reading
def of_document(report: ReportDocument, name: str) -> Snapshot:
    """The snapshot of a report in its JSON form, which has been checked against the schema."""
    project, result = report["project"], report["results"][0]
    return Snapshot(
        name=name,
        version=report["tool"]["version"],
        applicable=project["applicable"],
        incomplete=project["incomplete"],
        values={row["key"]: row["value"]["v"] for row in result["data"] if "v" in row["value"]},
        gaps=tuple(gap for finding in result.get("findings", []) for gap in _gaps(finding)),
        suppressed=frozenset(item["fingerprint"] for item in result.get("suppressed", [])),
        left_out=tuple(project["left_out"]["by"]) if "left_out" in project else (),
        parts=tuple(_parts(project)),
        reaches={
            _tool(tool)._replace(line=0): {effect["kind"]: effect["shaped"] for effect in tool["effects"]}
            for tool in project["tools"]
            if "effects" in tool
        },
        names_servers="servers" in project,
    )


def _gaps(finding: FindingDocument) -> Iterator[Gap]:
    rule, severity, path = finding["rule_id"], Severity(finding["severity"]), finding["path"]
    for item in finding["evidence"]:
        if "fingerprint" in item:
            yield Gap(rule, severity, path, item.get("line", 0), item["message"], item["fingerprint"], item.get("risk"))
    for fingerprint in finding["other_fingerprints"]:
        yield Gap(rule, severity, path, 0, finding["title"], fingerprint)


def _parts(project: ProjectDocument) -> Iterator[Part]:
    for site in project["sites"]:
        if site["kind"] not in PROTOCOL_SITES:  # those are servers
            yield Part(PartKind.SITE, site["symbol"], site["path"], site["line"], site["kind"])
        if site["kind"] in WITHOUT_AGENT:
            yield from _edges(site)
    for agent in project["agents"]:
        yield Part(PartKind.AGENT, agent["symbol"], agent["path"], agent["line"], agent["framework"])
        yield from _edges(agent)
    yield from map(_tool, project["tools"])
    for edge in project["handoffs"]:
        yield Part(PartKind.EDGE, f"{edge['source']} → {edge['target']}", edge["path"], edge["line"])
    for server in project.get("servers", []):
        detail = " ".join(filter(None, (server["role"], server["transport"], server["target"])))
        yield Part(PartKind.SERVER, server["name"], server["path"], server["line"], detail)


def _tool(tool: PlacedDocument) -> Part:
    name = tool.get("name") or tool["symbol"]
    return Part(PartKind.TOOL, name, tool["path"], tool["line"], tool["framework"])


def _edges(holder: PlacedDocument) -> Iterator[Part]:
    for tool in holder.get("tools", []):
        yield Part(PartKind.EDGE, f"{holder['symbol']} → {tool}", holder["path"], holder["line"])
