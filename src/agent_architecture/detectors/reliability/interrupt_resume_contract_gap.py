"""Pauses from which a run cannot safely go on: not kept, not named, not resumed, done twice, waiting for ever."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.resilience import Pause, Progress
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import fitting

PART: Final = 0.2
"""One of five parts."""
ENDLESS: Final = "no expiry"
PARTS: Final = ("saved", "named", "resumed", "once", "ends")


@detector(
    title="A pause from which the run cannot safely go on",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Keep the run in a database under an id, resume it by that id, act after the pause only, and let the wait end.",
    parts={
        "saved": "Keep the run in a database while it waits.",
        "named": "Run it under an id (thread, session).",
        "resumed": "Resume it by that id when the answer comes.",
        "once": "Act after the pause only.",
        "ends": "Let the wait end after a time.",
    },
    references=("CWE-841", "CWE-837", "CWE-754", "OWASP ASI09", "OWASP LLM03:2026", "AISVS 9.6.2", "AISVS 9.2.8"),
)
def interrupt_resume_contract_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every interrupt, and every tool that waits for a person's approval."""
    for pause in system.pauses:
        yield judge(pause)


def judge(pause: Pause) -> Verdict:
    """The verdict on one pause: a fifth for each part that is missing."""
    parts = (_kept(pause), _named(pause), _resumed(pause), _once(pause), _ends(pause))
    lacks = tuple(part for part, (is_there, _) in zip(PARTS, parts, strict=True) if is_there is False)
    missing = [text for is_there, text in parts if is_there is False]
    hidden = [text for is_there, text in parts if is_there is None]
    related = (*(() if pause.before is None else (pause.before.span,)), *pause.resumes[:1])
    if missing:
        whose = pause.time_limit.remark if missing == [ENDLESS] else ""
        reason = fitting(f"{pause.symbol} pauses the run: ", [*missing[:-1], f"{missing[-1]}{whose}"])
        return gap(pause, reason, risk=round(PART * len(missing), 1), related=related, lacks=lacks)
    if hidden:
        return unknown(pause, f"{pause.symbol} pauses the run: {hidden[0]}.", related=related)
    return ok(pause, f"{pause.symbol} pauses the run: saved, resumable by its id, with an expiry.", related=related)


def _kept(pause: Pause) -> tuple[bool | None, str]:
    if pause.engine:
        return True, ""
    found = [_is_kept(progress) for progress in pause.runs]
    if not found or False in found:
        lost = next((p.savers[0].symbol for p in pause.runs if p.savers and p.savers[0].persists is False), "")
        return False, f"saved in memory only ({lost})" if lost else "not saved"
    return (None, "where it is saved cannot be read") if None in found else (True, "")


def _is_kept(progress: Progress) -> bool | None:
    if progress.supplied or progress.engine is not None or progress.written is not None:
        return True
    if progress.savers:
        kept = [saver.persists for saver in progress.savers]
        return False if False in kept else None if None in kept else True
    return None if progress.unread else False


def _named(pause: Pause) -> tuple[bool | None, str]:
    if pause.engine or any(p.supplied for p in pause.runs):
        return True, ""
    named = [p for p in pause.runs if p.thread.origin is Origin.UNKNOWN or any(p.thread.values)]
    return (True, "") if named else (False, "no run id (thread, session)")


def _resumed(pause: Pause) -> tuple[bool | None, str]:
    if pause.engine or pause.resumes or any(p.supplied for p in pause.runs):
        return True, ""
    return False, "blocks its process" if pause.blocks else "never resumed"


def _once(pause: Pause) -> tuple[bool | None, str]:
    if pause.before is None:
        return True, ""
    return False, f"{pause.before.symbol} runs again on resume"


def _ends(pause: Pause) -> tuple[bool | None, str]:
    limit = pause.time_limit
    if limit.origin is Origin.UNKNOWN:
        return None, f"its expiry comes from {limit.source}"
    if limit.values and all(value is not None and value is not False for value in limit.values):
        return True, ""
    return False, ENDLESS
