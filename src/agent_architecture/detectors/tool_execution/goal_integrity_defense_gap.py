"""Agents that work towards a goal which what they read can change, or whose acts nothing compares with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, sentence, unknown
from agent_architecture.impact import Power, may_call, power
from agent_architecture.model.effects import CHANGING, Guard
from agent_architecture.model.goals import Goal
from agent_architecture.model.graph import working_for
from agent_architecture.model.outputs import Boundary, Entering
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, Binding, CodeOrigin, CodeSink, Confidence, Tool
from agent_architecture.wording import FROM

UNCHECKED: Final = 0.5
"""A goal that stays, and acts that nothing compares with it (ruling 34)."""

WRITERS: Final = frozenset({"model", "tool", "web", "mail", "retrieval", "peer", "memory"})
"""Origins of texts that change while an agent works. The user's words are the goal; a file may be the project's own."""

FAR: Final = 12
"""Places on the way from an answer to the instructions, beyond which it is more likely a conversation that goes on."""
HARMLESS: Final = frozenset({Boundary.SANITISED, Boundary.SCHEMA_ONLY, Boundary.QUARANTINED})


@detector(
    title="Goal that what an agent reads can change",
    impact=Severity.MEDIUM,
    effort=Effort.HIGH,
    fix="Keep instructions constant, put what is learnt into other messages, and check each act against the task.",
    references=("CWE-441", "CWE-915", "CWE-913", "CWE-693", "OWASP ASI01", "OWASP ASI10", "OWASP LLM01:2026",
                "OWASP LLM03:2026", "OWASP MCP06:2025", "AISVS 9.2.5", "AISVS 9.2.6"),
)  # fmt: skip
def goal_integrity_defense_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every site that may take more than one step."""
    for goal in system.goals:
        yield judge(system, goal)


def judge(system: AgentSystem, goal: Goal) -> Verdict:
    """The verdict on one site: who can write its goal, and what looks at its acts."""
    found = [(one, each) for one in goal.instructions for each in one.entering if _writes(goal, each)]
    sure = [(one, each) for one, each in found if each.boundary is not Boundary.UNKNOWN]
    if sure:
        instruction, entered = min(sure, key=lambda pair: tuple(Confidence).index(pair[1].confidence))
        reason = f"{sentence(FROM[entered.origin])} enters the instructions that later steps follow."
        related = tuple(dict.fromkeys((instruction.span, entered.source, *entered.trail)))
        return gap(goal, reason, confidence=entered.confidence, related=related)
    if found:
        instruction, entered = found[0]
        reason = f"{sentence(FROM[entered.origin])} may enter the instructions, through code that cannot be read."
        return unknown(goal, reason, related=(instruction.span, entered.source))
    return _acts(system, goal)


def _writes(goal: Goal, entered: Entering) -> bool:
    if entered.origin == "model" and len(entered.trail) > FAR:
        return False
    return entered.origin in WRITERS and entered.boundary not in HARMLESS and entered.source not in goal.rows


def _acts(system: AgentSystem, goal: Goal) -> Verdict:
    """Its goal stays as it was: what of its acts is compared with it."""
    done = next(
        (t for t in system.touches if t.tool is None and t.span == goal.span and t.effect.kind in CHANGING), None
    )
    every = _tools(system, goal)
    acting = [(tool, can) for tool in every if (can := power(tool)).effectful]
    bound = {id(tool): [b for b in system.bindings if b.tool is tool] for tool, _ in acting}
    free = [(tool, can) for tool, can in acting if not _is_checked(tool, bound[id(tool)])]
    running = (sink for sink in system.code_sinks if not sink.computes)
    code = next((sink for sink in running if _is_run_for(system, goal, sink)), None)
    if done is not None:
        reason = f"{done.effect.symbol} runs the model's answers, and nothing checks them against the task."
        return gap(goal, reason, risk=UNCHECKED, confidence=done.confidence, related=(done.effect.span,))
    if code is not None:
        reason = f"{code.symbol} runs code that the model writes, and nothing checks it against the task."
        return gap(goal, reason, risk=UNCHECKED, confidence=code.confidence, related=(code.span,))
    readable = [(tool, can) for tool, can in free if not _hidden(tool, bound[id(tool)])]
    if readable:
        tool, can = min(readable, key=_rank)
        reason = f"{tool.name} {can.doing}, and nothing checks its calls against the task."
        return gap(goal, reason, risk=UNCHECKED, confidence=can.confidence, related=(tool.span,))
    tools = {id(tool) for tool in every}
    whole = (b for b in system.bindings if b.dynamic and id(b.tool) in tools and not _is_checked(b.tool, [b]))
    if free or goal.open_ended or next(whole, None) is not None:
        return unknown(goal, "The instructions are constant; the tools are only known at run time.")
    hidden = next((one for one in goal.instructions if one.hidden), None)
    if hidden is not None:
        reason = f"Whether the instructions are constant cannot be read: they hold {hidden.hidden}."
        return unknown(goal, reason, related=(hidden.span,))
    if acting:
        return ok(goal, "The instructions are constant, and a check can refuse each effect.")
    return ok(goal, "The instructions are constant, and no tool changes anything outside.")


def _tools(system: AgentSystem, goal: Goal) -> tuple[Tool, ...]:
    """What its models may call, those that the steps of a graph run included."""
    inner = (tool for one in system.exposures if one.site.span == goal.site.span for tool in one.tools)
    return tuple({id(tool): tool for tool in (*may_call(system, goal.site), *inner)}.values())


def _is_run_for(system: AgentSystem, goal: Goal, sink: CodeSink) -> bool:
    """Whether an agent that works for a site runs what its model writes, elsewhere than on a machine of its own."""
    apart = bool(sink.isolation.values) and all(place == "remote" for place in sink.isolation.values)
    is_agent = sink.origin is CodeOrigin.MODEL and sink.span in working_for(system.handoffs, goal.site.agents)
    return is_agent and not apart


def _is_checked(tool: Tool, bindings: list[Binding]) -> bool:
    """Whether a person or a check that is not the tool's own looks at every call."""
    if tool.gate.always:
        return True
    return bool(bindings) and all(b.gate.always or any(_refuses(g, tool) for g in b.mediated) for b in bindings)


def _refuses(guard: Guard, tool: Tool) -> bool:
    """Whether a guard can stop an act; a test of its own arguments inside the tool knows no task."""
    own = not guard.framework and guard in tool.guards
    return guard.blocks and not guard.parallel and not guard.fails_open and not own


def _hidden(tool: Tool, bindings: list[Binding]) -> bool:
    gates = (tool.gate, *(binding.gate for binding in bindings))
    return any(gate.approval.origin is Origin.UNKNOWN for gate in gates)


def _rank(found: tuple[Tool, Power]) -> tuple[int, bool, str]:
    tool, can = found
    return tuple(Confidence).index(can.confidence), not can.high_impact, tool.name
