r"""The values of Python's literals: strings, bytes, numbers.

Knows the lexical rules (Language Reference, "Lexical analysis"), no syntax tree. Own code instead of
`ast.literal_eval`: that warns of unknown escapes, and its answers change with the interpreter. As in Python, an unknown
escape stays as it is written.
"""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.regexes import regex

_SIMPLE: Final = {
    "\n": "", "\\": "\\", "'": "'", '"': '"',
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
_ESCAPE: Final = regex(
    r"\\(?:([\n\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]*)\})"
)
_BYTES_ESCAPE: Final = regex(r"\\(?:([\n\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2}))")


def text_value(content: str, *, raw: bool) -> str:
    """The value of what stands between the quotes of a string; `{{` is left alone."""
    content = _newlines(content)
    return content if raw or "\\" not in content else _ESCAPE.sub(_unescaped, content)


def bytes_value(content: str, *, raw: bool) -> bytes:
    """The value of what stands between the quotes of a bytes literal; what is not Latin-1 becomes `?`."""
    content = _newlines(content)
    if not raw and "\\" in content:
        content = _BYTES_ESCAPE.sub(_unescaped, content)
    return content.encode("latin-1", "replace")


def integer_value(text: str) -> int | None:
    """The value of an integer, also Python 2's `0777` and `10L`; None for a complex number, or one too long to read."""
    digits = text.replace("_", "").rstrip("lL")
    old_octal = len(digits) > 1 and digits.isdigit() and digits.startswith("0")
    try:
        return int(digits, 8 if old_octal and digits.strip("0") else 0)
    except ValueError:
        return None


def float_value(text: str) -> float | None:
    """The value of a float; None for a complex number."""
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return None


def _newlines(content: str) -> str:
    return content.replace("\r\n", "\n").replace("\r", "\n") if "\r" in content else content


def _unescaped(match: re.Match[str]) -> str:
    simple, octal, *codes = match.groups()
    if simple is not None:
        return _SIMPLE[simple]
    if octal is not None:
        return chr(int(octal, 8) & 0xFF if match.re is _BYTES_ESCAPE else int(octal, 8))
    name = codes[3] if len(codes) > 3 else None  # noqa: PLR2004 - the group of \N{…}
    if name is not None:
        return _named(name) or match.group()
    code = int(next(code for code in codes if code is not None), 16)
    if 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004 - half a surrogate pair: no encoding could write it out again
        return "\ufffd"
    return chr(code) if code <= 0x10FFFF else match.group()  # noqa: PLR2004 - the last code point


def _named(name: str) -> str | None:
    import unicodedata

    try:
        return unicodedata.lookup(name)
    except KeyError:
        return None
