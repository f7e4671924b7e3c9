"""Lock files of Python: uv, Poetry, PDM, PEP 751 and pipenv.

The TOML ones are written by programs, one `[[package]]` block a package. They are read line by line: tomllib needs a
second
for 10 MB of hashes that nobody asks about, and loses everything to one merge conflict.
"""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.semantics.manifests.locked_versions import Locked, collect, conflict_markers
from agent_architecture.semantics.manifests.plain_data import BrokenFileError, from_json, table, text, toml
from agent_architecture.semantics.manifests.ranges import PYPI, normalise

_LINE: Final = (
    r'^(?:(?P<package>\[\[packages?\]\])|(?P<other>\[)|(?P<key>name|version)[ \t]*=[ \t]*(?P<value>"[^"\n]*")?)'
)

# A file of this size without a single package is not worth a full parse to learn why.
_SMALL: Final = 100_000

# One notice says that a file is broken; a thousand say no more.
_MAX_PROBLEMS: Final = 10


def read_toml(data: bytes) -> Locked:
    """Read `uv.lock`, `poetry.lock`, `pdm.lock` or `pylock.toml`.

    Raises:
        BrokenFileError: it has no package and is not TOML either.
    """
    source = data.decode("utf-8", "replace")
    pairs: list[tuple[str, str]] = []
    unread: list[int] = []
    name: str | None = None
    inside = False
    for found in re.finditer(_LINE, source, re.MULTILINE):
        value = (found["value"] or "").strip('"')
        if not found["key"]:
            inside, name = bool(found["package"]), None
        elif inside and not value:
            unread.append(found.start())
        elif inside and found["key"] == "name":
            name = normalise(PYPI, value)
        elif inside and name:
            pairs.append((name, value))
    if not pairs and len(data) <= _SMALL:
        toml(data)
    problems = [
        (source.count("\n", 0, place) + 1, "has a package that cannot be read") for place in unread[:_MAX_PROBLEMS]
    ]
    return Locked(collect(pairs), problems=(*conflict_markers(source), *problems))


def read_pipfile_lock(data: bytes) -> Locked:
    """Read `Pipfile.lock`.

    Raises:
        BrokenFileError: it is no JSON object.
    """
    document = from_json(data)
    if not isinstance(document, dict):
        raise BrokenFileError("is no JSON object", 1)
    pairs: list[tuple[str, str]] = []
    for section, packages in document.items():
        for name, entry in table(packages).items() if section != "_meta" else ():
            version = text(table(entry).get("version"))
            if version:
                pairs.append((normalise(PYPI, name), version.removeprefix("==")))
    return Locked(collect(pairs))
