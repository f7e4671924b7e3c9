"""Notebooks beside an application: somebody tries it out there, or shows it; nobody deploys them.

Where notebooks are all the code there is, they are the application; so is one that another file starts by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.languages import CODE, is_notebook
from agent_architecture.sources.source import Language, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.sources.source import SourceFile


def with_notebooks_beside(files: Iterable[SourceFile]) -> list[SourceFile]:
    """The files, with such notebooks in the role of examples."""
    every = list(files)
    found = [file for file in every if file.role is Role.APP and is_notebook(file.path)]
    others = [file for file in every if file.role in {Role.APP, Role.CONFIG} and not is_notebook(file.path)]
    if not found or not any(file.role is Role.APP and file.language in CODE for file in others):
        return every
    starting = [file for file in others if file.language is not Language.MARKDOWN]
    shown = {file.path for file in found if not any(_name(file) in one.data for one in starting)}
    return [file.in_role(Role.EXAMPLE) if file.path in shown else file for file in every]


def _name(file: SourceFile) -> bytes:
    return file.path.rpartition("/")[2].encode()
