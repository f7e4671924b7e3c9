"""Agents that read text of others with too little between it and what they can do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import Legs, legs
from agent_architecture.model.effects import Guard
from agent_architecture.model.exposure import Exposure
from agent_architecture.model.outputs import Slot
from agent_architecture.model.system import AgentSystem
from agent_architecture.model.touches import FenceKind, Touch

TOGETHER: Final = 3.0
"""The weight of a site where the three legs meet (spec, rule 6)."""
BROKEN: Final = 0.4
"""What it takes off the risk that the three legs do not meet, or that a person stands before the third."""
APART: Final = 0.2
SCREENED: Final = 0.15
FILTERED: Final = 0.15
TESTED: Final = 0.1
HARMLESS: Final = 0.5
"""The ceiling of an agent without tools."""
HALF: Final = 0.5
"""What a guard is worth that runs beside what it is to stop, or that lets pass when it fails."""

WHOSE: Final = {
    "user": "what its users say",
    "web": "the web",
    "mail": "mail of others",
    "retrieval": "documents",
    "peer": "what other agents send",
    "tool": "what tools return",
    "file": "files of others",
    "memory": "what was stored earlier",
}
LEAVING: Final = frozenset({"network_read", "network_write", "browser", "mail", "message", "payment", "deploy"})


@detector(
    title="Too little between others' text and what an agent can do",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Let a person approve what acts outside, or keep it from agents that read both others' text and private data; "
    "keep others' text out of the instructions, screen what comes in, check what goes out, and test with attacks.",
    references=("CWE-1427", "CWE-77", "CWE-20", "OWASP ASI01", "OWASP LLM01:2026", "OWASP MCP06:2025", "AISVS 2.1.1",
                "AISVS 2.1.6", "AISVS 10.4.2"),
)  # fmt: skip
def prompt_injection_defense_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every site that runs an agent which reads what the project did not write."""
    tested = next((suite for suite in system.eval_suites if suite.adversarial and suite.started_by), None)
    for exposure in system.exposures:
        yield judge(system, exposure, tested=tested is not None)


def judge(system: AgentSystem, exposure: Exposure, *, tested: bool) -> Verdict:
    """The verdict on one site: 1, less what each layer of defence takes off."""
    met = legs(system, exposure)
    has_tools = bool(exposure.tools) or bool(met.outward)
    together = bool(met.private and met.outward)
    weight = TOGETHER if together else 1.0
    related = (exposure.source, *(() if exposure.mixed is None else (exposure.mixed,)))
    layers = {
        _broken(met): BROKEN if not together or met.gated else 0.0,
        "instructions and others' text are kept apart": 0.0 if _mixes(exposure) else APART,
        "the input is screened": SCREENED * _worth(exposure.screens, acts=bool(met.outward)),
        "what goes out is checked": _filtered(system, exposure),
        "attacks are tested": TESTED if tested else 0.0,
    }
    if exposure.hidden and not exposure.screens:
        said = f"What stands around the agent comes from {exposure.hidden}: whether it screens the input is not known."
        return unknown(exposure, said, weight=weight, related=related)
    risk = round(1.0 - sum(layers.values()), 3)
    risk = risk if has_tools else min(risk, HARMLESS)
    reason = f"It reads {WHOSE[exposure.origins[0]]}; {_two(met)}. {_said(exposure, layers)}"
    if risk <= 0:
        return ok(exposure, reason, weight=weight, confidence=exposure.confidence, related=related)
    return gap(exposure, reason, risk=risk, weight=weight, confidence=exposure.confidence, related=related)


def _broken(met: Legs) -> str:
    return "a person approves what acts outside" if met.gated else "the rule of two is kept"


def _two(met: Legs) -> str:
    """What of the rule of two is seen: the second and the third leg."""
    if met.private and met.outward:
        gate = (
            "after a person's approval"
            if met.gated
            else "without a person's approval: all three legs of the rule of two meet"
        )
        return f"it also reads {met.private}, and {met.outward} {gate}"
    if met.outward:
        return f"{met.outward}, but it reads nothing private"
    if met.private:
        return f"it also reads {met.private}, but acts on nothing outside"
    return "it neither reads what is private nor acts outside"


def _mixes(exposure: Exposure) -> bool:
    return exposure.mixed is not None or exposure.by_text


def _worth(guards: tuple[Guard, ...], *, acts: bool) -> float:
    """How much the best of several guards is worth."""
    values = [HALF if guard.fails_open or (guard.parallel and acts) else 1.0 for guard in guards]
    return max(values, default=0.0)


def _filtered(system: AgentSystem, exposure: Exposure) -> float:
    """A guard of the answer, or lists of hosts before all that leaves."""
    if exposure.filters:
        return FILTERED * _worth(exposure.filters, acts=False)
    tools = set(map(id, exposure.tools))
    leaving = [touch for touch in system.touches if touch.effect.kind in LEAVING and id(touch.tool) in tools]
    return FILTERED if leaving and all(map(_is_listed, leaving)) else 0.0


def _is_listed(touch: Touch) -> bool:
    return touch.fenced(FenceKind.LISTED, FenceKind.SANDBOX) is not None


def _said(exposure: Exposure, layers: dict[str, float]) -> str:
    there = [name for name, value in layers.items() if value > 0]
    missing = [LACKING[name] for name, value in layers.items() if value == 0 and name in LACKING]
    if exposure.mixed is not None:
        where = f"{exposure.mixed.path}:{exposure.mixed.line}"
        slot = "among the instructions" if exposure.mixed_slot == Slot.SYSTEM else "into a message of the user"
        missing = [*missing, f"{where} puts {WHOSE.get(exposure.mixed_origin, 'text of a model')} {slot}"]
    elif exposure.by_text:
        missing = [*missing, "its tools are asked for in plain text, which others' text can imitate"]
    had = f"In its favour: {', '.join(there)}. " if there else "No layer of defence is there. "
    return had + (f"Missing: {', '.join(missing)}." if missing else "")


LACKING: Final = {
    "the input is screened": "a screen of the input",
    "what goes out is checked": "a check of what goes out",
    "attacks are tested": "a test with attacks",
}
