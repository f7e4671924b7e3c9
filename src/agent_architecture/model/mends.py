"""Where an argument that closes a gap may be written: what the packs know of it, at the calls of the program.

Facts; whether there is a gap, detectors judge, and how a file is changed, `fixing` knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class Way(NamedTuple):
    """One argument that closes the gap of a rule in a library.

    `at` are the places where the library takes it, in order: a keyword or a position, then keys (a call that stands on
    the way has keywords). `value` is written there, in the language of the ecosystem; where what is to hold it is not
    there either, it is made by calling `makes`, or else as a dictionary. `imports` are names that the value needs, as
    `module:name`.
    """

    detector: str
    at: tuple[tuple[int | str, ...], ...]
    value: str
    makes: str = ""
    imports: tuple[str, ...] = ()
    safe: bool = False
    """Whether the program does what it did before: nothing that went well comes to an end or is refused."""
    parts: tuple[str, ...] = ()
    """What of the control it brings (keys of the detector's parts); none: all of it."""


class Mend(NamedTuple):
    """A way, at a call or object of the program.

    `span` is what the call makes, `call` the call itself (of a decorator without parentheses its name: `is_bare`).
    """

    way: Way
    framework: str
    span: Span
    call: Span
    called: str
    is_bare: bool = False
