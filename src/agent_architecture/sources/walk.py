"""From paths to source files: which files of a project are read, and what they contain.

It decides by place, name, size and encoding. It must not parse anything, and it opens nothing but regular files that
lie inside
the scanned root.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from agent_architecture.errors import UsageError
from agent_architecture.records import NamedTuple
from agent_architecture.sources import ignore, listing
from agent_architecture.sources.copied_templates import with_copied_templates
from agent_architecture.sources.decode import decode
from agent_architecture.sources.deployed import with_deployed
from agent_architecture.sources.languages import (
    content_language,
    language_of,
    manifest_language,
    may_be_script,
    script_language,
)
from agent_architecture.sources.listing import Entry, Listing
from agent_architecture.sources.notebooks_beside import with_notebooks_beside
from agent_architecture.sources.operator_scripts import with_operator_scripts
from agent_architecture.sources.own_example import with_own_example
from agent_architecture.sources.read import Content, read
from agent_architecture.sources.roles import role_of
from agent_architecture.sources.root import base_of, common_folder
from agent_architecture.sources.shadowed import without_shadowed
from agent_architecture.sources.source import Language, Notice, SourceFile

_NO_LANGUAGE: Final = "is in no language that is analysed: not read"


class WalkOptions(NamedTuple):
    """What a walk reads. Globs have the syntax of `.gitignore`; they start from the root, or from the folder that
    `include_from` or `exclude_from` names where the root lies in it.
    """

    include: tuple[str, ...] = ()
    """When there is one, only files that match are read (manifests and lock files always are)."""
    exclude: tuple[str, ...] = ()
    include_from: Path | None = None
    exclude_from: Path | None = None
    max_bytes: int = 2_000_000
    """The size limit of a file."""
    max_lock_bytes: int = 30_000_000
    """The size limit of a manifest or lock file."""
    max_total_bytes: int = 2_000_000_000
    """How much a walk reads in all: everything that is read stays in memory."""


class Walked(NamedTuple):
    """A project as it was read. All tuples are sorted by path; paths are relative to `root`, with forward slashes."""

    root: Path
    files: tuple[SourceFile, ...]
    """What is analysed. A manifest in JSON, TOML or YAML is here, too; a lock file is not."""
    manifests: tuple[SourceFile, ...]
    """Every manifest and lock file, for `semantics.manifests.versions`."""
    notices: tuple[Notice, ...]
    looked_at: tuple[str, ...] = ()
    """The absolute path of everything whose state decided what was read, sorted: folders, files, ignore files."""


def walk(
    paths: Sequence[Path],
    options: WalkOptions = WalkOptions(),  # noqa: B008 - an immutable value
    reader: Reader | None = None,
) -> Walked:
    """Read the projects or files at `paths`, each file with `reader` (`read_one`).

    One folder is its own root; several share their common parent; a file alone has its folder. A folder or file that
    is named here
    is read even if an ignore file names it.

    Raises:
        UsageError: a path does not exist, or a glob of the options is malformed.
    """
    places = tuple(sorted({_absolute(path) for path in paths}))
    if not places:
        raise UsageError("no path was given: name a folder or a file")
    root = common_folder([Path(place) for place in places]).as_posix()
    chosen = _Chosen(
        _globs(options.include, base_of(options.include_from, root)),
        _globs(options.exclude, base_of(options.exclude_from, root)),
    )
    listed = listing.entries(root, places, chosen.excludes, _is_relevant)
    return _read_all(root, listed, chosen, options, reader or read_one)


def walk_text(path: Path, data: bytes, options: WalkOptions = WalkOptions()) -> Walked:  # noqa: B008 - immutable
    """The file at `path` as its own project, with this content: nothing on the disk is read."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - as in `_absolute`
    root, name = absolute.parent.resolve(), absolute.name
    language = language_of(name, root.name) or script_language(data)
    if language is None:
        return Walked(root, (), (), (Notice(name, None, _NO_LANGUAGE),))
    if len(data) > options.max_bytes:
        problem = f"has {len(data)} bytes, more than the limit of {options.max_bytes}: not read"
        return Walked(root, (), (), (Notice(name, None, problem),))
    decoded = decode(name, data)
    notices = (decoded.notice,) if decoded.notice else ()
    if decoded.data is None:
        return Walked(root, (), (), notices)
    role = role_of(name, decoded.data)
    file = SourceFile(name, content_language(language, decoded.data), role, decoded.data)
    return Walked(root, (file,), (), notices)


