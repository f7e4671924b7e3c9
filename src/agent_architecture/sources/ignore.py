"""What `.gitignore` and `.arxoignore` say about a path, as Git reads them.

Every entry of the tree is asked on the way down, so a pattern is matched with the entry itself and never with what
stands above
it: an ignored folder is not entered, and nothing below it can come back (gitignore(5)). It must not know what a file
is.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable

OWN: Final = ".arxoignore"
NAMES: Final = (".gitignore", OWN)
"""In this order: what `.arxoignore` says comes later, and may take back what Git ignores."""

# An ignore file of a hostile project must not cost more than the project: these are far above what people write.
_MAX_BYTES: Final = 1_000_000
_MAX_LINES: Final = 5_000
_MAX_LENGTH: Final = 1_000
# The regular expression of a pattern backtracks once a star: 3 in one name of 255 characters are 3 million steps at
# worst.
_MAX_STARS: Final = 3
_MAX_DEEP_STARS: Final = 3


_PLAIN: Final = regex(r"!?/?(?:(?!\*/)(?:[\w.@~$+-]|\*(?!\*))+/)*(?!\*/?\Z)(?:[\w.@~$+-]|\*(?!\*))+/?", re.ASCII)


class Rule(NamedTuple):
    """One pattern: its expression over paths relative to the ignore file, and whether it ignores or takes back."""

    regex: re.Pattern[str]
    ignores: bool
    is_own: bool = False
    """Whether `.arxoignore` says so."""


class Patterns:
    """The patterns of one folder, the last one that matches decides."""

    __slots__ = ("_any", "_rules", "base")

    def __init__(self, base: str, rules: Sequence[Rule]) -> None:
        self.base = base
        """The absolute path of the folder, with a slash at its end."""
        self._rules = tuple(reversed(rules))
        joined = "|".join(re.sub(r"\(\?P<\w+>", "(?:", rule.regex.pattern) for rule in rules)
        # Most paths match no pattern: one expression for all of them says so at once.
        with _compiling():
            self._any = re.compile(joined) if rules else None

    def decides(self, path: str, *, own: bool = False) -> bool | None:
        """Whether the entry at the absolute `path` (a folder ends in a slash) is ignored; None: no pattern says.

        With `own`, only what `.arxoignore` says counts.
        """
        relative = path[len(self.base) :]
        if self._any is None or not self._any.match(relative):
            return None
        asked = (rule for rule in self._rules if rule.is_own or not own)
        return next((rule.ignores for rule in asked if _matches_itself(rule, relative)), None)

    def covers(self, path: str) -> bool:
        """Whether the entry or a folder above it matches (for globs of the user, which know no way down)."""
        relative = path[len(self.base) :]
        if self._any is None or not self._any.match(relative):
            return False
        return next((rule.ignores for rule in self._rules if rule.regex.match(relative)), False)


def _matches_itself(rule: Rule, relative: str) -> bool:
    found = rule.regex.match(relative)
    if found is None:
        return False
    slash = found.start("ps_d") if "ps_d" in rule.regex.groupindex else -1
    return slash in {-1, len(relative) - 1}


def ignored(path: str, scopes: Iterable[Patterns], *, own: bool = False) -> bool:
    """Whether the entry at the absolute `path` is ignored by `scopes`, the innermost folder first.

    With `own`, only what `.arxoignore` says counts.
    """
    for scope in scopes:
        decision = scope.decides(path, own=own)
        if decision is not None:
            return decision
    return False


def parse(lines: Sequence[str], shown: str) -> tuple[list[Rule], list[Notice]]:
    """The rules in `lines`; a line that is no pattern gives a notice for the file `shown`, and the others hold."""
    rules: list[Rule] = []
    notices: list[Notice] = []
    if len(lines) > _MAX_LINES:
        notices.append(
            Notice(shown, _MAX_LINES + 1, f"has more than {_MAX_LINES} lines: the rest is not obeyed", incomplete=False)
        )
    for number, line in enumerate(lines[:_MAX_LINES], 1):
        problem = _too_costly(line)
        try:
            rule = None if problem else _plain(line) or _any(line)
        except (ValueError, re.error):  # the second for what pathspec makes of `[z-a]`
            problem, rule = "is not a pattern", None
        if problem:
            notices.append(Notice(shown, number, f"{line[:80]!r} {problem}: not obeyed", incomplete=False))
        if rule is not None:
            rules.append(rule)
    return rules, notices


def _plain(line: str) -> Rule | None:
    """The rule of a pattern as most are, a name or a way of names with stars: what `_any` makes of it, made sooner."""
    if not _PLAIN.fullmatch(line):
        return None
    written = line.removeprefix("!")
    names = written.removesuffix("/").removeprefix("/")
    start = "^" if "/" in written.removesuffix("/") else "^(?:.+/)?"
    end = "(?P<ps_d>/)" if written.endswith("/") else "(?:(?P<ps_d>/)|$)"
    return Rule(regex(start + re.escape(names).replace(r"\*", "[^/]*") + end), written == line)


def _any(line: str) -> Rule | None:
    """The rule of any pattern; None for a line without one."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    with _compiling():
        pattern = GitIgnoreSpecPattern(line)
    if pattern.include is None or pattern.regex is None:
        return None
    return Rule(_exact(pattern.regex), pattern.include)


