"""Where a person is asked before something is done, and what lets a call pass without the question. Facts; detectors
judge.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.sources.source import Span


class BypassKind(StrEnum):
    """How a call passes without a person's answer."""

    OFF = "off"
    """Nobody is asked."""
    AGREES = "agrees"
    """Code answers in the place of the person, and says yes to everything."""
    MODEL = "model"
    """The model itself says that the person agreed."""
    ANYTHING = "anything"
    """A rule lets everything pass: any command, any tool."""
    JUDGED = "judged"
    """A model, or the mode of the host, decides what is asked."""
    RULE = "rule"
    """Some calls pass by a rule of the code: a list, a beginning of a command, one of several tools."""
    SWITCH = "switch"
    """An option, a variable or an entry of the configuration switches the question off."""
    REMEMBERED = "remembered"
    """One answer holds for later calls."""
    SILENCE = "silence"
    """A failure, or no answer at all, counts as a yes."""
    OTHER_WAY = "other_way"
    """The same tool is bound elsewhere, and nobody is asked there."""


class Bypass(NamedTuple):
    """One way past the question; `what` tells it, as a sentence without its full stop. `tool`: only for this one."""

    span: Span
    kind: BypassKind
    what: str
    tool: Tool | None = None


class Approval(NamedTuple):
    """A place where a person's approval is configured or asked for.

    `tools` are what it stands in front of; `open` says that there are more, or that they change something whatever
    they are.
    """

    span: Span
    symbol: str
    framework: str
    tools: tuple[Tool, ...] = ()
    open: bool = False
    bypasses: tuple[Bypass, ...] = ()
    unreadable: str = ""
    """What of it cannot be read, as the end of the sentence "it comes from …"."""
    confidence: Confidence = Confidence.HIGH
