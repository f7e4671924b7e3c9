"""Models, data sets, tools and prompts that code loads from a hub, by the packs' rows of kind `install`.

A row's `source` says which it is: `model`, `dataset`, `tool` or `prompt`; `name` and `version` are what is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin, unknown
from agent_architecture.model.supply import InstallItem, InstallPath, Pin
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.effective import effective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

_COMMIT: Final = regex(r"[0-9a-f]{8,64}")
DATASET: Final = "dataset"
_READERS: Final = frozenset({
    "arrow", "audiofolder", "csv", "generator", "imagefolder", "json", "pandas", "parquet", "pdffolder", "spark", "sql",
    "text", "videofolder", "webdataset", "xml",
})  # fmt: skip
"""What `load_dataset` reads of files that are named beside it: nothing is fetched from the hub."""
_ASKED: Final = ("py:", "npm:")
"""How a value begins that is what a library's call gives back."""
_BY_NAME: Final = "whoever is asked for it"
_BRANCHES: Final = frozenset({"main", "master", "latest", "dev", "refs/heads/main"})


def loads(context: Context) -> Iterator[InstallPath]:
    """One install path for each load whose name is no local path."""
    for match in context.of_kind("install"):
        name = effective(context, match, "name")
        text = str(name.value) if isinstance(name.value, str) else ""
        if text.startswith(_ASKED):  # what a library's call answers names it: whoever starts the program chooses
            text, name = "", unknown(_BY_NAME, match.node.span)
        kind = str(effective(context, match, "source").value or "model")
        is_there = text.startswith((".", "/", "~")) or (kind == DATASET and text in _READERS)
        if is_there or name.origin is Origin.ABSENT:
            continue
        pin = _pin(context, match, kind, name)
        label = text or "a name that is computed"
        span = match.node.span
        yield InstallPath(span, label, match.row.where.pack, kind, (InstallItem(label, pin, span),))


def _pin(context: Context, match: Match, kind: str, name: Setting) -> Pin:
    version = effective(context, match, "version")
    if kind == "prompt" and name.is_known:
        return Pin.DIGEST if _COMMIT.fullmatch(str(name.value).rpartition(":")[2]) else Pin.FLOATING
    if name.origin is Origin.UNKNOWN and name.source == _BY_NAME and version.value is None:
        return Pin.UNKNOWN
    if version.origin is Origin.UNKNOWN or not name.is_known:
        return Pin.UNKNOWN if version.origin is Origin.UNKNOWN or kind == "prompt" else _revision(version)
    return _revision(version)


def _revision(version: Setting) -> Pin:
    text = str(version.value) if version.value is not None else ""
    if _COMMIT.fullmatch(text):
        return Pin.DIGEST
    return Pin.FLOATING if text in {"", *_BRANCHES} else Pin.TAG
