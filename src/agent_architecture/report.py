"""The report: everything that is known after a scan, in one frozen value that every renderer and the policy read.

It joins what the model, the scores and the findings say, and makes the three tables of the contract. It must not
compute a score, nor know any output format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from agent_architecture.changes import Changes
from agent_architecture.contract import contract, short
from agent_architecture.detector import Severity, Verdict
from agent_architecture.findings import Evidence, Finding, SymbolPath, metrics_to_findings
from agent_architecture.limits import effective_bound
from agent_architecture.model.credentials import Credential
from agent_architecture.model.fix_places import Mend
from agent_architecture.model.models import ModelUse
from agent_architecture.model.outputs import Instruction
from agent_architecture.model.system import (
    Agent,
    AgentSystem,
    Bound,
    Dependency,
    Handoff,
    PathKind,
    Site,
    Tool,
)
from agent_architecture.parts import ProjectPart, parts_of
from agent_architecture.picture.draw import picture_of
from agent_architecture.picture.parts import Picture
from agent_architecture.records import NamedTuple
from agent_architecture.registry import Judged, in_order
from agent_architecture.scoring import (
    SEVERITY_RANK,
    MetricScore,
    Scores,
    ScoringConfig,
    badness,
    distinct_gaps,
    score,
)
from agent_architecture.servers import Server as Server  # noqa: PLC0414 - a part of the report
from agent_architecture.servers import servers_of
from agent_architecture.sources.source import Notice, Role, Span

TOOL_NAME: Final = "agent-architecture"
TOP_EVIDENCE: Final = 20
"""Rows of the table `top_evidence`."""

Cell: TypeAlias = "str | int | float | bool | None"


class Table(NamedTuple):
    """A summary table: every row has a cell for every column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class DataRow(NamedTuple):
    """One emitted key (in full) and its value, unrounded."""

    key: str
    value: float | Table


class ToolInfo(NamedTuple):
    """Which program made the report."""

    name: str
    version: str


class ProjectFacts(NamedTuple):
    """What was scanned and found. `roles` and `languages` count files; tuples are sorted. `bounds` are what ends
    hand-written loops, by where these stand.
    """

    name: str
    roles: Mapping[Role, int]
    languages: Mapping[str, int]
    judged_role: Role
    frameworks: tuple[Dependency, ...]
    sites: tuple[Site, ...]
    agents: tuple[Agent, ...]
    tools: tuple[Tool, ...]
    handoffs: tuple[Handoff, ...]
    servers: tuple[Server, ...]
    bounds: Mapping[Span, Bound]
    models: tuple[ModelUse, ...] = ()
    prompts: tuple[Instruction, ...] = ()
    """The texts that tell models what to do."""
    credentials: tuple[Credential, ...] = ()
    """What agents, tools, servers and clients prove themselves with: names, never a secret."""
    configuration: str = ""
    """The configuration file that was obeyed, as seen from the scanned root."""


class SubjectRow(NamedTuple):
    """One verdict, safe ones too, and the detector (key in full) that gave it."""

    key: str
    verdict: Verdict


class Suppressed(NamedTuple):
    """One piece of evidence that is not shown, and why: by a comment (`inSource`) or the configuration (`external`).

    `finding` is the finding as it was before.
    """

    finding: Finding
    evidence: Evidence
    kind: Literal["inSource", "external"]
    reason: str


class LeftOut(NamedTuple):
    """How many findings, and how much evidence, the user chose not to see; `by` names the flags."""

    findings: int = 0
    evidence: int = 0
    by: tuple[str, ...] = ()


class Report(NamedTuple):
    """The result of one scan."""

    tool: ToolInfo
    project: ProjectFacts
    scores: Scores
    data: tuple[DataRow, ...]
    """Every emitted key in contract order."""
    findings: tuple[Finding, ...]
    subjects: tuple[SubjectRow, ...]
    """Every verdict of the applicable detectors, in contract order, then by place."""
    notices: tuple[Notice, ...]
    suppressed: tuple[Suppressed, ...] = ()
    left_out: LeftOut = LeftOut()
    parts: tuple[ProjectPart, ...] = ()
    """The projects of a repository that has several, by path."""
    picture: Picture = Picture()
    mends: tuple[Mend, ...] = ()
    """Where arguments may be written that close gaps of these rules."""

    @property
    def applicable(self) -> bool:
        """Whether any agent call site was found; if not, the scores say nothing about the project."""
        return self.scores.applicable


class Violation(NamedTuple):
    """An invariant of the policy that does not hold. `severity` is `error` or `warning`.

    `message` is the user's own, often empty; `value` is the baseline's where `baseline` is true.
    """

    metric: str
    op: str
    value: float
    actual: float
    severity: str
    message: str
    baseline: bool = False

    @property
    def text(self) -> str:
        """What does not hold, and the user's own words."""
        said = f"{short(self.metric)} {self.op} {self.value:g}{' (the baseline)' if self.baseline else ''}"
        return f"{said} does not hold: it is {self.actual:g}" + (f". {self.message}" if self.message else "")


