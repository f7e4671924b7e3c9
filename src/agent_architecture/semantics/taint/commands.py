"""Commands and programs that code starts: whether a model writes the command line or only arguments, and in which
container they run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.touches import Choice, Fence, FenceKind
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.code_execution import EXECUTABLE, INLINE, INTERPRETER, word
from agent_architecture.semantics.effects.sanitisers import LINE
from agent_architecture.semantics.effects.written_files import written_to
from agent_architecture.semantics.matching.context import written_as
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.taint.shaping import Shaping
    from agent_architecture.sources.source import Span

SHELL: Final = regex(r"(?:^|[/\\])(?:ba|z|da|k|fi)?sh(?:\.exe)?$|(?:^|[/\\])(?:cmd|powershell|pwsh)(?:\.exe)?$")
SHELL_FLAGS: Final = frozenset({"-c", "-lc", "-ic", "-lic", "/c", "/C", "-Command", "-command", "-EncodedCommand"})
CONTAINER: Final = regex(
    r"(?:^|[/\\])(?:docker|podman|nerdctl|singularity|apptainer|bwrap|firejail|nsjail|runsc|sandbox-exec|bubblewrap)$"
)
"""Programs that start another one in a container or in a namespace of its own."""
INTO: Final = regex(r"^\s*(?:sudo\s+)?(?:(?:docker|podman|nerdctl)\s+(?:exec|run)|(?:singularity|apptainer)\s+exec)\b")
TYPING: Final = frozenset({"write", "writelines", "send", "sendline", "communicate", "end"})
STDIN: Final = "stdin"
LISTENING: Final = "-s"
"""The option by which a shell reads its commands from its input, whatever else it is told."""
PLACING: Final = frozenset({"exec", "run", "create"})
ALONE: Final = frozenset({"bwrap", "firejail", "nsjail", "sandbox-exec", "bubblewrap"})


class Command(NamedTuple):
    """How much of a command a model writes, by which arguments, and what runs it apart from the host."""

    choice: Choice
    names: frozenset[str] = frozenset()
    place: tuple[Fence, ...] = ()
    line: bool = True
    """Whether it is read as a command line, or as program text, not as a list of words."""
    typed: Span | None = None
    """Where it is typed into a shell that runs."""


def command_line(shaping: Shaping, exprs: tuple[ir.Expr, ...]) -> Command:
    """A text that a shell reads."""
    for expr in exprs:
        names = shaping.arguments(expr, LINE)
        place = tuple(_in_text(shaping, expr))
        if names:
            return Command(Choice.ALL, names, place)
        quoted = shaping.arguments(expr)
        if quoted:
            return Command(Choice.PART, quoted, place)
    return Command(Choice.NOTHING)


def argument_list(shaping: Shaping, exprs: tuple[ir.Expr, ...], call: ir.Call) -> Command:
    """A program and its arguments, the worst of what they can be; a shell or an interpreter that is given text reads
    that text as a program.
    """
    ways = [_one_list(shaping, words, call) for words in _ways(shaping, exprs)]
    worst = next((way for way in ways if way.choice is Choice.ALL), None)
    worst = worst or next((way for way in ways if way.choice is Choice.PART), ways[0])
    return worst if all(way.place for way in ways) else worst._replace(place=())


def _one_list(shaping: Shaping, words: tuple[ir.Expr, ...], call: ir.Call) -> Command:
    texts = [word(shaping.program.value_of(each)) for each in words]
    place = tuple(_in_words(words, texts))
    shaped = [shaping.arguments(each, LINE) for each in words]
    names = frozenset(name for found in shaped for name in found)
    inner = next((n for n, text in enumerate(texts) if _reads_text(text, texts[n + 1 :])), None)
    if inner is not None and any(shaped[inner + 1 :]):
        return Command(Choice.ALL, names, place)
    if texts and (INTERPRETER.search(texts[0]) is not None or texts[0] == EXECUTABLE):
        files = (text for each in words[1:] for text in written_to(shaping.program, call, each))
        written = frozenset(name for text in files for name in shaping.arguments(text, LINE))
        if written:
            return Command(Choice.ALL, written, place)
    return Command(Choice.PART if names else Choice.NOTHING, names, place, line=False)


def typed(shaping: Shaping, exprs: tuple[ir.Expr, ...], call: ir.Call, nodes: Iterable[ir.Node]) -> Command | None:
    """What a model types into a shell or interpreter that a call starts and that reads its commands from a pipe."""
    ways = [_started(shaping, exprs, words) for words in _ways(shaping, exprs) if words]
    if not ways or not any(map(_listens, ways)):
        return None
    given = [(a.value, call) for a in call.args if a.keyword == "input"]
    for node in nodes:
        if (
            isinstance(node, ir.Call)
            and callee_name(node.callee) in TYPING
            and STDIN in written_as(shaping.program, node.callee).lower()
        ):
            given.extend((argument.value, node) for argument in node.args)
    found = [(names, node.span) for expr, node in given if (names := shaping.arguments(expr, LINE))]
    names = frozenset[str]().union(*(each for each, _ in found))
    return Command(Choice.ALL, names, typed=found[0][1]) if found else None


def _started(shaping: Shaping, exprs: tuple[ir.Expr, ...], words: tuple[ir.Expr, ...]) -> list[str]:
    """The words with which a program is started, "" for one that nobody can read; a list or options that nobody can
    read are none of them.
    """
    texts = [word(shaping.program.value_of(each)) for each in words]
    found = zip(words, texts, strict=True)
    return [part for each, text in found if text or each not in exprs for part in text.split() or [""]]


def _listens(words: list[str]) -> bool:
    """Whether a shell or interpreter takes its program from what comes in: it is told of no file or text to run."""
    is_shell = bool(words) and SHELL.search(words[0]) is not None
    if not is_shell and not (words and INTERPRETER.search(words[0])):
        return False
    rest = words[1:]
    told = SHELL_FLAGS if is_shell else INLINE
    listens = is_shell and LISTENING in rest
    return listens or (told.isdisjoint(rest) and all(text.startswith("-") for text in rest))


def _reads_text(program: str, rest: list[str]) -> bool:
    """Whether a program reads one of the words after it as text; one that nobody can name may be a shell."""
    if SHELL.search(program) or not program:
        return any(text in SHELL_FLAGS for text in rest)
    return (INTERPRETER.search(program) is not None or program == EXECUTABLE) and any(text in INLINE for text in rest)


def _ways(shaping: Shaping, exprs: tuple[ir.Expr, ...]) -> tuple[tuple[ir.Expr, ...], ...]:
    """The words that expressions are, one after another: every list that one of them can be."""
    found = []
    for expr in exprs:
        lists = [value.items for value in shaping.program.value_of(expr) if isinstance(value, Items)]
        found.append(tuple(lists) or ((expr,),))
    longest = max(map(len, found), default=0)
    ways = [tuple(e for lists in found for e in lists[min(n, len(lists) - 1)]) for n in range(longest)]
    return tuple(way for way in ways if way) or (exprs,)


def _in_words(words: tuple[ir.Expr, ...], texts: list[str]) -> Iterator[Fence]:
    """The container that a list of words begins with."""
    if texts and CONTAINER.search(texts[0]):
        program = re.split(r"[/\\]", texts[0])[-1]
        if program in ALONE or any(text in PLACING for text in texts[1:]):
            yield Fence(FenceKind.SANDBOX, words[0].span, "container")


def _in_text(shaping: Shaping, expr: ir.Expr) -> Iterator[Fence]:
    pieces = pieces_of(shaping.program, expr)
    if pieces and isinstance(pieces[0], str) and INTO.match(pieces[0]):
        yield Fence(FenceKind.SANDBOX, expr.span, "container")
