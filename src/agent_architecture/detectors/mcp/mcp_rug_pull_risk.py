"""MCP servers whose tools can become others after somebody looked at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.supply import Pin
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.model.trust import ServerSource, ServerTrust, ToolChange
from agent_architecture.wording import short_digest

OWN: Final = 0.2
"""A server of this repository changes with the code around it."""
PINS: Final = {Pin.DIGEST: 0.2, Pin.EXACT: 0.5, Pin.TAG: 0.5, Pin.RANGE: 1.0, Pin.FLOATING: 1.0}
SEEN: Final = {
    Pin.DIGEST: "is pinned by digest, but its tool definitions are not compared",
    Pin.EXACT: "is pinned to an exact version, but its tool definitions are not compared",
    Pin.TAG: "is pinned to a tag, which can be moved",
    Pin.RANGE: "is fetched at the newest version of a range",
    Pin.FLOATING: "is fetched at the newest version",
}
WRITTEN_CHANGE: Final = 0.5
"""What the tool becomes is written in the project."""


@detector(
    title="Tools of an MCP server can change unnoticed",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Keep a hash of each tool's name, description and schema, compare it before use, and ask again if it differs.",
    references=("CWE-494", "CWE-353", "CWE-829", "OWASP ASI04", "OWASP LLM04:2026", "OWASP MCP03:2025", "AISVS 10.4.8"),
    parts={
        "compared": "Keep a hash of each tool's name, description and schema, and ask again if it differs.",
        "pinned": "Pin the server to an exact version, and compare the hash of each tool definition before use.",
        "changed": "Offer a changed tool under a new name, so that clients ask for it anew.",
        "written": "Write the description in the code.",
    },
)
def mcp_rug_pull_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every connection to a server, and every place where a server of the project changes its own tools."""
    for trust in system.server_trust:
        yield judge(trust)
    for change in system.tool_changes:
        yield changed(change)
    rewritten = {change.span for change in system.tool_changes}
    for offer in (offer for offer in system.mcp_offers if offer.span not in rewritten):
        foreign = next((one for one in offer.computed if one.origin and one.part == "description"), None)
        if foreign is not None:
            reason = f"{offer.symbol} takes its description from {foreign.source}, which can change it."
            yield gap(offer, reason, related=(foreign.span,), lacks=("written",))


def judge(trust: ServerTrust) -> Verdict:
    """The verdict on one connection."""
    name = trust.symbol
    if trust.checked is not None:
        return ok(trust, f"{name}: its tool definitions are compared with those seen before.", related=(trust.checked,))
    match trust.source:
        case ServerSource.OWN:
            return gap(
                trust,
                f"{name} is this project's own server ({trust.what}); its tool definitions are not compared.",
                risk=OWN,
                lacks=("compared",),
            )
        case ServerSource.REMOTE:
            reason = f"{name} is a remote server ({trust.what}): its tool definitions are not compared."
            return gap(trust, reason, lacks=("compared",))
        case ServerSource.FETCHED:
            pin = Pin(str(trust.client.pinned.value))
            seen = (
                "is fetched from a URL without a digest" if "://" in trust.what and pin is Pin.FLOATING else SEEN[pin]
            )
            lacks = "compared" if pin in {Pin.DIGEST, Pin.EXACT} else "pinned"
            return gap(trust, f"{short_digest(trust.what or name)} {seen}.", risk=PINS[pin], lacks=(lacks,))
        case ServerSource.INSTALLED if _is_started(trust):
            reason = (
                f"{name} runs {trust.what} as it lies on the machine, whatever version; its tools are not compared."
            )
            return gap(trust, reason, confidence=Confidence.MEDIUM, lacks=("pinned",))
        case ServerSource.INSTALLED:
            return unknown(trust, f"{name} runs {trust.what} as installed on the machine, at an unknown version.")
        case _ if trust.client.configured:
            return unknown(trust, f"{name}: its server comes from {trust.what}.")
        case _:
            reason = f"{name}: its server comes from {trust.what}, and its tool definitions are not compared."
            return gap(trust, reason, confidence=Confidence.MEDIUM, lacks=("compared",))


def _is_started(trust: ServerTrust) -> bool:
    """Whether the project starts what somebody installed, or a host what lies at a place of somebody's machine: that is
    no version, and nobody compares. Of a command of an editor's host, the machine may know more.
    """
    return trust.client.command.is_known and ("/" in trust.what or "\\" in trust.what or not trust.client.configured)


def changed(change: ToolChange) -> Verdict:
    """The verdict on a server that changes its tools while it runs."""
    what = "removes" if change.removes else "changes"
    reason = f"{change.symbol} {what} a tool while the server runs, after clients approved it."
    return gap(change, reason, risk=WRITTEN_CHANGE if change.written else 1.0, lacks=("changed",))
