"""Points in an agent's course at which nothing can refuse: input, tools, answer, memory, work that is passed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, sentence, unknown
from agent_architecture.impact import legs, power
from agent_architecture.model.effects import Guard, GuardStage
from agent_architecture.model.guardrails import Point, Watched
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.wording import fitting, listed

HALF: Final = 0.5
"""A guard that fails open, that runs beside what it is to stop, or that only some of what passes has to pass (ruling
49)."""
TOGETHER: Final = 3.0
"""The weight of a site where untrusted input, private data and an outward effect meet."""

NAMES: Final = {
    GuardStage.INPUT: "input",
    GuardStage.PRE_TOOL: "tool calls",
    GuardStage.POST_TOOL: "tool results",
    GuardStage.OUTPUT: "output",
    GuardStage.MEMORY: "memory writes",
    GuardStage.HANDOFF: "handoffs",
}


@detector(
    title="Points of an agent's course where nothing can refuse",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Register guards that can refuse on every agent: on its input, before and after its tools, on its answer.",
    references=("CWE-693", "CWE-20", "OWASP ASI01", "OWASP ASI02", "OWASP ASI10", "OWASP LLM01:2026",
                "OWASP LLM10:2026", "OWASP MCP06:2025", "AISVS 9.2.6", "AISVS 2.1.3", "AISVS 7.3.1"),
    parts={
        "input": "Screen what comes in before the model reads it.",
        "pre_tool": "Check each tool call before it runs.",
        "post_tool": "Check each tool's result before the model reads it.",
        "output": "Check the answer before it leaves.",
        "memory": "Check what is stored in memory.",
        "handoff": "Check what is handed to another agent.",
    },
)  # fmt: skip
def guardrail_hook_absence(system: AgentSystem) -> Iterator[Verdict]:
    """Every site that runs an agent, by the share of its points that nothing guards."""
    for each in system.watched:
        if each.span not in system.without_model:
            yield judge(system, each)


def judge(system: AgentSystem, each: Watched) -> Verdict:
    """The verdict on one site."""
    acts = any(power(tool).effectful for tool in each.tools)
    worths = [(point, _worth(point, acts=acts)) for point in each.points]
    weight, count = _weight(system, each), len(each.points)
    related = tuple(dict.fromkeys(g.span for point in each.points for place in point.places for g in place))[:6]
    hidden = next((point.hidden for point, worth in worths if point.hidden and worth < 1), "")
    if hidden:
        reason = f"The guards around this agent come from {hidden}."
        return unknown(each, reason, weight=weight, related=related)
    risk = round(sum(1 - worth for _, worth in worths) / count, 3)
    if risk <= 0:
        reason = f"A guard can refuse at each of {count} points: {_list([point for point, _ in worths])}."
        return ok(each, reason, weight=weight, related=related)
    lacks = [str(point.stage) for point, worth in worths if worth < 1]
    return gap(
        each, _said(worths), risk=risk, weight=weight, confidence=_confidence(each), related=related, lacks=lacks
    )


def _worth(point: Point, *, acts: bool) -> float:
    """1 where all that passes a point is guarded, a half where some is, or by half a guard."""
    values = [max((_value(guard, acts=acts) for guard in place), default=0.0) for place in point.places]
    if not any(values):
        return 0.0
    return 1.0 if min(values) == 1 else HALF


def _value(guard: Guard, *, acts: bool) -> float:
    if not guard.blocks:
        return 0.0
    return HALF if guard.fails_open or (guard.parallel and acts) else 1.0


def _weight(system: AgentSystem, each: Watched) -> float:
    exposure = next((one for one in system.exposures if one.span == each.span), None)
    met = legs(system, exposure) if exposure is not None else None
    return TOGETHER if met is not None and met.private and met.outward else 1.0


def _confidence(each: Watched) -> Confidence:
    """What stands in hand-written code is known by its names."""
    by_hand = any(not guard.framework for point in each.points for place in point.places for guard in place)
    return Confidence.HIGH if each.framework and not by_hand else Confidence.MEDIUM


def _said(worths: list[tuple[Point, float]]) -> str:
    none = [point for point, worth in worths if worth == 0]
    half = [point for point, worth in worths if 0 < worth < 1]
    full = [point for point, worth in worths if worth == 1]
    parts = []
    if none:
        parts.append(f"No guard on {_list(none)}")
    parts += [_half(point) for point in half]
    watching = [g for point in none for place in point.places for g in place if not g.blocks]
    if watching:
        parts.append(f"{watching[0].symbol} only observes")
    if full:
        parts.append(f"guarded: {_list(full)}")
    return sentence(fitting("", parts, between="; "))


def _half(point: Point) -> str:
    guards = [guard for place in point.places for guard in place if guard.blocks]
    what = NAMES[point.stage]
    if not all(any(guard.blocks for guard in place) for place in point.places):
        return f"{guards[0].symbol} covers some {what} only"
    if any(guard.fails_open for guard in guards):
        return f"{guards[0].symbol} lets {what} pass when it fails"
    return f"{guards[0].symbol} checks {what} in parallel, too late to stop it"


def _list(points: list[Point]) -> str:
    return listed([NAMES[point.stage] for point in points])
