"""Agents inside agents: how deep tools, hooks and sub-agents start further runs, and what stops them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import best_first, effective_bound, judge_bound
from agent_architecture.model.coordination import Nested, Through
from agent_architecture.model.graph import Chains
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, FeedbackPath, PathKind

DEEP: Final = 4
"""So many agents inside each other are more than anybody follows."""
PARTLY: Final = 0.5
WHAT: Final = {
    Through.TOOL: "as a tool",
    Through.CALLBACK: "in a hook",
    Through.LOOP: "in its loop",
}


@detector(
    title="Agents that start agents without a bound on depth",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Hand a depth down and refuse beyond it, or give the inner agent tools that start no further one.",
    references=("CWE-674", "CWE-834", "OWASP ASI08", "OWASP LLM06:2026", "AISVS 9.1.2"),
)
def callback_depth_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every line that puts an agent inside another one, by the worst of them, and every recursion that starts runs."""
    inside = tuple((one.source, one.target) for one in system.nested)
    chains = Chains(inside, ((edge.source.span, edge.target.span) for edge in system.handoffs))
    worst: dict[tuple[str, int], Verdict] = {}
    for one in system.nested:
        verdict = judge(one, chains)
        line = (one.span.path, one.span.line)
        if line not in worst or _badness(verdict) > _badness(worst[line]):
            worst[line] = verdict
    yield from worst.values()
    for path in system.feedback_paths:
        if path.kind is PathKind.RECURSION and _spreads(system, path) and (path.span.path, path.span.line) not in worst:
            yield _recursion(path)


def judge(one: Nested, chains: Chains) -> Verdict:
    """The verdict on one agent inside another one."""
    source, _, target = one.symbol.partition(" → ")
    what = f"{source} starts {target} {WHAT[one.through]}"
    if not chains.in_circle(one.source, one.target):
        depth = chains.depth(one.source, one.target)
        if depth >= DEEP:
            return gap(one, f"{what}: agents are nested {depth} deep.", risk=PARTLY, confidence=one.confidence)
        return ok(one, f"{what}: agents are nested {depth} deep at most.", confidence=one.confidence)
    circle = f"{what}, which can start {source} again"
    limit = one.limit
    related = (limit.span,) if limit.span is not None else ()
    if limit.is_known:
        return ok(one, f"{circle}, up to depth {limit.value}.", confidence=one.confidence, related=related)
    if one.from_caller:
        reason = f"{circle}: the depth limit comes from the caller, with no maximum."
        return gap(one, reason, risk=PARTLY, confidence=one.confidence, related=related)
    if limit.origin is Origin.UNKNOWN:
        return unknown(one, f"{circle}: the depth limit comes from {limit.source}.", confidence=one.confidence)
    return gap(one, f"{circle}: no depth limit.", confidence=one.confidence)


def _badness(verdict: Verdict) -> float:
    return 0.4 if verdict.risk is None else verdict.risk


def _spreads(system: AgentSystem, path: FeedbackPath) -> bool:
    """Whether each pass of a recursion starts runs or several more passes: it is one agent inside another."""
    return bool(path.inner) or any(one.recursive and path.span.contains(one.span) for one in system.fan_outs)


def _recursion(path: FeedbackPath) -> Verdict:
    what = f"{path.symbol} starts itself again"
    bound = effective_bound(path)
    found = judge_bound(bound) if bound is not None else None
    if found is None or bound is None:
        return gap(path, f"{what}: no depth limit.", confidence=path.confidence)
    reason = f"{what}: {found.seen}."
    if found.risk is None:
        return unknown(path, reason, confidence=path.confidence, related=(bound.span,))
    if best_first(found) == 0 or found.risk < PARTLY:
        return ok(path, reason, confidence=path.confidence, related=(bound.span,))
    risk = PARTLY if bound.from_caller else found.risk
    return gap(path, reason, risk=risk, confidence=path.confidence, related=(bound.span,))
