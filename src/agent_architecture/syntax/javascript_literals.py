"""The values of JavaScript's literals: strings with escapes, numbers, JSX text.

Works on source text; knows neither the syntax tree nor the IR.
"""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.regexes import regex

_ESCAPE: Final = regex(
    r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|(\r\n|[\s\S]))"
)
_SIMPLE: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r": "", "\r\n": ""}
_CONTINUATIONS: Final = {"\u2028": "", "\u2029": ""}
_SURROGATES: Final = regex("[\ud800-\udfff]")
_LAST_CODE_POINT: Final = 0x10FFFF
_BASES: Final = {"0x": 16, "0o": 8, "0b": 2}


def string_value(literal: str) -> str:
    """The value of a string or template literal as it is written, quotes included."""
    return unescape(literal[1:-1] if len(literal) > 1 and literal[-1] == literal[0] else literal[1:])


def unescape(raw: str) -> str:
    """The characters that a piece of a string or template literal stands for (ECMA-262, 12.9.4)."""
    if "\\" not in raw:
        return raw
    value = _ESCAPE.sub(_escaped, raw)
    if _SURROGATES.search(value):
        # A pair written as two escapes is one character; half a pair is none, and no output could hold it.
        value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value


def _escaped(match: re.Match[str]) -> str:
    braced, short, byte, octal, char = match.groups()
    if digits := braced or short or byte:
        code = int(digits, 16)
        return chr(code) if code <= _LAST_CODE_POINT else "\ufffd"
    if octal is not None:
        return chr(int(octal, 8))
    return _SIMPLE.get(char, _CONTINUATIONS.get(char, char))


def number_value(literal: str) -> int | float | None:
    """The value of a number or bigint literal; None if it is malformed (ECMA-262, 12.9.3)."""
    digits = literal.replace("_", "").lower().removesuffix("n")
    try:
        if digits[:2] in _BASES:
            return int(digits[2:], _BASES[digits[:2]])
        if len(digits) > 1 and digits[0] == "0" and digits.isdigit() and not set(digits) & {"8", "9"}:
            return int(digits, 8)
        return _decimal(digits)
    except ValueError:
        return None


def _decimal(digits: str) -> int | float:
    if digits.isdigit():
        try:
            return int(digits)
        except ValueError:  # more digits than Python converts
            return float(digits)
    return float(digits)


def jsx_text(raw: str) -> str:
    """The text between JSX tags: lines trimmed, empty lines dropped, the rest joined by a space; entities replaced."""
    lines = raw.replace("\r\n", "\n").split("\n")
    last = len(lines) - 1
    kept = []
    for number, line in enumerate(lines):
        trimmed = line if number == 0 else line.lstrip(" \t")
        trimmed = trimmed if number == last else trimmed.rstrip(" \t")
        if trimmed:
            kept.append(trimmed)
    return entities(" ".join(kept))


def entities(raw: str) -> str:
    """A JSX text or attribute with its character references replaced; it knows no backslash escapes."""
    if "&" not in raw:
        return raw
    import html

    return html.unescape(raw)
