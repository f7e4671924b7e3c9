"""Which documents of the project its code may read, where a path is put together at run time: by the names and
extensions that stand on the way to the calls that load them.
"""

from __future__ import annotations

from posixpath import basename
from typing import TYPE_CHECKING, Final

from agent_architecture.names.configuration_files import LOADERS, file_of, is_opened, texts_of
from agent_architecture.names.values import Api
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import SourceFile
    from agent_architecture.syntax import ir

ROLES: Final = frozenset({Role.APP, Role.CONFIG})


def loading(program: Program) -> Iterator[ir.Call]:
    """The calls of the program that make data of a document."""
    for path in LOADERS:
        for site in program.calls(path.replace(":", ".").rpartition(".")[2]):
            if path in _paths(program, site.call):
                yield site.call


def documents_read(program: Program, call: ir.Call) -> tuple[SourceFile, ...]:
    """The documents that a call may load, in order of path; none for one that loads no file."""
    path = next(iter(_paths(program, call)), None)
    if path is None or not call.args:
        return ()
    given, extensions = call.args[0].value, LOADERS[path]
    told = file_of(program, call, extensions)
    named = tuple(basename(text) for text in texts_of(program, given) if text.endswith(extensions))
    if told is None and not named and not is_opened(program, given):
        return ()
    ends = tuple(text.rpartition("*")[2] for text in named) or extensions
    files = (file for file in program.table.files() if file.role in ROLES and basename(file.path).endswith(ends))
    return tuple(file for file in files if told in {None, file.path})


def _paths(program: Program, call: ir.Call) -> tuple[str, ...]:
    """The loaders that a call may be of."""
    return tuple(v.path for v in program.value_of(call.callee) if isinstance(v, Api) and v.path in LOADERS)
