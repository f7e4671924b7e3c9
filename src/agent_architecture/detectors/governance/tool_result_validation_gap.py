"""Results of tools that reach a model with any shape and size, and failures that look like results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Outcome, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import power
from agent_architecture.model.confidence import Confidence
from agent_architecture.model.results import ToolResult
from agent_architecture.model.system import AgentSystem
from agent_architecture.sources.source import Span
from agent_architecture.wording import fitting

PARTS: Final = 3
"""Shape, error branch, size: a third for each that is missing (ruling 3)."""
OUTWARD_WEIGHT: Final = 3.0
"""A tool with effects outside the process counts more."""


@detector(
    title="Tool result that nothing checks",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Return a declared type, tell a failed answer from a good one, and cut what is longer than the model needs.",
    references=("CWE-20", "CWE-754", "OWASP ASI02", "OWASP LLM10:2026", "OWASP MCP03:2025", "AISVS 9.3.2"),
    parts={
        "shape": "Return a declared type, and check the answer against it.",
        "errors": "Tell a failed answer from a good one: raise, or return an error that says so.",
        "size": "Cut what is longer than the model needs.",
    },
)
def tool_result_validation_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool, and every call of other code to the outside whose answer a model reads."""
    for result in system.tool_results:
        yield judge(result)


def judge(result: ToolResult) -> Verdict:
    """The verdict on one result."""
    weight = OUTWARD_WEIGHT if result.tool is not None and result.tool.effects and power(result.tool).effectful else 1.0
    confidence = result.confidence
    name = result.symbol
    if not result.readable:
        return unknown(result, f"{name}: a provider or library outside this project makes its result.", weight=weight)
    if result.plain:
        return ok(result, f"{name} returns a flag, a number or a constant.", weight=weight, confidence=confidence)
    if result.foreign is None and result.hidden:
        reason = f"{name}: part of its result comes from {result.hidden}, which cannot be read."
        return unknown(result, reason, weight=weight, confidence=confidence)
    if result.foreign is None and (lacks := dict(_own(result))):
        return _unchecked(result, lacks, weight, confidence)
    if result.foreign is None and result.awaited:
        reason = f"{name}: part of its result is the answer of {result.awaited}, which cannot be read."
        return unknown(result, reason, weight=weight, confidence=confidence)
    if result.foreign is None:
        reason = f"{name} returns what this project computes, with no text from outside."
        return ok(result, reason, weight=weight, confidence=confidence)
    missing = dict(_missing(result))
    spans = (result.foreign, result.shape, result.errors or result.silent, result.size)
    related = tuple(span for span in spans if span is not None)
    taken = f"{name} returns text from outside ({_at(result, result.foreign)})"
    if not missing:
        reason = f"{taken} with a fixed shape, an error branch and a size limit."
        return ok(result, reason, weight=weight, confidence=confidence, related=related)
    reason = fitting(f"{taken}: ", tuple(missing.values()))
    risk = len(missing) / PARTS
    return gap(result, reason, risk=risk, weight=weight, confidence=confidence, related=related, lacks=missing)


def _own(result: ToolResult) -> Iterator[tuple[str, str]]:
    """What is missing where the project itself makes the whole result."""
    if (result.spelled is not None or result.echoed is not None) and result.shape is None:
        yield "shape", "no declared shape"
    if result.collected is not None and result.size is None:
        yield "size", "no size limit"


def _unchecked(result: ToolResult, lacks: dict[str, str], weight: float, confidence: Confidence) -> Verdict:
    """A gap in a result that the project itself makes."""
    parts: list[str] = []
    if "shape" in lacks and result.spelled is not None:
        parts.append(f"records as text ({_at(result, result.spelled)})")
    elif "shape" in lacks and result.echoed is not None:
        parts.append(f"a text with what a model wrote in it ({_at(result, result.echoed)})")
    if "size" in lacks and result.collected is not None:
        parts.append(f"as many parts as there happen to be ({_at(result, result.collected)})")
    reason = fitting(f"{result.symbol} returns {', '.join(parts)}: ", tuple(lacks.values()))
    there = tuple(span for span in (result.spelled, result.echoed, result.collected) if span is not None)
    sure = Confidence.MEDIUM if confidence is Confidence.HIGH else confidence
    risk = len(lacks) / PARTS
    return gap(result, reason, risk=risk, weight=weight, confidence=sure, related=there, lacks=lacks)


def _missing(result: ToolResult) -> Iterator[tuple[str, str]]:
    if result.shape is None:
        yield "shape", "no declared shape"
    if result.silent is not None and result.errors is None:
        yield "errors", f"failures look like results ({_at(result, result.silent)})"
    if result.size is None:
        yield "size", "no size limit"


def _at(result: ToolResult, span: Span) -> str:
    return f"line {span.line}" if span.path == result.span.path else f"{span.path}:{span.line}"


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The share of tools whose output has a declared type that is more than text."""
    del system
    judged = [v.subject for v in verdicts if v.outcome is not Outcome.UNKNOWN and isinstance(v.subject, ToolResult)]
    tools = [result for result in judged if result.tool is not None]
    declared = sum(result.declared for result in tools)
    return {"tool_output_schema_coverage": declared / len(tools) if tools else 1.0}
