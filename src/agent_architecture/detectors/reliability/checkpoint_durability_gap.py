"""Runs of several steps whose progress dies with the process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import power
from agent_architecture.model.graph import reachable
from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.resilience import Progress
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import Agent, AgentSystem, CodeSink, Confidence
from agent_architecture.sources.source import Span

PARTLY: Final = 0.5
REACHING: Final = frozenset({"none", "process"})
"""How code is kept apart that can change files of this machine all the same; a container goes with the run."""
AT_THE_END: Final = frozenset({"exit", False})
"""Words of a run that is kept only when it is over."""


@detector(
    title="Progress of a run is lost with the process",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Keep the state of each step in a file or database, under an id with which the run can go on.",
    references=("CWE-754", "CWE-755", "CWE-353", "OWASP ASI08", "OWASP LLM03:2026", "AISVS 9.4.4"),
)
def checkpoint_durability_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every site with several steps or tasks, a loop over tools that change something or with a saver, or a pause."""
    asked = frozenset(binding.tool.span for binding in system.bindings if _waits(binding.gate.approval))
    looping = frozenset(path.span for path in system.feedback_paths)
    for progress in system.progress:
        waiting = _waiting(progress, asked)
        repeats = progress.repeats or progress.span in looping
        working = _working(system, progress)
        why, sure = (waiting, Confidence.HIGH) if waiting else _needs(progress, repeats, working)
        if not why and repeats and (runs := _runs_code(system, (*progress.site.agents, *working))) is not None:
            why, sure = f"a crash repeats what {runs.symbol} has run of a model's code", runs.confidence
        if why:
            yield judge(progress, why, sure, waits=bool(waiting))


def _waiting(progress: Progress, asked: frozenset[Span]) -> str:
    """What a crash does to a run that waits for a person, as the end of a sentence; "" for one that does not."""
    if progress.pauses:
        return "a crash loses the run that is paused for a person"
    gated = next((tool for tool in progress.site.tools if _waits(tool.gate.approval) or tool.span in asked), None)
    return "" if gated is None else f"a crash loses the run that waits for approval of {gated.name or gated.symbol}"


def _working(system: AgentSystem, progress: Progress) -> tuple[Agent, ...]:
    """The agents to which those of a site pass work, one to the next."""
    found = frozenset[int]().union(*(reachable(system.handoffs, agent) for agent in progress.site.agents))
    own = {id(agent) for agent in progress.site.agents}
    return tuple(agent for agent in system.agents if id(agent) in found - own)


def _runs_code(system: AgentSystem, agents: tuple[Agent, ...]) -> CodeSink | None:
    """An agent that runs code which a model wrote, where that can reach something: in a process of this machine."""
    spans = {agent.span for agent in agents}
    own = (sink for sink in system.code_sinks if sink.span in spans)
    return next((sink for sink in own if set(sink.isolation.values) & REACHING), None)


def _needs(progress: Progress, repeats: bool, working: tuple[Agent, ...]) -> tuple[str, Confidence]:
    """What a crash does to a site's run, as the end of a sentence; "" where its progress is not worth keeping."""
    if progress.steps > 1:
        return f"a crash restarts all {progress.steps} steps of the graph", Confidence.HIGH
    if progress.tasks > 1:
        return "a crash restarts its tasks from the first", Confidence.HIGH
    if repeats:
        tools = [tool for site in (progress.site, *progress.starts) for tool in site.tools]
        found = [(tool, power(tool)) for tool in (*tools, *(tool for agent in working for tool in agent.tools))]
        acting = [(tool, can) for tool, can in found if can.effectful]
        acting.sort(key=lambda each: each[1].confidence is not Confidence.HIGH)
        if acting:
            tool, can = acting[0]
            return f"a crash repeats earlier calls of {tool.name or tool.symbol}, which {can.doing}", can.confidence
        if progress.served is not None:
            return "a crash repeats earlier calls of a server's tools", Confidence.MEDIUM
        if any(saver.holds is Holding.PROGRESS for saver in progress.savers):
            return "a crash loses the steps and the thread that it is told to keep", Confidence.HIGH
    return "", Confidence.HIGH


