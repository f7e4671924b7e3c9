r"""What a pattern takes out of a text: sentences, or only what its own letters and digits allow.

`(\d+)`, `\b[A-Z]{3}\b` and `(\w+)` take a number, a code, a word: whoever wrote the text, no more than that comes
through. Must not know who wrote it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Const
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

MANY: Final = r"(?:[*+]|\{\d*,\d*\}|\{\d{2,}\})"
FREE: Final = regex(
    rf"(?<!\\)(?:\\\\)*(?:\.|\\[SDW]){MANY}"
    rf"|\[\^(?:\\.|[^\]\\])+\]{MANY}"
    rf"|\[(?=(?:\\.|[^\]\\])*(?:\\[SWD]|\\s|[ ]))(?=(?:\\.|[^\]\\])*(?:\\[wSWD]|a-z|A-Z))(?:\\.|[^\]\\])+\]{MANY}"
)
"""What fits any number of signs of nearly any kind: words with what stands between them."""


def takes_text(program: Program, pattern: ir.Expr) -> bool:
    """Whether a pattern that can be read takes free text out; of one that cannot, nobody can say."""
    return any(FREE.search(part) is not None for text in _written(program, pattern) for part in _taken(text))


def _written(program: Program, pattern: ir.Expr) -> Iterator[str]:
    """The text of a pattern; of one that is put together what is written of it."""
    if isinstance(pattern, ir.Template):
        parts = (part.value if isinstance(part, ir.Literal) else "x" for part in pattern.parts)
        yield "".join(map(str, parts))
        return
    values = program.value_of(pattern)
    if len(values) == 1 and isinstance(values[0], Const) and isinstance(values[0].value, str):
        yield values[0].value


def _taken(pattern: str) -> Iterator[str]:
    """The parts of a pattern that its groups hold; the whole where it has none."""
    found = tuple(_groups(pattern))
    yield from found or (pattern,)


def _groups(pattern: str) -> Iterator[str]:
    begun: list[int] = []
    position = 0
    while position < len(pattern):
        sign = pattern[position]
        if sign == "\\":
            position += 1
        elif sign == "[":
            position = _end_of_class(pattern, position)
        elif sign == "(":
            begun.append(position)
        elif sign == ")" and begun:
            inside = pattern[begun.pop() + 1 : position]
            is_named = inside.startswith(("?P<", "?<")) and inside[2:3] not in {"=", "!"}
            if is_named or not inside.startswith("?"):
                yield inside
        position += 1


def _end_of_class(pattern: str, start: int) -> int:
    position = start + (2 if pattern[start + 1 : start + 2] == "^" else 1) + 1
    while position < len(pattern) and pattern[position] != "]":
        position += 2 if pattern[position] == "\\" else 1
    return position
