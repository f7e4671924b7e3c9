"""What a project's own texts say, for advice that must not go against them: its code without comments, its prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import SourceFile

_COMMENT: Final = regex(rb"\s*(?:#|//|/?\*)")
"""How a line begins that is a comment."""
_PROMPTS: Final = (Language.PROMPT, Language.YAML)
_FOLDERS: Final = frozenset({"agents", "prompt", "prompts"})
"""Folders whose Markdown is read by models, not by people."""


def texts(program: Program) -> Iterator[SourceFile]:
    """The files that say what the project's agents are to do: the code that was parsed, and prompts."""
    for module in program.modules:
        file = program.table.file(module.path)
        if file is not None and file.language in CODE:
            yield file
    yield from (file for file in program.table.files() if _is_prompt(file))


def said(pattern: re.Pattern[bytes], data: bytes, *, is_code: bool) -> Iterator[re.Match[bytes]]:
    """What a pattern finds in a file's bytes, outside of comments that fill a line of code. Each line is looked at
    once, however much is found in it.
    """
    if not is_code:
        yield from pattern.finditer(data)
        return
    before = 0
    comment = _COMMENT.match(data)
    for found in pattern.finditer(data):
        end_of_line = data.rfind(b"\n", before, found.start())
        before = found.start()
        if end_of_line >= 0:
            comment = _COMMENT.match(data, end_of_line + 1)
        if comment is None or comment.end() > before:
            yield found


def _is_prompt(file: SourceFile) -> bool:
    is_told = file.language is Language.MARKDOWN and not _FOLDERS.isdisjoint(file.path.lower().split("/")[:-1])
    return is_told or file.language in _PROMPTS
