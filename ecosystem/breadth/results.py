"""What was measured, one line of JSON a project, so that a run which was cut off goes on where it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

OK: Final = "ok"
TIMEOUT: Final = "timeout"
FAILED: Final = "failed"


class Result(NamedTuple):
    """One project. `entities` are numbers by kind and degree of evidence, `seen` by form, `kinds` by what it may be."""

    project: str
    status: str
    message: str = ""
    entities: Mapping[str, Mapping[str, int]] = {}
    seen: Mapping[str, int] = {}
    kinds: Mapping[str, int] = {}
    missing: Sequence[Mapping[str, str]] = []

    def number(self, kind: str) -> int:
        """How many entities of a kind the model has."""
        return sum(self.entities.get(kind, {}).values())

    def missed(self, kind: str) -> int:
        """How many sightings of a kind have no entity."""
        return sum(one["kind"] == kind for one in self.missing)

    @property
    def silent(self) -> bool:
        """Whether the count saw a tool, an agent or a request, and the model has no site."""
        return self.status == OK and bool(self.kinds) and not self.number("site") and not self.number("server")


def read(file: Path) -> tuple[Result, ...]:
    """The results in a file, none where there is no file. A last line that was cut off is none."""
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.is_file() else []
    return tuple(Result(**json.loads(line)) for line in lines if line.endswith("\n"))


def mend(file: Path) -> None:
    """Take a last line that was cut off out of a file, so that the next one begins a line."""
    if file.is_file():
        data = file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            file.write_bytes(whole)


def append(file: Path, result: Result) -> None:
    """Write one more line."""
    with file.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(result._asdict(), ensure_ascii=False) + "\n")
