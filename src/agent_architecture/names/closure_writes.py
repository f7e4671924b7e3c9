"""Which functions may assign a name of a scope around them, told cheaply, so that only those are lowered.

Looks at positions and bytes; whether they really do is for `scopes` to say.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.syntax import ir

_GLOBAL: Final = regex(rb"\b(?:global|nonlocal)[ \t\\]")
_ASSIGNMENT: Final = regex(
    rb"(?<![\w$.])([A-Za-z_$][\w$]*)[ \t]*(?:(?:\?\?|\|\||&&|\*\*|<<|>>>?|[-+*/%&|^])?=(?![=>])|\+\+|--)"
    rb"|(?:\+\+|--)([A-Za-z_$][\w$]*)"
)
_STORED: Final = regex(rb"\][ \t]*(?:\?\?|\|\|)?=(?![=>])")
_HOLDER: Final = regex(rb"(?<![\w$.\x80-\xff])([\w$\x80-\xff]+)[ \t]*\[")
"""Where an element is assigned, and what has elements in front of it on the line."""
_KEPT: Final = regex(rb"(?:\]|\.[\w$]+)[ \t]*(?:\?\?|\|\|)?=(?![=>])")
_KEEPER: Final = regex(rb"(?<![\w$.\x80-\xff])(?!this\b)([\w$\x80-\xff]+)[ \t]*[\[.]")
"""The same in JavaScript, where an object has its entries as attributes, too: `table.key = value`."""
_SET: Final = regex(rb"\.\w+[ \t]*=(?![=>])")
_HOLDING: Final = regex(rb"(?<![\w$.\x80-\xff])([\w$\x80-\xff]+)\Z")
"""Where an attribute is assigned, and what has it."""
_DECLARATION: Final = regex(rb"\b(?:const|let|var|using)\s+$")
_LONGEST_KEYWORD: Final = 16
_LONGEST_NAME: Final = 200


def nested_functions(function: ir.Function) -> tuple[ir.Function, ...]:
    """The functions inside a function, at any depth, in source order."""
    functions = function.module.index.functions
    first = bisect_left(functions, _start(function), key=_start)
    end = (function.span.end_line, function.span.end_col)
    inside = takewhile(lambda inner: _start(inner) < end, islice(functions, first, None))
    return tuple(inner for inner in inside if inner is not function)


def _start(function: ir.Function) -> tuple[int, int]:
    return function.span.line, function.span.col


def may_write(module: ir.Module, data: bytes | None, names: frozenset[str]) -> tuple[ir.Function, ...]:
    """The functions of a module on whose lines something like an assignment to one of its names stands."""
    if not data or not module.index.functions:
        return ()
    python = module.language in {Language.PYTHON, Language.NOTEBOOK}
    offsets = [match.start() for match in _GLOBAL.finditer(data)] if python else list(_assignments(data, names))
    if not offsets:
        return ()
    return _covering(module, data, offsets)


def may_store(module: ir.Module, data: bytes | None) -> dict[str, tuple[ir.Function, ...]]:
    """The functions of a module on whose lines something like an assignment to an element of a name stands, by name."""
    if not data or not module.index.functions:
        return {}
    stored, holding = (_STORED, _HOLDER) if is_python(module.path) else (_KEPT, _KEEPER)
    lines: dict[bytes, dict[int, None]] = {}
    line, before = 1, 0
    for end in stored.finditer(data):
        start = max(before, data.rfind(b"\n", before, end.start()) + 1)
        line += data.count(b"\n", before, start)
        for name in holding.findall(data, start, end.start() + 1):
            lines.setdefault(name, {})[line] = None
        before = end.start()
    return {name.decode("utf-8", "replace"): _on_lines(module, list(found)) for name, found in lines.items()}


def may_set(module: ir.Module, data: bytes | None, names: Collection[str]) -> dict[str, tuple[ir.Function, ...]]:
    """The functions of a module on whose lines something like an assignment to an attribute of one of these names
    stands, by name.
    """
    if not data or not module.index.functions:
        return {}
    wanted = {name.encode(): name for name in names}
    offsets: dict[bytes, list[int]] = {}
    for found in _SET.finditer(data):
        holder = _HOLDING.search(data, max(0, found.start() - _LONGEST_NAME), found.start())
        if holder is not None and holder[1] in wanted:
            offsets.setdefault(holder[1], []).append(found.start())
    return {wanted[name]: _covering(module, data, places) for name, places in offsets.items()}


def _assignments(data: bytes, names: frozenset[str]) -> Iterator[int]:
    """Where JavaScript assigns one of the names without declaring it. A destructuring assignment is not seen."""
    wanted = {name.encode() for name in names}
    for match in _ASSIGNMENT.finditer(data):
        if (match[1] or match[2]) in wanted:
            before = data[max(0, match.start() - _LONGEST_KEYWORD) : match.start()]
            if not _DECLARATION.search(before):
                yield match.start()


def _covering(module: ir.Module, data: bytes, offsets: list[int]) -> tuple[ir.Function, ...]:
    """The functions of a module that have one of these places, which are in ascending order, on their lines."""
    return _on_lines(module, lines_at(data, offsets))


def lines_of(pattern: re.Pattern[bytes], data: bytes) -> list[int]:
    """The lines on which a pattern is found, in ascending order."""
    return lines_at(data, [found.start() for found in pattern.finditer(data)])


def lines_at(data: bytes, offsets: Iterable[int]) -> list[int]:
    """The lines of these places, which are in ascending order; the bytes are gone through once."""
    lines: list[int] = []
    line, before = 1, 0
    for offset in offsets:
        line += data.count(b"\n", before, offset)
        before = offset
        lines.append(line)
    return lines


def _on_lines(module: ir.Module, lines: list[int]) -> tuple[ir.Function, ...]:
    """The functions of a module that cover one of these lines, which are in ascending order."""
    return tuple(function for function in module.index.functions if covers(function, lines))


def covers(scope: ir.Function | ir.Class, lines: list[int]) -> bool:
    """Whether a function or class stands on one of these lines, which are in ascending order."""
    place = bisect_left(lines, scope.span.line)
    return place < len(lines) and lines[place] <= scope.span.end_line
