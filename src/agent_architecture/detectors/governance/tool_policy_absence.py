"""Tools that a model may call with no code in between that can refuse the call."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import Power, power
from agent_architecture.model.effects import Gate, Guard
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, Binding

READ_ONLY = 0.5
"""An explicit list of tools bounds what can be called; for a tool that changes nothing that is half of a policy."""
CONDITIONAL = 0.5
"""A check or question that some way to the tool does not pass."""
SCOPED = 0.5
"""The signal scoped_tool_ratio counts bindings below this risk."""


@detector(
    title="Tool calls that no policy can refuse",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Put code before the tool that can refuse: a hook or middleware before each call, or a check of the arguments "
    "in the tool, and bind only the tools that the task needs.",
    references=("CWE-862", "CWE-863", "OWASP ASI02", "OWASP ASI03", "OWASP LLM03:2026", "AISVS 9.5.1"),
)
def tool_policy_absence(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool of every binding."""
    for binding in system.bindings:
        yield judge(binding)


def judge(binding: Binding) -> Verdict:
    """The verdict on one binding: refused by code or a person, by some of it, by nothing."""
    can = power(binding.tool)
    name = binding.tool.name
    sure = next((guard for guard in binding.mediated if not _is_weak(guard, binding)), None)
    if sure is not None:
        return ok(binding, f"{sure.symbol} can refuse a call of {name}.", weight=can.weight, related=(sure.span,))
    own = binding.tool.gate
    if own.inside is not None and not binding.tool.effects:
        own = own._replace(inside=None)  # a question is all that the tool does: nobody approves anything
    gates = (binding.gate, own)
    if any(gate.always for gate in gates):
        return ok(binding, f"{name} waits for a person's approval on every call.", weight=can.weight)
    hidden = binding.unreadable or next((g.approval.source for g in gates if g.approval.origin is Origin.UNKNOWN), "")
    if hidden:
        reason = f"{name}: the policy for its calls comes from {hidden}."
        return unknown(binding, reason, weight=can.weight)
    return _unguarded(binding, can, gates)


def _unguarded(binding: Binding, can: Power, gates: tuple[Gate, ...]) -> Verdict:
    name = binding.tool.name
    if binding.mediated or any(gate.conditional or gate.approval.value == "conditional" for gate in gates):
        reason = f"{name}: a check or approval covers some of its calls only."
        related = tuple(guard.span for guard in binding.mediated)
        return gap(binding, reason, risk=CONDITIONAL, weight=can.weight, confidence=can.confidence, related=related)
    if binding.dynamic:
        return _registry(binding, can)
    if can.effectful and binding.scoped:
        reason = f"{name} {can.doing}: one folder bounds its paths, but no check can refuse a call."
        return gap(binding, reason, risk=READ_ONLY, weight=can.weight, confidence=can.confidence)
    if can.effectful:
        reason = f"{name} {can.doing}: no hook, policy or argument check can refuse a call."
        related = (can.effect.span,) if can.effect is not None else ()
        return gap(binding, reason, weight=can.weight, confidence=can.confidence, related=related)
    reason = f"{name} changes nothing outside, but no check can refuse a call."
    return gap(binding, reason, risk=READ_ONLY, confidence=can.confidence)


def _registry(binding: Binding, can: Power) -> Verdict:
    if binding.scoped:
        reason = f"{binding.tool.name} is cut down to named tools, but no check can refuse a call."
        return gap(binding, reason, risk=READ_ONLY, weight=can.weight)
    reason = f"{binding.tool.name} brings every tool it offers at run time, and no check can refuse a call."
    return gap(binding, reason, weight=can.weight)


def _is_weak(guard: Guard, binding: Binding) -> bool:
    """Whether a guard is too late, because it runs beside the call, lets calls pass when it fails, or stands before
    some tools of a registry.
    """
    return guard.parallel or guard.fails_open or (binding.dynamic and bool(guard.applies_to))


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The two signals of tool policy."""
    tools = {id(binding.tool): binding.tool for binding in system.bindings if not binding.dynamic}
    judged = [verdict.risk for verdict in verdicts if verdict.risk is not None]
    return {
        "dangerous_tool_count": float(sum(power(tool).high_impact for tool in tools.values())),
        "scoped_tool_ratio": sum(risk < SCOPED for risk in judged) / len(judged) if judged else 1.0,
    }
