"""What `./dev fuzz` has read so far: a file of JSON with one entry for each corpus and seed, so that a run can go on.

Knows neither how files are damaged nor what is made of them.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from mutations import Sample


class Stretch(NamedTuple):
    """Projects of one corpus and seed that were read, without a gap: from `first` to the one before `next`."""

    corpora: str
    seed: int
    first: int
    next: int = -1
    files: int = 0
    failed: tuple[int, ...] = ()
    slowest: float = 0.0

    def going_on(self, before: Iterable[Stretch]) -> Stretch:
        """What the record has of it, from which it goes on; itself, where there is nothing."""
        new = self._replace(next=self.first)
        return next((stretch for stretch in before if new.replaces(stretch)), new)

    def replaces(self, other: Stretch) -> bool:
        """Whether the other one is the same corpus and seed from the same project on."""
        return self[:3] == other[:3]

    def after(self, files: int, seconds: float, *, failed: bool) -> Stretch:
        """With one more project, which had so many files and took so long."""
        return self._replace(
            next=self.next + 1,
            files=self.files + files,
            failed=(*self.failed, self.next) if failed else self.failed,
            slowest=max(self.slowest, round(seconds, 1)),
        )

    def __str__(self) -> str:
        return f"{self.files} damaged files, {len(self.failed)} projects failed, slowest {self.slowest:.1f} s"


def fingerprint(corpora: Iterable[tuple[str, Sequence[Sample]]]) -> str:
    """What tells these corpora from others: the names of their files, and what is in them."""
    digest = hashlib.blake2b(digest_size=8)
    for name, samples in corpora:
        digest.update(f"{name}\0{len(samples)}\0".encode("utf-8", "surrogatepass"))
        for sample in samples:
            data = sample.data(1 << 20)
            digest.update(f"{sample.path}\0{len(data)}\0".encode("utf-8", "surrogatepass") + data)
    return digest.hexdigest()


def recorded(file: Path | None) -> tuple[Stretch, ...]:
    """What was read before; nothing, where there is no record."""
    if file is None or not file.exists():
        return ()
    rows = json.loads(file.read_text(encoding="utf-8"))
    return tuple(Stretch(**{**row, "failed": tuple(row["failed"])}) for row in rows)


def written(file: Path | None, before: Sequence[Stretch], now: Stretch) -> None:
    """Keep what was read before, and now."""
    if file is None:
        return
    rows = [*(stretch for stretch in before if not now.replaces(stretch)), now]
    beside = file.with_name(file.name + ".new")
    lines = ",\n".join("  " + json.dumps(row._asdict()) for row in rows)
    beside.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    beside.replace(file)
