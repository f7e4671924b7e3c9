"""Prompt templates (Jinja, and what looks like it: Handlebars, Mustache) to the IR.

A body without interpolation is a `Literal`; otherwise a `Template`: a plain dotted name is `Name` or `Member`, any
other expression `Opaque("jinja", its names)`, a statement `Opaque("jinja_statement", its names)`. Comments
are left out.
Source: Jinja 3.1, "Template Designer Documentation" (delimiters, whitespace control, raw).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.syntax.document_text import DEPTH_LIMIT
from agent_architecture.syntax.ir import Member, Name, Template, unformed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.syntax.document_text import Document
    from agent_architecture.syntax.ir import Expr

_OPEN = regex(r"\{[{%#]")
_CLOSERS: Final = {"{{": "}}", "{%": "%}", "{#": "#}"}
_RAW = regex(r"\{%[-+]?\s*raw\s*[-+]?%\}")
_END_RAW = regex(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
_DOTTED = regex(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_PLAIN = regex(r"[-+]?\s*([^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*[-+]?")
_STRING = regex(r"\"[^\"]*\"|'[^']*'")
_FILTER = regex(r"\|\s*[\w.]+")
_KEYWORDS: Final = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "is",
        "if",
        "else",
        "elif",
        "endif",
        "for",
        "endfor",
        "set",
        "endset",
        "block",
        "endblock",
        "macro",
        "endmacro",
        "call",
        "endcall",
        "filter",
        "endfilter",
        "extends",
        "include",
        "import",
        "from",
        "with",
        "endwith",
        "without",
        "context",
        "as",
        "true",
        "false",
        "none",
        "True",
        "False",
        "None",
        "recursive",
        "raw",
        "endraw",
        "each",
        "unless",
    ]
)


def read_template(document: Document, start: int) -> Expr:
    """The text from `start` to the end of the document."""
    parts = tuple(_parts(document, start))
    end = len(document.text)
    if all(type(part).__name__ == "Literal" for part in parts) and len(parts) <= 1:
        return parts[0] if parts else document.literal(start, end, "")
    return Template(document.span(start, end), parts)


def _parts(document: Document, start: int) -> Iterator[Expr]:
    """Literals and what stands between them. A delimiter that is never closed is text; it is looked for only once."""
    text, literal, at = document.text, start, start
    unclosed: set[str] = set()
    while found := _OPEN.search(text, at):
        closer = _CLOSERS[found[0]]
        end = -1 if closer in unclosed else text.find(closer, found.end())
        if end < 0:
            unclosed.add(closer)
            at = found.end()
            continue
        if literal < found.start():
            yield document.literal(literal, found.start(), text[literal : found.start()])
        literal = at = end + 2
        if _RAW.fullmatch(text, found.start(), at):
            ending = _END_RAW.search(text, at)
            stop, at = (ending.start(), ending.end()) if ending else (len(text), len(text))
            if literal < stop:
                yield document.literal(literal, stop, text[literal:stop])
            literal = at
        elif found[0] != "{#":
            yield _interpolated(document, found.start(), at, is_statement=found[0] == "{%")
    if literal < len(text):
        yield document.literal(literal, len(text), text[literal:])


def _interpolated(document: Document, start: int, end: int, *, is_statement: bool) -> Expr:
    first = start + 2
    while first < end and document.text[first].isspace():
        first += 1
    plain = None if is_statement else _PLAIN.fullmatch(document.text[first : end - 2].rstrip())
    if plain and plain[1] not in _KEYWORDS and plain[1].count(".") < DEPTH_LIMIT:
        return _dotted(document, first + plain.start(1), plain[1])
    kind = "jinja_statement" if is_statement else "jinja"
    return unformed(document.span(start, end), kind, tuple(_names(document, start + 2, end - 2)))


def _names(document: Document, start: int, end: int) -> Iterator[Expr]:
    """The names that an expression reads: not its strings, filters and keywords."""
    text = _STRING.sub(_blanked, document.text[start:end])
    text = _FILTER.sub(_blanked, text)
    for found in _DOTTED.finditer(text):
        is_attribute = found.start() > 0 and text[found.start() - 1] in ".\\"
        if not is_attribute and found[0] not in _KEYWORDS and found[0].count(".") < DEPTH_LIMIT:
            yield _dotted(document, start + found.start(), found[0])


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _dotted(document: Document, start: int, text: str) -> Expr:
    root, *names = text.split(".")
    end = start + len(root)
    node: Expr = Name(document.span(start, end), root)
    for name in names:
        name_span = document.span(end + 1, end + 1 + len(name))
        end += 1 + len(name)
        node = Member(document.span(start, end), node, name, name_span)
    return node
