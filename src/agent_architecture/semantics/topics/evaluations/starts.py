"""What runs an evaluation: which commands run which suites, and how often they repeat each case.

A suite is started by a command of a CI workflow, a script or a Makefile; by a test runner, which collects its file by
name; or by running its own file. Knows the command lines of test runners and evaluation libraries.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import parent
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.topics.evaluations.shell import Command, within
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span

PYTHON_RUNNERS: Final = frozenset({"pytest", "py.test", "unittest"})
SCRIPT_RUNNERS: Final = frozenset({"vitest", "jest", "mocha", "ava", "jest.js", "vitest.mjs"})
INTERPRETERS: Final = frozenset({"python", "python3", "node", "tsx", "ts-node", "bun", "ts-node-esm", "esno", "jiti"})
ATTACKERS: Final = frozenset({"garak", "pyrit_scan", "agentdojo", "giskard"})
"""Programs that attack a model or agent, with cases and graders of their own."""

VALUED: Final = frozenset(
    {
        "-m", "-k", "-c", "--config", "-p", "-n", "--cov", "--cov-report", "--timeout", "--maxfail", "--junitxml",
        "--project", "--epochs", "--model", "--limit", "--repeat", "-r", "--count", "--threshold", "--max-concurrency",
        "-j", "--reporter", "--testTimeout", "--testPathPatterns", "--testPathPattern", "--testPathIgnorePatterns",
        "-t", "--testNamePattern", "-o", "--output", "-W", "--durations", "--tb", "--loader", "--import", "--ignore",
        "--exclude", "--dir", "--root", "--require", "--env-file",
    }
)  # fmt: skip
"""Options of runners that take the next word."""

GATES: Final = ("--threshold", "--fail-under", "--fail-on", "--min-score", "--fail-threshold", "--assert-score")
REPEATS: Final = {"deepeval": ("--repeat", "-r"), "promptfoo": ("--repeat",), "inspect": ("--epochs",)}


class Place(NamedTuple):
    """Where a suite stands, as far as commands can tell it.

    `collected` is the language whose test runners collect it by its file's name, "" for neither; `marks` are its pytest
    marks; `starters` the files that start it when they are run; `entries` the functions (file, name) that start it when
    an entry point names them; `attacks`: a red team, run by a command of its own.
    """

    path: str
    framework: str
    collected: str = ""
    marks: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    entries: frozenset[tuple[str, str]] = frozenset()
    attacks: bool = False


class RunnerSettings(NamedTuple):
    """What the project configures for its test runners.

    `words` are those of JavaScript's configuration files that decide which suites run. `options` are words that pytest
    adds to its command line (`addopts`), `test_paths` where it looks without one, from the root.
    """

    words: frozenset[str] = frozenset()
    options: tuple[str, ...] = ()
    test_paths: tuple[str, ...] = ()


class Started(NamedTuple):
    """A command that runs a suite: the span of what says so, and what it adds to the suite."""

    command: Command
    trials: int | None
    threshold: bool


def started(command: Command, place: Place, settings: RunnerSettings) -> Started | None:
    """What a command does for a suite; None when it does not run it."""
    if not _runs(command, place, settings):
        return None
    return Started(command, _trials(command), any(command.option(name) for name in GATES))


def _runs(command: Command, place: Place, settings: RunnerSettings) -> bool:
    program, words = command.program, command.words
    if program in INTERPRETERS and "-m" in words[:4]:
        module = words[words.index("-m") + 1] if words.index("-m") + 1 < len(words) else ""
        if module in PYTHON_RUNNERS:
            return _pytest(Command(words[words.index("-m") + 1 :], command.folder), place, settings)
        return any(_is_module(path, module) for path in place.starters)
    if program in {"tox", "nox"}:
        return _pytest(Command(("pytest",), command.folder), place, settings)
    if program in PYTHON_RUNNERS:
        return _pytest(command, place, settings)
    if program == "deepeval":
        return words[1:3] == ("test", "run") and _pytest(Command(words[2:], command.folder), place, settings)
    if program in SCRIPT_RUNNERS or words[:2] in {("bun", "test"), ("node", "--test"), ("deno", "test")}:
        return _script_tests(command, place, settings.words)
    if program in INTERPRETERS:
        inner = next((word for word in words[1:] if word.rpartition("/")[2] in SCRIPT_RUNNERS), None)
        if inner is not None:
            return _script_tests(
                Command((inner, *words[words.index(inner) + 1 :]), command.folder), place, settings.words
            )
        return _is_file(command, words[1:], place.starters)
    if program == "python-entry":
        return _is_entry(words[1], place) if words[1:] else False
    if program.endswith((".py", ".ts", ".js", ".mjs")):
        return _is_file(command, words[:1], place.starters)
    return _library(command, place)


LIBRARIES: Final = {
    "evalite": ("evalite", frozenset({"watch", "run", "serve"}), frozenset[str]()),
    "braintrust": ("braintrust", frozenset({"eval"}), frozenset({"eval"})),
    "inspect": ("inspect-ai", frozenset({"eval", "eval-set"}), frozenset({"eval", "eval-set"})),
}
"""Command lines that collect files: the library, the words that are no paths, those of which one must come first."""


def _library(command: Command, place: Place) -> bool:
    """The command lines of evaluation libraries."""
    if command.program in {"promptfoo", "pf"}:
        attacks = command.words[1:2] == ("redteam",)
        return place.framework == "promptfoo" and attacks == place.attacks and _is_config(command, place)
    if command.program not in LIBRARIES:
        return False
    framework, verbs, first = LIBRARIES[command.program]
    if place.framework != framework or (first and not first & set(command.words[1:2])):
        return False
    return _is_below(command, place.path, verbs)


def _is_config(command: Command, place: Place) -> bool:
    named = command.option("-c", "--config")
    return named is None or within(command.folder, named) in {place.path, parent(place.path)}


def _pytest(command: Command, place: Place, settings: RunnerSettings) -> bool:
    named = bool(_named(command, PYTEST_VERBS))
    if place.collected != "python" and not any(".py" in word for word in _named(command, PYTEST_VERBS)):
        return False
    chosen = command.option("-m") or Command(("pytest", *settings.options), "").option("-m")
    if chosen is not None and not _is_marked(chosen, place.marks):
        return False
    ignored = command.option("--ignore")
    if ignored is not None and _covers(within(command.folder, ignored), place.path):
        return False
    if not named and settings.test_paths and not any(_covers(path, place.path) for path in settings.test_paths):
        return False
    return _is_below(command, place.path, PYTEST_VERBS)


PYTEST_VERBS: Final = frozenset({"run", "discover"})


def _is_marked(expression: str, marks: frozenset[str]) -> bool:
    """Whether a `-m` expression chooses a test: none of its excluded marks, one of its wanted ones if there are any."""
    excluded = set(re.findall(r"\bnot\s+\(?\s*(\w+)", expression))
    wanted = set(re.findall(r"\w+", expression)) - excluded - {"not", "and", "or"}
    return not marks & excluded and (not wanted or bool(marks & wanted))


def _script_tests(command: Command, place: Place, configured: frozenset[str]) -> bool:
    if place.collected != "javascript":
        in_config = "eval" in " ".join(command.words) or ".eval." in configured
        if not (place.path.rpartition("/")[2].count(".eval.") and in_config):
            return False
    pattern = command.option("--testPathPatterns", "--testPathPattern")
    ignored = command.option("--testPathIgnorePatterns")
    if pattern is not None and not _found(pattern, place.path):
        return False
    if ignored is not None and _found(ignored, place.path):
        return False
    filters = [word for word in command.operands(VALUED) if word not in {"run", "watch", "test", "related", "bench"}]
    return not filters or any(word.lstrip("./").rstrip("*/") in place.path for word in filters)


def _found(pattern: str, path: str) -> bool:
    """Whether a path pattern of Jest matches: alternatives of plain texts with `.*` between them, `$` at the end.

    It is not run as a regular expression, because the project may be hostile.
    """
    return any(_in_order(alternative, path) for alternative in pattern.strip("()").split("|"))


def _in_order(alternative: str, path: str) -> bool:
    pieces = [piece.replace("\\", "") for piece in alternative.removesuffix("$").lstrip("^").split(".*")]
    at = 0
    for piece in pieces:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return not alternative.endswith("$") or path.endswith(pieces[-1])


def _named(command: Command, verbs: frozenset[str]) -> list[str]:
    """The paths that a command names."""
    return [word for word in command.operands(VALUED) if word not in verbs and "EXPRESSION" not in word]


def _is_below(command: Command, path: str, verbs: frozenset[str]) -> bool:
    """Whether a command's paths cover the file; without any, its folder does."""
    named = _named(command, verbs)
    places = [within(command.folder, re.split(r"::|@", word)[0].rstrip("*").rstrip("/")) for word in named]
    existing = [place for place in places if "$" not in place]
    return any(_covers(place, path) for place in existing or [command.folder])


