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
from agent_architecture.wording import FROM, LONGEST, fitting, listed

TOGETHER: Final = 3.0
"""The weight of a site where the three legs meet."""
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

LAYERS: Final = ("input screen", "output check", "attack test")
"""The layers of defence that a reason names where they are missing."""
LEAVING: Final = frozenset({"network_read", "network_write", "browser", "mail", "message", "payment", "deploy"})


@detector(
    title="Too little between others' text and what an agent can do",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Let a person approve what acts outside, or keep it from agents that read both others' text and private data; "
    "keep others' text out of the instructions, screen what comes in, check what goes out, and test with attacks.",
    references=("CWE-1427", "CWE-77", "CWE-20", "OWASP ASI01", "OWASP LLM01:2026", "OWASP MCP06:2025", "AISVS 2.1.1",
                "AISVS 2.1.6", "AISVS 10.4.2"),
    parts={
        "legs": "Let a person approve what acts outside, or keep it from agents that read private data.",
        "apart": "Keep others' text out of the instructions and of user messages.",
        "input screen": "Screen what comes in.",
        "output check": "Check what goes out.",
        "attack test": "Test with attacks.",
    },
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
        "legs": BROKEN if not together or met.gated else 0.0,
        "apart": 0.0 if _mixes(exposure) else APART,
        "input screen": SCREENED * _worth(exposure.screens, acts=bool(met.outward)),
        "output check": _filtered(system, exposure),
        "attack test": TESTED if tested else 0.0,
    }
    if exposure.hidden and not exposure.screens:
        said = f"{exposure.symbol}: whether its input is screened comes from {exposure.hidden}."
        return unknown(exposure, said, weight=weight, related=related)
    risk = round(1.0 - sum(layers.values()), 3)
    risk = risk if has_tools else min(risk, HARMLESS)
    reason = _said(exposure, met, layers)
    if risk <= 0:
        return ok(exposure, reason, weight=weight, confidence=exposure.confidence, related=related)
    lacks = [name for name, worth in layers.items() if not worth]
    return gap(exposure, reason, risk=risk, weight=weight, confidence=exposure.confidence, related=related, lacks=lacks)


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


def _said(exposure: Exposure, met: Legs, layers: dict[str, float]) -> str:
    begin = f"{exposure.symbol or 'This run'} reads {_two(FROM[exposure.origins[0]], met)}"
    lacks = [name for name in LAYERS if not layers[name]]
    mixed = [_mixed(exposure)] if _mixes(exposure) else []
    if not (lacks or mixed):
        return f"{begin}: every defence is there."
    whole = ", ".join((*mixed, *([f"no {listed(lacks, 'or')}"] if lacks else [])))
    text = f"{begin}: {whole}."
    return text if len(text) <= LONGEST else fitting(f"{begin}: ", [*mixed, *(f"no {name}" for name in lacks)])


def _mixed(exposure: Exposure) -> str:
    """Where others' text is not kept apart from what the model is told."""
    if exposure.mixed is None:
        return "tool calls in plain text"
    slot = "instructions" if exposure.mixed_slot == Slot.SYSTEM else "user text"
    here = exposure.mixed.path == exposure.span.path
    where = f"line {exposure.mixed.line}" if here else f"{exposure.mixed.path}:{exposure.mixed.line}"
    return f"mixed into {slot} ({where})"


def _two(text: str, met: Legs) -> str:
    """What of the rule of two is seen, the first leg before: the second and the third."""
    read = f"{text} and {met.private}" if met.private else text
    if not met.outward:
        return f"{read}, and changes nothing outside"
    if not met.private:
        return f"{read}, nothing private; {met.outward}"
    return f"{read}; {met.outward} {'after' if met.gated else 'without'} approval"
