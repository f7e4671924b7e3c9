"""A project whose code all stands in one folder of examples is what that folder holds: the application.

`src/pydantic_temporal_example/` is called so by its author, and nothing stands beside it that it could be an example
of; neither could `examples/`, where it is all that there is. Whoever scans the folder itself asks about an application,
too (`roles`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.languages import CODE, is_notebook
from agent_architecture.sources.roles import example_folder, role_of
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.sources.source import SourceFile


def with_own_example(files: Iterable[SourceFile]) -> list[SourceFile]:
    """The files, with those of such a folder in the roles that they have without its name."""
    every = list(files)
    code = [file for file in every if file.language in CODE and not is_notebook(file.path)]
    folders = {example_folder(file.path) for file in code if file.role is Role.EXAMPLE}
    if len(folders) != 1 or "" in folders or any(file.role is Role.APP for file in code):
        return every
    (folder,) = folders
    return [_without(file, folder) if file.path.startswith(f"{folder}/") else file for file in every]


def _without(file: SourceFile, folder: str) -> SourceFile:
    """The file in the role that it has without the folder's name."""
    outer = folder[: folder.rfind("/") + 1]
    found = role_of(outer + file.path[len(folder) + 1 :], file.data)
    return file if found is file.role else file.in_role(found)
