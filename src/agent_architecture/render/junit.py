"""JUnit XML: a test case for each detector, in suites by axis; a detector with gaps fails.

The form is that of Jenkins' xunit plug-in (`junit-10.xsd`), which GitLab, Azure Pipelines and CircleCI read, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from agent_architecture.detector import Severity
from agent_architecture.render.places import placed
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from agent_architecture.report import Outcome
    from agent_architecture.scoring import MetricScore

WITHOUT_AXIS: Final = "limits"
"""The suite of the detectors that count for no axis: the three limit scores."""


def render(outcome: Outcome) -> str:
    """The outcome as an XML document with a final newline."""
    report = outcome.report
    suites = Element("testsuites", name=report.tool.name)
    by_axis: dict[str, list[MetricScore]] = {}
    for metric in report.scores.metrics:
        by_axis.setdefault(metric.axis or WITHOUT_AXIS, []).append(metric)
    shown = {finding.rule_id for finding in report.findings}
    for axis, metrics in by_axis.items():
        failing = [metric for metric in metrics if _fails(metric) and metric.rule_id in shown]
        skipped = [metric for metric in metrics if not metric.applicable or (_fails(metric) and metric not in failing)]
        suite = _suite(suites, axis, len(metrics), len(failing), len(skipped))
        for metric in metrics:
            _case(suite, metric, outcome)
    if outcome.violations:
        _policy(suites, outcome)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _suite(suites: Element, name: str, tests: int, failures: int, skipped: int = 0) -> Element:
    counts = {"tests": tests, "failures": failures, "skipped": skipped, "errors": 0}
    return SubElement(suites, "testsuite", {"name": name} | {key: str(count) for key, count in counts.items()})


def _fails(metric: MetricScore) -> bool:
    return metric.applicable and metric.severity is not Severity.GOOD


def _case(suite: Element, metric: MetricScore, outcome: Outcome) -> None:
    case = SubElement(suite, "testcase", classname=suite.get("name", ""), name=metric.rule_id)
    if not metric.applicable:
        SubElement(case, "skipped", message="nothing to judge")
    elif _fails(metric):
        mine = [one for one in placed(outcome.report.findings) if one.finding.rule_id == metric.rule_id]
        if not mine:
            SubElement(case, "skipped", message="every place is suppressed or left out")
            return
        failure = SubElement(case, "failure", message=visible(mine[0].finding.title), type=metric.severity.value)
        lines = [f"{one.span.path}:{one.line or 1}: {one.evidence.message}" for one in mine]
        failure.text = "\n".join(map(visible, lines))


def _policy(suites: Element, outcome: Outcome) -> None:
    errors = [violation for violation in outcome.violations if violation.severity == "error"]
    suite = _suite(suites, "policy", len(outcome.violations), len(errors))
    for violation in outcome.violations:
        name = f"{violation.metric} {violation.op} {violation.value}"
        case = SubElement(suite, "testcase", classname="policy", name=visible(name))
        if violation.severity == "error":
            SubElement(case, "failure", message=visible(violation.text), type="policy")
        else:
            SubElement(case, "system-out").text = visible(violation.text)
