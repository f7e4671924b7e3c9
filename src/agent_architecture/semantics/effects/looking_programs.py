"""Programs that only look around: `git status`, `rg`, `docker logs`. The code fixes which one is started; what a model
adds to it decides where is looked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Const, Items

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
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
    """Whether a call starts a program that only looks around: each that it can be."""
    lines = [line for line in _lines(program, call) if line]
    return bool(lines) and all(_looks(line) for line in lines)


def _looks(words: tuple[str | None, ...]) -> bool:
    name = (words[0] or "").rpartition("/")[2]
    if name in LOOKING:
        return True
    return name in ASKED and _command(words[1:]) in ASKED[name]


def _command(words: tuple[str | None, ...]) -> str | None:
    """The first word that is no option; None where that is only known at run time."""
    skips = False
    for word in words:
        if skips:
            skips = False
        elif word is None or not word.startswith("-"):
            return word
        else:
            skips = word in WITH_VALUE
    return None


def _lines(program: Program, call: ir.Call) -> Iterator[tuple[str | None, ...]]:
    """The words that a program is started with, None for one that is not known: a list, or a name and a list."""
    given = [argument.value for argument in call.args if argument.keyword in {None, "args"}]
    for value in program.value_of(given[0]) if given else ():
        if isinstance(value, Items):
            yield tuple(_word(program, item) for item in value.items)
        elif isinstance(value, Const) and isinstance(value.value, str) and " " not in value.value:
            lists = [one for one in program.value_of(given[1]) if isinstance(one, Items)] if len(given) > 1 else []
            for further in lists or (None,):
                rest = tuple(_word(program, item) for item in further.items) if further is not None else ()
                yield (value.value, *rest)
        else:
            yield (None,)


def _word(program: Program, item: ir.Expr) -> str | None:
    values = program.value_of(item)
    value = values[0] if len(values) == 1 else None
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None
