"""A2A tasks that nobody ends: executors that leave them, and clients that wait for the wrong end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.peers import TaskLife, TaskPoll
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.wording import fitting

PART: Final = 0.25
"""One of the four parts of an executor: it ends on every way, when it raises, when it is told to stop, and in states
that there are.
"""
HALF: Final = 0.5
OTHERS: Final = frozenset({"failed", "canceled", "rejected"})
"""The ends that a task can have besides the good one."""
NEEDED: Final = frozenset({"failed", "canceled"})


@detector(
    title="An A2A task that nobody brings to an end",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="End the task on every way: complete it, fail it in the handler, cancel it in cancel(); wait for each end.",
    references=("CWE-841", "CWE-754", "CWE-755", "CWE-835", "OWASP ASI07", "OWASP ASI08"),
)
def a2a_task_state_machine_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every executor of the project, and every loop that waits for a peer's task."""
    for life in system.task_lives:
        yield judge(life)
    for poll in system.task_polls:
        yield judge_poll(poll)


def judge(life: TaskLife) -> Verdict:
    """The verdict on one executor: a quarter for each part that is missing."""
    missing: list[str] = []
    if life.ends is False:
        missing.append("one path returns without a final state")
    if life.ends is not None and not life.caught:
        if life.fails.origin is Origin.UNKNOWN:
            return unknown(life, f"{life.symbol}: how a failed task ends comes from {life.fails.source}.")
        if not life.fails.value:
            whose = f" (the default of {life.fails.source})" if life.fails.origin is Origin.DEFAULT else ""
            missing.append(f"an exception leaves the task open{whose}")
    if life.cancels is False:
        missing.append("cancel is refused" if life.refused else "cancel does nothing")
    if life.strange:
        missing.append(f'"{life.strange}" is no A2A task state')
    elif life.after is not None:
        missing.append("updates follow the final state")
    related = tuple(span for span in (life.left, life.after) if span is not None and span != life.span)
    if missing:
        reason = fitting(f"{life.symbol}: ", missing, between="; ")
        return gap(life, reason, risk=PART * len(missing), related=related, confidence=Confidence.MEDIUM)
    return ok(
        life, f"{life.symbol} ends its tasks on every path, on errors and on cancel.", confidence=Confidence.MEDIUM
    )


def judge_poll(poll: TaskPoll) -> Verdict:
    """The verdict on one loop that waits for a task."""
    missing: list[str] = []
    if not poll.states >= NEEDED:
        ends = " and ".join(sorted(poll.states & (OTHERS | {"completed"})))
        missing.append(f"stops on {ends} only" if ends else "stops on no task state")
    if not poll.limited:
        missing.append("has no time limit")
    if missing:
        reason = f"This loop polls a task, but {' and '.join(missing)}."
        return gap(poll, reason, risk=HALF * len(missing), confidence=Confidence.MEDIUM)
    return ok(poll, "This loop polls a task until any final state, with a time limit.", confidence=Confidence.MEDIUM)
