"""Program texts that processes are started on: interpreters, and the words of a command line that give them text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const, Items, Text, Values
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.written_files import written_to

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir

INTERPRETER: Final = regex(r"(?:^|/)(?:python[\d.]*|node|nodejs|deno|bun|ruby|perl|php|Rscript)(?:\.exe)?$")
"""Programs that run the text that follows `-c` or `-e`."""
COMMAND: Final = regex(r"(?:python[\d.]*|node|deno|bun|ruby|perl|php|Rscript)\s+(?:-\w+\s+)*(?:-c|-e|--eval|eval)\s")
"""A command line that starts an interpreter on the text that follows."""
EXECUTABLE: Final = "the running interpreter"
INLINE: Final = frozenset({"-c", "-e", "--eval", "eval", "-p", "-r"})


def inline(context: Context, call: ir.Call) -> Iterator[ir.Expr]:
    """The program text that a process call gives to an interpreter: as an argument, inside a command line, or in a file
    that the same function wrote.
    """
    program = context.program
    words: list[ir.Expr] = []
    for argument in (a.value for a in call.args if a.keyword in {None, "args"}):
        for value in program.value_of(argument):
            match value:
                case Items():
                    words.extend(value.items)
                case Text():
                    yield from _in_command_line(program, value)
                case _:
                    words.append(argument)
    texts = [word(program.value_of(each)) for each in words]
    if texts and (INTERPRETER.search(texts[0]) or texts[0] == EXECUTABLE):
        yield from (code for flag, code in zip(texts[1:], words[2:], strict=False) if flag in INLINE)
        yield from (text for word in words[1:] for text in written_to(program, call, word))


def _in_command_line(program: Program, command: Text) -> Iterator[ir.Expr]:
    """The parts of a command line that stand behind `python -c` or the like."""
    before = ""
    for part in command.parts:
        values = program.value_of(part)
        if len(values) == 1 and isinstance(values[0], Const):
            before += str(values[0].value)
        elif COMMAND.search(before):
            yield part


def word(values: Values) -> str:
    """The constant text that one word of a command is; "" for anything else."""
    match values:
        case (Const(value=value), *_):
            return str(value)
        case (Api(path="py:sys.executable" | "npm:globalThis:process.execPath"), *_):
            return EXECUTABLE
        case _:
            return ""
