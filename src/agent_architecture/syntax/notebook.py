"""Jupyter notebooks to the IR: the Python of their code cells as one module, with spans in the .ipynb file.

Knows nbformat 3 and 4 and the lines that only IPython understands: `%magic`, `!shell` and `object?` lines are blank,
a cell of another language (`%%bash`) is skipped. Knows no Python: `python` lowers the text.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.sources.source import Notice, SourceFile
from agent_architecture.syntax.cst import Text, syntax_errors
from agent_architecture.syntax.ir import Module
from agent_architecture.syntax.python import lower_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

_MAGIC: Final = re.compile(r"\s*(?:%{1,2}[A-Za-z_]|!(?!=)|\?{1,2}[\w.]|[\w.]+\?{1,2}\s*$)")
"""A line that is not Python. `% b` with a space is the operator in a broken line."""
_ASSIGNED: Final = re.compile(r"(\s*)[\w.,\s]+=\s*(?:!|%[A-Za-z_])")
"""`files = !ls`, `t = %timeit -o f()`."""
_PYTHON_CELLS: Final = frozenset({"time", "timeit", "capture", "prun"})
"""Cell magics that run the rest of the cell as Python."""
_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")
_CELL_MAGIC: Final = re.compile(r"\s*%%(\w+)")


class Line(NamedTuple):
    """One line of a cell: its text, its line in the .ipynb file, and the column (code points) where it begins there."""

    text: str
    line: int
    offset: int


def lower_notebook(file: SourceFile) -> Module:
    """The code cells of a notebook as one Python module; an empty one if its kernel speaks another language.

    What is no notebook, or broken JSON, gives a notice; cells that could be read are kept.
    """
    text = Text(file.path, file.data)
    root = _parser().parse(file.data).root_node
    notices = syntax_errors(text, root)
    top = _object(root)
    if top is None:
        not_one = Notice(file.path, None, "not a notebook")
        return lower_text(file, Text(file.path, b"", ()), text.span(root), notices or (not_one,))
    lines: list[Line] = []
    if _is_python(text, top):
        for cell in _cells(text, top):
            lines += _python_lines(_lines(text, cell))
    data = "".join(line.text + "\n" for line in lines).encode("utf-8", "replace")
    rows = tuple([(line.line, line.offset) for line in lines])
    return lower_text(file, Text(file.path, data, (*rows, rows[-1]) if rows else ()), text.span(root), notices)


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_json

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_json.language()))


# ------------------------------------------------------------------------------------------------------------- the JSON
def _object(root: Node) -> Node | None:
    return next((child for child in root.named_children if child.type == "object"), None)


def _value(text: Text, node: Node | None, *keys: str) -> Node | None:
    """The value under a path of keys; None where there is none."""
    for key in keys:
        pairs = [] if node is None or node.type != "object" else node.named_children
        node = next((pair.child_by_field_name("value") for pair in pairs if _is_key(text, pair, key)), None)
    return node


def _is_key(text: Text, pair: Node, key: str) -> bool:
    name = pair.child_by_field_name("key") if pair.type == "pair" else None
    return name is not None and text.of(name) == f'"{key}"'


def _string(text: Text, node: Node | None) -> str:
    if node is None or node.type != "string":
        return ""
    try:
        value = json.loads(text.of(node), strict=False)
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def _items(node: Node | None) -> list[Node]:
    return node.named_children if node is not None and node.type == "array" else []


def _is_python(text: Text, top: Node) -> bool:
    named = [
        _string(text, _value(text, top, "metadata", *path)).lower()
        for path in (("language_info", "name"), ("kernelspec", "language"), ("kernelspec", "name"))
    ]
    said = next((name for name in named if name), "python")
    return "python" in said


def _cells(text: Text, top: Node) -> Iterator[Node]:
    """The source of each code cell: `cells[].source`, in nbformat 3 `worksheets[].cells[].input`."""
    sheets = [top, *_items(_value(text, top, "worksheets"))]
    for cell in [cell for sheet in sheets for cell in _items(_value(text, sheet, "cells"))]:
        if _string(text, _value(text, cell, "cell_type")) != "code":
            continue
        source = _value(text, cell, "source") or _value(text, cell, "input")
        if source is not None and _string(text, _value(text, cell, "language")) in ("", "python"):
            yield source


# ------------------------------------------------------------------------------------------------------------ the lines
def _lines(text: Text, source: Node) -> list[Line]:
    """The lines of a cell: nbformat writes one string for each, or a single one for all."""
    lines: list[Line] = []
    open_line = False
    for node in [source] if source.type == "string" else _items(source):
        start = text.span(node)
        for at, part in _parts(_string(text, node)):
            if open_line:
                lines[-1] = lines[-1]._replace(text=lines[-1].text + part.rstrip("\n"))
            else:
                lines.append(Line(part.rstrip("\n"), start.line, start.col + at))
            open_line = not part.endswith("\n")
    return lines


def _parts(value: str) -> Iterator[tuple[int, str]]:
    """The lines of a string, each with the column in the JSON string where it begins."""
    at = 0
    for part in _LINES.findall(value.replace("\r\n", "\n").replace("\r", "\n")):
        yield at, part
        at += len(json.dumps(part, ensure_ascii=False)) - 2


def _python_lines(lines: list[Line]) -> list[Line]:
    """The lines with everything that is not Python taken out."""
    cell = _CELL_MAGIC.match(next((line.text for line in lines if line.text.strip()), ""))
    if cell is not None and cell.group(1) not in _PYTHON_CELLS:
        return []
    kept: list[Line] = []
    continued = False
    for line in lines:
        magic = continued or _MAGIC.match(line.text) is not None or _ASSIGNED.match(line.text) is not None
        continued = magic and line.text.rstrip().endswith("\\")
        kept.append(line._replace(text=_nothing(line.text)) if magic else line)
    return kept


def _nothing(text: str) -> str:
    """An empty line; in a block, `pass`, which keeps the block."""
    indent = text[: len(text) - len(text.lstrip())]
    return indent + "pass" if indent else ""