def _waits(approval: Setting) -> bool:
    return approval.is_known and any(value in {"always", "conditional"} for value in approval.values)


def judge(progress: Progress, why: str, sure: Confidence, *, waits: bool = False) -> Verdict:
    """The verdict on one site, by what keeps it. A run that `waits` ends there for its saver, too."""
    site = progress.site
    if progress.supplied:
        return ok(site, f"The platform that runs {progress.supplied} keeps checkpoints.", confidence=sure)
    if progress.savers:
        return _by_savers(progress, why, sure, waits=waits)
    if progress.unread:
        return unknown(site, f"The checkpointer comes from {progress.unread}; without one, {why}.", confidence=sure)
    engine = progress.engine
    if engine is not None and not engine.whole:
        return ok(site, f"{engine.symbol} keeps the result of each step.", confidence=sure, related=(engine.span,))
    if engine is not None:
        reason = f"{engine.symbol} holds the whole run as one step: {why}."
        return gap(site, reason, risk=PARTLY, confidence=sure, related=(engine.span,))
    if progress.written is not None:
        reason = "The conversation is written to a file or database on the way."
        return ok(site, reason, confidence=Confidence.MEDIUM, related=(progress.written,))
    return gap(site, f"No checkpoint: {why}.", confidence=sure)


def _by_savers(progress: Progress, why: str, sure: Confidence, *, waits: bool) -> Verdict:
    site, savers = progress.site, progress.savers
    spans = tuple(saver.span for saver in savers)
    lost = [saver for saver in savers if saver.persists is False]
    kept = [saver for saver in savers if saver.persists]
    if not kept and not lost:
        reason = f"{savers[0].symbol}: where it keeps checkpoints comes from {_hidden(savers[0])}."
        return unknown(site, reason, confidence=sure, related=spans)
    if not kept:
        some = ", and one path has no checkpointer" if progress.unsaved else ""
        return gap(site, f"{_lost(lost[0])}{some}: {why}.", confidence=sure, related=spans)
    if lost or progress.unsaved:
        other = f"{lost[0].symbol} (in memory only)" if lost else "no checkpointer"
        reason = f"{kept[0].symbol} keeps checkpoints, but one path has {other}: {why}."
        return gap(site, reason, risk=PARTLY, confidence=sure, related=spans)
    defect = _defect(progress, waits=waits)
    if defect:
        return gap(site, f"{kept[0].symbol} keeps checkpoints {defect}.", risk=PARTLY, confidence=sure, related=spans)
    return ok(site, f"{kept[0].symbol} keeps checkpoints{_at(kept[0])}.", confidence=sure, related=spans)


def _defect(progress: Progress, *, waits: bool) -> str:
    """What of a durable saver is lost all the same."""
    acts = any(power(tool).effectful for tool in progress.site.tools)
    late = next((value for value in progress.durability.values if value in AT_THE_END), None)
    if acts and not waits and late is not None:
        return f"only when the run ends{f' (durability {late!r})' if late else ''}, after its tools have acted"
    thread = progress.thread
    if thread.origin is Origin.WRITTEN and thread.values and all(_is_fixed(value) for value in thread.values):
        return f"of every run under the same thread id ({thread.value!r})"
    return ""


def _is_fixed(value: object) -> bool:
    """Whether a name is a constant of the program, not what a function or library makes."""
    return isinstance(value, (str, int)) and not str(value).startswith(("py:", "npm:", "an object"))


def _lost(saver: Memory) -> str:
    return f"{saver.symbol} keeps checkpoints in memory only"


def _at(saver: Memory) -> str:
    place = saver.location.value
    plain = isinstance(place, str) and not place.startswith(("py:", "npm:")) and "@" not in place
    return f" in {place!r}" if plain else " outside the process"


def _hidden(saver: Memory) -> str:
    return next((s.source for s in (saver.durable, saver.location) if s.origin is Origin.UNKNOWN), "outside")