def _covers(place: str, path: str) -> bool:
    return place in {"", path} or path.startswith(f"{place}/")


def _is_file(command: Command, words: tuple[str, ...], paths: frozenset[str]) -> bool:
    named = next((word for word in words if not word.startswith("-") and "=" not in word), None)
    return named is not None and bool({within(command.folder, named), within("", named)} & paths)


def _is_entry(text: str, place: Place) -> bool:
    """Whether an entry point (`package.module:function`) runs a suite: its function does, or its module."""
    module, _, function = text.partition(":")
    paths = (*place.starters, *(path for path, name in place.entries if name == function))
    return any(_is_module(path, module) for path in paths)


def _is_module(path: str, module: str) -> bool:
    file = module.replace(".", "/")
    return bool(file) and any(
        path == name or path.endswith(f"/{name}")
        for name in (f"{file}.py", f"{file}/__main__.py", f"{file}/__init__.py")
    )


def _trials(command: Command) -> int | None:
    names = REPEATS.get(command.program, ("--count", "--repeat", "--repeats", "--trials", "--epochs", "--num-trials"))
    found = command.option(*names)
    return whole_number(found) if found is not None else None


def is_attack(command: Command) -> bool:
    """Whether a command is a red team of its own, which needs no code in the project."""
    module = command.option("-m") if command.program in INTERPRETERS else None
    if command.program == "promptfoo":
        return command.words[1:2] == ("redteam",) and command.words[2:3] in {("run",), ("eval",)}
    return (module or command.program) in ATTACKERS or command.words[:2] == ("deepteam", "run")


class Origin(NamedTuple):
    """Who runs a command: in words, where that is written, and whether it gates changes."""

    words: str
    span: Span
    is_ci: bool
    gates: bool
