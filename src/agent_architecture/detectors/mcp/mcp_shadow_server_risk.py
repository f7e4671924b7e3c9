"""MCP servers that stand outside of what a project lists: chosen at run time, listed twice, open to the network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.inventory import Chooser, Listed, Oddity, Reach
from agent_architecture.model.protocols import Proof
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem

EVERYWHERE: Final = frozenset({"0.0.0.0", "::", "[::]", ""})  # noqa: S104 - what code listens on
RISKS: Final = {
    Oddity.CONFLICT: 1.0,
    Oddity.TEMPORARY: 1.0,
    Oddity.DEBUGGING: 1.0,
    Oddity.PERSONAL: 0.5,
    Oddity.DUPLICATE: 0.5,
}
SEEN: Final = {
    Oddity.CONFLICT: "names another server in {}",
    Oddity.TEMPORARY: "starts from a folder that anybody can write to ({})",
    Oddity.DEBUGGING: "is a debugging tool ({})",
    Oddity.PERSONAL: "depends on one person's home folder ({})",
    Oddity.DUPLICATE: "is also listed in {}",
}
LACKS: Final = {
    Oddity.CONFLICT: "once",
    Oddity.DUPLICATE: "once",
    Oddity.TEMPORARY: "folder",
    Oddity.PERSONAL: "folder",
    Oddity.DEBUGGING: "debugging",
}
CHOOSERS: Final = {Chooser.MODEL: "the model", Chooser.USER: "the caller"}
GUARDED: Final = 0.5
"""Open to the network, and every request has to prove who sends it; or chosen, among those that are listed."""


@detector(
    title="MCP servers outside of what is listed",
    impact=Severity.MEDIUM,
    effort=Effort.LOW,
    fix="List each server once, in one file that is reviewed; let nobody add one at run time, and bind to 127.0.0.1.",
    references=(
        "CWE-1188",
        "CWE-829",
        "CWE-940",
        "OWASP ASI04",
        "OWASP LLM04:2026",
        "OWASP MCP09:2025",
        "AISVS 10.1.2",
    ),
    parts={
        "once": "List each server once, in one file that is reviewed.",
        "chosen": "Take the address from a list in the code or the configuration, whoever asks.",
        "folder": "Start it from a folder of the project, or from a package.",
        "debugging": "Take the debugging tool out of what is shipped.",
        "bound": "Bind to 127.0.0.1, or ask every request for a token.",
    },
)
def mcp_shadow_server_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every server that is connected to, and every server that is started."""
    for listed in system.listed_servers:
        yield judge(listed)
    for reach in system.reaches:
        yield judge_start(reach)


def judge(listed: Listed) -> Verdict:
    """The verdict on one server that a file or program lists."""
    name = listed.symbol
    if listed.chooser is not None:
        who = CHOOSERS[listed.chooser]
        if listed.limited is not None:
            reason = f"{name}: {who} chooses its address, checked against an allow-list."
            return gap(listed, reason, risk=GUARDED, related=(listed.limited,), lacks=("chosen",))
        return gap(listed, f"{name}: {who} chooses its address, with no allow-list.", lacks=("chosen",))
    worst = max(listed.remarks, key=lambda remark: RISKS[remark.oddity], default=None)
    if worst is not None:
        reason = f"{name} {SEEN[worst.oddity].format(worst.what)}."
        related = () if worst.span is None else (worst.span,)
        return gap(listed, reason, risk=RISKS[worst.oddity], related=related, lacks=(LACKS[worst.oddity],))
    if listed.unread:
        return unknown(listed, f"{name}: its server comes from {listed.unread}.")
    return ok(listed, f"{name} is listed once, here.")


def judge_start(reach: Reach) -> Verdict:
    """The verdict on one server that is started."""
    start, host = reach.start, reach.host
    related = tuple(span for span in (reach.at, host.span) if span is not None)
    if start.transport.origin is Origin.UNKNOWN:
        return unknown(reach, f"The transport of this server comes from {start.transport.source}.")
    if set(start.transport.values) == {"stdio"}:
        return ok(reach, "This server speaks over stdio: only the process that starts it reaches it.")
    if not host.is_known:
        source = host.source or "its deployment, which is not in the code"
        return unknown(reach, f"The address that this server listens on comes from {source}.", related=related)
    open_to_all = next((str(value) for value in host.values if str(value) in EVERYWHERE), None)
    if open_to_all is None:
        return ok(reach, f"This server listens on {host.value} only.", related=related)
    whose = f", {host.default_of}" if host.default_of else ""
    where = f"This server listens on all interfaces ({open_to_all or 'no host'}{whose})"
    proven = next((c for c in start.checks if c.proof in {Proof.TOKEN, Proof.SHARED} and not c.conditional), None)
    if proven is not None:
        return gap(reach, f"{where}, behind {proven.symbol}.", risk=GUARDED, related=related, lacks=("bound",))
    return gap(reach, f"{where}, with no authentication.", related=related, lacks=("bound",))
