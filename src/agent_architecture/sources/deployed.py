"""Files in a folder of examples that the application's own deployment file names: the application is what it deploys.

`langgraph.json` beside the application names files and variables (`"./examples/agent.py:agent"`). One that stands in
the examples itself deploys an example.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.sources.source import SourceFile

DEPLOYMENT: Final = "langgraph.json"
NAMED: Final = regex(rb"\"([^\"\n:]+\.(?:py|[cm]?[jt]sx?)):\w+\"")
"""A file of program text and what it is asked for."""


def with_deployed(files: Iterable[SourceFile]) -> list[SourceFile]:
    """The files, with those among the examples in the application's role that a deployment file of its own names."""
    every = list(files)
    named = {
        posixpath.normpath(posixpath.join(posixpath.dirname(file.path), reference.decode(errors="replace")))
        for file in every
        if file.role is Role.CONFIG and posixpath.basename(file.path) == DEPLOYMENT
        for reference in NAMED.findall(file.data)
    }
    return [file.in_role(Role.APP) if file.path in named and file.role is Role.EXAMPLE else file for file in every]
