"""Markdown and prompt files to the IR: `{"front_matter": Map, "body": text}`; a prompt's body may be a template.

Knows where a front matter ends and who reads it; the formats themselves are the readers' business.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.syntax.document_prompt import read_template
from agent_architecture.syntax.document_toml import read_toml
from agent_architecture.syntax.document_yaml import read_yaml
from agent_architecture.syntax.ir import Entry, Map

if TYPE_CHECKING:
    from agent_architecture.syntax.document_text import Document
    from agent_architecture.syntax.ir import Expr

_YAML = regex(r"\A\ufeff?---[^\S\n]*\n(.*?)^---[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = regex(r"\A\ufeff?\+\+\+[^\S\n]*\n(.*?)^\+\+\+[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIRST_KEY = regex(r"(?:\s++|\#[^\n]*)*+(?:[\w\"'][^\n]*:|\Z)")


class _FrontMatter(NamedTuple):
    value: Map | None
    body_start: int


def read_markdown(document: Document) -> tuple[Expr, ...]:
    """One map: the front matter, if there is one, and the body as text."""
    front = _front_matter(document)
    body = document.literal(front.body_start, len(document.text), document.text[front.body_start :])
    return (_whole(document, front, body),)


def read_prompt(document: Document) -> tuple[Expr, ...]:
    """One map: the front matter, if there is one, and the body, a template where something is interpolated."""
    front = _front_matter(document)
    return (_whole(document, front, read_template(document, front.body_start)),)


def _whole(document: Document, front: _FrontMatter, body: Expr) -> Map:
    entries = []
    if front.value is not None:
        at = document.text.index("\n") + 1
        entries.append(Entry(document.literal(at, at, "front_matter"), front.value))
    entries.append(Entry(document.literal(front.body_start, front.body_start, "body"), body))
    return Map(document.span(0, len(document.text)), tuple(entries))


def _front_matter(document: Document) -> _FrontMatter:
    """The front matter. Its first line must look like a key: two rules that merely draw a line hold none."""
    if found := _TOML.match(document.text):
        value = read_toml(document, *found.span(1))[0]
        return _FrontMatter(value if isinstance(value, Map) else None, found.end())
    found = _YAML.match(document.text)
    if not found or not _FIRST_KEY.match(document.text, *found.span(1)):
        return _FrontMatter(None, 0)
    values = read_yaml(document, *found.span(1))
    if not values:
        return _FrontMatter(Map(document.span(*found.span(1)), ()), found.end())
    if not isinstance(values[0], Map):
        document.remark(found.start(1), "the front matter is not a mapping")
        return _FrontMatter(None, found.end())
    return _FrontMatter(values[0], found.end())
