"""Python modules that nothing reaches: a package of the same name stands beside them, and an import takes the package.

Source: `importlib.machinery.FileFinder.find_spec` looks for a folder with `__init__.py` before it looks for a file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.source import Language, Notice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.sources.source import SourceFile

PACKAGE: Final = "/__init__.py"
STARTED: Final = regex(rb"__main__|\A#!|^[A-Za-z_][\w.]*\(", re.MULTILINE)
"""What a file says that does something when it is started: a call that stands by itself, outside of all functions."""


def without_shadowed(files: Iterable[SourceFile]) -> tuple[list[SourceFile], list[Notice]]:
    """The files that something can reach, and what to say of the others."""
    every = list(files)
    packages = frozenset(file.path.removesuffix(PACKAGE) for file in every if file.path.endswith(PACKAGE))
    hidden = {file.path: file for file in every if _is_hidden(file, packages)}
    said = "is never imported: the package of the same name beside it is taken. Not judged"
    notices = [Notice(path, None, said, incomplete=False) for path in hidden]
    return [file for file in every if file.path not in hidden], notices


def _is_hidden(file: SourceFile, packages: frozenset[str]) -> bool:
    if file.language is not Language.PYTHON or file.path.removesuffix(".py") not in packages:
        return False
    return STARTED.search(file.data) is None
