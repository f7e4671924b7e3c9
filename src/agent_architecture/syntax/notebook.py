"""Jupyter notebooks to the IR: the code of their cells as one module, with spans in the .ipynb file.

Knows nbformat 3 and 4 and the lines that only IPython understands: `%magic`, `!shell` and `object?` lines are blank,
a cell of another language (`%%bash`) is skipped. Knows no Python and no TypeScript: `python` and
`javascript` lower the text.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Language, Notice, SourceFile
from agent_architecture.syntax.cst import Row, Text, syntax_errors
from agent_architecture.syntax.grammars import load_grammar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.ir import Module

_SCRIPTS: Final = frozenset({Language.TYPESCRIPT, Language.JAVASCRIPT})
_MAGIC: Final = regex(r"\s*(?:%{1,2}[A-Za-z_]|!(?!=)|\?{1,2}[\w.]|[\w.]+\?{1,2}\s*$)")
"""A line that is not Python. `% b` with a space is the operator in a broken line."""
_ASSIGNED: Final = regex(r"\s*+[\w.,][\w.,\s]*+=\s*(?:!|%[A-Za-z_])")
"""`files = !ls`, `t = %timeit -o f()`."""
_PYTHON_CELLS: Final = frozenset({"time", "timeit", "capture", "prun"})
"""Cell magics that run the rest of the cell as Python."""
_CELL_LANGUAGES: Final = frozenset({"", "python", "typescript", "javascript"})
"""What a cell may be said to be in (nbformat 3); nothing, since then."""
_CHARACTER: Final = regex(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
"""One character of a JSON string as it is written; two escapes are one surrogate pair."""
_CELL_MAGIC: Final = regex(r"\s*%%(\w+)")
_SHELL_CELL: Final = regex(r"\s*%%(?:bash|sh)\b")
_SHELL_LINE: Final = regex(r"\s*(?:!{1,2}(?!=)|%(?=(?:uv[ \t]+)?pip\b))")


class Line(NamedTuple):
    """One line of a cell: its text, and where it stands in the .ipynb file."""

    text: str
    row: Row


def lower_notebook(file: SourceFile) -> Module:
    """The code cells of a notebook as one module of Python, or of the script that the file is said to be in
    (`sources.languages.content_language`); an empty one if its kernel speaks another language.

    What is no notebook, or broken JSON, gives a notice; cells that could be read are kept.
    """
    text = Text(file.path, file.data)
    root = _parser().parse(file.data).root_node
    notices = syntax_errors(text, root)
    top = next((child for child in root.named_children if child.type == "object"), None)
    is_script = file.language in _SCRIPTS
    cells = _cells(text, root) if is_script or _is_python(text, top) else []
    if top is None and not cells:
        notices = notices or (Notice(file.path, None, "not a notebook"),)
    read = [_lines(text, cell) for cell in cells]
    lines = [line for cell in read for line in (cell if is_script else _python_lines(cell))]
    data = "".join([line.text + "\n" for line in lines]).encode("utf-8", "replace")
    rows = tuple([line.row for line in lines])
    return _lowered(file, Text(file.path, data, rows + rows[-1:]), text.span(root), notices)


def _lowered(file: SourceFile, text: Text, span: Span, notices: tuple[Notice, ...]) -> Module:
    if file.language in _SCRIPTS:
        from agent_architecture.syntax.javascript import lower_script

        return lower_script(file, text, span, notices)
    from agent_architecture.syntax.python import lower_text

    return lower_text(file, text, span, notices)


def shell_lines(file: SourceFile) -> tuple[Line, ...]:
    """What the cells of a notebook hand to the shell or to pip, without the mark: `!pip install x`, `%pip install x`,
    the lines below `%%bash`.
    """
    text = Text(file.path, file.data)
    found: list[Line] = []
    for cell in _cells(text, _parser().parse(file.data).root_node):
        lines = _lines(text, cell)
        whole = _SHELL_CELL.match(next((line.text for line in lines if line.text.strip()), "")) is not None
        for line in lines:
            marked = _SHELL_LINE.match(line.text)
            if marked is not None or (whole and not line.text.lstrip().startswith(("#", "%%"))):
                found.append(line._replace(text=line.text[marked.end() :] if marked is not None else line.text))
    return tuple(found)


@cache
def _parser() -> Parser:
    import tree_sitter

    return tree_sitter.Parser(load_grammar("tree_sitter_json"))


# ------------------------------------------------------------------------------------------------------------- the JSON
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


def _is_python(text: Text, top: Node | None) -> bool:
    named = [
        _string(text, _value(text, top, "metadata", *path)).lower()
        for path in (("language_info", "name"), ("kernelspec", "language"), ("kernelspec", "name"))
    ]
    said = next((name for name in named if name), "python")
    return "python" in said


def _cells(text: Text, root: Node) -> list[Node]:
    """The source of each code cell, wherever it stands: `cells[].source`, in nbformat 3 `cells[].input`."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        kind = _string(text, _value(text, node, "cell_type"))
        if not kind:
            stack.extend(reversed(node.named_children))
            continue
        source = _value(text, node, "source") or _value(text, node, "input")
        if kind == "code" and source is not None and _string(text, _value(text, node, "language")) in _CELL_LANGUAGES:
            found.append(source)
    return found


# ------------------------------------------------------------------------------------------------------------ the lines
def _lines(text: Text, source: Node) -> list[Line]:
    """The lines of a cell: nbformat writes one string for each, or a single one for all."""
    lines: list[Line] = []
    is_open = False
    for node in [source] if source.type == "string" else _items(source):
        start = text.span(node)
        for characters in _split(_characters(text.of(node)[1:-1] if node.type == "string" else "")):
            content = "".join([character for character, _ in characters])
            if is_open:
                lines[-1] = lines[-1]._replace(text=lines[-1].text + content.rstrip("\n"))
            else:
                lines.append(Line(content.rstrip("\n"), _row(start.line, start.col + 1, characters)))
            is_open = not content.endswith("\n")
    return lines


def _characters(raw: str) -> list[tuple[str, int]]:
    """The characters of a JSON string, each with its place between the quotes."""
    return [(_decoded(match.group()), match.start()) for match in _CHARACTER.finditer(raw)]


def _decoded(written: str) -> str:
    try:
        value = json.loads(f'"{written}"', strict=False) if len(written) > 1 else written
    except ValueError:
        return "\ufffd"
    return value if isinstance(value, str) else "\ufffd"


def _split(characters: list[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    """The lines of a string, their ends included."""
    line: list[tuple[str, int]] = []
    for character in characters:
        if character[0] == "\r":
            continue
        line.append(character)
        if character[0] == "\n":
            yield line
            line = []
    if line:
        yield line


def _row(line: int, first: int, characters: list[tuple[str, int]]) -> Row:
    """Where a line stands: it begins at its first character; an escape sequence moves what follows it."""
    start = characters[0][1]
    if all(at - start == index for index, (_, at) in enumerate(characters)):
        return Row(line, first + start - 1)
    end = characters[-1][1] + 1
    return Row(line, first + start - 1, tuple([first + at for _, at in characters] + [first + end]))


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
