"""What was measured last of the exports of each package: kept beside the code, so that the documentation can say it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE: Final = Path(__file__).with_name("measured.toml")
_HEADER: Final = """\
# Written by `./dev ecosystem --exports … --write`: of the public names of each package at its verified version, how
# many a pack names, how many are irrelevant by a word of irrelevant.toml, and how many are neither.
"""


class Measured(NamedTuple):
    """The counts of one package."""

    ecosystem: str
    name: str
    version: str
    in_packs: int
    irrelevant: int
    left: int

    @property
    def total(self) -> int:
        """All exports."""
        return self.in_packs + self.irrelevant + self.left

    @property
    def share(self) -> float:
        """The part that is accounted for."""
        return 1 - self.left / self.total if self.total else 1.0

    def __str__(self) -> str:
        counts = f"{self.in_packs} in packs, {self.irrelevant} irrelevant, {self.left} left"
        return f"{self.ecosystem} {self.name} {self.version}: {self.share:.1%} of {self.total}: {counts}"


def read_measured(file: Path = FILE) -> dict[tuple[str, str], Measured]:
    """The data file by (ecosystem, package)."""
    rows = tomllib.loads(file.read_text("utf-8")).get("package", []) if file.is_file() else []
    found = (Measured(**row) for row in rows)
    return {(one.ecosystem, one.name): one for one in found}


def write_measured(new: Iterable[Measured], file: Path = FILE) -> None:
    """Replace what was measured of these packages, and keep the rest."""
    known = {**read_measured(file), **{(one.ecosystem, one.name): one for one in new}}
    parts = [_HEADER]
    for _, one in sorted(known.items()):
        fields = one._asdict().items()
        lines = (f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in fields)
        parts.append("\n[[package]]\n" + "\n".join(lines) + "\n")
    file.write_text("".join(parts), encoding="utf-8")
