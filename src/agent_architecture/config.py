"""What a run is asked to do. Defaults first; every source of values (flags now) is a function that changes them.

A `Source` takes a configuration and returns the changed one, so a configuration file is one more `Source` before the
flags. Weights are checked where they are used, in `scoring`. This file reads no file and knows no flag.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from agent_architecture.scoring import ScoringConfig

MAX_FILE_SIZE: Final = 2_000_000
"""Bytes. Hand-written code is smaller by far; what is larger is generated or data."""


class DataConfig(NamedTuple):
    """Which files are read and judged."""

    language: str = "auto"
    """`auto`, `python` or `typescript` (JavaScript included)."""
    include: tuple[str, ...] = ()
    """Globs in .gitignore syntax; empty: everything."""
    exclude: tuple[str, ...] = ()
    include_tests: bool = False
    include_examples: bool = False
    max_file_size: int = MAX_FILE_SIZE


class MetricConfig(NamedTuple):
    """The metric `agent_architecture`: whether it runs, and how it scores."""

    enabled: bool = True
    scoring: ScoringConfig = ScoringConfig()


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
    report: ReportConfig = ReportConfig()


Source: TypeAlias = Callable[[Config], Config]


def configure(*sources: Source) -> Config:
    """The defaults, changed by each source in turn: the last one wins."""
    config = Config()
    for source in sources:
        config = source(config)
    return config
