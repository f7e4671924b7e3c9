"""Repetition, parallel work and waiting: retries, fan-outs, clients. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_architecture.model.settings import ABSENT, Setting

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class Retry(NamedTuple):
    """A repetition of what failed: a decorator, a loop, a client's own retries, a library's retry option.

    `attempts` counts all tries, the first included. `layers` are the retries around the same call, outermost first,
    this one
    included, by their attempts; `repeats_effect` names an effect that must not happen twice.
    """

    span: Span
    symbol: str
    framework: str
    attempts: Setting = ABSENT
    backoff: Setting = ABSENT
    jitter: Setting = ABSENT
    filters: Setting = ABSENT
    """Which failures are retried: ABSENT or a value of "all" for every one."""
    layers: tuple[Setting, ...] = ()
    repeats_effect: str = ""
    is_client: bool = False


class FanOut(NamedTuple):
    """Several things at the same time: gather, map, a pool, a task group, `Send`, parallel tool calls."""

    span: Span
    symbol: str
    framework: str
    width: Setting = ABSENT
    """How many there are, when that is readable; UNKNOWN when data or a model decides."""
    limit: Setting = ABSENT
    """What bounds how many run at once or in all."""
    by_model: bool = False
    recursive: bool = False
    framework_runs: bool = False
    """The framework runs a model's tool calls in parallel: the site itself is the subject."""
