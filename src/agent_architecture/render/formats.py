"""The formats of a report, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FORMATS: Final[dict[str, tuple[str, ...]]] = {
    "console": (".txt",),
    "json": (".json",),
    "sarif": (".sarif",),
    "markdown": (".md",),
    "github": (),
    "junit": (".xml",),
    "yaml": (".yaml", ".yml"),
    "html": (".html", ".htm"),
}
"""Each format, and the ends of file names that stand for it."""


def format_of(file: str) -> str:
    """The format that a file's name says; the console's for any other."""
    suffix = Path(file).suffix.lower()
    return next((name for name, suffixes in FORMATS.items() if suffix in suffixes), "console")
