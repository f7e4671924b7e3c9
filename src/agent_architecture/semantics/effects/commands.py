"""The commands that a call starts, word by word: `run(["git", "log"])`, `spawn("git", ["log"])`, `exec("git log")`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Const, Items, Text
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

BEFORE: Final = frozenset({
    "npx", "bunx", "pnpm", "yarn", "dlx", "uvx", "env", "sudo", "nohup", "exec", "command", "timeout", "gtimeout",
    "stdbuf", "bash", "sh", "zsh", "cmd", "script", "xargs",
})  # fmt: skip
"""Programs that start the program which is named after them."""
NEXT: Final = regex(r"&&|\|\|?|;|\(|\$\(|`|\n")
"""What stands between two commands of a line."""
WORD: Final = regex(r"""&&|\|\|?|;|\n|\$\(|[`()]|(?:[^\s"'`;|&()]|\$(?!\())+|["']""")


class Word(NamedTuple):
    """One word of a command: its text ("" for one that is made at run time), where it is written, and whether the text
    is all that it can be.
    """

    text: str
    expr: ir.Expr
    is_fixed: bool = True


class Command(NamedTuple):
    """The words of one command, and whether a shell reads them out of a line."""

    words: tuple[Word, ...]
    is_line: bool = False


def program_of(call: ir.Call) -> ir.Expr | None:
    """What names the program that a call starts: its first word, its list of words (`run(words)`, `exec(*words)`), or
    its line.
    """
    return next((a.value for a in _plain(call)), None)


def _plain(call: ir.Call) -> Iterator[ir.Argument]:
    """What a call is given as words of a command: not its options."""
    return (a for a in call.args if a.keyword in {None, "args", "cmd", "command"} and a.spread != "**")


def commands(program: Program, call: ir.Call) -> Iterator[Command]:
    """The commands that a call starts: of a list each that it can be, of a line each part."""
    plain = list(_plain(call))
    first = program_of(call)
    if first is None:
        return
    values = program.value_of(first)
    lists = [value.items for value in values if isinstance(value, Items)]
    if lists:
        for items in lists:
            yield from _of_list(program, items)
        if len(lists) < len(values):
            yield Command((Word("", first, is_fixed=False),))
        return
    following = [a for a in plain if a.value is not first]
    inner = [v.items for a in following[:1] for v in program.value_of(a.value) if isinstance(v, Items)]
    if inner:
        for items in inner:
            yield from _of_list(program, (first, *items))
        return
    line = _line(program, first)
    if len(line) > 1:
        yield from _parts(line)
    else:
        rest = (ir.Spread(a.value.span, a.value) if a.spread else a.value for a in following)
        yield from _of_list(program, (first, *rest))


def _of_list(program: Program, items: Iterable[ir.Expr]) -> Iterator[Command]:
    words = tuple(word for item in items for word in _word(program, item))
    yield Command(words)
    for word, after in pairwise(words):
        if word.text in {"-c", "-lc", "/c"} and words[0].text.rpartition("/")[2] in BEFORE:
            yield from _parts(_line(program, after.expr))


def _word(program: Program, item: ir.Expr) -> Iterator[Word]:
    """The word that an item of a list is; those of a list that is spread, or the spread where they are not known."""
    if isinstance(item, ir.Spread):
        inner = [value.items for value in program.value_of(item.value) if isinstance(value, Items)]
        longest = max(inner, key=len, default=())
        for one in longest:
            yield from _word(program, one)
        if not longest:
            yield Word("", item, is_fixed=False)
        return
    values = program.value_of(item)
    texts = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, str)]
    yield Word(texts[0] if texts else "", item, is_fixed=len(texts) == len(values) == 1)


def _line(program: Program, expr: ir.Expr) -> list[Word]:
    """The words of a text that a shell reads; what is put into it is a word of its own."""
    words: list[Word] = []
    values = program.value_of(expr) if isinstance(expr, ir.Name) else ()
    written = values[0].node if len(values) == 1 and isinstance(values[0], Text) else expr
    for piece in pieces_of(program, written):
        if not isinstance(piece, str):
            words.extend(_word(program, piece))
            continue
        words.extend(Word(found, expr) for found in WORD.findall(piece) if found not in {'"', "'"})
    return words


def _parts(line: list[Word]) -> Iterator[Command]:
    part: list[Word] = []
    for word in line:
        if NEXT.fullmatch(word.text):
            yield Command(tuple(part), is_line=True)
            part = []
        else:
            part.append(word)
    yield Command(tuple(part), is_line=True)
