"""What a detector author needs: verdicts, and the decorator that makes a function a detector.

A detector is a generator of verdicts over an `AgentSystem`. It sees no language, no framework and no file. Its key,
group, rule id and page follow from its file: `detectors/<group>/<key>.py` and `<key>.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from agent_architecture.model.system import AgentSystem, Confidence, Degree, Subject
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span

PHRASES = ("a ", "an ", "the ")
"""What a reason may start with that is no name, and is written large."""


class Outcome(StrEnum):
    """The four outcomes of a verdict."""

    CONTROLLED = "controlled"
    PARTIAL = "partial"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class Severity(StrEnum):
    """Severity bands, in rising order."""

    GOOD = "good"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Effort(StrEnum):
    """What a fix costs."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Verdict(NamedTuple):
    """What was decided about one subject. Made only by `ok`, `gap` and `unknown`."""

    subject: Subject
    outcome: Outcome
    risk: float | None
    """0..1; None when unknown."""
    weight: float
    reason: str
    confidence: Confidence
    span: Span
    related: tuple[Span, ...] = ()
    degree: Degree = Degree.RESOLVED
    """How it is known that the subject is there; `degrees` says it of every verdict."""
    lacks: tuple[str, ...] = ()
    """The parts of its control that a gap lacks, where its detector tells them apart: keys of `Detector.parts`."""


def ok(
    subject: Subject,
    reason: str,
    *,
    weight: float = 1.0,
    confidence: Confidence = Confidence.HIGH,
    related: Iterable[Span] = (),
) -> Verdict:
    """The subject is controlled: risk 0. `reason` says what controls it."""
    return _verdict(subject, Outcome.CONTROLLED, 0.0, weight, reason, confidence, related)


def gap(  # noqa: PLR0913 - the parts of a verdict
    subject: Subject,
    reason: str,
    *,
    risk: float = 1.0,
    weight: float = 1.0,
    confidence: Confidence = Confidence.HIGH,
    related: Iterable[Span] = (),
    lacks: Iterable[str] = (),
) -> Verdict:
    """The subject lacks its control: `risk` in (0, 1], 1 when it is absent. `reason` names the value that was seen."""
    if not 0 < risk <= 1:
        raise ValueError(f"the risk of a gap lies in (0, 1], not {risk}")
    outcome = Outcome.ABSENT if risk == 1 else Outcome.PARTIAL
    found = _verdict(subject, outcome, risk, weight, reason, confidence, related)
    return found._replace(lacks=tuple(lacks))


def unknown(
    subject: Subject,
    reason: str,
    *,
    weight: float = 1.0,
    confidence: Confidence = Confidence.HIGH,
    related: Iterable[Span] = (),
) -> Verdict:
    """The control may exist but cannot be read without running the program. `reason` says what hides it."""
    return _verdict(subject, Outcome.UNKNOWN, None, weight, reason, confidence, related)


def _verdict(  # noqa: PLR0913, PLR0917 - the parts of a verdict
    subject: Subject,
    outcome: Outcome,
    risk: float | None,
    weight: float,
    reason: str,
    confidence: Confidence,
    related: Iterable[Span],
) -> Verdict:
    if not reason.strip():
        raise ValueError("a verdict needs a reason")
    if weight <= 0:
        raise ValueError(f"a weight is positive, not {weight}")
    said = sentence(reason) if reason.startswith(PHRASES) else reason
    return Verdict(subject, outcome, risk, weight, said, confidence, subject.span, tuple(related))


def sentence(text: str) -> str:
    """The text as a sentence begins: what a reason starts with may be a name or a phrase."""
    return text[:1].upper() + text[1:]


def within(symbol: str, owner: str) -> str:
    """What happens where: `open in write_note`; a library's own tool is named once."""
    return symbol if symbol == owner else f"{symbol} in {owner}"


def through(owner: str, symbol: str) -> str:
    """Who does it by what: `write_note (open)`; a library's own tool is named once."""
    return owner if symbol == owner else f"{owner} ({symbol})"


Judge = Callable[[AgentSystem], Iterator[Verdict]]
Signals = Callable[[AgentSystem, tuple[Verdict, ...]], dict[str, float]]


class Detector(NamedTuple):
    """A detector as the registry knows it."""

    key: str
    group: str
    title: str
    impact: Severity
    effort: Effort
    fix: str
    references: tuple[str, ...]
    judge: Judge
    signals: Signals | None
    read_page: Callable[[], str]
    parts: Mapping[str, str] = MappingProxyType({})
    """What to do about each part that a gap may lack; together they are `fix`."""

    @property
    def page(self) -> str:
        """Its Markdown page: a run reads those alone whose rules found something."""
        return self.read_page()

    @property
    def rule_id(self) -> str:
        """The stable rule id."""
        return "arxo/agent-" + self.key.removeprefix("agent_").replace("_", "-")


class Declared(NamedTuple):
    """What `@detector` leaves on the function: the part of `Detector` that its author writes."""

    judge: Judge
    title: str
    impact: Severity
    effort: Effort
    fix: str
    references: tuple[str, ...]
    parts: Mapping[str, str]


def detector(  # noqa: PLR0913 - what a detector declares
    *,
    title: str,
    impact: Severity,
    effort: Effort,
    fix: str,
    references: tuple[str, ...],
    parts: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Judge], Declared]:
    """Make a generator of verdicts a detector. The function's name is the file's name and the key."""

    def declare(judge: Judge) -> Declared:
        return Declared(judge, title, impact, effort, fix, references, parts)

    return declare
