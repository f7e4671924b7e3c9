"""MCP tools whose records reach clients as text, or as data of no declared shape."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.results import OutputSchema, ServedResult
from agent_architecture.model.system import AgentSystem
from agent_architecture.sources.source import Span

OPEN = 0.5
"""A declared schema that admits anything, or only wraps blocks of content."""


@detector(
    title="MCP tool that sends records without a schema",
    impact=Severity.LOW,
    effort=Effort.LOW,
    fix="Declare an output schema of the fields, and return the record as structured content.",
    references=("CWE-20", "CWE-573", "OWASP ASI02", "OWASP MCP03:2025", "OWASP LLM10:2026", "AISVS 10.4.1"),
)
def mcp_structured_output_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool of a server of the project that answers with records."""
    for result in system.served_results:
        verdict = judge(result)
        if verdict is not None:
            yield verdict


def judge(result: ServedResult) -> Verdict | None:
    """The verdict on one tool; None where it answers with prose, a confirmation or one value."""
    sure, related = result.confidence, _at(result)
    if result.plain and not result.written:
        return None
    match result.schema:
        case OutputSchema.SHAPED:
            return ok(result, f"{result.symbol} declares its output schema.", confidence=sure, related=related)
        case OutputSchema.UNKNOWN:
            return unknown(result, f"{result.symbol}: its output schema is only known at run time.", confidence=sure)
        case OutputSchema.ANYTHING:
            reason = f"{result.symbol} declares an output schema that admits anything."
            return gap(result, reason, risk=OPEN, confidence=sure, related=related)
        case OutputSchema.CONTENT if result.records is not None or result.written:
            reason = f"{result.symbol} declares an output schema of content alone, not of its fields{_made(result)}."
            return gap(result, reason, risk=OPEN, confidence=sure, related=related)
        case _:
            return _unstated(result)


def _unstated(result: ServedResult) -> Verdict | None:
    sure, related = result.confidence, _at(result)
    if not result.readable:
        return unknown(result, f"{result.symbol}: its result cannot be read.", confidence=sure)
    if result.records is None:
        return None
    if result.switched_off:
        reason = f"{result.symbol} returns records, but structured output is switched off."
        return gap(result, reason, confidence=sure, related=related)
    if result.structured and not result.maker:
        reason = f"{result.symbol} returns structured records without an output schema."
        return gap(result, reason, risk=OPEN, confidence=sure, related=related)
    reason = f"{result.symbol} returns records as text{_made(result)}, without an output schema."
    return gap(result, reason, confidence=sure, related=related)


def _made(result: ServedResult) -> str:
    return f" ({result.maker})" if result.maker else ""


def _at(result: ServedResult) -> tuple[Span, ...]:
    place = result.records or result.declared_at
    return (place,) if place is not None and place.line != result.span.line else ()
