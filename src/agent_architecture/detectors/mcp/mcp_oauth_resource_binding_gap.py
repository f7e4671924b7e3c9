"""MCP servers that take a token which was made for somebody else, or send their callers' tokens on."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.protocols import AccessCheck, ForwardedToken, McpClient, McpStart, Proof
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem, Confidence


@detector(
    title="MCP token that is not bound to its server",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Tell the verifier whose server this is, and refuse tokens for others; exchange tokens upstream.",
    references=("CWE-441", "CWE-863", "CWE-345", "CWE-287", "OWASP MCP07:2025", "AISVS 10.2.2", "RFC 8707"),
)
def mcp_oauth_resource_binding_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every server that verifies tokens, every client that gets some by OAuth, and every token that is sent on."""
    for start in system.mcp_starts:
        check = _token_check(start)
        if check is not None:
            yield judge_start(start, check)
    for client in system.mcp_clients:
        if client.signs_in:
            yield judge_client(client._replace(span=client.opened))
    for token in system.forwarded_tokens:
        yield judge_forwarded(token)


def _token_check(start: McpStart) -> AccessCheck | None:
    """What verifies the tokens of a server's callers; of several the one that says most."""
    checks = [check for check in start.checks if check.proof is Proof.TOKEN or check.signature.value is False]
    return max(checks, key=lambda check: _is_bound(check.audience), default=None)


def _is_bound(audience: Setting) -> bool:
    return audience.origin is Origin.UNKNOWN or audience.value not in {None, False}


def judge_start(start: McpStart, check: AccessCheck) -> Verdict:
    """The verdict on one server that verifies tokens."""
    related, sure = (check.span,), Confidence.HIGH if check.framework else Confidence.MEDIUM
    audience = check.audience
    if check.signature.is_known and check.signature.value is False:
        reason = f"{check.symbol} accepts tokens without verifying their signature: anybody can forge one."
        return gap(start, reason, related=related, confidence=sure)
    if audience.origin is Origin.UNKNOWN:
        reason = f"{check.symbol} accepts tokens for an audience that comes from {audience.source}."
        return ok(start, reason, related=related, confidence=Confidence.MEDIUM)
    if _is_bound(audience):
        return ok(start, f"{check.symbol} accepts tokens for this server only.", related=related, confidence=sure)
    if not check.framework and not check.verifies:
        reason = f"{check.symbol}: which audience it accepts cannot be read."
        return unknown(start, reason, related=related)
    if audience.origin is Origin.WRITTEN:
        how = f"its audience check is switched off ({audience.value})"
    elif audience.origin is Origin.DEFAULT:
        how = f"no audience is checked (the default of {audience.source})"
    else:
        how = "no audience is set"
    reason = f"{check.symbol} accepts tokens issued for other services: {how}."
    return gap(start, reason, related=related, confidence=sure)


def judge_client(client: McpClient) -> Verdict:
    """The verdict on one client that signs in by OAuth."""
    if client.resource.origin is Origin.ABSENT or client.resource.value is False:
        return gap(client, f"{client.symbol} asks for tokens without naming the server (`resource`).")
    return ok(client, f"{client.symbol} asks for tokens for the server that it connects to.")


def judge_forwarded(token: ForwardedToken) -> Verdict:
    """The verdict on one token that goes on."""
    reason = f"The caller's credential ({token.symbol}) is forwarded to another service."
    related = (token.source,) if token.source.line != token.span.line else ()
    return gap(token, reason, related=related, confidence=Confidence.MEDIUM)
