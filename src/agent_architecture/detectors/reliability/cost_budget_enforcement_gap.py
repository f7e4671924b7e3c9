"""Agents that nothing stops from spending: no ceiling on tokens, money or model calls that ends the run."""

from __future__ import annotations

import math
from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, sentence, unknown
from agent_architecture.limits import EFFECTIVE, judge_bound, judge_limit, judge_run
from agent_architecture.model.resilience import FanOut
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem, BoundKind, FeedbackPath, PathKind, Site, SiteKind

STEPS_ONLY = 0.5
"""Bounded steps bound the bill loosely: one step may cost as much as the context window holds (ruling 13)."""
LOOP_WEIGHT = 3.0
"""What a site weighs that can come back to its model: it spends again and again (sheet 13, "weight LOOP")."""
UNCAPPED = "No cap on tokens, cost or calls"
RUNS_AGENT = (SiteKind.RUN, SiteKind.EXPORTED_GRAPH, SiteKind.HAND_WRITTEN_LOOP, SiteKind.DISPATCH)
SHOWN_CALLS = 5
"""Model calls without a ceiling that are named."""


@detector(
    title="Agent run without a ceiling on what it spends",
    impact=Severity.HIGH,
    effort=Effort.LOW,
    fix="Set a ceiling on tokens, money or calls that stops the run, or a size for every answer and bounded steps.",
    references=("CWE-770", "CWE-400", "OWASP LLM06:2026", "OWASP ASI08", "AISVS 9.1.2"),
    parts={
        "turns": "Bound the turns of the run, or set a ceiling on tokens, money or calls that stops it.",
        "answers": "Cap the tokens of every answer, or set a ceiling on tokens, money or calls that stops the run.",
    },
)
def cost_budget_enforcement_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every site that runs an agent which may ask a model."""
    paths = {path.span: path for path in system.feedback_paths}
    for site in system.sites:
        if site.kind in RUNS_AGENT and site.asks_model:
            yield judge(site, paths.get(site.span), system.fan_outs)


def judge(site: Site, path: FeedbackPath | None, fan_outs: tuple[FanOut, ...]) -> Verdict:
    """The verdict on one site, by the best ceiling that it has."""
    weight = LOOP_WEIGHT if path is not None else 1.0
    budgets = _budgets(site, path)
    stopping = next((seen for risk, seen in budgets if risk == 0), None)
    if stopping is not None:
        return ok(site, f"Spending is capped: {stopping}.", weight=weight)
    hidden = next((seen for risk, seen in budgets if risk is None), None)
    if hidden is not None:
        return unknown(site, f"A cap on spending may exist: {hidden}.", weight=weight)
    wide = next((each for each in fan_outs if _is_unbounded(each) and _starts(each, site)), None)
    if wide is not None:
        reason = f"{wide.symbol} starts any number of these runs, with no budget for all."
        return gap(site, reason, weight=weight, related=(wide.span,))
    return _by_steps(site, path, weight)


def _by_steps(site: Site, path: FeedbackPath | None, weight: float) -> Verdict:
    """Without a budget: bounded steps, and whether every one of them has a size."""
    steps, seen = _steps(path)
    if steps is None:
        return unknown(site, f"{UNCAPPED}, and {seen}.", weight=weight)
    size, of_answer = _amount(site.max_tokens, "the token limit of an answer")
    answers = f"Answers are capped at {site.max_tokens.value:g} tokens" if _is_number(site.max_tokens) else ""
    if steps == 1:
        reason = f"{answers}; turns are not: {seen}." if size == 0 and answers else f"{UNCAPPED}, and {seen}."
        return gap(site, reason, weight=weight, lacks=("turns",) if size == 0 else ("turns", "answers"))
    if size == 0 and steps < STEPS_ONLY:
        return ok(site, f"{answers or sentence(of_answer)}, and {seen}.", weight=weight)
    if size is None:
        return unknown(site, f"{UNCAPPED}; {seen}, but {of_answer}.", weight=weight)
    reason = f"{answers}, turns only loosely: {seen}." if size == 0 and answers else f"{UNCAPPED}; {seen}."
    lacks = ("turns",) if size == 0 else ("answers",) if steps < STEPS_ONLY else ("turns", "answers")
    return gap(site, reason, risk=STEPS_ONLY, weight=weight, related=site.uncapped[:SHOWN_CALLS], lacks=lacks)


def _is_number(limit: Setting) -> bool:
    return isinstance(limit.value, (int, float)) and not isinstance(limit.value, bool)


def _steps(path: FeedbackPath | None) -> tuple[float | None, str]:
    """The risk of the steps, and what was seen of them; a library's own limit up to `EFFECTIVE` bounds them."""
    if path is None:
        return 0.0, "the model is called a fixed number of times"
    if path.kind is PathKind.RUN:
        found, _ = judge_run(path)
        own = judge_limit(path.step_limit, "step limit")
        is_default = path.step_limit.origin is Origin.DEFAULT and own.risk is not None and own.risk < 1
        return 0.0 if is_default else found.risk, found.seen
    judged = [judge_bound(bound) for bound in path.bounds]
    if not judged:
        return 1.0, "only the model's answer ends the loop"
    best = min(judged, key=lambda each: 0.1 if each.risk is None else each.risk)
    return best.risk, best.seen


def _budgets(site: Site, path: FeedbackPath | None) -> list[tuple[float | None, str]]:
    """Each ceiling that could stop the site: 0 when it does, None when it cannot be read, and what was seen."""
    found = [
        _amount(site.token_limit, "the token limit"),
        _amount(site.cost_limit, "the cost limit"),
        _requests(site.request_limit),
    ]
    bounds = path.bounds if path is not None else ()
    found.extend(judge_bound(bound) for bound in bounds if bound.kind is BoundKind.BUDGET)
    return found


def _requests(limit: Setting) -> tuple[float | None, str]:
    """A ceiling on calls that somebody chose; a library's own is a step limit like any other."""
    risk, seen = _amount(limit, "the limit on model calls")
    too_high = any(isinstance(value, (int, float)) and value > EFFECTIVE for value in limit.values)
    return (1.0, seen) if limit.origin is Origin.DEFAULT or too_high else (risk, seen)


def _amount(limit: Setting, noun: str) -> tuple[float | None, str]:
    """Tokens and money have no common scale: any finite amount above zero stops."""
    if limit.origin is Origin.UNKNOWN:
        return None, f"{noun} comes from {limit.source}"
    for value in limit.values:
        if isinstance(value, str):
            return None, f"{noun} comes from {value}"
        if value is None or isinstance(value, bool) or not 0 < value < math.inf:
            return 1.0, f"{noun} is switched off ({value})"
    return (0.0, f"{noun} is {limit.value:g}") if limit.values else (1.0, noun)


def _starts(fan_out: FanOut, site: Site) -> bool:
    return fan_out.span.contains(site.span) or site.span in fan_out.starts


def _is_unbounded(fan_out: FanOut) -> bool:
    return not fan_out.framework_runs and not fan_out.width.is_known and not fan_out.limit.is_known


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The share of sites that a ceiling stops."""
    del system
    judged = [verdict.risk for verdict in verdicts if verdict.risk is not None]
    return {"cost_budget_coverage_ratio": sum(risk == 0 for risk in judged) / len(judged) if judged else 1.0}
