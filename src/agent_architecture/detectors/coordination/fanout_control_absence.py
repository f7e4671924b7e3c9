"""Parallel agents, model calls or tools whose number data or a model decides, with nothing that bounds it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import EFFECTIVE
from agent_architecture.model.resilience import FanOut
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem

SMALL: Final = 20
"""A fixed number up to this is how the program is drawn, not a fan-out that can run away."""
ONE_LEVEL: Final = 0.5
"""A limiter that each level of a recursion makes anew bounds that level only."""
FRAMEWORK_WEIGHT: Final = 0.5
"""Tool calls that a framework runs in parallel: a model seldom asks for many (ruling 54)."""
SHOWN_RUNS: Final = 5
"""Runs that are named as places for a limit."""


@detector(
    title="Fan-out without a limit",
    impact=Severity.MEDIUM,
    effort=Effort.LOW,
    fix="Bound how many run at once with a semaphore, a pool or a concurrency setting, or cut the list first.",
    references=("CWE-770", "CWE-400", "CWE-405", "CWE-799", "OWASP LLM06:2026", "OWASP ASI08", "AISVS 9.1.1"),
    parts={
        "tools": "Set how many tool calls the library runs at once, or let it run them one after the other.",
        "tasks": "Bound how many run at once with a semaphore, a pool or a concurrency setting, or cut the list first.",
        "levels": "Hand one semaphore down to all levels.",
    },
)
def fanout_control_absence(system: AgentSystem) -> Iterator[Verdict]:
    """Every fan-out whose width is not small and fixed."""
    for fan_out in system.fan_outs:
        if not _is_small(fan_out.width):
            yield judge(fan_out)


def _is_small(width: Setting) -> bool:
    return width.is_known and all(isinstance(v, (int, float)) and v <= SMALL for v in width.values)


def judge(fan_out: FanOut) -> Verdict:
    """The verdict on one fan-out, by what bounds it."""
    weight = FRAMEWORK_WEIGHT if fan_out.framework_runs else 1.0
    limit = fan_out.limit
    if limit.origin is Origin.UNKNOWN:
        reason = f"{_what(fan_out)}; the limit comes from {limit.source}."
        return unknown(fan_out, reason, weight=weight, confidence=fan_out.confidence)
    related = (limit.span,) if limit.span is not None else fan_out.runs[:SHOWN_RUNS]
    highest = max((float(v) for v in limit.values if isinstance(v, (int, float))), default=math.inf)
    if highest > EFFECTIVE:
        limited = "no limit" if math.isinf(highest) else f"the limit of {highest:g} is too high to matter"
        nested = ", and each may start more" if fan_out.recursive else ""
        reason = f"{_what(fan_out)}: {limited}{nested}."
        return gap(
            fan_out, reason, weight=weight, confidence=fan_out.confidence, related=related, lacks=_lacks(fan_out)
        )
    if fan_out.recursive and fan_out.limit_per_level:
        reason = f"{_what(fan_out)}: the limit of {highest:g} starts anew at each level."
        return gap(
            fan_out,
            reason,
            risk=ONE_LEVEL,
            weight=weight,
            confidence=fan_out.confidence,
            related=related,
            lacks=("levels",),
        )
    whose = f", {limit.default_of}" if limit.default_of else ""
    reason = f"{_what(fan_out)}, at most {highest:g}{whose}."
    return ok(fan_out, reason, weight=weight, confidence=fan_out.confidence, related=related)


def _lacks(fan_out: FanOut) -> tuple[str, ...]:
    return ("tools",) if fan_out.framework_runs else ("tasks",)


def _what(fan_out: FanOut) -> str:
    if fan_out.framework_runs:
        return "The library runs all tool calls of an answer in parallel"
    who = "a model decides how many" if fan_out.by_model else "data decides how many"
    if fan_out.width.is_known:
        who = f"{fan_out.width.value} at once"
    each = f"one task per {fan_out.items}" if fan_out.items else "several tasks"
    return f"{fan_out.symbol} starts {each} ({who})"
