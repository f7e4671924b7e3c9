"""What a project's MCP servers tell a model before it calls anything: tools, prompts, resources, instructions.

Facts about the texts; detectors judge.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class OfferKind(StrEnum):
    """What is offered."""

    TOOL = "tool"
    PROMPT = "prompt"
    RESOURCE = "resource"
    INSTRUCTIONS = "instructions"
    """What a server says of itself as a whole."""


class Trick(StrEnum):
    """What a text does to whoever reads it, besides saying what it describes."""

    INVISIBLE = "invisible"
    """Characters that no screen shows: tags, zero widths, changes of direction, control codes."""
    LOOKALIKE = "lookalike"
    """A name in letters of several alphabets."""
    OVERRIDE = "override"
    """It puts aside what the model was told before."""
    CONCEAL = "conceal"
    """It keeps something from the user."""
    MARKUP = "markup"
    """It poses as somebody else's message, or as more important than what it stands in."""
    CONFIDENTIAL = "confidential"
    """It asks for files or values that are secret."""
    SENDS = "sends"
    """It has something sent to an address of its own."""
    COLLECTS = "collects"
    """It asks for the conversation, or what the model was told."""
    OTHER_TOOLS = "other_tools"
    """It says what to do with tools that are not the server's."""
    OUT_OF_SIGHT = "out_of_sight"
    """A part of it stands where a person does not look: a comment, far to the right."""
    ENCODED = "encoded"


class Trait(NamedTuple):
    """One trick of a text: the words that do it, and in which part of the offer they stand."""

    trick: Trick
    part: str
    """`description`, `name`, `parameter`, `instructions`, `message`."""
    quote: str
    span: Span


class Computed(NamedTuple):
    """A part of an offer that is not written in the project. `origin` is a word of `vocabulary.ORIGINS`, or "" where it
    cannot be read.
    """

    part: str
    origin: str
    source: str
    span: Span


class McpOffer(NamedTuple):
    """Something that a server tells of, with what is remarkable in its texts."""

    span: Span
    symbol: str
    framework: str
    kind: OfferKind
    traits: tuple[Trait, ...] = ()
    computed: tuple[Computed, ...] = ()
