"""`.env` files to the IR: one `Map` of names to text.

Reads what python-dotenv, dotenv (npm) and docker agree on: `export`, single, double and back quotes (double ones with
escapes), comments. A name without `=` takes its value from the environment and is `Literal(None)`; an empty value is
the empty string.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.syntax.ir import Entry, Map

if TYPE_CHECKING:
    from agent_architecture.syntax.document_text import Document
    from agent_architecture.syntax.ir import Expr

_BLANK = regex(r"(?:[\s\ufeff]++|\#[^\n]*)++")
_NAME = regex(r"(?:export[ \t]+)?([\w.\-]+)[ \t]*(=|:[ \t]|(?=\r?\n|\Z))[ \t]*")
_QUOTED = regex(r"""'(?P<single>[^']*)'|"(?P<double>[^"\\]*(?:\\.[^"\\]*)*)"|`(?P<back>[^`]*)`""", re.DOTALL)
_PLAIN = regex(r"(?:[^\s\#]|(?<!\s)\#|[^\S\n]+(?![\s\#]|\Z))*")
_REST = regex(r"[^\n]*")
_ESCAPE = regex(r"\\(.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "'": "'"}


def read_env(document: Document) -> tuple[Expr, ...]:
    """The one map of the file. A line that is no assignment is remarked."""
    text, at = document.text, 0
    entries: list[Entry] = []
    while at < len(text):
        if blank := _BLANK.match(text, at):
            at = blank.end()
        elif found := _NAME.match(text, at):
            key = document.literal(found.start(1), found.end(1), found[1])
            value, at = (
                _value(document, found.end())
                if found[2]
                else (document.literal(found.end(1), found.end(1), None), found.end())
            )
            entries.append(Entry(key, value))
            at = _end_of_line(document, at)
        else:
            document.remark(at, "neither NAME=value nor a comment")
            at = _line_end(text, at)
    return (Map(document.span(0, len(text)), tuple(entries)),)


def _value(document: Document, at: int) -> tuple[Expr, int]:
    if quoted := _QUOTED.match(document.text, at):
        value = quoted[quoted.lastgroup or 0]
        if quoted.lastgroup == "double":
            value = _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[0]), value)
        return document.literal(at, quoted.end(), value), quoted.end()
    plain = _PLAIN.match(document.text, at)
    end = plain.end() if plain else at
    return document.literal(at, end, document.text[at:end]), end


def _end_of_line(document: Document, at: int) -> int:
    """Past the comment after a value; anything else there is remarked."""
    end = _line_end(document.text, at)
    rest = document.text[at:end].strip()
    if rest and not rest.startswith("#"):
        document.remark(at, "text after the value is not read")
    return end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
