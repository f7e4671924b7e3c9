"""Everything that may hide a finding, with its reason: comments in the code, and entries of the configuration.

A comment is `agent-architecture: ignore[RULE] REASON` on the line of the finding or on the line above it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from agent_architecture.config import Ignore
from agent_architecture.errors import UsageError
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.registry import known, resolve
from agent_architecture.render.counted import counted
from agent_architecture.sources import ignore
from agent_architecture.sources.source import Notice, SourceFile
from agent_architecture.syntax.comments import Comment, comments

if TYPE_CHECKING:
    from datetime import date

WORD: Final = "agent-architecture:"
FORM: Final = f"{WORD} ignore[RULE] REASON"
MOST_TOLD: Final = 100
"""Comments that hide nothing are told one by one up to here; the rest is counted by file."""
_COMMENT: Final = regex(rf"{WORD}\s*ignore\b\s*(?:\[(?P<rules>[^\]]*)\])?[\s:\u2013\u2014-]*(?P<reason>.*)")


class Mark(NamedTuple):
    """One rule (a short key) that is hidden somewhere; `path` and `line` say where that is written."""

    key: str
    reason: str
    path: str
    line: int
    kind: Literal["inSource", "external"]
    hides: Callable[[str, int], bool]
    """Whether it speaks of this path and line (0: the whole file)."""
    unused: str | None
    """What is said when it hides nothing; None where that means nothing."""


class Marks(NamedTuple):
    """What hides, and what was written to hide and does not."""

    marks: tuple[Mark, ...] = ()
    notices: tuple[Notice, ...] = ()


# ------------------------------------------------------------------------------------------------------------- comments
def from_comments(files: Iterable[SourceFile], judged: Callable[[SourceFile], bool]) -> Marks:
    """The comments of these files; only in `judged` ones is it worth a word that one hides nothing."""
    marks: list[Mark] = []
    notices: list[Notice] = []
    for file in files:
        untold = 0
        for comment in comments(file, WORD):
            for one in _of_comment(comment, expects=judged(file)):
                if isinstance(one, Mark):
                    marks.append(one)
                elif len(notices) < MOST_TOLD:
                    notices.append(_notice(comment, one()))
                else:
                    untold += 1
        if untold:
            more = f"{counted(untold, 'more rule')} named by comments of this file, which hide nothing"
            notices.append(Notice(file.path, None, more, incomplete=False))
    return Marks(tuple(marks), tuple(notices))


def _of_comment(comment: Comment, *, expects: bool) -> Iterator[Mark | Callable[[], str]]:
    """Its marks, and what is wrong with it: said only where it is told, for to find the nearest rule takes long."""
    found = _COMMENT.match(comment.text)
    if found is None:
        return
    reason = found["reason"].split(WORD)[0].rstrip("#/* ")  # another one may follow in the same comment
    rules = dict.fromkeys(rule.strip() for rule in (found["rules"] or "").split(",") if rule.strip())
    if not rules:
        yield lambda: f"this comment names no rule and hides nothing; write {FORM}"
    elif not re.search(r"\w", reason):
        yield lambda: f"this comment gives no reason and hides nothing; write {FORM}"
    for rule in rules if re.search(r"\w", reason) else ():
        meant = known(rule)
        yield partial(_unknown, rule) if meant is None else _mark(meant.name, reason, comment, expects=expects)


def _unknown(rule: str) -> str:
    try:
        resolve(rule)
    except UsageError as error:
        return f"this comment hides nothing: {error}"
    raise AssertionError(rule)  # `known` says what `resolve` does


def _mark(key: str, reason: str, comment: Comment, *, expects: bool) -> Mark:
    def hides(path: str, line: int) -> bool:
        return (path, line) == (comment.path, comment.about)

    unused = f"this comment hides nothing: {key} has no finding on line {comment.about}"
    return Mark(key, reason, comment.path, comment.line, "inSource", hides, unused if expects else None)


def _notice(comment: Comment, message: str) -> Notice:
    return Notice(comment.path, comment.line, message, incomplete=False)


# -------------------------------------------------------------------------------------------------------- configuration
class Reach(NamedTuple):
    """How the paths of a report are seen from the configuration file.

    `shown` is the file's own path in notices, `prefix` leads from its folder to the scanned root (with a slash at its
    end), `files` are the paths that were read, and `whole` says whether all below the file's folder was asked for.
    """

    shown: str
    prefix: str
    files: tuple[str, ...]
    whole: bool


def from_entries(entries: Iterable[Ignore], reach: Reach, today: date | None) -> Marks:
    """The entries of the configuration; one that is over (today, or that day) hides nothing and says so."""
    marks: list[Mark] = []
    notices: list[Notice] = []
    for entry in entries:
        where = f"{entry.key} in {entry.path}" if entry.path else entry.key
        if entry.until is not None and (today or _today()) > entry.until:
            text = f"ignoring {where} ended on {entry.until}: its findings are back"
            notices.append(Notice(reach.shown, entry.line, text, incomplete=False))
        else:
            marks.append(_entry_mark(entry, where, reach))
    return Marks(tuple(marks), tuple(notices))


def _today() -> date:
    from datetime import UTC, datetime

    return datetime.now(tz=UTC).date()


def _entry_mark(entry: Ignore, where: str, reach: Reach) -> Mark:
    patterns = ignore.Patterns("", ignore.parse([entry.path], "")[0]) if entry.path else None

    def hides(path: str, line: int) -> bool:
        del line
        return patterns is None or patterns.covers(reach.prefix + path)

    meant = reach.whole or (patterns is not None and any(hides(path, 0) for path in reach.files))
    unused = f"this entry hides nothing: there is no finding of {where}"
    return Mark(entry.key, entry.reason, reach.shown, entry.line, "external", hides, unused if meant else None)
