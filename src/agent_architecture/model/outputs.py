"""Where text goes: what a model wrote to what acts on it or takes it for true, and what others wrote to a model.

Facts; detectors judge.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class Consumer(StrEnum):
    """What acts on a model's output."""

    PARSE = "parse"
    EFFECT = "effect"
    RENDER = "render"
    STORE = "store"
    KEEP = "keep"
    """It is put into a file, in which nothing interprets it."""
    SEND = "send"
    BRANCH = "branch"
    DISPLAY = "display"
    """Nobody but a person reads it."""


class Validation(StrEnum):
    """What checks a model's output before it is used."""

    NONE = "none"
    FALLS_THROUGH = "falls_through"
    """A check whose failure does not stop the use."""
    SHAPE_ASKED = "shape_asked"
    """The model is asked for a shape; nothing checks that it kept to it."""
    CHECKED = "checked"
    """Code of the project looks at it and can refuse it; no schema covers it."""
    LISTED = "listed"
    """Only what code of the project lists, or what fits its pattern as a whole, is used."""
    ENFORCED = "enforced"
    GUARDED = "guarded"
    """A guard that a library registers, and that can refuse, stands before its use."""
    PERSON = "person"
    """A person decides before every use."""
    SANITISED = "sanitised"
    """It is quoted or escaped for what interprets it."""
    UNKNOWN = "unknown"
    """A schema may be set where it cannot be read."""


class ModelOutput(NamedTuple):
    """One use of what a model wrote. `span` is the place of the use."""

    span: Span
    symbol: str
    framework: str
    consumer: Consumer
    validation: Validation
    source: Span
    trail: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
    effect: str = ""
    """Of what a model gives to a tool: what the tool does with it, a word of `vocabulary.EFFECTS`."""
    is_argument: bool = False
    """Whether it is what the model calls a tool with, and not what it answers."""


class Slot(StrEnum):
    """Which part of a conversation a text enters."""

    SYSTEM = "system"
    USER = "user"
    TOOL = "tool"
    ASSISTANT = "assistant"


class Boundary(StrEnum):
    """What stands between a text that others wrote and a model that obeys texts, weakest first."""

    NONE = "none"
    UNKNOWN = "unknown"
    """It goes through something that may mark or clean it, and that cannot be read."""
    DELIMITED = "delimited"
    """Tags, fences or a sentence say where it begins and that it is data; a wrapper or an encoding does so."""
    SANITISED = "sanitised"
    """Something looks for instructions in it, and takes them out or refuses it."""
    SCHEMA_ONLY = "schema_only"
    """Only numbers, flags, identifiers or words of a closed list are taken from it."""
    QUARANTINED = "quarantined"
    """The model that reads it has no tools, and of its answer only such values are used."""


class UntrustedFlow(NamedTuple):
    """Text that the project did not write enters a conversation. `span` is where the message is made; for a tool whose
    results a framework feeds back, the tool's definition. `origin` is a word of `vocabulary.ORIGINS`; `source` is the
    place where the text comes in, `trail` the way from there.
    """

    span: Span
    symbol: str
    framework: str
    origin: str
    slot: Slot
    boundary: Boundary
    source: Span
    trail: tuple[Span, ...] = ()
    fed: bool = False
    """Whether a framework feeds it back as the result of a tool."""
    confidence: Confidence = Confidence.HIGH
    enters: Span | None = None
    """Where in the message the text stands; None where that is not told apart from the message."""
    asked: Span | None = None
    """The request that the message is made for, where that can be told."""
    rewritten: bool = False
    """Whether a model of the project has read the text, and wrote what enters."""
    built_in: bool = False
    """Whether an agent that is run as a whole, with tools of its own, tells it itself: in no message of the project."""
    beside: tuple[Span, ...] = ()
    """Where other text of the same origin comes in that enters the same message, with its words."""
    near: Span | None = None
    """A part of the same message or result that has words, of which nothing tells whose they are."""


class Entering(NamedTuple):
    """Text that the project did not write, among its instructions. `origin` is a word of `vocabulary.ORIGINS`."""

    origin: str
    boundary: Boundary
    source: Span
    trail: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH


class Instruction(NamedTuple):
    """A text that tells a model what it is to do: a system message, the instructions of an agent. `span` is where the
    project decides what it says.
    """

    span: Span
    symbol: str
    framework: str
    entering: tuple[Entering, ...] = ()
    """What of it the project did not write, one of each origin: the least marked."""
    hidden: str = ""
    """What of it cannot be read, as the end of the sentence "it holds …"."""
    holder: Span | None = None
    """The message, agent or call that it belongs to, where that begins on another line."""

    @property
    def place(self) -> Span:
        """Where what it belongs to stands."""
        return self.span if self.holder is None else self.holder


class ClientTurns(NamedTuple):
    """A conversation that a client sends is handed to a model. `check` is what lets only listed roles pass."""

    span: Span
    symbol: str
    framework: str
    source: Span
    trail: tuple[Span, ...] = ()
    check: Span | None = None


class Target(StrEnum):
    """What takes a model's text for true."""

    AGENT = "agent"
    """Another model: the text is part of what it is asked with."""
    STEP = "step"
    """A model that is no agent of its own: a step of a fixed order that asks once, or one that only judges the text."""
    MEMORY = "memory"
    """A store that outlives the run."""
    EFFECT = "effect"
    """Something outside that cannot be taken back: a mail, a post, a row, a file."""


class Verification(StrEnum):
    """What stands between what a model claims and what takes it for true, weakest first."""

    NONE = "none"
    UNKNOWN = "unknown"
    """A check may be there that cannot be read."""
    SKIPPED = "skipped"
    """A verifier or a person is asked, and some way goes on without their consent."""
    REFUSES = "refuses"
    """Code can refuse the text, and does not look at whether it is true: a policy, a filter."""
    SOURCES = "sources"
    """A schema that is enforced has a place for the sources of what is claimed."""
    CONFIDENCE = "confidence"
    """An answer below a threshold goes another way."""
    VERIFIED = "verified"
    """A second model or a grounding check looks at it, and what it rejects goes no further."""
    PERSON = "person"
    """A person decides whether it goes on."""


class Answer(NamedTuple):
    """What a model answered, on its way to another place. `source` is the request to the model."""

    source: Span
    boundary: Boundary
    trail: tuple[Span, ...] = ()


class Premise(NamedTuple):
    """What a model wrote is taken for true by what comes next. `span` is where it enters: the message, the write, the
    call; for a tool whose arguments a model writes, the tool's definition. `source` is the request to the model,
    `check` what stands in between.
    """

    span: Span
    symbol: str
    framework: str
    target: Target
    verification: Verification = Verification.NONE
    check: Span | None = None
    source: Span | None = None
    """None for the arguments of a tool: the model that picks it writes them."""
    trail: tuple[Span, ...] = ()
    effect: str = ""
    """For an effect, its kind: a word of `vocabulary.EFFECTS`."""
    confidence: Confidence = Confidence.HIGH
    enters: Span | None = None
    """Where in the message the text stands; None where that is not told apart from the message."""
    by_framework: bool = False
    """Whether a framework tells it, in no message of the project: whether it stands among instructions is not said."""
    answers: tuple[Answer, ...] = ()
    """All that models answered that enters there, where the project makes the message."""
    asked: Span | None = None
    """The request that the message is made for, where that can be told."""
    slot: Slot = Slot.USER
    """Where in the conversation of another model the text stands."""
    picked: Span | None = None
    """For a task that a model writes for another agent: the tool by which it does so."""
