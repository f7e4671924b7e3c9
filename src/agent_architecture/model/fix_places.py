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
    the way has keywords). `value` is written there, in the language of the ecosystem; what is to hold it, where that
    is not there either, is made by calling `makes`, outermost first, or else as a dictionary. With `keys` what is at
    the place holds these, and `value` is empty: those in `fills` are written only where there are none. With
    `renames` a word that stands there, or what a call there calls, becomes another.
    `imports` are names that the value needs, as `module:name`.
    """

    detector: str
    at: tuple[tuple[int | str, ...], ...]
    value: str
    makes: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    safe: bool = False
    """Whether the program does what it did before: nothing that went well comes to an end or is refused."""
    parts: tuple[str, ...] = ()
    """What of the control it brings (keys of the detector's parts); none: all of it."""
    keys: tuple[tuple[str, str], ...] = ()
    fills: tuple[tuple[str, str], ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    opens: tuple[str, ...] = ()
    """Rules that what is changed answers to from then on: a tool that waits for a person is a pause."""


class Mend(NamedTuple):
    """A way, at a call or object of the program.

    `span` is what the call makes, `call` the call itself (of a decorator without parentheses its name: `is_bare`).
    `number` says which fix of the library's pack it is, counted from 1.
    """

    way: Way
    framework: str
    span: Span
    call: Span
    called: str
    is_bare: bool = False
    number: int = 0