@contextmanager
def _compiling() -> Iterator[None]:
    """`[[]` is right in Git's patterns: Python warns that it may mean another thing one day, which helps nobody."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


def _exact(made: re.Pattern[str]) -> re.Pattern[str]:
    """The expression of a pattern, made to tell a folder from what is in it (pathspec 1.1 needs that only of files)."""
    if made.pattern == "(?P<ps_d>/)":  # `*/`
        return re.compile(r"^.*(?P<ps_d>/)")
    if made.pattern.endswith("/"):  # `a/**` is all that is in `a`, but not `a`
        return re.compile(made.pattern + ".")
    return made


def _too_costly(line: str) -> str | None:
    if len(line) > _MAX_LENGTH:
        return f"has more than {_MAX_LENGTH} characters"
    if line.startswith("#"):
        return None
    if (
        max(len(re.findall(r"\*+", segment)) for segment in line.split("/")) > _MAX_STARS
        or line.count("**") > _MAX_DEEP_STARS
    ):
        return "has too many stars"
    return None


def of_folder(folder: str, names: Sequence[str], shown: str) -> tuple[Patterns | None, list[Notice]]:
    """The patterns of the ignore files `names` in the absolute `folder`; notices call it `shown` (slash included)."""
    rules: list[Rule] = []
    notices: list[Notice] = []
    for name in names:
        more, problems = _of_file(Path(folder, name), shown + name)
        rules += [rule._replace(is_own=name == OWN) for rule in more]
        notices += problems
    return (Patterns(folder.rstrip("/") + "/", rules) if rules else None), notices


def _of_file(path: Path, shown: str) -> tuple[list[Rule], list[Notice]]:
    try:
        if path.is_symlink() or not path.is_file():  # Git does not follow a link here either
            return [], []
        with path.open("rb") as stream:
            raw = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        return [], [
            Notice(
                shown,
                None,
                f"cannot be read ({error.strerror or error}): its patterns are not obeyed",
                incomplete=False,
            )
        ]
    if len(raw) > _MAX_BYTES:
        return [], [
            Notice(shown, None, f"is larger than {_MAX_BYTES} bytes: its patterns are not obeyed", incomplete=False)
        ]
    return parse(raw.decode("utf-8-sig", "replace").splitlines(), shown)


def above(folder: str) -> tuple[tuple[Patterns, ...], list[Notice]]:
    """The patterns that hold in the absolute `folder` from the repository's top down to its parent, innermost first.

    A folder outside a repository has none. When they ignore the folder itself, or all in it, they do not hold: it was
    asked for.
    """
    chain = to_repository_top(folder)
    if chain is None:
        return (), []
    top = chain[-1]
    scopes: list[Patterns] = []
    notices: list[Notice] = []
    rules, problems = _of_file(Path(top, ".git", "info", "exclude"), ".git/info/exclude")
    notices += problems
    if rules:
        scopes.append(Patterns(top.rstrip("/") + "/", rules))
    for outer in reversed(chain[1:] if len(chain) > 1 else []):
        found, problems = of_folder(outer, NAMES, "../" * chain.index(outer))
        notices += problems
        if found:
            scopes.append(found)
    scopes.reverse()
    asked = [entry.rstrip("/") + "/" for entry in chain[:-1]]
    asked.append(folder.rstrip("/") + "/any")
    if len(chain) > 1 and any(ignored(entry, [s for s in scopes if entry.startswith(s.base)]) for entry in asked):
        return (), notices
    return tuple(scopes), notices


def looked_at_above(folder: str) -> Iterator[str]:
    """Every path that decides what `above` gives, whether it is there or not."""
    chain = to_repository_top(folder)
    for outer in chain if chain is not None else (folder, *(path.as_posix() for path in Path(folder).parents)):
        yield f"{outer.rstrip('/')}/.git"
    if chain is not None:
        yield f"{chain[-1]}/.git/info/exclude"
        yield from (f"{outer}/{name}" for outer in chain[1:] for name in NAMES)


def to_repository_top(folder: str) -> list[str] | None:
    """`folder` and the folders above it, up to the one with `.git`; None when there is none."""
    chain: list[str] = []
    for current in (Path(folder), *Path(folder).parents):
        chain.append(current.as_posix())
        if (current / ".git").exists():
            return chain
    return None
