"""Bytes of a file as valid UTF-8, whatever encoding they came in.

It knows encodings only. Columns and lines of everything later are those of the text that it gives.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Notice

# As Git does it: a NUL byte this early means that nobody wrote the file as text.
_BINARY_HEAD: Final = 8192

# The longer marks first: the one of UTF-16 LE is a prefix of the one of UTF-32 LE.
_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


class Decoded(NamedTuple):
    """The text as UTF-8 without a byte order mark, None when the file is binary; and what was odd about it."""

    data: bytes | None
    notice: Notice | None = None


def decode(path: str, raw: bytes) -> Decoded:
    """Normalise the bytes of the file at `path` to UTF-8; bytes that fit no encoding become U+FFFD, with a notice."""
    if raw.isascii() and b"\0" not in raw[:_BINARY_HEAD]:
        return Decoded(raw)
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return _text(path, raw[len(mark) :], encoding)
    return _text(path, raw, "utf-8")


def _text(path: str, raw: bytes, encoding: str) -> Decoded:
    if encoding == "utf-8" and b"\0" in raw[:_BINARY_HEAD]:
        return Decoded(None, Notice(path, None, "is binary (it has NUL bytes): not read"))
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].decode(encoding, "replace").count("\n") + 1
        replaced = raw.decode(encoding, "replace").encode()
        message = f"is not valid {encoding.upper()} (first at byte {error.start}): the wrong bytes are read as U+FFFD"
        return Decoded(replaced, Notice(path, line, message))
    try:
        return Decoded(raw if encoding == "utf-8" else text.encode())
    except UnicodeEncodeError:
        return Decoded(text.encode("utf-8", "replace"), Notice(path, None, "has surrogates alone: they are read as ?"))
