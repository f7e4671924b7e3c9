"""The gate: an outcome and a policy give an exit code, and the reasons for it in words.

Exit codes: 3, the analysis is incomplete, goes before 1; 2, a mistake of the user, is an
exception long before. Findings alone and warnings fail nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.config import PolicyConfig
from agent_architecture.contract import short
from agent_architecture.errors import INCOMPLETE, PASSED, VIOLATED
from agent_architecture.findings import Finding
from agent_architecture.policy.diff import compare
from agent_architecture.policy.invariants import checked, violations
from agent_architecture.policy.snapshots import Snapshot, of_report
from agent_architecture.render.counted import counted
from agent_architecture.report import Decision, Outcome, Table
from agent_architecture.scoring import SEVERITY_RANK
from agent_architecture.sources.source import Notice


def judge(outcome: Outcome, policy: PolicyConfig, before: Snapshot | None = None) -> Outcome:
    """The outcome with its violations, what changed since the baseline `before`, and the decision.

    Raises:
        ConfigurationError: an invariant that cannot be checked: its name, its range, a baseline that is missing.
    """
    named = checked(policy.invariants)
    report = outcome.report
    values = {row.key: row.value for row in report.data if not isinstance(row.value, Table)}
    known = None if before is None else before.values
    found = violations(named.invariants, values, known, fail_fast=policy.fail_fast)
    unchecked = (f"{short(item.metric)} could not be checked: its detector failed" for item in found.unchecked)
    notices = tuple(Notice("", None, text, incomplete=False) for text in (*named.notices, *unchecked))
    judged = outcome._replace(
        report=report._replace(notices=(*notices, *report.notices)),
        comparison=None if before is None else compare(before, of_report(report, "the working tree")),
        violations=found.violations,
    )
    return judged._replace(decision=decide(judged, policy))


def decide(outcome: Outcome, policy: PolicyConfig) -> Decision:
    """What the run ends with."""
    incomplete = tuple(_incomplete(outcome, policy))
    violated = tuple(_violated(outcome, policy))
    code = INCOMPLETE if incomplete else VIOLATED if violated else PASSED
    return Decision(code, (*incomplete, *violated))


def _incomplete(outcome: Outcome, policy: PolicyConfig) -> Iterator[str]:
    failed = outcome.report.scores.failed
    if failed:
        yield f"{counted(len(failed), 'detector')} failed: {', '.join(short(failure.key) for failure in failed)}"
    unread = sum(notice.incomplete for notice in outcome.report.notices)
    if policy.strict and unread:
        yield f"{counted(unread, 'notice')} of what was left unread (--strict)"


def _violated(outcome: Outcome, policy: PolicyConfig) -> Iterator[str]:
    errors = sum(violation.severity == "error" for violation in outcome.violations)
    if errors:
        yield counted(errors, "policy error")
    failing = [finding for finding in outcome.report.findings if _fails(finding, outcome, policy)]
    if failing:
        fresh = " that the baseline does not have" if outcome.comparison is not None else ""
        yield f"{counted(len(failing), 'finding')} of severity {policy.fail_on} or worse{fresh} (--fail-on)"
    if policy.require_agents and not outcome.report.applicable:
        yield "no agent call sites found (--require-agents)"


def _fails(finding: Finding, outcome: Outcome, policy: PolicyConfig) -> bool:
    if policy.fail_on is None or SEVERITY_RANK[finding.severity] < SEVERITY_RANK[policy.fail_on]:
        return False
    return outcome.comparison is None or outcome.comparison.is_new(finding)
