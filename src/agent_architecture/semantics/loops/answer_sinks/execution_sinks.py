"""Calls that run a text: as a program, a command line, a database statement, or that open the address it is.

Gives what they run; whose text that is, is for others. A text that begins with fixed words is a fixed program,
statement or service that is only given an argument.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Api, Entries, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.code_execution import EXECUTABLE, INLINE, INTERPRETER, word
from agent_architecture.semantics.effects.written_files import written_to
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.commands import SHELL, SHELL_FLAGS
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import EffectRow

LINES: Final = frozenset({"execute_shell", "database"})
"""Effects of a text as a whole; what reads or writes records is given them, not a statement."""
ADDRESSED: Final = frozenset({"network_read", "network_write", "browser"})
RUNNING: Final = ("execute_code", "execute_process", *sorted(LINES | ADDRESSED))
LOADERS: Final = frozenset({"import_module", "__import__", "run_module", "run_path"})
BEGINS: Final = regex(r"(?:^|&&|\|\||[;|\n]|-l?c\s+[\"']?|^\s*(?:sudo|time|exec|bash|sh))\s*$")
"""What stands before a command of its own in a command line."""
BUILT: Final = regex(r"[:.](?:select|insert|update|delete)\(\)")
"""The paths of statements that calls of a library build."""
SCHEME: Final = regex(r"^[a-z][a-z0-9+.-]*:/{0,2}$", re.IGNORECASE)


class Executions:
    """The texts that calls run."""

    def __init__(self, context: Context, effects: Effects) -> None:
        self._context = context
        self._program = context.program
        self._effects = effects
        sinks = {callee_name(m.node.callee) for m in context.of_kind("code_sink") if isinstance(m.node, ir.Call)}
        self._names = context.packs.effect_names(*RUNNING) | sinks

    def of(self, call: ir.Call) -> Iterator[ir.Expr]:
        """What a call runs, or opens."""
        if callee_name(call.callee) not in self._names:
            return
        for row, made in self._effects.rows(call):
            if row.argument is not None and row.procedure is None and callee_name(made.callee) not in LOADERS:
                for expr in expressions(self._program, made, row.argument):
                    yield from self._run(row, made, expr)
        sink = self._context.at(call, "code_sink")
        address = sink.row.properties.get("code") if sink is not None else None
        if sink is not None and address is not None and sink.arguments is not None:
            yield from expressions(self._program, sink.arguments, address)

    def _run(self, row: EffectRow, call: ir.Call, expr: ir.Expr) -> Iterator[ir.Expr]:
        if row.effect == "execute_code":
            yield expr
        elif row.effect == "execute_process":
            yield from self._process(call, expr)
        elif row.effect in LINES:
            if not any(
                isinstance(value, (Entries, Items)) or _is_built(value) for value in self._program.value_of(expr)
            ):
                yield from self._line(expr, is_command=row.effect == "execute_shell")
        elif row.effect in ADDRESSED and not row.service:
            yield from self._address(expr)

    def _line(self, expr: ir.Expr, *, is_command: bool) -> Iterator[ir.Expr]:
        before = ""
        for piece in pieces_of(self._program, expr):
            if isinstance(piece, str):
                before += piece
            elif not before.strip() or (is_command and BEGINS.search(before)):
                yield piece
                before += "\0"
            else:
                before += "\0"

    def _address(self, expr: ir.Expr) -> Iterator[ir.Expr]:
        pieces = pieces_of(self._program, expr)
        begins = pieces[1:] if pieces and isinstance(pieces[0], str) and SCHEME.match(pieces[0]) else pieces
        if begins and not isinstance(begins[0], str):
            yield begins[0]

    def _process(self, call: ir.Call, expr: ir.Expr) -> Iterator[ir.Expr]:
        lists = [value.items for value in self._program.value_of(expr) if isinstance(value, Items)]
        if not lists:
            yield expr
        for words in lists:
            texts = [word(self._program.value_of(each)) for each in words]
            if not texts:
                continue
            if not texts[0]:
                yield words[0]
            flags = SHELL_FLAGS if SHELL.search(texts[0]) else INLINE if _interprets(texts[0]) else frozenset()
            yield from (line for flag, line in zip(texts[1:], words[2:], strict=False) if flag in flags)
            if flags:
                yield from (text for each in words[1:] for text in written_to(self._program, call, each))


def _is_built(value: Value) -> bool:
    """Whether a library builds a statement of columns and values that it binds: `select(Day).where(Day.of == day)`."""
    return isinstance(value, Api) and BUILT.search(value.path) is not None


def _interprets(program: str) -> bool:
    return INTERPRETER.search(program) is not None or program == EXECUTABLE
