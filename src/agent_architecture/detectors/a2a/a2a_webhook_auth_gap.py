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
"""One of the two parts of a sender: where it sends, and how it proves who it is (spec/detectors.md, rule 2)."""
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
    if sent.url_check.origin is Origin.UNKNOWN:
        return unknown(sent, f"What {sent.symbol} asks of an address comes from {sent.url_check.source}.")
    if sent.url_check.value in {None, False}:
        parts.append((HALF, f"it posts to whatever address a client names{sent.url_check.remark}"))
    if sent.unverified is not None:
        parts.append((HALF, "it does not check the receiver's certificate"))
    elif sent.auth.value == "token":
        parts.append(
            (TOKEN, f"it sends the client's token along, and no credential that it asks for{sent.auth.remark}")
        )
    elif sent.auth.origin is not Origin.UNKNOWN and not sent.auth.value:
        parts.append((HALF, "it proves to nobody who it is"))
    if not parts:
        return ok(sent, f"{sent.symbol} screens the addresses of clients and proves who it is.", confidence=_sure(sent))
    reason = f"{sent.symbol}: {'; '.join(text for _, text in parts)}."
    return gap(sent, reason, risk=sum(weight for weight, _ in parts), confidence=_sure(sent))


def _sure(sent: SentPush) -> Confidence:
    return Confidence.HIGH if sent.framework else Confidence.MEDIUM


def judge_receiver(received: ReceivedPush) -> Verdict:
    """The verdict on one route."""
    where, check = received.symbol, received.check
    sure = Confidence.MEDIUM
    if check is None or check.proof is Proof.ANY:
        return gap(received, f"{where} takes notifications from whoever sends them.", confidence=sure)
    if check.proof is Proof.UNKNOWN:
        return unknown(received, f"What {check.symbol} asks of a notification cannot be read.", confidence=sure)
    minor = ["its secret is compared as any text"] if received.plainly else []
    minor += [] if received.expected else ["whether the task was expected is not asked"]
    if minor:
        reason = f"{where} verifies who sends, but {' and '.join(minor)}."
        return gap(received, reason, risk=MINOR * len(minor), related=(check.span,), confidence=sure)
    reason = f"{where} verifies who sends a notification, and of which task."
    return ok(received, reason, related=(check.span,), confidence=sure)
