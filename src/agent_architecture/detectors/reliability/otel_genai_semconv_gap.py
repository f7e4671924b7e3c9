"""Traces of agents that only one tool can read: spans without the names of the `gen_ai.*` conventions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.conventions import CONTENT, MODEL, OPERATION, OPERATIONS, PROVIDER, REQUIRED, USAGE, Part
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem
from agent_architecture.model.tracing import GenAiSpan, Recording, TracedWork, WorkKind
from agent_architecture.model.vocabulary import CONVENTIONS
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Span

STANDARD: Final = "gen_ai"
DEPRECATED: Final = 0.5
"""The least that a span weighs which uses a name that was replaced (ruling 17)."""
OFF: Final = (False, None)
NOUN: Final = {
    "model": "model",
    "agent": "agent",
    "tool": "tool",
    "step": "chain",
    "retrieval": "retrieval",
}
STANDARD_NAME: Final = regex(rf"(?:{'|'.join(OPERATIONS)})(?:\s|$)")


@detector(
    title="Traces of agents outside of the `gen_ai.*` conventions",
    impact=Severity.LOW,
    effort=Effort.LOW,
    fix="Switch on an instrumentor that uses `gen_ai.*`, or put operation, provider, model and usage on your spans.",
    references=("CWE-778", "CWE-223", "OWASP ASI10", "OWASP MCP08", "AISVS 12.1.3"),
)
def otel_genai_semconv_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every site that runs an agent, and every span that is opened by hand for one, each once a line."""
    spans = {span.span: judge_span(span) for span in system.genai_spans}
    complete = frozenset(place for place, verdict in spans.items() if verdict.risk == 0)
    for work in system.traced_work:
        if work.kind is WorkKind.SITE and work.span not in system.without_model:
            yield judge_site(work, complete)
    yield from {(place.path, place.line): spans[place] for place in sorted(spans)}.values()


# --------------------------------------------------------------------------------------------------------------- sites
def judge_site(work: TracedWork, complete: frozenset[Span]) -> Verdict:
    """The verdict on one site: the conventions are kept by something that records it, or they are not."""
    what = work.symbol or "this run"
    found = (*work.recordings, *work.asked)
    kept = [each for each in found if _keeps(each, complete)]
    on = next((each for each in kept if each.is_on), None)
    if on is not None:
        return ok(work, f"{on.by} traces {what} with `gen_ai.*` names.", related=on.related)
    hidden = next((each for each in kept if each.enabled.origin is Origin.UNKNOWN), None)
    if hidden is not None:
        reason = f"{hidden.by} may trace {what}: that comes from {hidden.enabled.source}."
        return unknown(work, reason, related=hidden.related)
    other = next((each for each in found if each.is_on), None)
    other = other or next((each for each in found if each.enabled.origin is Origin.UNKNOWN), None)
    if other is not None:
        how = "required attributes missing" if other.by_hand else _names(other.convention)
        return gap(work, f"No `gen_ai.*` trace of {what}, only {other.by} with {how}.", related=other.related)
    off = next((each for each in found if each.why_not), None)
    why = f"{off.by} {off.why_not}" if off is not None else "no instrumentor, no span"
    return gap(work, f"No `gen_ai.*` trace of {what}: {why}.")


def _names(convention: str) -> str:
    return CONVENTIONS.get(convention, CONVENTIONS["own"])


def _keeps(recording: Recording, complete: frozenset[Span]) -> bool:
    return recording.convention == STANDARD or (recording.by_hand and recording.span in complete)


# --------------------------------------------------------------------------------------------------------------- spans
def judge_span(span: GenAiSpan) -> Verdict:
    """The verdict on one span by hand: the share of what is required and missing, at least 0.5 for a replaced name."""
    if span.convention == STANDARD:
        return ok(span, f"{span.symbol} follows `gen_ai.*` for the span and its attributes.")
    if span.convention:
        return gap(span, f"This span has {_names(span.convention)}.")
    work = _work(span)
    present = frozenset(attribute.name for attribute in span.attributes)
    parts = REQUIRED[work]
    missing = [part.shown for part in parts if not present & (part.names | part.replaced)]
    if not any(map(STANDARD_NAME.match, span.names)) and _can_be_read(span):
        missing.append(f"the name `{_first(work)} …`")
    old = sorted((present & frozenset().union(CONTENT, *(part.replaced for part in parts))) - _renewed(parts, present))
    if missing and span.hidden:
        return unknown(span, f"The attributes of this span come from {span.hidden}.")
    if not missing and not old:
        return ok(span, f"This {NOUN[work]} span has all that `gen_ai.*` requires.")
    said = [f"lacks {_list(missing)}"] if missing else []
    said += [f"uses deprecated {_list([f'`{_dotted(name)}`' for name in old])}"] if old else []
    risk = max(len(missing) / (len(parts) + 1), DEPRECATED if old else 0.0)
    return gap(span, f"This {NOUN[work]} span {' and '.join(said)}.", risk=risk)


def _work(span: GenAiSpan) -> str:
    """What a span is for: as it says itself, else as its name, its attributes or what lies in it say."""
    said = (value for each in span.attributes if each.name in OPERATION.names for value in each.values)
    named = (name.split()[0] for name in span.names if name.strip())
    stated = next((OPERATIONS[word.lower()] for word in (*said, *named) if word.lower() in OPERATIONS), None)
    if stated is not None:
        return stated
    present = {attribute.name for attribute in span.attributes}
    if any("tool" in name for name in (*present, *(name.lower() for name in span.names))):
        return "tool"
    if present & (MODEL.names | USAGE.names | USAGE.replaced | PROVIDER.replaced):
        return "model"
    if any(name.startswith("gen_ai_agent") for name in present):
        return "agent"
    return span.work if span.work in REQUIRED else "model"


def _can_be_read(span: GenAiSpan) -> bool:
    """Whether something of the name is constant; a name that is only known at run time is taken to be right."""
    return any(name.strip() for name in span.names)


def _renewed(parts: tuple[Part, ...], present: frozenset[str]) -> frozenset[str]:
    """Replaced names beside which the new ones stand: for whoever still reads the old ones."""
    return frozenset(name for part in parts if part.names & present for name in part.replaced)


def _first(work: str) -> str:
    usual = {"agent": "invoke_agent"}
    return usual.get(work) or next(name for name, kind in OPERATIONS.items() if kind == work)


def _list(words: list[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])).removeprefix(" and ")


def _dotted(name: str) -> str:
    """`gen_ai_usage_prompt_tokens` as the conventions write it."""
    head, _, rest = name.removeprefix("gen_ai_").partition("_")
    return f"gen_ai.{head}.{rest}" if rest else f"gen_ai.{head}"