class Decision(NamedTuple):
    """What the gate says: the exit code, and why it is not 0."""

    exit_code: int = 0
    reasons: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What a run ends with: the report, what changed since the baseline if there is one, what the policy objects to."""

    report: Report
    comparison: Changes | None = None
    violations: tuple[Violation, ...] = ()
    decision: Decision = Decision()


def build_report(  # noqa: PLR0913 - a report is made of these
    system: AgentSystem,
    results: Iterable[Judged],
    config: ScoringConfig,
    symbol_path: SymbolPath,
    *,
    name: str,
    version: str,
    notices: Iterable[Notice] = (),
    manifests: Iterable[str] = (),
) -> Report:
    """The report of one scan, the same whatever the order of the results and of their verdicts.

    `symbol_path` gives the names around a place, `name` is what the project is called, `version` the tool's own;
    `notices` come on top of the system's; by the paths of `manifests` the projects of a repository are told apart.
    """
    settled = tuple(result._replace(verdicts=in_order(result.verdicts)) for result in results)
    scores = score(settled, config, has_sites=bool(system.sites))
    evidence = _applicable_verdicts(scores, settled)
    return Report(
        tool=ToolInfo(TOOL_NAME, version),
        project=_project(system, name),
        scores=scores,
        data=_data(scores, (detector_summary(scores), top_evidence(evidence), axis_summary(scores))),
        findings=metrics_to_findings(scores, settled, system.fixes, symbol_path),
        subjects=tuple(SubjectRow(metric.key, verdict) for metric, verdicts in evidence for verdict in verdicts),
        notices=sorted_notices((*system.project.notices, *notices)),
        parts=parts_of(manifests, [site.span.path for site in system.sites], settled, config),
        picture=picture_of(system),
        mends=system.mends,
    )


def _applicable_verdicts(
    scores: Scores, results: Sequence[Judged]
) -> tuple[tuple[MetricScore, tuple[Verdict, ...]], ...]:
    verdicts = {result.detector.rule_id: result.verdicts for result in results}
    return tuple((metric, verdicts[metric.rule_id]) for metric in scores.metrics if metric.applicable)


def _project(system: AgentSystem, name: str) -> ProjectFacts:
    project = system.project
    return ProjectFacts(
        name=name,
        roles=dict(sorted(project.roles.items())),
        languages=dict(sorted(project.languages.items())),
        judged_role=project.judged_role,
        frameworks=tuple(sorted(set(project.dependencies), key=_dependency_order)),
        sites=tuple(sorted(system.sites, key=lambda site: (site.span, site.kind, site.symbol, site.framework))),
        agents=tuple(sorted(system.agents, key=_agent_order)),
        tools=tuple(sorted(system.tools, key=lambda tool: (tool.span, tool.name, tool.framework))),
        handoffs=tuple(sorted(system.handoffs, key=_handoff_order)),
        servers=tuple(sorted(servers_of(system))),
        models=tuple(sorted(system.models, key=lambda use: (use.span, use.symbol, use.framework))),
        prompts=tuple(sorted(system.instructions, key=lambda text: (text.span, text.symbol, text.framework))),
        credentials=tuple(sorted(system.credentials, key=lambda one: (one.span, one.source, one.symbol, one.owner))),
        bounds={
            path.span: bound
            for path in system.feedback_paths
            if path.kind is not PathKind.RUN and (bound := effective_bound(path)) is not None
        },
    )


def _agent_order(agent: Agent) -> tuple[Span, str, str, tuple[str, ...]]:
    return (agent.span, agent.symbol, agent.framework, tuple(tool.name for tool in agent.tools))


def _handoff_order(handoff: Handoff) -> tuple[Span, str, str, str, str]:
    return (handoff.span, handoff.symbol, handoff.framework, handoff.source.symbol, handoff.target.symbol)


def _dependency_order(dependency: Dependency) -> tuple[str, str, str, str, str]:
    return (dependency.name, dependency.ecosystem, dependency.version, dependency.origin, dependency.path or "")


def sorted_notices(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Each notice once, by place."""
    return tuple(sorted(set(notices), key=lambda notice: (notice.path, notice.line or 0, notice[2:])))


def _data(scores: Scores, tables: tuple[Table, Table, Table]) -> tuple[DataRow, ...]:
    totals = (*(axis.score for axis in scores.axes), scores.health, scores.weakest)
    return (
        *(DataRow(metric.key, metric.value) for metric in scores.metrics),
        *(DataRow(item.key, total) for item, total in zip(contract().composites, totals, strict=True)),
        *(DataRow(key, value) for key, value in scores.signals),
        *(DataRow(key, table) for key, table in zip(contract().tables, tables, strict=True)),
    )


# --------------------------------------------------------------------------------------------------------------- tables
def detector_summary(scores: Scores) -> Table:
    """One row for each emitted detector, in contract order."""
    columns = (
        "key", "rule_id", "axis", "risk", "severity", "confidence", "applicable", "judged", "unknown", "evidence_count",
        "impact", "effort",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        tuple(str(cell) if isinstance(cell, str) else cell for cell in (getattr(metric, name) for name in columns))
        for metric in scores.metrics
    ]
    return Table(columns, tuple(rows))


def top_evidence(evidence: Iterable[tuple[MetricScore, Sequence[Verdict]]]) -> Table:
    """The 20 worst gaps by severity, the subject's weight·risk, path and line."""
    gaps = [(metric, gap) for metric, verdicts in evidence for gap in distinct_gaps(verdicts)]
    gaps.sort(key=lambda item: (-SEVERITY_RANK[item[0].severity], badness(item[1]), item[0].key))
    rows = tuple(
        (gap.span.path, gap.span.line if gap.span.line > 0 else None, metric.key, str(metric.severity), gap.reason)
        for metric, gap in gaps[:TOP_EVIDENCE]
    )
    return Table(("file", "line", "detector", "severity", "reason"), rows)


def axis_summary(scores: Scores) -> Table:
    """One row for each axis: its scores, its detectors, and how many of them have each severity."""
    columns = (
        "axis",
        "score",
        "applicable_score",
        "detectors",
        "applicable",
        *(str(severity) for severity in Severity),
    )
    return Table(columns, tuple((*axis[:-1], *axis.severities) for axis in scores.axes))
