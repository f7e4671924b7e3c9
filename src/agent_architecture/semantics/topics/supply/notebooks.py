"""Notebooks that install what their cells import: `!pip install crewai`, `%pip install -U langchain`, `%%bash` cells.

Reads the lines that are not Python; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem, InstallPath
from agent_architecture.regexes import regex
from agent_architecture.semantics.topics.supply.images import served_commands
from agent_architecture.sources.source import Language, Span
from agent_architecture.syntax.notebook import shell_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.supply.serving import Serving
    from agent_architecture.sources.source import Role, SourceFile

_INSTALLING: Final = regex(rb"\b(?:pip[\d.]*|uv|npm|pnpm|yarn|npx|uvx|curl|wget)\b")


def in_notebooks(context: Context, serving: Serving, judged: frozenset[Role]) -> Iterator[InstallPath]:
    """One install path for each notebook whose cells install what serves an agent."""
    for file in context.program.table.files():
        if file.language is Language.NOTEBOOK and file.role in judged and _INSTALLING.search(file.data):
            items = tuple(_items(file, serving))
            if items:
                yield InstallPath(items[0].span, file.path.rpartition("/")[2], "", "notebook", items)


def _items(file: SourceFile, serving: Serving) -> Iterator[InstallItem]:
    for line in shell_lines(file):
        start = line.row.columns[0] if line.row.columns else line.row.offset + 1
        end = line.row.columns[-1] if line.row.columns else start + len(line.text)
        yield from served_commands(line.text, Span(file.path, line.row.line, start, line.row.line, end), serving)
