"""Modules that a package of the same name hides: `tools.py` beside `tools/__init__.py`.

Python's finder takes the regular package, so that no import ever reaches the file; a folder without `__init__.py` hides
nothing. A file that does something when it is run may still be started by its path.
Source: importlib's `FileFinder.find_spec`, which asks for the package first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from agent_architecture.names.modules import ModuleTable

ENDING: Final = ".py"
STARTED: Final = regex(rb"__main__|^(?:await\s+)?[A-Za-z_][\w.]*\(", re.MULTILINE)
"""What a file does when it is run by its path: a call that stands outside of functions, or a test for `__main__`."""


def is_shadowed(table: ModuleTable, path: str) -> bool:
    """Whether nothing can import the file, and running it does nothing."""
    if not path.endswith(ENDING) or f"{path.removesuffix(ENDING)}/__init__.py" not in table.paths:
        return False
    file = table.file(path)
    return file is not None and STARTED.search(file.data) is None
