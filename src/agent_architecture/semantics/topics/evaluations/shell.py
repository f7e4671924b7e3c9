"""Shell text to the commands in it: what is run, with which arguments, and in which folder.

A small reader of the shell's common forms; what it cannot read it leaves out. Knows no test runner and no CI service.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.shell_words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT: Final = 20_000
"""Characters of one script that are read."""

_BREAK: Final = regex(r"\n|&&|\|\||;|(?<!\|)\|(?!\|)|(?<!&)&(?!&)")
_VARIABLE: Final = regex(r"^[A-Za-z_]\w*=")
_EXPRESSION: Final = regex(r"\$\{\{.{0,400}?\}\}")
_IGNORED: Final = regex(r"\|\|\s*(?:true|:|exit\s+0|echo\b)")

WRAPPERS: Final = {
    "uv": ("run",), "poetry": ("run",), "pipenv": ("run",), "pdm": ("run",), "rye": ("run",), "pixi": ("run",),
    "hatch": ("run", "test"), "conda": ("run",), "npx": (), "bunx": (), "uvx": (), "pipx": ("run",), "sudo": (),
    "env": (), "time": (), "cross-env": (), "dotenv": (), "xvfb-run": (), "nice": (), "exec": (), "command": (),
    "doppler": ("run",), "op": ("run",), "infisical": ("run",), "dotenvx": ("run",), "coverage": ("run",),
    "nohup": (), "timeout": (), "stdbuf": (), "caffeinate": (), "env-cmd": (), "deno": (), "uvr": (),
}  # fmt: skip
"""Programs that run another one, with the word that stands between."""

VALUED: Final = frozenset(
    {
        "--with", "--extra", "--group", "--env-file", "--python", "-p", "-n", "--package", "--from", "-e", "-f",
        "--directory", "--project", "--only-group", "--prefix", "-m", "--with-requirements", "-C",
    }
)  # fmt: skip
"""Options of such programs that take a value."""

DISCARDED: Final = frozenset({"exec", "dlx", "x", "tool"})
"""Words of package managers that stand before the program: `pnpm exec vitest`, `yarn dlx promptfoo`."""


class Command(NamedTuple):
    """One simple command. `folder` is where it runs, "" for the root; `ignored`: its failure is, too."""

    words: tuple[str, ...]
    folder: str
    ignored: bool = False

    @property
    def program(self) -> str:
        """The program's name, without folder and version: `promptfoo` of `npx promptfoo@latest`."""
        name = self.words[0].rpartition("/")[2]
        return name.partition("@")[0] or name

    def option(self, *names: str) -> str | None:
        """The value of an option: `--repeat 3`, `--repeat=3`, `-r3`."""
        for at, word in enumerate(self.words):
            for name in names:
                if word == name and at + 1 < len(self.words):
                    return self.words[at + 1]
                if word.startswith(f"{name}="):
                    return word.partition("=")[2]
        return None

    def operands(self, valued: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The words after the program that are no options; `valued` are options that take the next word."""
        found: list[str] = []
        skip = False
        for word in self.words[1:]:
            if skip:
                skip = False
            elif word.startswith("-"):
                skip = word in valued
            else:
                found.append(word)
        return tuple(found)


def commands(text: str, folder: str = "") -> Iterator[Command]:
    """The commands of a shell text, in order; `cd` changes the folder of those after it."""
    joined = re.sub(r"\\\r?\n", " ", text[:MAX_TEXT])
    plain = _EXPRESSION.sub("EXPRESSION", joined)
    here = folder
    for line in plain.split("\n"):
        ignored = bool(_IGNORED.search(line))
        for part in _parts(line):
            words = _unwrapped(part)
            if words[:1] == ("cd",) and len(words) > 1:
                here = within(here, words[1])
            elif words:
                yield Command(words, here, ignored)


def within(folder: str, path: str) -> str:
    """A path as seen from a folder of the project; one that leaves the project is the root."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined in {".", "/"} or joined.startswith(("..", "/")) else joined


def _parts(line: str) -> Iterator[tuple[str, ...]]:
    if line.lstrip().startswith("#"):
        return
    for piece in _split(line):
        words = words_of(piece)
        if words:
            yield words


def _split(line: str) -> Iterator[str]:
    """The line at its operators, unless they stand in quotes."""
    start = 0
    quoted = [match.span() for match in re.finditer(r"\"(?:\\.|[^\"\\])*\"|'[^']*'", line)]
    for found in _BREAK.finditer(line):
        if not any(begin <= found.start() < end for begin, end in quoted):
            yield line[start : found.start()]
            start = found.end()
    yield line[start:]


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command without variables, and without programs that only run another one."""
    while words:
        first = words[0].rpartition("/")[2]
        if _VARIABLE.match(words[0]) or first in {"then", "do", "else", "if", "!", "(", "{", "@", "-"}:
            words = words[1:]
        elif words[0][:1] in {"@", "-"} and len(words[0]) > 1 and not words[0].startswith("@/"):
            words = (words[0].lstrip("@-"), *words[1:])
        elif first in WRAPPERS:
            rest = _after_wrapper(words, WRAPPERS[first])
            if rest is None:
                return words
            words = rest
        elif first in {"npm", "pnpm", "yarn", "bun"} and words[1:2] and words[1] in DISCARDED:
            words = _without_options(words[2:])
        else:
            return words
    return ()


def _after_wrapper(words: tuple[str, ...], between: tuple[str, ...]) -> tuple[str, ...] | None:
    rest = _without_options(words[1:])
    if between and rest[:1] and rest[0] in between:
        return _without_options(rest[1:])
    if between:
        return None
    return rest[1:] if words[0].endswith("timeout") else rest


def _without_options(words: tuple[str, ...]) -> tuple[str, ...]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in VALUED and len(words) > 1 else words[1:]
    return words
