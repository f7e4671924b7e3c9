"""Tools that delete, pay, send, publish, deploy or execute without a person who approves the call; agents without such
tools that run what their model answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import WEIGHT_EFFECTFUL, Power, may_call, power, written_statements
from agent_architecture.model.effects import Gate
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, Binding, Site, Tool
from agent_architecture.model.touches import Touch
from agent_architecture.sources.source import Span

CONDITIONAL = 0.5
"""A question that some way to the effect does not pass."""


@detector(
    title="High-impact tool without a person's approval",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Make the call wait for a person before the effect, with the arguments shown, and treat silence as a refusal.",
    references=("CWE-862", "CWE-306", "OWASP ASI02", "OWASP ASI09", "OWASP LLM03:2026", "AISVS 9.2.1"),
)
def human_approval_absence(system: AgentSystem) -> Iterator[Verdict]:
    """Every high-impact tool that an agent may call, every site without one whose command lines a model answers, and
    every statement that a model wrote and that code runs by itself.
    """
    for tool in system.tools:
        bindings = tuple(binding for binding in system.bindings if binding.tool is tool)
        clients = tuple(one.client for one in system.served_inside if one.tool is tool)
        can = power(tool)
        if (bindings or clients) and can.high_impact:
            yield judge(tool, can, bindings, clients)
    for site in system.agent_sites:
        lines = [touch for touch in system.touches if touch.effect.kind == "execute_shell" and _is_of(touch, site)]
        if lines and not any(power(tool).high_impact for tool in may_call(system, site)):
            yield judge_site(site, lines)
    for touches in written_statements(system).values():
        if touches[0].effect.kind != "database_read":
            yield judge_statement(touches)


def _is_of(touch: Touch, site: Site) -> bool:
    return touch.site is not None and touch.site.span == site.span


def judge(tool: Tool, can: Power, bindings: tuple[Binding, ...], clients: tuple[Span, ...] = ()) -> Verdict:
    """The verdict on one tool: the binding with the least approval counts."""
    if tool.gate.always:
        return ok(tool, f"{tool.name} {can.doing}; a person approves every call.", weight=can.weight)
    related = (
        *((can.effect.span,) if can.effect is not None else ()),
        *(binding.span for binding in bindings),
        *clients,
    )
    passing = tuple(binding for binding in bindings if not any(g.denies(tool.name) for g in binding.mediated))
    if bindings and not passing and not clients:
        return ok(
            tool, f"{tool.name} {can.doing}; a hook refuses every call of it.", weight=can.weight, related=related
        )
    open_ways = [binding for binding in passing if not binding.gate.always]
    if bindings and not open_ways:
        reason = f"{tool.name} {can.doing}; every agent that may call it waits for a person's approval."
        return ok(tool, reason, weight=can.weight, related=related)
    gates = [tool.gate, *(binding.gate for binding in open_ways)]
    if any(gate.conditional or gate.approval.value == "conditional" for gate in gates):
        reason = f"{tool.name} {can.doing}; some calls skip the approval."
        return gap(tool, reason, risk=CONDITIONAL, weight=can.weight, confidence=can.confidence, related=related)
    hidden = [gate.approval.source for gate in gates if gate.approval.origin is Origin.UNKNOWN]
    hidden += [binding.unreadable for binding in open_ways if binding.unreadable]
    if hidden:
        reason = f"{tool.name} {can.doing}; its approval comes from {hidden[0]}."
        return unknown(tool, reason, weight=can.weight, related=related)
    reason = f"{tool.name} {can.doing}: {_seen(gates)}."
    return gap(tool, reason, weight=can.weight, confidence=can.confidence, related=related)


def judge_site(site: Site, lines: list[Touch]) -> Verdict:
    """The verdict on a site that runs what its model answers: the command line with the least approval counts."""
    worst = min(lines, key=lambda touch: (touch.gate.always, touch.gate.inside is not None, touch.effect.span))
    asked = (worst.gate.inside,) if worst.gate.inside is not None else ()
    related = (worst.effect.span, *asked)
    what = f"{site.symbol} runs its model's answer as a command line ({worst.effect.symbol})"
    if worst.gate.always:
        return ok(site, f"{what}, after a person's approval.", weight=WEIGHT_EFFECTFUL, related=related)
    if asked:
        reason = f"{what}; some answers skip the approval."
        return gap(site, reason, risk=CONDITIONAL, weight=WEIGHT_EFFECTFUL, related=related)
    return gap(site, f"{what}: no approval is set.", weight=WEIGHT_EFFECTFUL, related=related)


def judge_statement(touches: list[Touch]) -> Verdict:
    """The verdict on a statement that a model wrote and that may change anything: the site with the least approval."""
    worst = min(touches, key=lambda touch: (touch.gate.always, touch.gate.approval.origin is Origin.UNKNOWN))
    subject = worst._replace(span=worst.effect.span, symbol=worst.effect.symbol)
    what, related = f"{subject.symbol} runs a database statement that a model wrote", worst.effect.trail
    if worst.gate.always:
        return ok(subject, f"{what}, after a person's approval.", weight=WEIGHT_EFFECTFUL, related=related)
    if worst.gate.inside is not None:
        reason = f"{what}; some answers skip the approval."
        return gap(subject, reason, risk=CONDITIONAL, weight=WEIGHT_EFFECTFUL, related=related)
    if worst.gate.approval.origin is Origin.UNKNOWN:
        reason = f"{what}; its approval comes from {worst.gate.approval.source}."
        return unknown(subject, reason, weight=WEIGHT_EFFECTFUL, related=related)
    return gap(subject, f"{what}: no approval is set.", weight=WEIGHT_EFFECTFUL, related=related)


def _seen(gates: list[Gate]) -> str:
    if any(gate.approval.origin is Origin.WRITTEN for gate in gates):
        return "its approval is switched off"
    whose = next((gate.approval.default_of for gate in gates if gate.approval.origin is Origin.DEFAULT), "")
    return f"no approval is set ({whose})" if whose else "no approval is set"
