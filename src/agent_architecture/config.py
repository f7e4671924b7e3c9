"""What a run is asked to do. Defaults first; then the configuration file, then the flags.

Each of them is a `Source`: it takes a configuration and returns the changed one. Weights are checked where they are
used, in `scoring`. This file reads no file and knows no flag.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from agent_architecture.detector import Severity
from agent_architecture.model.system import Confidence
from agent_architecture.records import NamedTuple
from agent_architecture.scoring import ScoringConfig

if TYPE_CHECKING:
    from datetime import date

MAX_FILE_SIZE: Final = 2_000_000
"""Bytes. Hand-written code is smaller by far; what is larger is generated or data."""


class DataConfig(NamedTuple):
    """Which files are read and judged."""

    language: str = "auto"
    """`auto`, `python` or `typescript` (JavaScript included)."""
    include: tuple[str, ...] = ()
    """Globs in .gitignore syntax; empty: everything."""
    exclude: tuple[str, ...] = ()
    include_from: Path | None = None
    """The folder that the globs of `include` start from, if the scanned root lies in it; else the root."""
    exclude_from: Path | None = None
    include_tests: bool = False
    include_examples: bool = False
    max_file_size: int = MAX_FILE_SIZE
    content: bytes | None = None
    """What the one file that is judged holds, whatever is on the disk (standard input)."""


class MetricConfig(NamedTuple):
    """The metric `agent_architecture`: whether it runs, and how it scores."""

    enabled: bool = True
    scoring: ScoringConfig = ScoringConfig()


class Invariant(NamedTuple):
    """What has to hold of one key: `metric op value`, or with `baseline`, `metric op` its value in the baseline.

    `policy.invariants` checks the name and the range; `where` (file and line) begins its sentences.
    """

    metric: str
    op: str
    value: float | None = None
    message: str = ""
    severity: Literal["error", "warning"] = "error"
    baseline: bool = False
    where: str = ""


class Baseline(NamedTuple):
    """What the result is compared with: the tree of a git `ref`, or the JSON report in the file `path`."""

    mode: Literal["git", "file"]
    ref: str = ""
    path: str = ""
    where: str = ""


class PolicyConfig(NamedTuple):
    """What fails a run."""

    invariants: tuple[Invariant, ...] = ()
    baseline: Baseline | None = None
    fail_on: Severity | None = None
    """Findings of this severity or worse fail the run; with a baseline only those that it does not have."""
    require_agents: bool = False
    """Whether a project without agent call sites fails."""
    fail_fast: bool = False
    """Whether the check of invariants ends with the first error."""
    strict: bool = False
    """Whether the analysis counts as incomplete when something was left unread."""


class Ignore(NamedTuple):
    """Findings that the configuration hides: those of one rule (a short key), in the files that a glob matches."""

    key: str
    reason: str
    path: str = ""
    """A glob in .gitignore syntax, from the configuration's folder; empty: every file."""
    until: date | None = None
    """The last day on which it holds."""
    line: int = 0
    """Where the entry stands in the configuration file."""


class ChoiceConfig(NamedTuple):
    """Which findings are shown. Scores and the 90 keys do not depend on it."""

    select: tuple[str, ...] = ()
    """Short keys; empty: all rules."""
    ignore: tuple[str, ...] = ()
    min_severity: Severity = Severity.GOOD
    min_confidence: Confidence = Confidence.LOW


class Output(NamedTuple):
    """One way in which the result is written. `file` is None or `-` for standard output."""

    format: str = "console"
    file: str | None = None


class ReportConfig(NamedTuple):
    """How the result is written: once for each output."""

    outputs: tuple[Output, ...] = (Output(),)
    subjects: bool = False
    """Whether every verdict is listed, safe ones too."""


class Config(NamedTuple):
    """All of it, one part a section of the configuration file."""

    data: DataConfig = DataConfig()
    metric: MetricConfig = MetricConfig()
    policy: PolicyConfig = PolicyConfig()
    report: ReportConfig = ReportConfig()
    ignore: tuple[Ignore, ...] = ()
    choice: ChoiceConfig = ChoiceConfig()
    file: Path | None = None
    """The configuration file that was read, as an absolute path."""
    cached: bool = False
    """Whether answers of earlier runs are used, and this one kept, in the user's cache folder."""
    jobs: int = 1
    """Processes that work on the analysis together, at most. The answer does not depend on it."""


Source: TypeAlias = Callable[[Config], Config]


def configure(*sources: Source) -> Config:
    """The defaults, changed by each source in turn: the last one wins."""
    config = Config()
    for source in sources:
        config = source(config)
    return config
