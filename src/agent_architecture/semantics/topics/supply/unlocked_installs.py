"""Installs without a lock: `npm install` in an image into which a manifest was copied, and no lock file beside it;
`pip install .`, which reads no lock file at all.

Says what the manifest asks for; must not know how firm that is, nor which packages matter.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.declared_lines import manifest_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.semantics.manifests.declared_lines import Entry
    from agent_architecture.sources.source import SourceFile

INSTALL: Final = regex(r"\bnpm[ \t]+(?:install|i)\b([^\n;&|]*)")
GLOBAL: Final = frozenset({"-g", "--global"})
MANIFEST: Final = "package.json"
LOCKS: Final = frozenset({"package-lock.json", "npm-shrinkwrap.json"})
LOCAL: Final = regex(r"\bpip3?[ \t]+install\b([^\n;&|]*)")
PROJECT: Final = "pyproject.toml"
HERE: Final = regex(r"\.(?:\[[\w,-]+\])?/?")
"""The folder itself, perhaps with extras."""


def bare_manifest(text: str) -> str:
    """The manifest in its folder that a shell text installs what it asks for, whatever is locked; "" for none."""
    found = (match[1].split() for match in INSTALL.finditer(text))
    if any(all(word.startswith("-") for word in words) and not GLOBAL & set(words) for words in found):
        return MANIFEST
    local = (match[1].replace('"', "").replace("'", "").split() for match in LOCAL.finditer(text))
    own = any(any(HERE.fullmatch(word) for word in words) and "--no-deps" not in words for words in local)
    return PROJECT if own else ""


def unlocked(files: Iterable[SourceFile], folder: str, copied: Sequence[str], manifest: str) -> tuple[Entry, ...]:
    """What the manifests of this name ask for that are among the copied files, when no lock file is that their
    installer reads. An image is built from the folder of its Dockerfile, or from the project's own.
    """
    known = {file.path: file for file in files}
    for root in dict.fromkeys(("", folder)):
        paths = {path for source in copied for path in _matched(known, _joined(root, source))}
        manifests = sorted(path for path in paths if path.rpartition("/")[2] == manifest)
        if manifests:
            if manifest == MANIFEST and any(path.rpartition("/")[2] in LOCKS for path in paths):
                return ()
            return tuple(entry for path in manifests for entry in manifest_entries(known[path]))
    return ()


def _joined(root: str, source: str) -> str:
    path = source.removeprefix("./").strip("/")
    path = "" if path == "." else path
    return "/".join(part for part in (root, path) if part)


def _matched(known: Iterable[str], wanted: str) -> Iterator[str]:
    """The files that a source of COPY names: itself, those that its stars match, those directly in the folder."""
    for path in known:
        if fnmatchcase(path, wanted) or path.rpartition("/")[0] == wanted:
            yield path
