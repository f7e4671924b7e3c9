"""The TOML files of packs, read: what `rows_from_toml` makes rows of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_architecture.errors import PackError

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_documents(folder: Path | None = None) -> tuple[tuple[str, Mapping[str, object]], ...]:
    """The parsed TOML files, sorted by name, as (`frameworks/name.toml`, document)."""
    import tomllib

    place = folder or Path(__file__).parents[2] / "frameworks"
    documents: list[tuple[str, Mapping[str, object]]] = []
    for path in sorted(place.glob("*.toml")):
        name = f"frameworks/{path.name}"
        try:
            documents.append((name, tomllib.loads(path.read_text("utf-8"))))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise PackError(f"{name}: {error}") from None
    return tuple(documents)
