"""Which folders of a project are deployed by themselves: those with a manifest, a container's file or a platform's file
of their own, and code below them.

What is set in such a folder is set for the program there. The project's own folder is no such: what stands at its root,
or in a folder of things that serve the project around it (`docker`, `infra`), speaks of everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.manifests.manifests import AROUND, folders_above
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import SourceFile

MARKS: Final = frozenset(
    {"package.json", "pyproject.toml", "requirements.txt", "pipfile", "setup.py", "langgraph.json"}
)
"""Names of files that a program has once, at its top."""


class Deployments:
    """Answers for the files of one project: all that are read, and its manifests."""

    def __init__(self, files: Iterable[SourceFile], manifests: Iterable[SourceFile]) -> None:
        files = tuple(files)
        marked = {_parted(file.path)[0] for file in (*files, *manifests) if _is_mark(file)}
        code = {_parted(file.path)[0] for file in files if file.language in CODE and file.role is not Role.TEST}
        holding = {above for folder in code for above in folders_above(folder)}
        self._folders = frozenset(each for each in marked & holding if each and not _serves_others(each))
        self._contained = frozenset(_parted(file.path)[0] for file in files if file.language is Language.DOCKERFILE)

    def around(self, path: str) -> tuple[str, ...]:
        """The deployed folders that a file stands in, the nearest first."""
        return tuple(each for each in folders_above(_parted(path)[0]) if each in self._folders)

    def of(self, path: str) -> str:
        """The folder that is deployed with a file; "" for the project's own."""
        return next(iter(self.around(path)), "")

    def may_load(self, path: str, other: str) -> bool:
        """Whether code that loads files by names which are not written may load another one: one that is put into a
        container of its own holds what it loads.
        """
        folder, around = self.of(path), self.of(other)
        is_apart = bool(folder and around) and folder not in self.around(other) and around not in self.around(path)
        return not (is_apart and around in self._contained)


def deployments(context: Context) -> Deployments:
    """The deployments of a project (`Context.once`)."""
    return Deployments(context.program.table.files(), context.versions.files)


def _is_mark(file: SourceFile) -> bool:
    return file.language is Language.DOCKERFILE or _parted(file.path)[1].lower() in MARKS


def _serves_others(folder: str) -> bool:
    """Whether a folder holds how the project around it is built and started."""
    return not AROUND.isdisjoint(folder.lower().split("/"))


def _parted(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name
