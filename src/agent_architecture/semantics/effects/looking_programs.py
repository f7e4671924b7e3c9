"""Programs that only look around: `git status`, `rg`, `docker logs`. The code fixes which one is started; what a model
adds to it decides where is looked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.effects.commands import commands

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.effects.commands import Command
    from agent_architecture.syntax import ir

LOOKING: Final = frozenset({
    "cat", "date", "df", "du", "file", "free", "grep", "head", "hostname", "ls", "ps", "rg", "stat", "tail", "tree",
    "uname", "uptime", "wc", "which", "whoami",
})  # fmt: skip
"""Programs without an option that changes something. `find` has some."""
ASKED: Final = {
    "git": frozenset({
        "blame", "cat-file", "describe", "diff", "grep", "log", "ls-files", "rev-parse", "shortlog", "show", "status",
    }),
    "docker": frozenset({"images", "info", "inspect", "logs", "ps", "stats", "top", "version"}),
    "kubectl": frozenset({"describe", "explain", "get", "logs", "top", "version"}),
    "npm": frozenset({"list", "ls", "outdated", "view"}),
    "systemctl": frozenset({"is-active", "list-units", "show", "status"}),
}  # fmt: skip
"""The commands of programs that only ask."""
WITH_VALUE: Final = frozenset({"-C", "-c", "-n", "--git-dir", "--namespace", "--context", "--work-tree"})
"""Options before the command that a value follows."""


def only_looks(program: Program, call: ir.Call) -> bool:
    """Whether a call starts programs that only look around: each that it can be. A shell reads more out of a word of a
    line that is not fixed (`git log {path}`), and writes where `>` stands.
    """
    found = [command for command in commands(program, call) if command.words]
    return bool(found) and all(_looks(command) for command in found)


def looks_as_written(program: Program, call: ir.Call) -> bool:
    """Whether the programs that code names in what a call starts only look around, whatever a shell may read out of the
    words that are put in: what is meant to be done changes nothing when it is done again.
    """
    found = [command for command in commands(program, call) if command.words]
    return bool(found) and all(_looks(command, as_written=True) for command in found)


def _looks(command: Command, *, as_written: bool = False) -> bool:
    words = tuple(word.text if word.is_fixed else None for word in command.words)
    if command.is_line and any((word is None and not as_written) or ">" in (word or "") for word in words):
        return False
    name = (words[0] or "").rpartition("/")[2]
    return name in LOOKING or (name in ASKED and first_word(words[1:]) in ASKED[name])


def first_word(words: Iterable[str | None]) -> str | None:
    """The first word of a command that is no option; None where that is only known at run time."""
    skips = False
    for word in words:
        if skips:
            skips = False
        elif word is None or not word.startswith("-"):
            return word
        else:
            skips = word in WITH_VALUE
    return None
