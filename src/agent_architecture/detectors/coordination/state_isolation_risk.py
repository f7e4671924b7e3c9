"""State that runs of several users or agents share, with nothing that keeps them apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.model.system import AgentSystem

LOCKED: Final = 0.5
"""A lock keeps writes whole; it keeps nobody from reading what is another one's."""
WHAT: Final = {
    Sharing.CONTAINER: "outlives the run, and every run changes it",
    Sharing.DEFAULT: "is a mutable default that all calls share",
    Sharing.THREAD: "resumes a stored run",
    Sharing.RECORDS: "queries a shared database",
    Sharing.FILES: "takes a file out of a folder that all runs use",
    Sharing.OVERWRITTEN: "is overwritten by each run, also by runs at the same time",
    Sharing.ENTRY: "reaches into state of all runs",
    Sharing.MEMORY: "is remembered for all runs",
    Sharing.AGENT: "keeps one conversation for all whom it serves",
}
LACKS: Final = dict.fromkeys((Sharing.CONTAINER, Sharing.DEFAULT, Sharing.OVERWRITTEN, Sharing.AGENT), "run") | {
    Sharing.THREAD: "thread",
    Sharing.RECORDS: "owner",
    Sharing.FILES: "owner",
    Sharing.ENTRY: "owner",
    Sharing.MEMORY: "owner",
}
"""The part of the control that is missing."""
WHO: Final = {"client": "the client", "model": "the model"}


@detector(
    title="State that runs share",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Keep state in an object of the run, or under a key of whoever is signed in, and check that it is theirs.",
    references=("CWE-362", "CWE-653", "CWE-639", "OWASP ASI06", "OWASP ASI03", "OWASP LLM02:2026", "OWASP LLM09:2026",
                "OWASP MCP10:2025", "AISVS 8.1.1", "AISVS 5.3.1"),
    parts={
        "run": "Keep the state in an object of the run.",
        "thread": "Make the run's id of whoever is signed in, and check that the run is theirs.",
        "owner": "Use a key of whoever is signed in, and check that what it leads to is theirs.",
    },
)  # fmt: skip
def state_isolation_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Everything that runs share."""
    for shared in system.shared:
        yield judge(shared)


def judge(shared: Shared) -> Verdict:
    """The verdict on one holder or key."""
    what, lacks = f"{shared.symbol} {WHAT[shared.what]}", (LACKS[shared.what],)
    if shared.chosen_by:
        reason = f"{what}: {WHO[shared.chosen_by]} chooses {shared.key}, with no ownership check."
        return gap(shared, reason, confidence=shared.confidence, related=shared.related, lacks=lacks)
    if shared.constant:
        reason = f"{what}: its key ({shared.key}) is the same for everybody."
        return gap(shared, reason, confidence=shared.confidence, related=shared.related, lacks=lacks)
    if shared.key:
        return ok(shared, f"{what}, keyed by {shared.key}.", confidence=shared.confidence, related=shared.related)
    if shared.locked:
        reason = f"{what}: a lock guards it, but no key separates owners."
        return gap(shared, reason, risk=LOCKED, confidence=shared.confidence, related=shared.related, lacks=lacks)
    return gap(
        shared, f"{what}: no key separates owners.", confidence=shared.confidence, related=shared.related, lacks=lacks
    )
