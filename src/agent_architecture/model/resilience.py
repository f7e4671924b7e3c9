"""Repetition, parallel work and waiting: retries, fan-outs, clients. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.effects import Effect
    from agent_architecture.model.memory import Memory
    from agent_architecture.model.system import Site
    from agent_architecture.sources.source import Span


class Retry(NamedTuple):
    """A repetition of what failed: a decorator, a loop, a client's own retries, a library's retry option.

    `attempts` counts all tries, the first included; ABSENT: nothing counts them. `layers` are this retry and those that
    it repeats, down to one model call, outermost first, by their attempts; `repeats_effect` names an effect that must
    not happen twice.
    """

    span: Span
    symbol: str
    framework: str
    attempts: Setting = ABSENT
    backoff: Setting = ABSENT
    """How the pause grows: "none", "fixed" (a pause that stays as long), anything else for one that grows."""
    jitter: Setting = ABSENT
    filters: Setting = ABSENT
    """Which failures are retried: ABSENT or a value of "all" for every one; "answer" when only an answer that fails its
    check is asked for again.
    """
    layers: tuple[Setting, ...] = ()
    repeats_effect: str = ""
    repeats: tuple[Effect, ...] = ()
    """All effects that must not happen twice, `repeats_effect` the first."""
    is_client: bool = False
    time_limit: Setting = ABSENT
    """Seconds, or any deadline, after which it gives up."""
    related: tuple[Span, ...] = ()
    """Where its inner layers and the repeated effect stand."""
    confidence: Confidence = Confidence.HIGH


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
    items: str = ""
    """What there is one of for each, as a reader would call it: `state["topics"]`."""
    limit_per_level: bool = False
    """The limiter is made anew on each level of a recursive spawn."""
    starts: tuple[Span, ...] = ()
    """Where the model calls and runs stand that each of them comes to."""
    requests: tuple[Span, ...] = ()
    """Where the calls to other machines stand that each of them comes to."""
    runs: tuple[Span, ...] = ()
    """The runs of the library whose own limit would hold for it."""
    confidence: Confidence = Confidence.HIGH


class Engine(NamedTuple):
    """A durable engine's step or workflow. `whole`: the run is one step of it, begun anew as a whole."""

    span: Span
    symbol: str
    framework: str
    whole: bool = False


class Progress(NamedTuple):
    """How far a site's run came, and what keeps that: one for each site that runs an agent.

    `savers` are what it is given to keep it; `unsaved` that on some way it is given none, `unread` what of it cannot be
    read (the end of "it comes from …").
    """

    span: Span
    symbol: str
    framework: str
    site: Site
    steps: int = 1
    """The steps of its graph."""
    repeats: bool = False
    pauses: bool = False
    """Whether the run is told to stop before or after a step, for somebody to look."""
    savers: tuple[Memory, ...] = ()
    unsaved: bool = True
    unread: str = ""
    durability: Setting = ABSENT
    """When it is kept: `sync`, `async`, `exit`."""
    thread: Setting = ABSENT
    """The name under which it is kept."""
    supplied: str = ""
    """The file through which a platform runs it that keeps it."""
    engine: Engine | None = None
    written: Span | None = None
    """Where hand-written code puts the conversation into a file or database."""
    starts: tuple[Site, ...] = ()
    """Of a hand-written loop: the sites that a pass starts, and that nothing keeps either."""
    drawn: bool = False
    """Whether the project draws the graph that is run, with a state of its own."""
    served: Span | None = None
    """Of a hand-written loop: where a pass calls a server's tool by a computed name."""
    tasks: int = 0
    """The tasks that its agents do one after the other, where it is given a list of them."""


class RemoteUse(NamedTuple):
    """A call to a model or another machine that is made again and again, and what stops it when that keeps failing.

    `where` says why, as the end of the sentence "it is called …".
    """

    span: Span
    symbol: str
    framework: str
    where: str
    asks: bool = False
    """Whether it asks a model."""
    breaker: Span | None = None
    skipped: Span | None = None
    """A breaker that some ways to the call pass, and some do not."""
    cooldown: Setting = ABSENT
    """How many seconds its client lets rest what fails."""
    fallback: Span | None = None
    time_limit: Setting = ABSENT
    also: tuple[Span, ...] = ()
    """The other calls of the same service for the same agent; the least protected of all is what is said of it."""


class Pause(NamedTuple):
    """A place where a run stops until somebody answers: an interrupt, or a tool that a person approves."""

    span: Span
    symbol: str
    framework: str
    runs: tuple[Progress, ...] = ()
    """The runs that stop there, with what keeps them."""
    engine: bool = False
    """Whether a durable engine keeps, names and resumes it."""
    resumes: tuple[Span, ...] = ()
    """The calls of the project that resume runs of this library."""
    before: Effect | None = None
    """What the step does before it, and again when it begins anew."""
    time_limit: Setting = ABSENT
    blocks: bool = False
    """Whether the process itself waits."""


class WaitKind(StrEnum):
    """What a wait is for."""

    LOCK = "lock"
    """Somebody else to let go of a lock, or of a place in a limiter."""
    SIGNAL = "signal"
    """Something that others do: put an entry in a queue, set an event, come to their end."""
    POLL = "poll"
    """A state that is asked for again and again."""
    BLOCKING = "blocking"
    """The answer of a call that holds up the thread of an asynchronous function, and with it all others."""


class Wait(NamedTuple):
    """A place where code goes on only when something else has happened. A limit of None is none."""

    span: Span
    symbol: str
    framework: str
    kind: WaitKind
    time_limit: Setting = ABSENT
    stuck: Span | None = None
    """What makes whoever holds it wait with no limit of its own, or for this very wait; None where it comes to an end
    by itself."""
    circular: bool = False
    """Whether `stuck` waits for this wait."""
    ends: str = ""
    """What ends it by itself, as the subject of a sentence."""
    steps: Setting = ABSENT
    """The step limit of the agent that it waits for."""
    idle: bool = False
    """Whether whoever holds it waits for nothing meanwhile, and leaves the process for nothing."""
    within: Span | None = None
    """The blocking call itself, where asynchronous code comes to it through ordinary functions."""
    by_clients: bool = False
    """Whether what it joins are requests that their own clients end."""
    confidence: Confidence = Confidence.HIGH
