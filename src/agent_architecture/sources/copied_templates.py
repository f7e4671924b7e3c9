"""Programs that stand in a folder of templates: the application copies them out, and whoever gets them runs them.

`agents/templates/web/package.json` begins one. Beside an application they are judged as examples are; where there is
nothing else, they are it. Pages that a server fills in (`templates/index.html`) have no manifest of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.sources.source import SourceFile

FOLDERS: Final = frozenset({"template", "templates"})
MANIFESTS: Final = frozenset({"package.json", "pyproject.toml", "requirements.txt", "deno.json"})
"""Files by which a folder is a program of its own."""


def with_copied_templates(files: Iterable[SourceFile], manifests: Iterable[str]) -> list[SourceFile]:
    """The files, with those of such programs in the role of examples. `manifests` are the paths of all manifests."""
    every = list(files)
    begun = {folder for path in manifests if (folder := _program(path))}
    if not begun:
        return every
    return [
        file.in_role(Role.EXAMPLE) if file.role is Role.APP and not begun.isdisjoint(_folders(file.path)) else file
        for file in every
    ]


def _program(manifest: str) -> str:
    """The folder of a manifest that stands below a folder of templates; "" for others."""
    folder, _, name = manifest.rpartition("/")
    return folder if name in MANIFESTS and not FOLDERS.isdisjoint(folder.lower().split("/")[:-1]) else ""


def _folders(path: str) -> set[str]:
    parts = path.split("/")[:-1]
    return {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}
