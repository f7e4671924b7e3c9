"""What a run is given that may be text, where its library does not say under which name: a state, inputs, a message.

Says nothing of who wrote it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

NO_TEXT: Final = regex(
    r"(?:^|_)(?:ids?|uuid|key|token|config|configuration|options|settings|context|deps|dependencies|callbacks?|hooks|stream"
    r"|streaming|mode|model|agents?|client|session|thread|timeout|limits?|max|verbose|debug|app|name|store|memory|usage)(?:_|$)"
    r"|(?:Id|Ids|Key|Config|Options|Context|Mode|Limit)$",
)
"""Names of what says how a run is done, and for whom."""
DEEP: Final = 2
"""Names, mappings and objects through which what is given is taken apart."""


def given_texts(program: Program, run: ir.Call) -> Iterator[ir.Expr]:
    """The expressions that a run is given which may be text."""
    for argument in run.args:
        if argument.keyword is None or not NO_TEXT.search(argument.keyword):
            yield from _inside(program, argument.value, DEEP)


def _inside(program: Program, value: ir.Expr, depth: int) -> Iterator[ir.Expr]:
    """The parts of a mapping or of an object that is made there, but for those whose names say that it is no text."""
    match value:
        case ir.Name() if depth:
            made = [b.value for b in visible_bindings(program, value) if isinstance(b.value, (ir.Map, ir.Call))]
            yield from (part for each in made for part in _inside(program, each, depth - 1)) if made else (value,)
        case ir.Map(entries=entries):
            for entry in entries:
                if not (isinstance(entry.key, ir.Literal) and NO_TEXT.search(str(entry.key.value))):
                    yield from _inside(program, entry.value, depth)
        case ir.Call(args=args) if depth and any(argument.keyword for argument in args):
            for argument in args:
                if argument.keyword is None or not NO_TEXT.search(argument.keyword):
                    yield from _inside(program, argument.value, depth - 1)
        case _ if not (isinstance(value, (ir.Member, ir.Name)) and NO_TEXT.search(callee_name(value))):
            yield value
