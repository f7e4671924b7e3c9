"""The folders that an editor has open, and how their files are named: by an address there, by a path here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pygls.uris import to_fs_path

from agent_architecture.records import NamedTuple
from agent_architecture.sources.ignore import NAMES as IGNORE_FILES
from agent_architecture.sources.languages import language_of, manifest_language, may_be_script

if TYPE_CHECKING:
    from collections.abc import Iterable


class Root(NamedTuple):
    """What is analysed as one project: a folder, or one file where no folder is open."""

    given: Path
    """The folder, by the editor's own way to it: links are not followed."""
    real: Path
    """The same, resolved: what the paths of a report start from."""
    file: str = ""
    """The name of the only file that is looked at."""

    @property
    def target(self) -> Path:
        """What the analyser is given."""
        return self.given / self.file

    def holds(self, path: Path) -> bool:
        """Whether a file belongs to it."""
        if self.file:
            return path == self.target
        return path.is_relative_to(self.given) or _real(path).is_relative_to(self.real)

    def path(self, below: str) -> Path:
        """A path of the report, as the editor names it."""
        return Path(_normal(self.given / below))


def root_at(folder: Path) -> Root:
    """The project in a folder."""
    return Root(folder, _real(folder))


def root_of_file(file: Path) -> Root:
    """A file as a project of its own."""
    return Root(file.parent, _real(file.parent), file.name)


def owner(roots: Iterable[Root], path: Path) -> Root | None:
    """The innermost of the projects that a file belongs to."""
    return max((root for root in roots if root.holds(path)), key=lambda root: len(root.real.parts), default=None)


def path_of(uri: str) -> Path | None:
    """The path that an address names; None for what is no file."""
    found = to_fs_path(uri)
    return Path(_normal(found)) if found and "\0" not in found else None


def is_read(path: Path) -> bool:
    """Whether a change of what is there may change what is found: it is read, says what is read, or is a folder."""
    name, folder = path.name, path.parent.name
    if ".git" in path.parts[:-1]:
        return False
    return (
        may_be_script(name)
        or name in IGNORE_FILES
        or bool(language_of(name, folder) or manifest_language(name, folder))
    )


def uri_of(path: Path) -> str:
    """The address of a file."""
    return path.as_uri()


def _normal(path: Path | str) -> str:
    import os.path

    return os.path.abspath(path)  # noqa: PTH100 - `resolve` would follow links, which the editor does not


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links in a circle
        return path
