"""What agents remember beyond one run, what is put into it and taken from it, and what keeps it small.

Facts; detectors judge. A state channel of a single run, a history that only people see, and a cache that no model reads
are no memory.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import FeedbackPath
    from agent_architecture.sources.source import Span


NOT_SHOWN: Final = "hide"
"""What happens beyond a bound that a query sets: it is kept, and no model is shown it."""


class Holding(StrEnum):
    """What a memory keeps: the words of `vocabulary.HOLDINGS`."""

    CONVERSATION = "conversation"
    FACTS = "facts"
    DOCUMENTS = "documents"
    VECTORS = "vectors"
    PROGRESS = "progress"


class Memory(NamedTuple):
    """Something that outlives a run and that a model reads. `span` is its constructor, or where its container is
    made; `namespace` is whose it is: a session, a user, a collection.
    """

    span: Span
    symbol: str
    framework: str
    holds: Holding
    durable: Setting = ABSENT
    """Whether it survives the process."""
    location: Setting = ABSENT
    bound: Setting = ABSENT
    """The most that it keeps, or shows to a model."""
    overflow: Setting = ABSENT
    """What happens beyond the bound: `drop`, `truncate`, `summarise`, `flush`, `hide`."""
    ttl: Setting = ABSENT
    namespace: Setting = ABSENT
    deletes: Setting = ABSENT
    """Whether something in the project deletes from it."""
    of_one_run: bool = False
    """Whether each run is kept under its own id alone, and no later one goes on with it."""
    contexts: tuple[Span, ...] = ()
    """Where code puts together what a model is sent of it: each a `Collection` of its own."""

    @property
    def persists(self) -> bool | None:
        """Whether it survives the process; None where that cannot be read, and nothing says where it is kept."""
        if self.durable.is_known:
            return any(value not in {False, None} for value in self.durable.values)
        if self.durable.origin is Origin.UNKNOWN:
            return None
        return self.location.origin is Origin.UNKNOWN or self.location.value is not None


class MemoryWrite(NamedTuple):
    """Something is put into a memory; into any of `memories`, none when that cannot be read."""

    span: Span
    symbol: str
    framework: str
    memories: tuple[Memory, ...] = ()
    content: Setting = ABSENT
    namespace: Setting = ABSENT
    metadata: Setting = ABSENT
    ttl: Setting = ABSENT


class MemoryRead(NamedTuple):
    """Something is taken from a memory, on its way to a model."""

    span: Span
    symbol: str
    framework: str
    memories: tuple[Memory, ...] = ()
    query: Setting = ABSENT
    namespace: Setting = ABSENT
    filter: Setting = ABSENT


class Collection(NamedTuple):
    """A list of messages or a part of a state that grows while an agent runs. `span` is where it is made."""

    span: Span
    symbol: str
    framework: str
    paths: tuple[FeedbackPath, ...] = ()
    """The feedback paths whose passes grow it; none where no run comes back to it."""
    grows: bool = True
    """Whether steps add to it; what only the caller of a run gives does not grow in it."""
    is_said: bool = True
    """Whether it is what a model is sent: messages, or a text that becomes one."""
    lives_on: bool = False
    """Whether the next run finds it as the last one left it."""
    savers: tuple[Span, ...] = ()
    """Where the savers are made that carry it on."""
    sender: Span | None = None
    """Where a client hands it in anew with each request, as long as it likes."""
    stored: bool = False
    """Whether code makes it, for each request, of what a table keeps."""
    assembled: Span | None = None
    """Where text from outside comes in of which code puts it together, once: a prompt, not a list that grows."""
    sheds: Span | None = None
    """What can take something out of it again, though at no certain size."""
    bound: Setting = ABSENT
    overflow: Setting = ABSENT
    confidence: Confidence = Confidence.HIGH


class MemoryLimit(NamedTuple):
    """A part of a framework that keeps the conversations of an agent small: a middleware, a window, a compactor."""

    span: Span
    symbol: str
    framework: str
    bound: Setting = ABSENT
    overflow: Setting = ABSENT


class Vetting(StrEnum):
    """What looks at a text before it is remembered, weakest first."""

    NONE = "none"
    UNKNOWN = "unknown"
    """What is written, or what looks at it, cannot be read."""
    SHAPED = "shaped"
    """A schema gives it fields, of which some hold any text."""
    REFUSES = "refuses"
    """Code of the project can refuse it, and does not look for instructions."""
    SKIPPED = "skipped"
    """A person is asked, and some way goes on without the answer."""
    CLOSED = "closed"
    """Only numbers, flags, identifiers or words of a closed list are kept."""
    SCREENED = "screened"
    """Something looks for instructions in it, and takes them out or refuses it."""
    JUDGED = "judged"
    """A model looks at it, and what it rejects is not kept."""
    PERSON = "person"
    """A person decides whether it is kept."""


class Remembered(NamedTuple):
    """A text that is put where later runs find it. `span` is the write; of a memory that its library fills by itself,
    the memory. `origin` is a word of `vocabulary.ORIGINS`; "" for what the project itself wrote.
    """

    span: Span
    symbol: str
    framework: str
    origin: str
    vetting: Vetting = Vetting.NONE
    check: Span | None = None
    namespace: Setting = ABSENT
    """Whose it is: a key that neither a model nor a constant names keeps owners apart."""
    provenance: Setting = ABSENT
    """What is kept beside it of where it comes from."""
    trusted: Setting = ABSENT
    """What reads ask for of where it comes from."""
    ttl: Setting = ABSENT
    source: Span | None = None
    trail: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
