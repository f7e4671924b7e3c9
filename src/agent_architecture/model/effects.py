"""What tools do to the world, and what stands between a model and an effect. Facts; detectors judge.

Entities as in `system`: a `span`, a `symbol`, a `framework`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


CHANGING: Final = frozenset({
    "execute_code", "execute_shell", "execute_process", "write_file", "network_write", "database", "database_write",
    "mail", "message", "payment", "deploy", "browser",
})  # fmt: skip
"""Kinds of effect that can change something outside the process; the others read, or write records."""


class Shaped(StrEnum):
    """How much of an effect a model decides."""

    WHOLLY = "wholly"
    """The dangerous argument is a model's text as it is: the command, the query, the URL."""
    PARTLY = "partly"
    """A model's text is part of it: an argument of a fixed command, a path below a fixed folder."""
    NOT = "not"
    """It is constant, or the project's own."""
    UNKNOWN = "unknown"


class Going(StrEnum):
    """Where a program goes that is started."""

    NOWHERE = ""
    """Nowhere that is known."""
    ASKS = "asks"
    """It asks another machine: `git pull`."""
    SENDS = "sends"
    """It sends something to another machine: `git push`."""
    ANYWHERE = "anywhere"
    """It goes to an address that it is told: `git clone`, `curl`."""
    OPEN = "open"
    """It does what a script says that it is told."""


class Effect(NamedTuple):
    """A call that does something to the world. `kind` is a word of `vocabulary.EFFECTS`."""

    span: Span
    symbol: str
    framework: str
    kind: str
    shaped: Shaped = Shaped.NOT
    trail: tuple[Span, ...] = ()
    is_record: bool = False
    """Whether it only writes down that something happened: an event, a line of an audit, telemetry."""
    quoted: bool = False
    """Whether all that shapes it is quoted, so that it is one word of a command line."""
    is_deed: bool = False
    """Whether it is a request to a path that names a deed: no name of the code makes it a question or a record."""
    looks: bool = False
    """Whether it only asks, whatever it is told: a program that looks around (`git status`), a posted search."""
    going: Going = Going.NOWHERE
    """Where the program goes that it starts; `ANYWHERE` and `OPEN` where the model shapes what it is told."""
    in_passing: bool = False
    """Whether it is only on the way of something else: an answer is put into a cache, a hook of the project runs."""


class ParameterKind(StrEnum):
    """What a tool's parameter admits."""

    CLOSED = "closed"
    """A bool, an enumeration, a literal: nothing but what is listed."""
    BOUNDED = "bounded"
    """A string with a pattern or length, a number with bounds, a date, an identifier type."""
    FREE = "free"
    """Any string or number."""
    STRUCTURE = "structure"
    """An object whose fields are declared; `fields` are its parameters."""
    UNTYPED = "untyped"
    """Anything: no annotation, `Any`, `dict`, `object`, `**kwargs`."""


class Parameter(NamedTuple):
    """One parameter of a tool as the model sees it."""

    name: str
    kind: ParameterKind
    span: Span
    fields: tuple[Parameter, ...] = ()
    text: bool = False
    """Whether it may be a string of any content."""
    asked: bool = False
    """Whether only the tool's own code asks what it is: how much it lets through is not read there."""
    words: bool = False
    """Of one that is asked so: whether it could be a string of any content before."""


class Enforcement(StrEnum):
    """What checks the arguments that a model gives to a tool."""

    NONE = "none"
    """Nothing: the schema, if there is one, is only shown to the model."""
    TYPES = "types"
    """Types and constraints are checked before the tool runs; further keys are let through."""
    CLOSED = "closed"
    """Checked, and further keys are refused."""
    UNKNOWN = "unknown"


class Schema(NamedTuple):
    """The input of a tool: its parameters, and what enforces them."""

    parameters: tuple[Parameter, ...] = ()
    enforcement: Enforcement = Enforcement.UNKNOWN
    unsafe_uses: tuple[Effect, ...] = ()
    """Effects into which a string argument goes by interpolation, with nothing that constrains it before."""
    has_local_input: bool = True
    """False for a tool that a provider hosts and runs, and for a library's ready-made one."""
    library_checks: bool = False
    """Whether it is a library's ready-made tool that runs here, is told by a text what to do, and has the types of its
    arguments checked by the library.
    """


class GuardStage(StrEnum):
    """Where in a run a guard stands."""

    INPUT = "input"
    PRE_TOOL = "pre_tool"
    POST_TOOL = "post_tool"
    OUTPUT = "output"
    MEMORY = "memory"
    HANDOFF = "handoff"
    MODEL = "model"


class Guard(NamedTuple):
    """A check that can refuse. `blocks` False: it only watches."""

    span: Span
    symbol: str
    framework: str
    stage: GuardStage
    blocks: bool = True
    parallel: bool = False
    fails_open: bool = False
    applies_to: str = ""
    """The pattern of the tools' names before which it stands (`Write|Edit`); "" for all."""
    lets: frozenset[str] | None = None
    """The names of the tools whose calls may pass; None where that is not a matter of names."""

    def denies(self, tool: str) -> bool:
        """Whether no call of a tool passes."""
        sure = self.blocks and not self.parallel and not self.fails_open
        return sure and self.stage is GuardStage.PRE_TOOL and self.lets is not None and tool not in self.lets


class Gate(NamedTuple):
    """A person's approval in front of a tool: how it is set, and where. ABSENT: the library could ask and is not
    told to. The values of `approval` are `always`, `never` and `conditional` (a function of the project decides).
    """

    approval: Setting = ABSENT
    inside: Span | None = None
    """A call inside the tool that waits for a person before the effect."""
    conditional: bool = False
    """Whether some way to the effect does not pass the person."""

    @property
    def always(self) -> bool:
        """Whether a person is asked before every call."""
        return (self.inside is not None and not self.conditional) or self.approval.values == ("always",)
