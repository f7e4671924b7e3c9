"""MCP servers whose tools can become others after somebody looked at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.supply import Pin
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.model.trust import ServerSource, ServerTrust, ToolChange

OWN: Final = 0.2
"""A server of this repository changes with the code around it (spec/detectors.md, ruling 40)."""
PINS: Final = {Pin.DIGEST: 0.2, Pin.EXACT: 0.5, Pin.TAG: 0.5, Pin.RANGE: 1.0, Pin.FLOATING: 1.0}
SEEN: Final = {
    Pin.DIGEST: "is fixed by a digest, but what it tells is not compared",
    Pin.EXACT: "has one exact version, and what it tells is not compared",
    Pin.TAG: "is chosen by a tag, which can be moved",
    Pin.RANGE: "is fetched in whatever version of a range is newest",
    Pin.FLOATING: "is fetched in whatever version is newest",
}
WRITTEN_CHANGE: Final = 0.5
"""What the tool becomes is written in the project."""


@detector(
    title="Tools of an MCP server can change unnoticed",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Keep a hash of each tool's name, description and schema, compare it before use, and ask again if it differs.",
    references=("CWE-494", "CWE-353", "CWE-829", "OWASP ASI04", "OWASP LLM04:2026", "OWASP MCP03:2025", "AISVS 10.4.8"),
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
            reason = f"The description of {offer.symbol} comes from {foreign.source} and is whatever that says."
            yield gap(offer, reason, related=(foreign.span,))


def judge(trust: ServerTrust) -> Verdict:
    """The verdict on one connection."""
    name = trust.symbol
    if trust.checked is not None:
        return ok(trust, f"What {name} tells of its tools is compared with what was seen.", related=(trust.checked,))
    match trust.source:
        case ServerSource.OWN:
            return gap(
                trust, f"{name} is a server of this project ({trust.what}); nobody compares its tools.", risk=OWN
            )
        case ServerSource.REMOTE:
            return gap(trust, f"{name} is run by somebody else ({trust.what}), and its tools are taken as they come.")
        case ServerSource.FETCHED:
            pin = Pin(str(trust.client.pinned.value))
            seen = (
                "is fetched from an address without a digest"
                if "://" in trust.what and pin is Pin.FLOATING
                else SEEN[pin]
            )
            return gap(trust, f"{trust.what or name} {seen}.", risk=PINS[pin])
        case ServerSource.INSTALLED:
            return unknown(
                trust, f"{name} is what the machine has as {trust.what}, in a version that nothing here says."
            )
        case _ if trust.client.configured:
            return unknown(trust, f"The server of {name} comes from {trust.what}.")
        case _:
            reason = f"Which server {name} is comes from {trust.what}; whatever that offers is taken as it comes."
            return gap(trust, reason, confidence=Confidence.MEDIUM)


def changed(change: ToolChange) -> Verdict:
    """The verdict on a server that changes its tools while it runs."""
    what = "is taken away" if change.removes else "becomes another one"
    reason = f"A tool {what} while the server runs ({change.symbol}): clients approved what was there before."
    return gap(change, reason, risk=WRITTEN_CHANGE if change.written else 1.0)
