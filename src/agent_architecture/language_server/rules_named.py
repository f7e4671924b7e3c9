"""Where a text names rules: in comments that hide findings, and in configuration files."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from agent_architecture.configuration.discover import NAMES
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.registry import known
from agent_architecture.sources.languages import language_of, script_language
from agent_architecture.sources.source import Role, SourceFile
from agent_architecture.suppressions.marks import WORD
from agent_architecture.syntax.comments import comments

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_architecture.contract import Scalar
    from agent_architecture.sources.source import Language

_IGNORED: Final = regex(rf"{WORD}\s*ignore\s*\[([^\]\n]*)\]")
_NAME: Final = regex(r"[\w/.-]+")
_WHOLE: Final = regex(r"(?:arxo/)?(?:agent-)?[a-z0-9]+(?:[-_][a-z0-9]+)+")
"""What looks like the whole name of a rule, where any word may stand."""
MOST: Final = 2000
"""Words of one text that are looked at."""


class Named(NamedTuple):
    """A rule that is named, from one offset of the text to another."""

    rule: Scalar
    start: int
    end: int


def named_rules(path: Path, text: str) -> list[Named]:
    """The rules that a file names where that means something."""
    places = _in_configuration(text) if path.name in NAMES else _in_comments(path, text)
    looked_at = ((known(name), start, start + len(name)) for name, start in islice(places, MOST))
    return [Named(rule, start, end) for rule, start, end in looked_at if rule is not None]


def language_of_text(path: Path, text: str) -> Language | None:
    """The language of a file with this text."""
    return language_of(path.name, path.parent.name) or script_language(text[:200].encode("utf-8", "replace"))


def _in_configuration(text: str) -> Iterator[tuple[str, int]]:
    return ((found.group(), found.start()) for found in _WHOLE.finditer(text))


def _in_comments(path: Path, text: str) -> Iterator[tuple[str, int]]:
    language = language_of_text(path, text) if WORD in text else None
    if language is None:
        return
    file = SourceFile(path.name, language, Role.APP, text.encode("utf-8", "surrogatepass"))
    rows = [0, *(found.end() for found in re.finditer("\n", text))]
    for line in sorted({comment.line for comment in comments(file, WORD)}):
        end = rows[line] if line < len(rows) else len(text)
        for comment in _IGNORED.finditer(text, rows[line - 1], end):
            yield from ((name.group(), name.start()) for name in _NAME.finditer(text, *comment.span(1)))
