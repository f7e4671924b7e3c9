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
    Sharing.CONTAINER: "outlives the run, and every run of the program changes it",
    Sharing.DEFAULT: "is a default that all calls share, and its function changes it",
    Sharing.THREAD: "goes on with the run that is kept under",
    Sharing.RECORDS: "asks a database that many share",
    Sharing.OVERWRITTEN: "is set anew by each run, and runs at the same time have it in common",
    Sharing.ENTRY: "reaches into what all runs share",
    Sharing.MEMORY: "is remembered for all runs of the program",
}
WHO: Final = {"client": "whoever sends the request", "model": "a model"}


@detector(
    title="State that runs share",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Keep state in an object of the run, or under a key of whoever is signed in, and check that it is theirs.",
    references=("CWE-362", "CWE-653", "CWE-639", "OWASP ASI06", "OWASP ASI03", "OWASP LLM02:2026", "OWASP LLM09:2026",
                "OWASP MCP10:2025", "AISVS 8.1.1", "AISVS 5.3.1"),
)  # fmt: skip
def state_isolation_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Everything that runs share."""
    for shared in system.shared:
        yield judge(shared)


def judge(shared: Shared) -> Verdict:
    """The verdict on one holder or key."""
    what = f"{shared.symbol} {WHAT[shared.what]}"
    if shared.what is Sharing.THREAD:
        what += f" {shared.key}"
    if shared.chosen_by:
        reason = f"{what}; {WHO[shared.chosen_by]} chooses {shared.key}, and nothing asks whether it is theirs."
        return gap(shared, reason, confidence=shared.confidence, related=shared.related)
    if shared.constant:
        reason = f"{what}; that key ({shared.key}) is the same for everybody."
        return gap(shared, reason, confidence=shared.confidence, related=shared.related)
    if shared.key:
        return ok(shared, f"{what}, under {shared.key}.", confidence=shared.confidence, related=shared.related)
    if shared.locked:
        reason = f"{what}; a lock keeps writes whole, and nothing keeps owners apart."
        return gap(shared, reason, risk=LOCKED, confidence=shared.confidence, related=shared.related)
    return gap(shared, f"{what}; nothing keeps owners apart.", confidence=shared.confidence, related=shared.related)
