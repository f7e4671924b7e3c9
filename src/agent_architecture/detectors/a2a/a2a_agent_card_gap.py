"""Cards of A2A agents that leave out what clients need: fields, authentication, a safe address, a signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.peers import PublishedCard
from agent_architecture.model.protocols import AgentCard, Parts
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem
from agent_architecture.model.words import plain
from agent_architecture.regexes import regex
from agent_architecture.wording import fitting

REQUIRED: Final = 0.5
SECURITY: Final = 0.3
TRANSPORT: Final = 0.15
SIGNATURE: Final = 0.05
"""The weights of the four parts."""
HALF: Final = 0.5
"""Schemes are declared, and no request is said to need one."""
LOOPBACK: Final = regex(r"^(?:\w+://)?(?:localhost|127(?:\.\d+){3}|\[::1\]|[\w-]+\.localhost)(?=[:/?]|$)")
CLEAR: Final = regex(r"^(?:http|ws)://")
INSIDE: Final = regex(
    r"^\w+://(?:0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|[\w.-]+\.(?:internal|local|svg|svc))"
)
COMMON: Final = ("name", "description", "version", "capabilities", "input_modes", "output_modes", "skills")
SPELLED: Final = {"input_modes": "defaultInputModes", "output_modes": "defaultOutputModes"}


@detector(
    title="An A2A agent card leaves out what clients need",
    impact=Severity.MEDIUM,
    effort=Effort.LOW,
    fix="Fill all required fields, declare how to authenticate, use https, serve and sign the card.",
    references=("CWE-287", "CWE-306", "CWE-319", "CWE-345", "OWASP ASI07", "OWASP ASI03", "AISVS 9.4.1"),
)
def a2a_agent_card_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every card that the project publishes."""
    for published in system.published_cards:
        yield judge(published)


def judge(published: PublishedCard) -> Verdict:
    """The verdict on one card: the sum of the weights of what is missing."""
    card, name = published.card, published.symbol
    if card is None:
        return unknown(published, f"{name} serves {published.unread}.")
    fields = _fields(published, card)
    security, hidden = _security(published, card)
    transport = _transport(published)
    parts = [(REQUIRED, fields), security, (TRANSPORT, transport)]
    if published.signed is None and not _is_there(card.signatures):
        parts.append((SIGNATURE, "no signature"))
    missing = [(weight, text) for weight, text in parts if text]
    if published.unread and (fields or not missing):
        return unknown(published, f"{name} comes in part from {published.unread}: its fields cannot all be read.")
    if hidden and not (fields or transport):
        return unknown(published, f"{name} {hidden}.")
    if not missing:
        return ok(published, f"{name} has its required fields, authentication, a safe address and a signature.")
    reason = fitting(f"{name}: ", [text for _, text in missing])
    return gap(published, reason, risk=round(sum(weight for weight, _ in missing), 2))


def _fields(published: PublishedCard, card: AgentCard) -> str:
    """The required fields that are missing, and those that the code contradicts, as part of a sentence."""
    missing = [SPELLED.get(field, field) for field in COMMON if not _is_written(getattr(card, field))]
    if published.newest:
        pass
    elif card.url.origin is Origin.ABSENT and not published.urls:
        missing.append("url (or supportedInterfaces)")
    elif published.dated and (
        card.protocol_version.origin is Origin.ABSENT
        or (card.protocol_version.is_known and not card.protocol_version.value)
    ):
        missing.append("protocolVersion")
    said = {plain(part.name): part.value.value for part in card.capabilities.entries}
    false = [
        what
        for what, key, has in (
            ("push notifications", "pushnotifications", published.pushes),
            ("an extended card", "extendedagentcard", published.extends),
        )
        if said.get(key) is True and has is False
    ]
    if card.extended.value is True and published.extends is False and "an extended card" not in false:
        false.append("an extended card")
    texts = [f"no {', no '.join(missing)}"] if missing else []
    texts += [f"{what} promised but not served" for what in false]
    return ", ".join(texts)


def _is_written(value: Setting | Parts) -> bool:
    return value.origin is not Origin.ABSENT


def _is_there(parts: Parts) -> bool:
    return parts.origin is not Origin.ABSENT and (bool(parts.entries) or not parts.complete)


def _security(published: PublishedCard, card: AgentCard) -> tuple[tuple[float, str], str]:
    """What is missing of the authentication, and what hides whether it is asked for."""
    if _is_there(card.security_schemes):
        if published.requires_security:
            return (SECURITY, ""), ""
        return (SECURITY * HALF, "security schemes that no request requires"), ""
    if published.urls and all(LOOPBACK.match(url) for url in published.urls):
        return (SECURITY, ""), ""
    if not published.urls or any(
        "?" in re.sub(r"^\w+://", "", url).partition("/")[0].partition(":")[0] for url in published.urls
    ):
        return (SECURITY, ""), "declares no security scheme, and its address cannot be read"
    return (SECURITY, "no security scheme"), ""


def _transport(published: PublishedCard) -> str:
    for url in published.urls:
        shown = url.replace("?", "…")
        if LOOPBACK.match(url):
            continue
        if INSIDE.match(url):
            return f"an internal address ({shown})"
        if CLEAR.match(url) and not url.partition("://")[2].startswith("?"):
            return f"an address without TLS ({shown})"
    return "no route /.well-known/agent-card.json" if published.routed is False else ""
