"""Working contexts without a bound, or with one and no word on what happens beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import Judgement, judge_passes, judge_size
from agent_architecture.model.memory import NOT_SHOWN, Collection, Holding
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem, Confidence, Subject
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span

BOUND_ONLY: Final = 0.5
"""A bound, and no policy for what does not fit (sheet 6: 0, 0.5, 1)."""
EFFECTIVE_RISK: Final = 0.5
"""Below this risk a step bound is effective, as for the signal effective_step_budget_ratio."""
POLICIES: Final = frozenset({"drop", "summarise", "flush", "reject", NOT_SHOWN})
"""What leaves whole messages; a text that is cut anywhere is none (AISVS 2.1.4: reject, not silently truncate)."""


class Store(NamedTuple):
    """A context as this sheet sees it."""

    subject: Subject
    bound: Setting
    overflow: Setting
    confidence: Confidence


@detector(
    title="Working context without a bound and an overflow policy",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Bound what is sent to the model in tokens or messages, and decide what happens to the rest.",
    references=("CWE-770", "CWE-400", "OWASP LLM06:2026", "AISVS 2.1.4"),
)
def context_memory_limits_score(system: AgentSystem) -> Iterator[Verdict]:
    """Every conversation that a model is sent, whether it is kept on disk, in the process or for a run."""
    threads = frozenset(_threads(system))
    for memory in system.memories:
        is_talk = memory.holds is Holding.CONVERSATION and not memory.contexts
        if is_talk or memory.span in threads:
            confidence = Confidence.HIGH if memory.framework else Confidence.MEDIUM
            yield judge(Store(memory, memory.bound, memory.overflow, confidence))
    for collection in (each for each in system.collections if each.is_said):
        store = Store(collection, collection.bound, collection.overflow, collection.confidence)
        yield judge(store, _steps(collection))
    for limit in system.memory_limits:
        yield judge(Store(limit, limit.bound, limit.overflow, Confidence.HIGH))


def _threads(system: AgentSystem) -> Iterator[Span]:
    """The savers in memory of agents that have no state of their own: what such a saver keeps of a thread is what the
    model is sent next, unless a part of the library in the agent's file keeps it small.
    """
    small = {limit.span.path for limit in system.memory_limits}
    for one in system.progress:
        if not one.drawn and not any(agent.span.path in small for agent in one.site.agents):
            yield from (
                saver.span for saver in one.savers if saver.persists is False and saver.holds is Holding.PROGRESS
            )


def _steps(collection: Collection) -> Judgement | None:
    """How many steps can add to it; None where that bounds nothing: the next run goes on with it."""
    if collection.assembled is not None:
        return None
    if collection.lives_on or not collection.paths:
        return None if collection.lives_on else Judgement(0.0, "the run has no loop")
    return judge_passes(collection.paths)


def judge(store: Store, steps: Judgement | None = None) -> Verdict:
    """The verdict on one context; `steps` bound it where nothing else does."""
    subject, confidence = store.subject, store.confidence
    what = f"{subject.symbol or 'This conversation'} is sent to the model"
    size = judge_size(store.bound, store.overflow)
    related = () if store.bound.span is None else (store.bound.span,)
    is_own = store.bound.origin is Origin.ABSENT and store.overflow.origin is not Origin.ABSENT
    if is_own and store.overflow.value not in POLICIES:
        reason = f"{what}; the code of {store.overflow.value or 'a function'} decides what is kept."
        return unknown(subject, reason, confidence=confidence, related=related)
    if size.risk is None:
        return unknown(subject, f"{what}: {size.seen}.", confidence=confidence, related=related)
    if size.risk == 0:
        policy = store.overflow.value
        if policy in POLICIES:
            return ok(subject, f"{what}, {size.seen}.", confidence=confidence, related=related)
        then = "the text is cut in the middle" if policy else "no policy for the rest"
        reason = f"{what}, {size.seen}: {then}."
        return gap(subject, reason, risk=BOUND_ONLY, confidence=confidence, related=related)
    if steps is not None and steps.risk is None:
        return unknown(subject, f"{what}: {size.seen}, and {steps.seen}.", confidence=confidence)
    if steps is not None and steps.risk is not None and steps.risk < EFFECTIVE_RISK:
        reason = f"{what} whole: only its steps bound it ({steps.seen})."
        return gap(subject, reason, risk=BOUND_ONLY, confidence=confidence, related=related)
    return gap(subject, f"{what} whole: {size.seen}.", confidence=confidence, related=related)
