"""Agents and tools through which a model's text reaches a shell or a process: how exposed they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import approved, is_unread, may_call, power, unread
from agent_architecture.model.graph import binds, working_for
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, CodeOrigin, CodeSink, Site, Subject, Tool
from agent_architecture.model.touches import Choice, FenceKind, Touch
from agent_architecture.model.vocabulary import SANDBOXES

ARGUMENTS: Final = 0.5
"""A program that the code starts, with arguments that a model writes."""
GUARDED: Final = 0.3
"""Only listed commands run, or a person looks at each before (ruling 25; the sheet names approval beside the list)."""
BOXED: Final = 0.2
"""Whatever runs, runs in a sandbox."""

PROCESSES: Final = frozenset({"execute_shell", "execute_process"})
RUNNING: Final = PROCESSES | {"execute_code"}
WHAT: Final = {
    "execute_code": "model-written code",
    "execute_shell": "a model-written command line",
    "execute_process": "model-written arguments",
}
ANSWER: Final = {"execute_code": "code", "execute_shell": "a command line", "execute_process": "arguments"}


@detector(
    title="Model's text reaches a shell or process",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Start one fixed program with an argument list, compare what the model chooses with a list, and run it in a "
    "sandbox.",
    references=("CWE-78", "CWE-77", "OWASP ASI02", "OWASP ASI05", "OWASP LLM03:2026", "OWASP MCP05:2025",
                "AISVS 9.3.1", "AISVS 9.5.1"),
)  # fmt: skip
def agent_shell_capable(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool, and every site that runs an agent."""
    of_tools = {id(tool): of_tool(system, tool) for tool in system.tools}
    yield from of_tools.values()
    for site in system.agent_sites:
        yield of_site(system, site, of_tools)


def of_tool(system: AgentSystem, tool: Tool) -> Verdict:
    """The verdict on one tool: its most exposed process."""
    touches = [touch for touch in system.touches if touch.tool is tool and touch.effect.kind in RUNNING]
    weight = power(tool).weight
    if not touches:
        return _without(system, tool, weight)
    asked = approved(system, tool)
    if any(touch.choice is Choice.UNKNOWN for touch in touches):
        reason = f"{tool.name}: what it runs, or where, cannot be read."
        return unknown(tool, reason, weight=weight, related=(touches[0].effect.span,))
    worst = max(touches, key=lambda touch: exposure(touch, asked=asked))
    risk = exposure(worst, asked=asked)
    related = (worst.effect.span, *(fence.span for fence in worst.fences))
    if risk == 0:
        reason = f"{tool.name} runs only commands fixed in code ({worst.effect.symbol})."
        return ok(tool, reason, weight=weight, confidence=worst.confidence, related=related)
    reason = f"{_reason(tool, worst, asked=asked)}."
    return gap(tool, reason, risk=risk, weight=weight, confidence=worst.confidence, related=related)


def _without(system: AgentSystem, tool: Tool, weight: float) -> Verdict:
    """A tool in whose code no process was found: none is started, or its code is nowhere."""
    if is_unread(system, tool):
        return unknown(tool, unread(tool), weight=weight)
    return ok(tool, f"{tool.name} starts no program.", weight=weight)


def exposure(touch: Touch, *, asked: bool) -> float:
    """How exposed one process is."""
    if touch.choice is Choice.NOTHING:
        return 0.0
    is_line = touch.effect.kind != "execute_process" and touch.choice is Choice.ALL
    risk = 1.0 if is_line else ARGUMENTS
    if asked or touch.fenced(FenceKind.LISTED) is not None:
        risk = min(risk, GUARDED)
    return min(risk, BOXED) if touch.fenced(FenceKind.SANDBOX) is not None else risk


def _reason(tool: Tool, touch: Touch, *, asked: bool) -> str:
    what = WHAT[touch.effect.kind]
    own = touch.effect.symbol == tool.name
    said = f"{tool.name} runs {what}" if own else f"{tool.name} passes {what} to {touch.effect.symbol}"
    if touch.fenced(FenceKind.SANDBOX) is not None:
        return f"{said}, in a sandbox"
    if touch.fenced(FenceKind.LISTED) is not None:
        return f"{said}, after an allow-list"
    if asked:
        return f"{said}, after a person's approval"
    return said if touch.effect.kind == "execute_process" else f"{said}, unchecked"


