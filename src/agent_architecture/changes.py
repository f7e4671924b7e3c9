"""What changed between two reports, as values: made by `policy.diff`, shown by every format. It computes nothing."""

from __future__ import annotations

from enum import StrEnum

from agent_architecture.detector import Severity
from agent_architecture.findings import Finding
from agent_architecture.records import NamedTuple


class PartKind(StrEnum):
    """What an architecture consists of."""

    SITE = "site"
    AGENT = "agent"
    TOOL = "tool"
    EDGE = "edge"
    SERVER = "server"


class Part(NamedTuple):
    """One piece of an architecture. The same in two reports: all but the line is equal."""

    kind: PartKind
    name: str
    """What a reader calls it; of an edge `source → target`."""
    path: str
    line: int
    detail: str = ""


class ScoreChange(NamedTuple):
    """A key (in full) that has another value, or that only one report has. `better` None: neither is good or bad."""

    key: str
    before: float | None
    after: float | None
    better: bool | None


class Gap(NamedTuple):
    """One piece of evidence; `line` 0: the whole file, or not known."""

    rule_id: str
    severity: Severity
    path: str
    line: int
    message: str
    fingerprint: str
    risk: float | None = None
    """0..1; None where a report does not say."""


class Grown(NamedTuple):
    """A tool that can do more than before: each of `more` is the end of the sentence "it now …"."""

    tool: Part
    more: tuple[str, ...]


class Changes(NamedTuple):
    """From one report, called `before`, to another one. Tuples are sorted."""

    before: str
    after: str
    scores: tuple[ScoreChange, ...] = ()
    new: tuple[Gap, ...] = ()
    fixed: tuple[Gap, ...] = ()
    added: tuple[Part, ...] = ()
    removed: tuple[Part, ...] = ()
    grown: tuple[Grown, ...] = ()
    remarks: tuple[str, ...] = ()
    """What makes the two hard to compare."""
    known: frozenset[str] = frozenset()
    """The fingerprints of all evidence in the first report that is no worse in the second one."""

    @property
    def nothing(self) -> bool:
        """Whether the two say the same."""
        return not (self.scores or self.new or self.fixed or self.added or self.removed or self.grown)

    def score(self, key: str) -> ScoreChange | None:
        """How a key (in full) changed; None: not at all."""
        return next((change for change in self.scores if change.key == key), None)

    @property
    def worse(self) -> bool:
        """Whether a gap is new, a score fell, or a tool can do more."""
        return bool(self.new or self.grown or any(score.better is False for score in self.scores))

    def is_new(self, finding: Finding) -> bool:
        """Whether a finding of the second report has evidence that the first one does not have."""
        evidence = (*finding.evidence, *finding.others)
        return any(item.fingerprint and item.fingerprint not in self.known for item in evidence)
