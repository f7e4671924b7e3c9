"""Credentials that reach further than they have to: written down, handed over whole, shared, or known to a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok
from agent_architecture.model.credentials import Credential, CredentialSource
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.model.system import AgentSystem
from agent_architecture.sources.source import Span

SHARED = 0.5
"""One credential for tools that read and tools that change something."""
UNGUARDED = 0.5
"""A client's own key behind a server that asks nobody who calls."""


@detector(
    title="Credential that reaches further than it has to",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Give each tool and server the one variable that it needs, with a credential of its own and the least scope.",
    references=("CWE-522", "CWE-269", "CWE-798", "CWE-250", "OWASP ASI03", "OWASP MCP01:2025", "OWASP MCP02:2025",
                "OWASP LLM03:2026", "AISVS 9.5.2"),
    parts={
        "code": "Take it out of the code, read it from the environment, and replace it: it is known.",
        "environment": "Hand over the one variable that it needs, not the environment.",
        "argument": "Let the tool read it from the environment: no argument.",
        "scope": "Ask for the scopes that the tools use.",
        "account": "Sign in as a user of its own that may do what the tools need.",
        "shown": "Keep it out of what the model reads.",
        "apart": "Give tools that read and tools that write a credential each.",
        "callers": "Authenticate callers before the key is used for them.",
    },
)  # fmt: skip
def credential_scoping_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every credential that the project reads, writes or hands over."""
    told = [one for one in system.disclosures if one.kept is Kept.SECRET and one.sink in {Sink.PROMPT, Sink.RESULT}]
    named = Counter((one.span.path, one.held or one.symbol) for one in system.credentials)
    judged: dict[object, list[Verdict]] = {}
    for one in system.credentials:
        verdict = judge(one._replace(shown=_shown(one, told, alone=named[one.span.path, one.held or one.symbol] == 1)))
        is_read = one.source is CredentialSource.ENVIRONMENT
        judged.setdefault((one.span.path, one.symbol, verdict.risk) if is_read else one.span, []).append(verdict)
    yield from map(_once, judged.values())


def _shown(one: Credential, told: Sequence[Disclosure], *, alone: bool) -> Span | None:
    """Where a model gets to see a credential: what it is told begins where that is read, or has its name in the file,
    where that is the name of one alone.
    """
    found = (each for each in told if not each.redacted and _is_of(each, one, alone=alone))
    return next((each.span for each in found), None)


def _is_of(told: Disclosure, one: Credential, *, alone: bool) -> bool:
    is_named = alone and (told.span.path, told.name) == (one.span.path, one.held or one.symbol)
    return is_named or any(one.span.contains(span) or span.contains(one.span) for span in told.begun)


def _once(same: list[Verdict]) -> Verdict:
    """One variable that a file reads again and again is one credential: at its first read, with the others."""
    first, *others = sorted(same, key=lambda verdict: verdict.span)
    return first._replace(related=(*first.related, *(verdict.span for verdict in others)))


def judge(one: Credential) -> Verdict:
    """The verdict on one credential."""
    match one.source:
        case CredentialSource.WRITTEN:
            whose = f", for {one.owner}" if one.owner else ""
            reason = f"{one.symbol} is hard-coded{whose}: whoever reads the code has it."
            return gap(one, reason, confidence=one.confidence, lacks=("code",))
        case CredentialSource.WHOLE_ENVIRONMENT:
            reason = f"{one.owner} gets the whole environment of the process, credentials included."
            return gap(one, reason, lacks=("environment",))
        case CredentialSource.ARGUMENT:
            reason = f"{one.owner} takes {one.symbol} as an argument: the model has to know the credential."
            return gap(one, reason, lacks=("argument",))
        case CredentialSource.SCOPE:
            return gap(one, f"The scope {one.broad} grants everything.", lacks=("scope",))
        case CredentialSource.ACCOUNT:
            reason = f"{one.symbol} opens the account {one.broad}, which may do everything on its server."
            return gap(one, reason, lacks=("account",))
        case CredentialSource.HOST:
            return ok(one, f"{one.symbol} is filled in by the host, for {one.owner} only.")
        case CredentialSource.ENVIRONMENT | CredentialSource.STORE | CredentialSource.LIBRARY:
            return _read(one)


def _read(one: Credential) -> Verdict:
    """The verdict on a credential that code reads."""
    if one.shown is not None:
        return gap(one, f"{one.symbol} is shown to the model.", related=(one.shown,), lacks=("shown",))
    if one.readers and one.changers:
        reason = f"{one.symbol} serves both tools that read ({_some(one.readers)}) and tools that write"
        said = f"{reason} ({_some(one.changers)})."
        return gap(one, said, risk=SHARED, confidence=one.confidence, lacks=("apart",))
    if one.open_endpoint is not None:
        whose = f"The credential of {one.owner}" if one.source is CredentialSource.LIBRARY else one.symbol
        reason = f"{whose} is used for any caller: nothing in front of it asks who calls."
        related = (one.open_endpoint,)
        return gap(one, reason, risk=UNGUARDED, related=related, confidence=one.confidence, lacks=("callers",))
    if one.source is CredentialSource.LIBRARY:
        return ok(one, f"{one.owner} reads its own credential.", confidence=one.confidence)
    return ok(one, f"{one.symbol} goes to its own client only.", confidence=one.confidence)


def _some(names: tuple[str, ...]) -> str:
    return f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else names[0]
