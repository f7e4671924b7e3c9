"""How texts name files of code: what is said of a file, and whether it says that the file is started or taken."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    from agent_architecture.sources.source import SourceFile

STARTED: Final = regex(
    rb"(?i:\b(?:python[\d.]*|node|bunx?|deno|tsx|ts-node|uvx?|npx|npm|pnpm|yarn|poetry|streamlit|uvicorn|gunicorn|fastapi|"
    rb"flask|celery|modal|docker|bash|sh)\b|\b(?:run|start|execute|launch|invoke|call|open|load|command|args|entry\w*|"
    rb"main)\b[^.;,(]{0,20}$|\b(?:from|import)\s+[\w.]*$)|[\"'][^\s\"']*$|(?<![\w/`(])\./|\$ "
)
"""What stands before a file's name, in a line of Markdown, where it is started or taken."""
CHECKED: Final = regex(rb"\bpython[\d.]*\s+-c\s+[\"'][^\n]*\bprint\(")
"""Commands that only show whether something can be imported."""
DRAWN: Final = regex(rb"\xe2\x94[\x80\x82\x94\x9c]|^\s*\|")
"""Lines that draw a tree of files, and rows of tables."""


def is_told(file: SourceFile, found: re.Match[bytes]) -> bool:
    """Whether a text that names a file says that it is used: a page that lists files only describes them."""
    if file.language is not Language.MARKDOWN:
        return True
    start = file.data.rfind(b"\n", 0, found.start()) + 1
    end = file.data.find(b"\n", found.end())
    if CHECKED.search(file.data[start : end if end >= 0 else len(file.data)]):
        return False
    line = file.data[start : found.start()]
    return STARTED.search(line) is not None and not DRAWN.search(line)


def file_names(path: str) -> re.Pattern[bytes]:
    """How a file is named in a text: with its suffix (of what it is built to, too), or below its folder."""
    folder, _, name = path.rpartition("/")
    stem, _, suffix = name.rpartition(".")
    parent = folder.rpartition("/")[2]
    endings = "py" if suffix == "py" else "[cm]?[jt]sx?"
    forms = [rf"{re.escape(stem)}\.{endings}\b", rf"{re.escape(parent)}[./:]{re.escape(stem)}(?![\w-])"]
    if not folder:
        forms[1] = rf"-m\s+{re.escape(stem)}\b|[\"'\s]{re.escape(stem)}:\w|[\"']\.?/?{re.escape(stem)}[\"']"
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})".encode())
