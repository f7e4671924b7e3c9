"""Addresses: where a property is read at a call, or in a document.

`config.recursion_limit | 1.recursion_limit`: alternatives, the first that is there counts. Knows the grammar
alone: what an address yields at a call is decided where calls are read.

| step | is |
|---|---|
| `0`, `1` | a positional argument (first step); later an element of a list, or one of the call that made the object |
| `-1` | the last element of a list (later step) |
| `name` | a keyword argument (first step); later a key of a dictionary, or a keyword of the call that made the object |
| `*` | every positional argument (first step); later every value of a dictionary |
| `[]` | each element of a list; written behind a step: `tools[]`, `0[].name` |
| `[X]` | each element that a call of something named `X` made: `middleware[ModelCallLimitMiddleware].run_limit` |
| `=text`, `=list`, `=object`, `=function` | only a text, a list, a mapping or made object, a function (later step) |
| `self` | the receiver of the call; `self.x` is how it was made; later what a value of a library was read off |
| `()` | the call itself, alone in its alternative: no argument is read |
"""

from __future__ import annotations

from typing import Final, TypeAlias

from agent_architecture.errors import PackError
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

Step: TypeAlias = "int | str"
"""A number is a position; `SELF`, `EVERY`, `ELEMENT` and `[X]` are as above; any other text is a keyword or key."""
Steps: TypeAlias = "tuple[Step, ...]"

SELF: Final = "self"
EVERY: Final = "*"
ELEMENT: Final = "[]"
TEXT: Final = "=text"
LIST: Final = "=list"
OBJECT: Final = "=object"
FUNCTION: Final = "=function"

_STEP: Final = regex(r"(\*|-1|\d+|[A-Za-z_$@][\w$:/@-]*)?((?:\[[\w$]*\])*)")
_ELEMENTS: Final = regex(r"\[[\w$]*\]")


class Address(NamedTuple):
    """Where to look, in order. An empty alternative is the call itself (or the document)."""

    alternatives: tuple[Steps, ...]

    def whole(self) -> Address:
        """The list that an address names the elements of: the address without its last `[]`."""
        return Address(tuple(steps[:-1] if steps and steps[-1] == ELEMENT else steps for steps in self.alternatives))


def parse_address(text: str) -> Address:
    """Read `a.b | 0[].c | self`. Raises `PackError` when it is no address."""
    return Address(tuple(_steps(part.strip(), text) for part in text.split("|")))


def is_place(condition: str) -> bool:
    """Whether a condition of a row is an address, and no name of a property or relation."""
    return "." in condition or "[" in condition


def made_by(step: Step) -> str | None:
    """The `X` of a step `[X]`; "" for `[]`; None for any other step."""
    return step[1:-1] if isinstance(step, str) and step.startswith("[") else None


def _steps(part: str, text: str) -> Steps:
    if part == "()":
        return ()
    steps: list[Step] = []
    for name in part.split("."):
        if steps and name in {TEXT, LIST, OBJECT, FUNCTION}:
            steps.append(name)
            continue
        found = _STEP.fullmatch(name)
        if not name or found is None:
            raise PackError(f"{text!r} is no address")
        if found.group(1):
            steps.append(int(found.group(1)) if found.group(1).lstrip("-").isdigit() else found.group(1))
        elif not steps:
            raise PackError(f"{text!r} is no address: '[]' follows what it is an element of")
        steps += _ELEMENTS.findall(found.group(2))
    return tuple(steps)