# ---------------------------------------------------------------------------------------------------------------- sites
def of_site(system: AgentSystem, site: Site, of_tools: dict[int, Verdict]) -> Verdict:
    """The verdict on one site: what it runs by itself, else its worst tool's."""
    own = [
        touch
        for touch in system.touches
        if touch.site is not None and touch.site.span == site.span and touch.effect.kind in RUNNING
    ]
    for touch in sorted(own, key=lambda touch: -exposure(touch, asked=touch.gate.always))[:1]:
        what = ANSWER[touch.effect.kind]
        looked = ", after a person's approval" if touch.gate.always else ""
        reason = f"{site.symbol} runs its model's answer as {what} ({touch.effect.symbol}){looked}."
        risk = exposure(touch, asked=touch.gate.always)
        return gap(site, reason, risk=risk, weight=3.0, related=(touch.effect.span, *touch.effect.trail))
    written = _written(system, site)
    if written is not None and exposed_by(written):
        return _of_program(site, written)
    tools = may_call(system, site)
    found = [verdict for tool in tools if (verdict := of_tools.get(id(tool))) is not None]
    exposed = [verdict for verdict in found if verdict.risk]
    if exposed:
        worst = max(exposed, key=lambda verdict: verdict.risk or 0.0)
        reason = f"{site.symbol}: {worst.reason}"
        related = (worst.span, *worst.related)
        return gap(
            site, reason, risk=worst.risk or 1.0, weight=worst.weight, confidence=worst.confidence, related=related
        )
    executed = _executed(system, site)
    if executed is not None and exposed_by(executed):
        return _of_program(site, executed)
    hidden = _hidden(system, site) or next((v.reason for v in found if v.risk is None), "")
    if hidden:
        return unknown(site, f"{site.symbol}: {hidden}")
    return ok(site, f"{site.symbol}: no tool lets the model choose what a process runs.")


def _of_program(site: Site, sink: CodeSink) -> Verdict:
    reason = f"{site.symbol} runs model-written code ({sink.symbol})."
    return gap(site, reason, risk=exposed_by(sink), weight=3.0, related=(sink.span,))


def _written(system: AgentSystem, site: Site) -> CodeSink | None:
    """The program text that an agent of a site writes and its library runs: the least isolated."""
    spans = working_for(system.handoffs, site.agents) | {site.span}
    sinks = (sink for sink in system.code_sinks if sink.origin is CodeOrigin.MODEL and sink.span in spans)
    return max(sinks, key=exposed_by, default=None)


def _executed(system: AgentSystem, site: Site) -> CodeSink | None:
    """The program text among a site's answers that the project's own code runs: the least isolated."""
    return max((sink for sink in system.code_sinks if site.span in sink.sites), key=exposed_by, default=None)


def exposed_by(sink: CodeSink) -> float:
    """How exposed code is that a model writes; 0 where its place cannot be read, and where it only computes."""
    places = sink.isolation.values
    if sink.isolation.origin is Origin.UNKNOWN or sink.computes:
        return 0.0
    return BOXED if places and all(place in SANDBOXES for place in places) else 1.0


def _hidden(system: AgentSystem, site: Site) -> str:
    """Tools of a site that no list names."""
    own: tuple[Subject, ...] = (site, *site.agents)
    for binding in system.bindings:
        if (binding.dynamic or binding.unreadable) and any(binds(binding, owner) for owner in own):
            return f"{binding.tool.name} is bound at run time."
    if any(goal.open_ended and goal.site.span == site.span for goal in system.goals):
        return "which tools it calls is only known at run time."
    return ""


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The application files with a site or tool from which a process is reached."""
    del verdicts
    tools = {id(touch.tool) for touch in system.touches if touch.tool is not None and touch.effect.kind in PROCESSES}
    files = {touch.span.path for touch in system.touches if touch.effect.kind in PROCESSES}
    files |= {site.span.path for site in system.agent_sites if any(id(t) in tools for t in may_call(system, site))}
    return {"agent_files_with_process": float(len(files))}
