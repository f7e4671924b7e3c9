"""What evidence makes of verdicts: the degree of the entity that they are about, how many places a gap rests on, and
how often readers agreed with the rule. The one place where confidence is calibrated.

What is inferred is judged at medium confidence at most. What is guessed exists, and nothing more is said of it. A gap
that rests on a way through several places is of medium confidence at most: any of them may be read wrongly. And no rule
says *high* that readers of unknown code often contradicted (`record_of`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Outcome, Verdict
from agent_architecture.model.confidence import Confidence, Degree, at_most, weakest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Agent, AgentSystem, ModelCall, Site, Subject, Tool
    from agent_architecture.sources.source import Span

GAPS: Final = frozenset({Outcome.PARTIAL, Outcome.ABSENT})
PARTS: Final = ("tool", "agent", "site", "source", "target")
"""Under which names an entity refers to those that it is about."""

FAR: Final = 5
"""Places beside its own from which on a gap is less sure. Of gaps that said high confidence those with fewer were right
in 343 of 371 (round q6, mended), 334 of 357 (q7, before mending) and 1580 of 1587 (labelled projects); the others in
33 of 41, 9 of 27 and 137 of 143. The number was chosen on these.
"""

DOUBTED_GAPS: Final = frozenset(
    {
        "agent_tools_external_api",
        "checkpoint_durability_gap",
        "circuit_breaker_absence",
        "context_memory_limits_score",
        "coordination_risk",
        "cost_budget_enforcement_gap",
        "credential_scoping_gap",
        "decision_observability_gap",
        "fanout_control_absence",
        "hallucination_propagation_risk",
        "idempotency_gap",
        "instruction_boundary_violation",
        "interrupt_resume_contract_gap",
        "loop_guard_absence",
        "memory_unbounded",
        "otel_genai_event_coverage_gap",
        "output_validation_gap",
        "retry_storm_risk",
        "routing_pattern_risk",
        "runtime_slo_coverage_gap",
        "sensitive_data_exposure_gap",
        "state_isolation_risk",
        "tool_approval_bypass_risk",
        "tool_policy_absence",
        "tool_sandbox_enforcement_gap",
        "tool_state_limits_score",
        "trace_linkage_gap",
        "untrusted_tool_output_boundary_gap",
    }
)
"""Rules whose gaps of high confidence readers confirmed in less than four of five cases, of eight and more, on projects
of blind rounds before anything was mended for these: such gaps are of medium confidence at most. Derived, like the two
below, from `ecosystem/statements`, and where judges saw few from `ecosystem/blind`, too, by
`ecosystem/reliability.py`; a test compares them.
"""
UNLIKELY_GAPS: Final = frozenset(
    {
        "context_memory_limits_score",
        "cost_budget_enforcement_gap",
        "decision_observability_gap",
        "hallucination_propagation_risk",
        "human_approval_absence",
        "idempotency_gap",
        "memory_poisoning_defense_gap",
        "otel_genai_semconv_gap",
        "retry_storm_risk",
        "runtime_slo_coverage_gap",
        "tool_policy_absence",
        "trace_eval_regression_risk",
        "trace_linkage_gap",
    }
)
"""Rules whose gaps of medium confidence readers denied more often than not there: such gaps are of low confidence."""
DOUBTED_CONTROLS: Final = frozenset(
    {
        "agent_code_execution_sandbox_gap",
        "checkpoint_durability_gap",
        "credential_scoping_gap",
        "decision_observability_gap",
        "goal_integrity_defense_gap",
        "idempotency_gap",
        "mcp_auth_gap",
        "memory_poisoning_defense_gap",
        "output_validation_gap",
        "routing_pattern_risk",
        "runtime_slo_coverage_gap",
        "state_isolation_risk",
        "tool_approval_bypass_risk",
        "tool_policy_absence",
        "tool_result_validation_gap",
        "tool_sandbox_enforcement_gap",
        "tool_state_limits_score",
    }
)
"""Rules of whose subjects called controlled, at high confidence, readers called more than one in five a gap there: such
verdicts are of medium confidence at most.
"""

Degrees = dict["Span | tuple[Span, str]", Degree]
"""By where an entity stands; for an edge by its symbol, too: what else is said of its line is not about the edge."""


def degrees(system: AgentSystem) -> Degrees:
    """The entities of a system that are not resolved, by where they stand."""
    entities: tuple[Site | Agent | Tool | ModelCall, ...]
    entities = (*system.sites, *system.agents, *system.tools, *system.model_calls)
    found: Degrees = {one.span: one.degree for one in entities if one.degree is not Degree.RESOLVED}
    for edge in system.handoffs:
        if edge.degree is not Degree.RESOLVED:
            found[edge.span, edge.symbol] = edge.degree
    return found


def weighed(verdicts: Iterable[Verdict], known: Degrees) -> Iterator[Verdict]:
    """The verdicts as far as the evidence for what they are about bears them."""
    for verdict in verdicts:
        degree = degree_of(verdict.subject, known)
        if degree is Degree.GUESSED:
            yield _unjudged(verdict)
        else:
            found = at_most(verdict.confidence, degree)
            found = at_most(found, Degree.INFERRED) if _is_far(verdict) else found
            yield verdict._replace(confidence=found, degree=degree)


def recorded(key: str, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """The verdicts of a rule, at the confidence that its record on blind rounds bears."""
    return (verdict._replace(confidence=record_of(key, verdict)) for verdict in verdicts)


def record_of(key: str, verdict: Verdict) -> Confidence:
    """How sure a verdict of a rule is, by its evidence and by how often readers agreed with such verdicts."""
    found = verdict.confidence
    if verdict.outcome is Outcome.CONTROLLED and key in DOUBTED_CONTROLS:
        return at_most(found, Degree.INFERRED)
    if verdict.outcome in GAPS and found is Confidence.MEDIUM and key in UNLIKELY_GAPS:
        return Confidence.LOW
    if verdict.outcome in GAPS and key in DOUBTED_GAPS:
        return at_most(found, Degree.INFERRED)
    return found


def _is_far(verdict: Verdict) -> bool:
    return verdict.outcome in GAPS and len(verdict.related) >= FAR


def degree_of(subject: Subject, known: Degrees) -> Degree:
    """The degree of evidence of what a verdict is about: its own, and that of what it refers to."""
    parts = (getattr(subject, name, None) for name in PARTS)
    found = [getattr(one, "degree", Degree.RESOLVED) for one in (subject, *parts)]
    places = (subject.span, (subject.span, subject.symbol))
    return weakest((*found, *(known.get(place, Degree.RESOLVED) for place in places)))


def _unjudged(verdict: Verdict) -> Verdict:
    reason = f"Only its name says that {verdict.subject.symbol} belongs to an agent."
    return verdict._replace(
        outcome=Outcome.UNKNOWN, risk=None, reason=reason, confidence=Confidence.LOW, degree=Degree.GUESSED
    )
