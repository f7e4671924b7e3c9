"""Agents that run as a program of their own, where code starts the process: `spawn("claude", ["--print", …])`.

The rows of the pack `agent-programs` name the programs, and their options as the arguments of a call. The site is where
the project names the program: a helper that starts whatever it is given is gone out of, to each of its callers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Entries, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.commands import BEFORE, Word, commands, program_of
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.matches import effect_rows
from agent_architecture.semantics.matching.substitutions import filled, of_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow

PACK: Final = "agent-programs"
KINDS: Final = ("run", "agent", "tool_set", "memory")
STARTING: Final = ("execute_process", "execute_shell")
DEPTH: Final = 4
"""Helpers of helpers that are gone out of."""

SUFFIX: Final = regex(r"\.(?:exe|cmd|bat|sh|js)$", re.IGNORECASE)
LISTED: Final = regex(r"tools$", re.IGNORECASE)
"""Options that take a list of tools."""


class Start(NamedTuple):
    """A call that starts a process: `node` names the program, `given` is the library's call with what it is given."""

    node: ir.Call
    given: ir.Call


def started_agents(program: Program, packs: Packs) -> Iterator[Match]:
    """The agents that run as a process, and their runs: what the rows say of the programs, at each place of a start."""
    known = {text for text, _ in packs.texts(PACK, "run")}
    done: set[int] = set()
    for name in sorted(packs.effect_names(*STARTING)) if known else ():
        for site in program.calls(name):
            if id(site.call) in done or not any(r.effect in STARTING for r in effect_rows(program, packs, site.call)):
                continue
            done.add(id(site.call))
            for start in _starts(program, Start(site.call, site.call), site.scope, DEPTH):
                yield from _matches(program, packs, known, start)


def _matches(program: Program, packs: Packs, known: set[str], start: Start) -> Iterator[Match]:
    for command in commands(program, start.given):
        words = [word for word in command.words if not isinstance(word.expr, ir.Spread)]
        text, rest = _named(words, known)
        row = packs.named(PACK, "run", text) if text else None
        if row is None or _runs_nothing(rest, row):
            continue
        made = start.given._replace(
            args=(*_options(program, rest, _words(row, "switches")), *_of_process(program, start.given))
        )
        api = Api(f"program:{text}", start.node.callee)
        rows = (packs.named(PACK, kind, text) for kind in KINDS)
        yield from (Match(one, start.node, made, api) for one in rows if one is not None)
        return


def _runs_nothing(words: list[Word], row: EntityRow) -> bool:
    """Whether a program is only asked for its version, or told to change its settings."""
    without = _words(row, "without")
    first = next((word.text for word in words if not word.text.startswith("-")), "")
    return first in without or any(word.text in without for word in words if word.text.startswith("-"))


def _words(row: EntityRow, name: str) -> frozenset[str]:
    return frozenset(str(row.constants.get(name, "")).split())


# ------------------------------------------------------------------------------------------------ who names the program
def _starts(program: Program, start: Start, scope: ir.Scope, depth: int) -> Iterator[Start]:
    """The start as each caller gives it, where the program is what a function of the project is handed."""
    found = False
    around: ir.Scope = scope
    while depth and isinstance(around, ir.Function):
        named = _place(program, start.given, around)
        for site in program.callers(around) if named is not None else ():
            filling = of_call(around, site)
            if named is not None and filled(program, named, filling) is not named:
                given = filled(program, start.given, filling)
                if isinstance(given, ir.Call):
                    found = True
                    yield from _starts(program, Start(site.call, given), site.scope, depth - 1)
        if found:
            return
        around = around.outer
    yield start


def _place(program: Program, call: ir.Call, around: ir.Function) -> ir.Expr | None:
    """Where a function names the program: the first word of its command, or the command that it is handed."""
    first = program_of(call)
    if isinstance(first, ir.List):
        return first.items[0] if first.items else None
    if first is None:
        return None
    inner = (v.items[0] for v in program.value_of(first) if isinstance(v, Items) and v.items)
    return next((one for one in inner if around.span.contains(one.span)), first)


# ---------------------------------------------------------------------------------------------------------- its program
def _named(words: list[Word], known: set[str]) -> tuple[str, list[Word]]:
    """The program among the known that a command starts, and the words after it; "" for another one."""
    started_by_other = False
    for number, word in enumerate(words):
        name = SUFFIX.sub("", re.split(r"[/\\]", word.text)[-1]) if not word.text.startswith("@") else word.text
        after = words[number + 1 :]
        command = next((w.text for w in after if not w.text.startswith("-")), "")
        if f"{name} {command}" in known:
            at = next(n for n, w in enumerate(after) if w.text == command)
            return f"{name} {command}", [*after[:at], *after[at + 1 :]]
        if name in known:
            return name, after
        started_by_other = started_by_other or name in BEFORE
        if not started_by_other and "=" not in word.text:
            return "", []
    return "", []


# ---------------------------------------------------------------------------------------------------------- its options
def _options(program: Program, words: list[Word], switches: frozenset[str]) -> Iterator[ir.Argument]:
    """The options of a command as keywords, and its other words as what comes without one."""
    number = 0
    while number < len(words):
        word, number = words[number], number + 1
        if not word.text.startswith("-") or word.text in {"-", "--"}:
            yield ir.Argument(None, word.expr)
            continue
        name, equals, value = word.text.partition("=")
        key = name.lstrip("-").replace("-", "_")
        if equals:
            yield ir.Argument(key, _listed(program, key, [Word(value, program.made.literal(word.expr, value))]))
            continue
        taken: list[Word] = []
        if key not in switches:
            most = len(words) if LISTED.search(key) else number + 1
            while number < min(most, len(words)) and not words[number].text.startswith("-"):
                taken.append(words[number])
                number += 1
        if taken:
            yield ir.Argument(key, _listed(program, key, taken))
        else:
            yield ir.Argument(key, program.made.literal(word.expr, True))


def _listed(program: Program, key: str, words: list[Word]) -> ir.Expr:
    """What an option is given: a text, or the list that a text of names stands for."""
    if not LISTED.search(key):
        word = words[0]
        return program.made.literal(word.expr, word.text) if word.text else word.expr
    names = [(n, w) for w in words for n in re.split(r"[,\s]+(?![^(]*\))", w.text) if n]
    return ir.List(words[0].expr.span, tuple(program.made.literal(w.expr, n) for n, w in names))


def _of_process(program: Program, call: ir.Call) -> Iterator[ir.Argument]:
    """What the process itself is given, apart from the options of the program."""
    for argument in call.args:
        if argument.keyword not in {None, "args", "cmd", "command"}:
            yield argument._replace(keyword=f"@{argument.keyword}")
    last = call.args[-1] if len(call.args) > 1 else None
    if last is not None and last.keyword is None and any(isinstance(v, Entries) for v in program.value_of(last.value)):
        yield ir.Argument("@options", last.value)
