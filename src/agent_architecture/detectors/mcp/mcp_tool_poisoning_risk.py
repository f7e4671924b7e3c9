"""Texts of MCP servers that order a model about, hide something, or were written by nobody in the project."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.offers import McpOffer, OfferKind, Trait, Trick
from agent_architecture.model.system import AgentSystem, Confidence

RISKS: Final = {
    Trick.INVISIBLE: 1.0,
    Trick.OVERRIDE: 1.0,
    Trick.CONCEAL: 1.0,
    Trick.MARKUP: 1.0,
    Trick.CONFIDENTIAL: 1.0,
    Trick.SENDS: 1.0,
    Trick.LOOKALIKE: 1.0,
    Trick.OTHER_TOOLS: 1.0,
    Trick.COLLECTS: 1.0,
    Trick.OUT_OF_SIGHT: 0.5,
    Trick.ENCODED: 0.5,
}
"""Half where nothing shows what the hidden or encoded text says."""
WORDS: Final = {
    Trick.INVISIBLE: "contains an invisible character",
    Trick.OVERRIDE: "overrides the model's instructions",
    Trick.CONCEAL: "hides something from the user",
    Trick.MARKUP: "imitates a message of another role",
    Trick.CONFIDENTIAL: "asks for a secret",
    Trick.SENDS: "has data sent elsewhere",
    Trick.LOOKALIKE: "mixes letters of several alphabets",
    Trick.OTHER_TOOLS: "gives orders about other tools",
    Trick.COLLECTS: "asks for the model's prompt or conversation",
    Trick.OUT_OF_SIGHT: "has text out of sight",
    Trick.ENCODED: "contains encoded text",
}
NAMED_BY_DATA: Final = 0.5
"""A name that is built from data."""
ORIGINS: Final = {
    "web": "the network",
    "tool": "another server or tool",
    "memory": "a database",
    "retrieval": "a collection of documents",
    "mail": "mail",
    "peer": "another agent",
    "model": "a model",
    "user": "a user",
}


@detector(
    title="A text of an MCP server orders the model about or hides something",
    impact=Severity.CRITICAL,
    effort=Effort.MEDIUM,
    fix="Say in names and descriptions what a tool does and takes, nothing else, and write them into the code.",
    references=("CWE-74", "CWE-506", "CWE-1007", "OWASP ASI01", "OWASP LLM01:2026", "OWASP MCP03:2025", "AISVS 10.4.2"),
)
def mcp_tool_poisoning_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool, prompt, resource and instruction that a server of the project offers."""
    for offer in system.mcp_offers:
        yield judge(offer)


def judge(offer: McpOffer) -> Verdict:
    """The verdict on one offer: its worst trait, then where its texts come from."""
    worst = max(offer.traits, key=_risk, default=None)
    if worst is not None:
        others = len({trait.trick for trait in offer.traits}) - 1
        more = f" (and {others} more)" if others else ""
        reason = f'{_of(worst.part, offer)} {WORDS[worst.trick]}: "{worst.quote}"{more}.'
        return gap(offer, reason, risk=_risk(worst), related=(worst.span,), confidence=_sure(worst))
    foreign = [one for one in offer.computed if one.origin and (one.origin != "data" or _is_resource(offer))]
    if foreign:
        one = next((each for each in foreign if each.part != "name"), foreign[0])
        risk = NAMED_BY_DATA if one.part == "name" else 1.0
        where = "data" if one.origin == "data" else f"{ORIGINS.get(one.origin, one.origin)} ({one.source})"
        reason = f"{_of(one.part, offer)} comes from {where}."
        return gap(offer, reason, risk=risk, related=(one.span,))
    hidden = next((one for one in offer.computed if one.part != "name"), None)
    if hidden is not None:
        return unknown(offer, f"{_of(hidden.part, offer)} comes from {hidden.source}.")
    what = "server's instructions" if offer.kind is OfferKind.INSTRUCTIONS else f"{offer.kind.value}'s texts"
    return ok(offer, f"The {what} are written in the project, with no orders to the model.")


def _is_resource(offer: McpOffer) -> bool:
    """What data name a tool by is the project's own choice of tools; resources are the data."""
    return offer.kind is OfferKind.RESOURCE


def _of(part: str, offer: McpOffer) -> str:
    if offer.kind is OfferKind.INSTRUCTIONS:
        return f"The instruction text of {offer.symbol}"
    return f"The {part} of {offer.symbol}"


def _risk(trait: Trait) -> float:
    return RISKS[trait.trick]


def _sure(trait: Trait) -> Confidence:
    """Characters are there or not; what words mean is read from them."""
    return Confidence.HIGH if trait.trick in {Trick.INVISIBLE, Trick.LOOKALIKE} else Confidence.MEDIUM
