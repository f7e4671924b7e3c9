"""What tools, and agents without tools, do to their host, the network and databases: how much of it a model chooses,
and what confines that choice. Facts; detectors judge.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.effects import Gate
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.effects import Effect
    from agent_architecture.model.system import Site, Tool
    from agent_architecture.sources.source import Span


class Choice(StrEnum):
    """How much of where an effect goes a model chooses, most last."""

    NOTHING = "nothing"
    """The command, path, host or statement is the project's own."""
    PART = "part"
    """Arguments of a program, a name below a folder, what a fixed host is asked."""
    ALL = "all"
    """The command line, the path, the host, the statement."""
    UNKNOWN = "unknown"


class FenceKind(StrEnum):
    """What confines an effect."""

    SANDBOX = "sandbox"
    """It happens in a container, on a machine of its own, in a virtual machine."""
    ROOT = "root"
    """A path is refused unless it lies below a root."""
    PREFIX = "prefix"
    """A path is refused unless it begins as a root does, with no separator behind it: what stands beside the root under
    a longer name passes, too."""
    LISTED = "listed"
    """What the model chooses is compared with what is allowed, and refused otherwise."""
    ADDRESS = "address"
    """Private and local addresses are refused."""
    TIME = "time"
    """It is ended after a time."""
    READS = "reads"
    """The connection of a statement changes nothing, or its transaction, which a check keeps from being ended."""
    BEGUN = "begun"
    """Its transaction changes nothing, until a second statement ends it."""


class Fence(NamedTuple):
    """One thing that confines an effect, and where it stands; `word` says which sandbox, where there are several."""

    kind: FenceKind
    span: Span
    word: str = ""


class Touch(NamedTuple):
    """One effect of a tool's code, or of what a site does by itself with what its model answers. `span` is the tool's
    definition, or the site's.
    """

    span: Span
    symbol: str
    framework: str
    effect: Effect
    choice: Choice = Choice.NOTHING
    fences: tuple[Fence, ...] = ()
    host: str = ""
    """Of an effect on the network: the host that the code names; "" where the project's settings do."""
    typed: Span | None = None
    """Of a shell that is typed into: where."""
    asks: bool = False
    """Of an effect on the network: whether it only asks for something, whatever its method."""
    searches: bool = False
    """Of an effect on the network: whether a service that the code fixes is asked for a text that is no address."""
    encoded: bool = False
    """Of an effect on the network: whether all that a model writes of its address is encoded."""
    hosted: bool = False
    """Whether a row says that the model's provider does it, on machines of its own."""
    tool: Tool | None = None
    site: Site | None = None
    gate: Gate = Gate()
    """Of what a site does by itself: the person who is asked before."""
    confidence: Confidence = Confidence.HIGH

    def fenced(self, *kinds: FenceKind) -> Fence | None:
        """The first fence of one of these kinds."""
        return next((fence for fence in self.fences if fence.kind in kinds), None)


class UnreadCall(NamedTuple):
    """A call in the code of a tool of which nobody says what it does: of a library that no pack knows, or on the client
    of a service of which no row speaks. `span` is the tool's definition.
    """

    span: Span
    symbol: str
    framework: str
    tool: Tool
    at: Span
