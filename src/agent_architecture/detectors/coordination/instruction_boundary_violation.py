"""Text of users, pages, memories or other models where a model is told what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, sentence, unknown
from agent_architecture.model.outputs import Boundary, ClientTurns, Entering, Instruction, Premise, Target
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import FROM

RISK: Final = {Boundary.NONE: 1.0, Boundary.UNKNOWN: 0.5, Boundary.DELIMITED: 0.5}
"""What a text in the instructions risks by what marks it there; what is screened or typed is controlled. A template
that cannot be read marks it at best.
"""

WHOSE: Final = ("web", "mail", "peer", "retrieval", "tool", "user", "model", "memory", "file")
"""Origins in the order in which they are named first."""


@detector(
    title="Foreign text among the instructions",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Keep the system message constant; hand what others wrote over in a message of its own, between tags that say "
    "it is data.",
    references=("CWE-1427", "CWE-501", "CWE-74", "CWE-1336", "OWASP ASI01", "OWASP ASI07", "OWASP LLM01:2026",
                "OWASP LLM08:2026", "OWASP MCP06:2025", "AISVS 2.1.6", "AISVS 2.1.7"),
)  # fmt: skip
def instruction_boundary_violation(system: AgentSystem) -> Iterator[Verdict]:
    """Every system message and instruction, and every message in which one agent tells another something."""
    for instruction in system.instructions:
        yield judge(instruction)
    for turns in system.client_turns:
        yield _forwarded(turns)
    instructed = {instruction.place for instruction in system.instructions}
    for premise in system.premises:
        if premise.target is Target.AGENT and not premise.by_framework and premise.span not in instructed:
            yield _told(premise)


def judge(instruction: Instruction) -> Verdict:
    """The verdict on one text: of all that enters it, the worst counts."""
    worst = min(instruction.entering, key=_rank, default=None)
    if worst is None:
        if instruction.hidden:
            return unknown(instruction, f"The instructions contain {instruction.hidden}.")
        return ok(instruction, "The instructions are written by the project alone.")
    whose = sentence(FROM[worst.origin])
    related = tuple(dict.fromkeys((worst.source, *worst.trail)))
    risk = RISK.get(worst.boundary)
    if risk is None:
        how = "after a screen" if worst.boundary is Boundary.SANITISED else "as typed values only"
        reason = f"{whose} (line {worst.source.line}) enters the instructions {how}."
        return ok(instruction, reason, confidence=worst.confidence, related=related)
    reason = f"{whose} ({_place(worst, instruction)}) enters the instructions {_held(worst)}."
    return gap(instruction, reason, risk=risk, confidence=worst.confidence, related=related)


def _rank(entering: Entering) -> tuple[float, int]:
    return -RISK.get(entering.boundary, 0.0), WHOSE.index(entering.origin)


def _held(entering: Entering) -> str:
    if entering.boundary is Boundary.DELIMITED:
        return "between delimiters, but still with the authority of the system"
    if entering.boundary is Boundary.UNKNOWN:
        return "through a template that cannot be read"
    return "unmarked, as if the project had written it"


def _place(entering: Entering, instruction: Instruction) -> str:
    here = entering.source.path == instruction.span.path
    return f"line {entering.source.line}" if here else f"{entering.source.path}:{entering.source.line}"


def _forwarded(turns: ClientTurns) -> Verdict:
    """A client that says who spoke can speak as the system."""
    related = (turns.source, *turns.trail, *(() if turns.check is None else (turns.check,)))
    if turns.check is not None:
        return ok(turns, "Client messages are forwarded, none of them as the system.", related=related)
    reason = f"Client messages (line {turns.source.line}) keep the client's roles: a client can speak as the system."
    return gap(turns, reason, related=related)


def _told(premise: Premise) -> Verdict:
    """What one agent tells another in a message is data there, whatever else is wrong with it (sheet 22)."""
    related = () if premise.source is None else (premise.source, *premise.trail)
    return ok(premise, "Output of another model stays in a message, outside the instructions.", related=related)
