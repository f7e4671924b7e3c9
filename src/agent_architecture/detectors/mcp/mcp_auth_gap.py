"""MCP servers that answer anybody over the network, and clients that ask strangers without a credential or in clear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.protocols import AccessCheck, McpClient, McpStart, Proof
from agent_architecture.model.settings import HOLE, Origin, Setting
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.regexes import regex

REMOTE: Final = frozenset({"http", "sse", "websocket"})
SHARED: Final = 0.5
"""One key for all callers: none of them is known, and none can be shut out alone."""
SKIPPED: Final = 0.5
"""A check that is only there under a condition."""
LOOPBACK: Final = regex(r"^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1?\]?|[\w-]+\.localhost)$")
"""The machine itself, also by the address that means all of its own."""
EVERYWHERE: Final = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - what code listens on
CLEAR: Final = frozenset({"http", "ws"})
SECRET: Final = regex(r"(?i)(?:^|[?&])[\w.-]*(?:api[-_]?key|token|secret|passw(?:or)?d|access[-_]?key)=[^&]")
"""A credential in the query of an address: servers, proxies and logs keep it."""
CREDENTIAL: Final = regex(r"(?i)auth|key|token|secret|cookie|bearer|credential|session|jwt")


@detector(
    title="MCP over the network without authentication",
    impact=Severity.CRITICAL,
    effort=Effort.MEDIUM,
    fix="Give the server a verifier that checks a token on every request; give the client https and a credential.",
    references=("CWE-306", "CWE-287", "CWE-319", "CWE-346", "OWASP ASI03", "OWASP MCP07:2025", "AISVS 10.2.1"),
)
def mcp_auth_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every server that is started on a network transport, and every client of one that is."""
    for start in system.mcp_starts:
        if not start.configured and start.transport.origin is not Origin.ABSENT:
            verdict = judge_start(start)
            if verdict is not None:
                yield verdict
    for client in system.mcp_clients:
        if client.disabled.value is not True and is_remote(client):
            yield judge_client(client._replace(span=client.opened))


# ------------------------------------------------------------------------------------------------------------ servers
def judge_start(start: McpStart) -> Verdict | None:
    """The verdict on one start; None for one that no network reaches."""
    over = [str(value) for value in start.transport.values if value in REMOTE]
    if start.transport.origin is Origin.UNKNOWN:
        return unknown(start, f"The transport of this server comes from {start.transport.source}.")
    if not over:
        return None
    what = f"This server listens over {' and '.join(over)}{_where(start)}"
    if not start.checks:
        if start.auth.origin is Origin.UNKNOWN:
            return unknown(start, f"{what}: its authentication comes from {start.auth.source}.")
        return gap(start, f"{what} without authentication{_default(start.auth)}.")
    return _checked(start, what, start.checks)


def _checked(start: McpStart, what: str, checks: tuple[AccessCheck, ...]) -> Verdict:
    """The verdict by the best of what stands in front of a server."""
    best = min(checks, key=lambda check: _RISK[check.proof] if not check.conditional else max(_RISK[check.proof], 0.5))
    related = (best.span,)
    sure = Confidence.HIGH if best.framework else Confidence.MEDIUM
    match best.proof:
        case Proof.UNKNOWN:
            return unknown(start, f"{what}: what {best.symbol} checks cannot be read.", related=related)
        case Proof.ANY:
            reason = f"{what}: {best.symbol} accepts any credential."
            return gap(start, reason, related=related, confidence=sure)
        case Proof.SHARED:
            reason = f"{what}: {best.symbol} compares one key that all callers share."
            return gap(start, reason, risk=SHARED, related=related, confidence=sure)
        case Proof.TOKEN if best.conditional:
            reason = f"{what}: {best.symbol} authenticates callers only under a condition."
            return gap(start, reason, risk=SKIPPED, related=related, confidence=sure)
        case Proof.TOKEN:
            return ok(start, f"{what}; {best.symbol} verifies each request.", related=related, confidence=sure)


_RISK: Final = {Proof.TOKEN: 0.0, Proof.UNKNOWN: 0.4, Proof.SHARED: SHARED, Proof.ANY: 1.0}


def _where(start: McpStart) -> str:
    """Where it listens, as far as the code says so."""
    host = start.host
    if not host.is_known or not isinstance(host.value, str):
        return ""
    if host.value in EVERYWHERE:
        return f" on all interfaces ({host.value or 'no host'})"
    whose = f" ({host.default_of})" if host.default_of else ""
    return f" on {host.value}{whose}"


def _default(auth: Setting) -> str:
    return f" (the default of {auth.source})" if auth.origin is Origin.DEFAULT else ""


# ------------------------------------------------------------------------------------------------------------ clients
def is_remote(client: McpClient) -> bool:
    """Whether a client reaches its server over a network: it has an address, or a transport that needs one."""
    if client.url.origin is not Origin.ABSENT:
        return True
    return client.transport.origin is Origin.WRITTEN and set(client.transport.values) <= REMOTE


def judge_client(client: McpClient) -> Verdict:
    """The verdict on one client of a remote server."""
    urls = [value for value in client.url.values if isinstance(value, str)] if client.url.is_known else []
    for url in urls:
        fault = _fault(url)
        if fault:
            return gap(client, f"{client.symbol} connects to {fault}.")
    credential = _credential(client)
    if credential is None:
        return unknown(client, f"{client.symbol}: its credential comes from {_hidden(client)}.")
    if credential:
        return ok(client, f"{client.symbol} sends {credential}.")
    if urls and all(_is_local(url) for url in urls):
        return ok(client, f"{client.symbol} stays on this machine ({_shown(urls[0])}).")
    if not urls:
        whence = client.url.source or "what is given at run time"
        return unknown(client, f"{client.symbol} sets no credential, and its address comes from {whence}.")
    if client.configured:
        reason = f"{client.symbol} sets no credential for {_shown(urls[0])}; its host may sign in."
        return unknown(client, reason)
    if any(HOLE in url for url in urls):  # a key may be it
        return unknown(client, f"{client.symbol}: a part of {_shown(urls[0])} is only known at run time.")
    return gap(client, f"{client.symbol} connects to {_shown(urls[0])} without a credential.")


def _fault(url: str) -> str:
    """What is wrong with an address itself, as the end of a sentence."""
    parts = urlsplit(url) if "://" in url else None
    if parts is None or _is_local(url):
        return ""
    if parts.scheme in CLEAR:
        return f"{_shown(url)} without TLS ({parts.scheme})"
    if parts.password or SECRET.search(parts.query):
        return f"{_shown(url)} with a credential in the URL"
    return ""


def _shown(url: str) -> str:
    """An address without what may be secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else url


def _is_local(url: str) -> bool:
    return LOOPBACK.match(urlsplit(url).hostname or "") is not None


def _credential(client: McpClient) -> str | None:
    """What it proves itself with; "" for nothing, None where that cannot be read."""
    if client.auth.origin is Origin.WRITTEN and client.auth.value not in {None, False}:
        return "the credential of its auth option"
    named = [part for part in client.headers.entries if CREDENTIAL.search(part.name)]
    if named and all(part.optional for part in named):
        return None
    if named:
        return f"the header {named[0].name}"
    hidden = client.headers.origin is Origin.UNKNOWN or not client.headers.complete
    return None if hidden or client.auth.origin is Origin.UNKNOWN else ""


def _hidden(client: McpClient) -> str:
    if any(part.optional and CREDENTIAL.search(part.name) for part in client.headers.entries):
        return "a header that is only sent where it is set"
    return client.auth.source or "headers that are only known at run time"
