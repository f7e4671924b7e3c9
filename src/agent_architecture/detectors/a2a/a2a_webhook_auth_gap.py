"""Push notifications of A2A tasks that go anywhere, or that anybody can send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.peers import ReceivedPush, SentPush
from agent_architecture.model.protocols import Proof
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, Confidence

HALF: Final = 0.5
"""One of the two parts of a sender: where it sends, and how it proves who it is."""
TOKEN: Final = 0.25
"""It sends along what the client gave it, and not what the client asks for."""
MINOR: Final = 0.2


@detector(
    title="A2A push notifications without proof or limits",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Screen the addresses that clients name, send what they ask for as proof; verify each notification that comes.",
    references=("CWE-918", "CWE-306", "CWE-345", "CWE-294", "OWASP ASI07"),
)
def a2a_webhook_auth_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Everything that sends notifications, and every route that takes them."""
    for sent in system.sent_pushes:
        yield judge(sent)
    for received in system.received_pushes:
        yield judge_receiver(received)


def judge(sent: SentPush) -> Verdict:
    """The verdict on one sender."""
    parts: list[tuple[float, str]] = []
    remark = ""
    if sent.url_check.origin is Origin.UNKNOWN:
        return unknown(sent, f"{sent.symbol}: its check of client addresses comes from {sent.url_check.source}.")
    if sent.url_check.value in {None, False}:
        parts.append((HALF, "posts to any address a client names"))
        remark = sent.url_check.remark
    if sent.unverified is not None:
        parts.append((HALF, "does not verify the TLS certificate"))
    elif sent.auth.value == "token":
        parts.append((TOKEN, "sends the client's token, not the credentials it asks for"))
        remark = sent.auth.remark or remark
    elif sent.auth.origin is not Origin.UNKNOWN and not sent.auth.value:
        parts.append((HALF, "sends no credential"))
    if not parts:
        return ok(
            sent, f"{sent.symbol} checks the addresses of clients and authenticates itself.", confidence=_sure(sent)
        )
    reason = f"{sent.symbol} {' and '.join(text for _, text in parts)}{remark}."
    return gap(sent, reason, risk=sum(weight for weight, _ in parts), confidence=_sure(sent))


def _sure(sent: SentPush) -> Confidence:
    return Confidence.HIGH if sent.framework else Confidence.MEDIUM


def judge_receiver(received: ReceivedPush) -> Verdict:
    """The verdict on one route."""
    where, check = received.symbol, received.check
    sure = Confidence.MEDIUM
    if check is None or check.proof is Proof.ANY:
        return gap(
            received, f"{where} accepts notifications from any sender: nothing authenticates it.", confidence=sure
        )
    if check.proof is Proof.UNKNOWN:
        return unknown(received, f"{where}: what {check.symbol} verifies cannot be read.", confidence=sure)
    minor = ["compares its secret as ordinary text"] if received.plainly else []
    minor += [] if received.expected else ["does not check that it expects the task"]
    if minor:
        reason = f"{where} verifies the sender, but {' and '.join(minor)}."
        return gap(received, reason, risk=MINOR * len(minor), related=(check.span,), confidence=sure)
    reason = f"{where} verifies the sender and the task of each notification."
    return ok(received, reason, related=(check.span,), confidence=sure)
