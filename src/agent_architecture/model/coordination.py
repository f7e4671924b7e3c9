"""Agents that work together, agents inside agents, and what runs share. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class Through(StrEnum):
    """What starts the inner agent."""

    TOOL = "tool"
    """A tool of the outer one: an agent offered as a tool, or code that runs one."""
    CALLBACK = "callback"
    """A hook, guard or callback around the outer one's run."""
    LOOP = "loop"
    """The outer one's own loop."""


class Nested(NamedTuple):
    """One agent starts another inside its own run, and waits for it. `span` is the line that says so.

    `source` and `target` are where both are made: an agent, a hand-written loop, or the class that runs one.
    """

    span: Span
    symbol: str
    framework: str
    through: Through
    source: Span
    target: Span
    limit: Setting = ABSENT
    """The depth at which the code on the way stops; ABSENT where none does."""
    from_caller: bool = False
    """Whether the depth that it compares comes from a caller that nobody bounds."""
    confidence: Confidence = Confidence.HIGH


class Team(NamedTuple):
    """At least two agents that pass work to each other. `span` is where a run enters it, or its leading agent."""

    span: Span
    symbol: str
    framework: str
    members: tuple[str, ...] = ()
    leader: str = ""
    """Whoever nobody else of them passes work to, or a run starts with."""
    circular: bool = False
    """Whether work that was passed on can come back, so that nobody owns its end."""
    in_turns: bool = False
    """Whether they speak in turns, and nothing is written that ends that."""
    limit: Setting = ABSENT
    """The step limit of the run that enters it."""
    drawn: bool = True
    """Whether the code lists who may pass work to whom; anyone may to anyone where it does not."""
    typed: bool = False
    """Whether what they pass to each other has a declared form."""
    time_limit: Setting = ABSENT
    """After how long the one that waits for the others goes on."""
    handled: Span | None = None
    """Where the failure of one of them is dealt with."""
    entered: bool = True
    """Whether the code that runs it was found."""
    related: tuple[Span, ...] = ()


class Sharing(StrEnum):
    """What is shared."""

    CONTAINER = "container"
    """A list or mapping of a module, a class, or an object that lives as long as the program."""
    DEFAULT = "default"
    """A parameter's default that all calls share."""
    THREAD = "thread"
    """The name under which a run is kept and found again."""
    MEMORY = "memory"
    """What agents remember."""
    RECORDS = "records"
    """What a database keeps for many owners."""
    FILES = "files"
    """Files of a folder that all runs use, each under the name of its owner."""
    OVERWRITTEN = "overwritten"
    """Something of one run, on an object or under a name that all runs have."""
    AGENT = "agent"
    """The conversation that an agent's own object keeps."""
    ENTRY = "entry"
    """An entry of a store, under a key that the run's configuration or a request names."""


class Shared(NamedTuple):
    """Something that outlives a run and that runs of several users or agents may meet in."""

    span: Span
    symbol: str
    framework: str
    what: Sharing
    key: str = ""
    """What keeps its owners apart, as it is written; "" for nothing."""
    constant: bool = False
    """Whether that is the same for all."""
    chosen_by: str = ""
    """Whose word the key is, where it is taken as it comes: `client`, `model`."""
    locked: bool = False
    """Whether those who change it wait for each other."""
    grows: bool = False
    """Whether requests add entries to it."""
    bound: Setting = ABSENT
    """The most that it keeps."""
    overflow: Setting = ABSENT
    deletes: Setting = ABSENT
    """Whether something takes entries out again."""
    passing: bool = False
    """Whether that happens when the run of an entry ends, or after a time."""
    related: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
