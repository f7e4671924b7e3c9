"""Agent components that are fetched without a fixed version or a digest."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.supply import InstallItem, InstallPath, Pin
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import short_digest

RISKS = {Pin.FLOATING: 1.0, Pin.RANGE: 0.7, Pin.TAG: 0.5, Pin.EXACT: 0.2, Pin.DIGEST: 0.0}
"""What a later change of the source can do to the agent."""

SEEN = {
    Pin.FLOATING: "has no pinned version",
    Pin.RANGE: "is pinned to a range of versions",
    Pin.TAG: "is pinned to a tag, which can be moved",
    Pin.EXACT: "is pinned to an exact version, without a hash",
}

MODELS = frozenset({"model", "dataset", "prompt"})
"""Kinds of install paths whose components have commits."""
LACKS = {Pin.FLOATING: "exact", Pin.RANGE: "exact", Pin.TAG: "digest", Pin.EXACT: "hashes"}
"""The part of the control that is missing, by how a component is pinned."""


@detector(
    title="Agent components are fetched without a pin",
    impact=Severity.HIGH,
    effort=Effort.LOW,
    fix="Install from a lock file with hashes; pin servers to exact versions, images to digests, models to commits.",
    references=("CWE-494", "CWE-829", "CWE-1357", "OWASP ASI04", "OWASP LLM04:2026", "OWASP MCP04", "AISVS 6.1.2"),
    parts={
        "exact": "Pin it to an exact version, by a lock file with hashes where there can be one.",
        "digest": "Pin it to a digest or a commit.",
        "hashes": "Install from a lock file with hashes.",
        "commit": "Pin it to a commit.",
    },
)
def supply_chain_provenance_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every install path, by its worst component that serves the agent."""
    for path in system.install_paths:
        items = [item for item in path.items if item.serves]
        if items:
            yield judge(path, items)


def judge(path: InstallPath, items: list[InstallItem]) -> Verdict:
    """The loosest known component decides; where none is loose, one that cannot be read leaves the path open."""
    worst = max((item for item in items if item.pin in RISKS), key=lambda item: RISKS[item.pin], default=None)
    hidden = next((item for item in items if item.pin is Pin.UNKNOWN), None)
    if hidden is not None and (worst is None or not RISKS[worst.pin]):
        return unknown(path._replace(span=hidden.span), f"{hidden.name}: its version is computed when it is fetched.")
    item = worst if worst is not None else items[0]
    subject = path._replace(span=item.span)
    if not RISKS[item.pin]:
        return ok(
            path if path.kind == "lock" else subject,
            f"{short_digest(item.name)} and all else that the agent needs here is pinned by hash.",
        )
    lacks = "commit" if path.kind in MODELS else LACKS[item.pin]
    reason = f"{short_digest(item.name)} {SEEN[item.pin]}."
    return gap(subject, reason, risk=RISKS[item.pin], lacks=(lacks,))
