"""Leaves out what the user chose not to see: a pure function of an outcome, which counts what it leaves out."""

from __future__ import annotations

from agent_architecture.config import ChoiceConfig
from agent_architecture.contract import short
from agent_architecture.findings import Finding, every_evidence
from agent_architecture.report import LeftOut, Outcome
from agent_architecture.scoring import CONFIDENCE_RANK, SEVERITY_RANK


def choose(outcome: Outcome, choice: ChoiceConfig) -> Outcome:
    """The outcome with the findings that were chosen; scores stay."""
    if choice == ChoiceConfig():
        return outcome
    report = outcome.report
    shown = tuple(finding for finding in report.findings if _is_chosen(finding, choice))
    gone = [finding for finding in report.findings if not _is_chosen(finding, choice)]
    evidence = sum(len(every_evidence(finding)) for finding in gone)
    left_out = LeftOut(len(gone), evidence, tuple(_named(choice)))
    return outcome._replace(report=report._replace(findings=shown, left_out=left_out))


def _is_chosen(finding: Finding, choice: ChoiceConfig) -> bool:
    key = short(finding.key)
    return (
        (not choice.select or key in choice.select)
        and key not in choice.ignore
        and SEVERITY_RANK[finding.severity] >= SEVERITY_RANK[choice.min_severity]
        and CONFIDENCE_RANK[finding.confidence] >= CONFIDENCE_RANK[choice.min_confidence]
    )


def _named(choice: ChoiceConfig) -> list[str]:
    """The parts of the choice that were made, as their flags are called."""
    plain = ChoiceConfig()
    return [name.replace("_", "-") for name in choice._fields if getattr(choice, name) != getattr(plain, name)]
