"""Synthetic detectors and systems for the contract's tests: real entities and verdicts, no files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent_architecture.contract import SIGNAL_OWNERS, contract, scalars
from agent_architecture.detector import Detector, Effort, Severity, Verdict, gap, ok, unknown
from agent_architecture.model.system import AgentSystem, Fix, Project, Site, SiteKind, Tool
from agent_architecture.registry import Judged, judge_one
from agent_architecture.report import Report, build_report
from agent_architecture.scoring import MetricScore, Scores, ScoringConfig, score
from agent_architecture.sources.source import Role, Span

PAGE = "# Title\n\nWhat it means,\non two lines.\n\nMore.\n"


def span(path: str = "app.py", line: int = 1, col: int = 1) -> Span:
    return Span(path, line, col, line, col + 5)


def tool(path: str = "app.py", line: int = 1, symbol: str = "search", framework: str = "", col: int = 1) -> Tool:
    return Tool(span(path, line, col), symbol, framework, symbol)


def site(path: str = "app.py", line: int = 1) -> Site:
    return Site(span(path, line), "main", "langgraph", SiteKind.RUN)


def system(sites: Iterable[Site] = (site(),), fixes: Iterable[Fix] = ()) -> AgentSystem:
    project = Project(roles={Role.APP: 2, Role.TEST: 1}, languages={"python": 3}, dependencies=())
    return AgentSystem(project, sites=tuple(sites), fixes=tuple(fixes))


def verdicts_of(*risks: float | None) -> tuple[Verdict, ...]:
    """One verdict a line: 0 controlled, None unknown, else a gap."""
    return tuple(verdict_of(risk, line) for line, risk in enumerate(risks, start=1))


def verdict_of(risk: float | None, line: int = 1, weight: float = 1.0, **place: str) -> Verdict:
    subject = tool(line=line, **place)
    if risk is None:
        return unknown(subject, "it cannot be read", weight=weight)
    return (
        gap(subject, "nothing bounds it", risk=risk, weight=weight) if risk else ok(subject, "bounded", weight=weight)
    )


def signal_values(key: str, value: float = 0.0) -> dict[str, float] | None:
    names = SIGNAL_OWNERS.get(key)
    return dict.fromkeys(names, value) if names else None


def detector_of(
    key: str,
    verdicts: Iterable[Verdict] = (),
    impact: Severity = Severity.CRITICAL,
    signals: Mapping[str, float] | None = None,
) -> Detector:
    values = signal_values(key) if signals is None else dict(signals)
    return Detector(
        key=key,
        group=scalars()[key].group,
        title=f"Title of {key}",
        impact=impact,
        effort=Effort.LOW,
        fix="Bound it.",
        references=("CWE-835",),
        judge=lambda _system: iter(tuple(verdicts)),
        signals=None if values is None else lambda _system, _verdicts: values,
        read_page=lambda: PAGE,
    )


def judged(key: str, verdicts: Iterable[Verdict] = (), impact: Severity = Severity.CRITICAL) -> Judged:
    return judge_one(detector_of(key, verdicts, impact), system())


def everything(said: Mapping[str, Iterable[Verdict]] | None = None) -> tuple[Judged, ...]:
    """All 56 detectors; those not in `said` have no subject."""
    return tuple(judged(scalar.name, (said or {}).get(scalar.name, ())) for scalar in contract().scalars)


def scores_of(results: Iterable[Judged], config: ScoringConfig | None = None, *, has_sites: bool = True) -> Scores:
    return score(results, config or ScoringConfig(), has_sites=has_sites)


def metric_of(
    key: str, verdicts: Iterable[Verdict], config: ScoringConfig | None = None, **other: Severity
) -> MetricScore:
    (metric,) = scores_of([judged(key, verdicts, **other)], config).metrics
    return metric


def report_of(
    results: Iterable[Judged],
    agent_system: AgentSystem | None = None,
    config: ScoringConfig | None = None,
    symbol_path: str = "main",
) -> Report:
    return build_report(
        agent_system or system(),
        results,
        config or ScoringConfig(),
        lambda _span: symbol_path,
        name="demo",
        version="0.1.0",
    )


def value_of(report: Report, name: str) -> object:
    """The emitted value of a key, given without the metric's name."""
    values = {row.key: row.value for row in report.data}
    return values["agent_architecture." + name]
