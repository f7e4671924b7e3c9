"""What was measured of rewritings, kept as a small file that `docs/accuracy.md` shows."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MEASURED: Final = Path(__file__).resolve().parent / "measured.toml"
EARLIER: Final = MEASURED.with_name("earlier.toml")
"""The same programs and rewritings with the code before rules were mended for them."""
HEAD: Final = """\
# Written by `./dev ecosystem --rewritten --record FILE`: measured, not to be edited. `tool`: commit of src. Of each
# rewriting, how many programs are judged as they were before it, and how many it changes.
"""


class Recorded(NamedTuple):
    """One measurement: of which programs, with which version, and for each rewriting [the same, tried]."""

    date: str
    tool: str
    programs: str
    rewritings: Mapping[str, tuple[int, int]]

    @property
    def when(self) -> str:
        """Date and commit."""
        return f"{self.date}, commit `{self.tool}`"

    @property
    def share(self) -> str:
        """The share of all pairs of a program and a rewriting that stay as they were."""
        same, tried = (sum(row[at] for row in self.rewritings.values()) for at in (0, 1))
        return f"{same / tried:.3f} ({same} of {tried})"


def as_toml(tool: str, programs: str, rewritings: Mapping[str, tuple[int, int]]) -> str:
    """The text of a file."""
    rows = (f"{name} = [{same}, {tried}]" for name, (same, tried) in rewritings.items() if tried)
    head = (f'date = "{datetime.now(tz=UTC).date()}"', f'tool = "{tool}"', f'programs = "{programs}"', "[rewritings]")
    return HEAD + "\n".join((*head, *rows)) + "\n"


def read(path: Path) -> Recorded:
    """What a file holds."""
    found = tomllib.loads(path.read_text("utf-8"))
    rows = {name: (int(same), int(tried)) for name, (same, tried) in found["rewritings"].items()}
    return Recorded(found["date"], found["tool"], found["programs"], rows)


def table(now: Recorded, before: Recorded, does: Mapping[str, str]) -> Iterator[str]:
    """The lines of a table: the rewriting, what it does, the share of programs that stay as they were, and before."""
    yield "| rewriting | what it makes | stays | before | programs |"
    yield "| --- | --- | --- | --- | --- |"
    for name, (same, tried) in sorted(now.rewritings.items(), key=lambda row: (row[1][0] / row[1][1], row[0])):
        was = before.rewritings.get(name)
        earlier = f"{was[0] / was[1]:.2f}" if was else "-"
        yield f"| {name} | {does.get(name, '')} | {same / tried:.2f} | {earlier} | {tried} |"