def _absolute(path: Path) -> str:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow a file's own link
    if not absolute.exists():
        raise UsageError(f"{path} does not exist: name a folder or a file")
    return (absolute.resolve() if absolute.is_dir() else absolute.parent.resolve() / absolute.name).as_posix()


def _globs(globs: Sequence[str], base: str) -> ignore.Patterns | None:
    if not globs:
        return None
    rules, notices = ignore.parse(globs, "")
    if notices:
        raise UsageError(f"the glob {notices[0].message}")
    return ignore.Patterns(base.rstrip("/") + "/", rules)


class _Chosen(NamedTuple):
    """The user's globs."""

    includes: ignore.Patterns | None
    excludes: ignore.Patterns | None

    def includes_file(self, entry: Entry) -> bool:
        return entry.named or self.includes is None or self.includes.covers(entry.absolute)


def _is_relevant(name: str, folder: str) -> bool:
    return bool(may_be_script(name) or language_of(name, folder) or manifest_language(name, folder))


def _read_all(root: str, listed: Listing, chosen: _Chosen, options: WalkOptions, reader: Reader) -> Walked:
    files: list[SourceFile] = []
    manifests: list[SourceFile] = []
    notices = list(listed.notices)
    left = options.max_total_bytes
    for entry in listed.entries:
        wanted = _wanted(entry, chosen)
        if wanted is None:
            notices += [Notice(entry.path, None, _NO_LANGUAGE)] if entry.named else []
            continue
        found, problems = reader(
            entry, wanted, min(left, options.max_lock_bytes if wanted.is_manifest else options.max_bytes)
        )
        notices += problems
        if found is None:
            continue
        left -= len(found[3])  # not `data`: how much may still be read is nothing that a scan says (`byte_answers`)
        if wanted.is_manifest:
            manifests.append(found)
        if wanted.is_source:
            files.append(found)
    files = with_notebooks_beside(with_operator_scripts(with_deployed(with_own_example(files))))
    files, hidden = without_shadowed(with_copied_templates(files, {file.path for file in (*files, *manifests)}))
    notices += hidden
    looked_at = sorted({*listed.looked_at, *(entry.real for entry in listed.entries)})
    sorted_notices = tuple(sorted(set(notices), key=_notice_order))
    return Walked(Path(root), _sorted(files), _sorted(manifests), sorted_notices, tuple(looked_at))


class Wanted(NamedTuple):
    """How an entry is read: `language` None when only its first line can tell."""

    language: Language | None
    is_source: bool
    is_manifest: bool


Reader = Callable[[Entry, Wanted, int], tuple[SourceFile | None, list[Notice]]]
"""Reads a file of at most so many bytes, as `read_one` does."""


def _wanted(entry: Entry, chosen: _Chosen) -> Wanted | None:
    name, folder = entry.name, entry.folder_name
    manifest = manifest_language(name, folder)
    language = language_of(name, folder) if chosen.includes_file(entry) else None
    if manifest:
        return Wanted(manifest, language is not None, is_manifest=True)
    if language or (may_be_script(name) and chosen.includes_file(entry)):
        return Wanted(language, is_source=True, is_manifest=False)
    return None


def read_one(
    entry: Entry, wanted: Wanted, limit: int, content: Content | None = None
) -> tuple[SourceFile | None, list[Notice]]:
    """The file of an entry, read or with this content, and what there is to say of it; no file where it is in no
    language that is analysed.
    """
    if content is None:
        content = read(entry.real, entry.path, limit, only_scripts=wanted.language is None)
    if content.data is None:
        return None, [content.notice] if content.notice else []
    language = wanted.language or script_language(content.data)
    if language is None:
        return None, [Notice(entry.path, None, _NO_LANGUAGE)] if entry.named else []
    decoded = decode(entry.path, content.data)
    notices = [decoded.notice] if decoded.notice else []
    if decoded.data is None:
        return None, notices
    role = role_of(entry.path, decoded.data)
    return SourceFile(entry.path, content_language(language, decoded.data), role, decoded.data), notices


def _sorted(files: Iterable[SourceFile]) -> tuple[SourceFile, ...]:
    return tuple(sorted(files, key=lambda file: file.path))


def _notice_order(notice: Notice) -> tuple[str, int, str]:
    return notice.path, notice.line or 0, notice.message
