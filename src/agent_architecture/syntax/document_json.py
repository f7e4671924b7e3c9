"""JSON to the IR, with what people add to it: comments, trailing commas, JSON5 strings, keys and numbers.

One pass over the tokens with a stack; broken input loses only the value that is broken. tree-sitter-json knows neither
trailing commas nor JSON5 and drops what stands around them, so tokens are cut here.
Sources: RFC 8259, the JSON5 specification 1.0.0, "JSON with comments" as `tsconfig.json` and editors read it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.syntax.document_text import DEPTH_LIMIT
from agent_architecture.syntax.ir import UNDEFINED, Entry, List, Literal, Map

if TYPE_CHECKING:
    from agent_architecture.syntax.document_text import Document
    from agent_architecture.syntax.ir import Constant, Expr

_TOKEN = regex(
    r"""(?P<skip>(?:[\s\ufeff]++|//[^\n]*|/\*.*?(?:\*/|\Z))++)
      | (?P<string>"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)
      | (?P<mark>[{}\[\]:,])
      | (?P<word>[^\s"'{}\[\]:,/]+|/)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = regex(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r\n|(.))", re.DOTALL)
_SURROGATES = regex("[\ud800-\udbff][\udc00-\udfff]")
_NUMBER = regex(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_HEXADECIMAL = regex(r"([+-]?)0[xX]([0-9a-fA-F]{1,256})")
_IDENTIFIER = regex(r"[\w$][\w$.\-]*")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r": ""}
_WORDS: Final[dict[str, Constant]] = {"true": True, "false": False, "null": None, "undefined": UNDEFINED}
_FLOATS: Final = {f"{sign}{word}": float(f"{sign}{word}") for word in ("NaN", "Infinity") for sign in ("", "+", "-")}
_DIGITS: Final = 4300
"""Longest integer that Python reads; a longer one is read as a float."""


def read_json(document: Document, start: int = 0, end: int | None = None) -> tuple[Expr, ...]:
    """The values between two offsets: one for JSON, one a line for JSON Lines. What cannot be read is remarked."""
    reader = _Reader(document)
    stop = len(document.text) if end is None else end
    for found in _TOKEN.finditer(document.text, start, stop):
        if found.lastgroup != "skip":
            reader.take(found.lastgroup or "", found.start(), found.end())
    return reader.finish()


class _Frame:
    """One open bracket."""

    __slots__ = ("after_value", "colon", "entries", "is_map", "items", "key", "start")

    def __init__(self, start: int, *, is_map: bool) -> None:
        self.start = start
        self.is_map = is_map
        self.items: list[Expr] = []
        self.entries: list[Entry] = []
        self.key: Expr | None = None
        self.colon = False
        self.after_value = False


class _Reader:
    """Builds values from tokens. Every token is taken in constant time; an unexpected one is remarked and skipped."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._roots: list[Expr] = []
        self._frames: list[_Frame] = []
        self._skipped = 0
        self._end = 0

    def take(self, kind: str, start: int, end: int) -> None:
        """Take one token."""
        mark = self._document.text[start] if kind == "mark" else ""
        if self._skipped:
            self._skip(mark, end)
        elif mark in {"{", "["} and mark:
            self._open(start, is_map=mark == "{")
        elif mark in {"}", "]"} and mark:
            self._close(start, end, is_map=mark == "}")
        elif mark:
            self._separate(mark, start)
        elif kind == "string":
            self._add(self._string(start, end), start)
        else:
            self._add(self._word(start, end), start)
        self._end = end

    def finish(self) -> tuple[Expr, ...]:
        """Close what is still open, and give the values."""
        if self._frames:
            self._document.remark(self._frames[-1].start, "the bracket that opens here is not closed")
        while self._frames:
            self._pop(self._end)
        return tuple(self._roots)

    def _skip(self, mark: str, end: int) -> None:
        self._skipped += (mark in {"{", "["} and mark != "") - (mark in {"}", "]"} and mark != "")
        if not self._skipped:
            self._add(self._document.unread(end, end, "too_deep"), end)

    def _open(self, start: int, *, is_map: bool) -> None:
        if len(self._frames) < DEPTH_LIMIT:
            self._frames.append(_Frame(start, is_map=is_map))
        else:
            self._document.remark(start, f"nested deeper than {DEPTH_LIMIT} levels: not read")
            self._skipped = 1

    def _close(self, start: int, end: int, *, is_map: bool) -> None:
        if not any(frame.is_map is is_map for frame in self._frames):
            self._document.remark(start, "a bracket closes here that was not opened")
            return
        while self._frames[-1].is_map is not is_map:
            self._document.remark(start, "the wrong bracket closes here")
            self._pop(start)
        self._pop(end)

    def _pop(self, end: int) -> None:
        frame = self._frames.pop()
        self._drop_key(frame, end)
        span = self._document.span(frame.start, end)
        value = Map(span, tuple(frame.entries)) if frame.is_map else List(span, tuple(frame.items))
        self._add(value, frame.start)

    def _separate(self, mark: str, start: int) -> None:
        frame = self._frames[-1] if self._frames else None
        if mark == "," and frame and (frame.after_value or frame.key):
            self._drop_key(frame, start)
            frame.after_value = False
        elif mark == ":" and frame and frame.key and not frame.colon:
            frame.colon = True
        else:
            self._document.remark(start, f"unexpected {mark!r}")

    def _drop_key(self, frame: _Frame, at: int) -> None:
        """A key that gets no value keeps an entry, so that it can still be seen."""
        if frame.key:
            self._document.remark(at, "a key without a value")
            frame.entries.append(Entry(frame.key, self._document.unread(at, at, "error")))
        frame.key, frame.colon = None, False

    def _add(self, node: Expr, start: int) -> None:
        if not self._frames:
            self._roots.append(node)
            return
        frame = self._frames[-1]
        if frame.after_value:
            self._document.remark(start, "a comma is missing here")
        if not frame.is_map:
            frame.items.append(node)
        elif frame.colon and frame.key:
            frame.entries.append(Entry(frame.key, node))
            frame.key, frame.colon = None, False
        else:
            self._drop_key(frame, start)
            frame.key = node
        frame.after_value = frame.key is None

    def _expects_key(self) -> bool:
        return bool(self._frames) and self._frames[-1].is_map and not self._frames[-1].colon

    def _string(self, start: int, end: int) -> Literal:
        text = self._document.text
        closed = end - start > 1 and text[end - 1] == text[start] and not _is_escaped(text, start, end - 1)
        if not closed:
            self._document.remark(start, "the string that opens here is not closed")
        return self._document.literal(start, end, _unescaped(text[start + 1 : end - 1 if closed else end]))

    def _word(self, start: int, end: int) -> Expr:
        word = self._document.text[start:end]
        if self._expects_key() and _IDENTIFIER.fullmatch(word):
            return self._document.literal(start, end, word)
        if word in _WORDS:
            return self._document.literal(start, end, _WORDS[word])
        number = _number(word)
        if number is not None:
            return self._document.literal(start, end, number)
        self._document.remark(start, f"unexpected {word[:40]!r}")
        return self._document.unread(start, end, "error")


def _is_escaped(text: str, start: int, at: int) -> bool:
    backslashes = len(text[start + 1 : at]) - len(text[start + 1 : at].rstrip("\\"))
    return backslashes % 2 == 1


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _SURROGATES.sub(_paired, _ESCAPE.sub(_escaped, text))


def _escaped(found: re.Match[str]) -> str:
    code, byte, letter = found.groups()
    if code or byte:
        return chr(int(code or byte, 16))
    return _ESCAPES.get(letter, letter) if letter else ""


def _paired(found: re.Match[str]) -> str:
    return found[0].encode("utf-16", "surrogatepass").decode("utf-16")


def _number(word: str) -> int | float | None:
    if word in _FLOATS:
        return _FLOATS[word]
    if hexadecimal := _HEXADECIMAL.fullmatch(word):
        return int(hexadecimal[1] + hexadecimal[2], 16)
    if not word.isascii() or not _NUMBER.fullmatch(word):
        return None
    return int(word) if word.lstrip("+-").isdigit() and len(word) <= _DIGITS else float(word)
