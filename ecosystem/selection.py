"""Whether the scan for words loses anything: what is said of a project with it, and when every file is parsed.

The scan is what makes large projects cheap, so it must cost nothing: a verdict or an entity that needs a file which the
scan left out is a mistake in the selection (`names/select.py`; of tests, `semantics/topics/evaluations/files.py`), or a
word that a
pack does not name.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

from agent_architecture.config import Config
from agent_architecture.pipeline import read_sources, understand_agents, understand_names
from agent_architecture.registry import judge, load
from agent_architecture.sources.scan import Scanner
from ecosystem.found import found_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.detector import Verdict
    from agent_architecture.sources.walk import Walked


class Read(NamedTuple):
    """What is said of a project after some of its files were parsed."""

    parsed: int
    said: frozenset[str]
    """Every entity and every verdict, as a line of text."""


class Compared(NamedTuple):
    """The same project twice."""

    selected: Read
    whole: Read

    @property
    def lost(self) -> tuple[str, ...]:
        """What only the parsing of every file finds."""
        return tuple(sorted(self.whole.said - self.selected.said))

    @property
    def odd(self) -> tuple[str, ...]:
        """What is only said when files are left out."""
        return tuple(sorted(self.selected.said - self.whole.said))


def compare(root: Path) -> Compared:
    """Read the project at `root` with the scan, and without it. Raises `UsageError` where there is none."""
    walked = read_sources([root], Config())
    selected = _read(walked)
    with patch.object(Scanner, "hits", lambda scanner, _: frozenset(scanner.words)):
        return Compared(selected, _read(walked))


def _read(walked: Walked) -> Read:
    packs, versions, program = understand_names(walked)
    parsed = len(program.table.loaded())
    system = understand_agents(walked, packs, versions, program)
    verdicts = (_line(judged.detector.key, one) for judged in judge(load(), system) for one in judged.verdicts)
    entities = (f"{one.place} {one.kind} {one.what} {one.limit}" for one in found_in(system))
    return Read(parsed, frozenset((*entities, *verdicts)))


def _line(key: str, verdict: Verdict) -> str:
    place = f"{verdict.span.path}:{verdict.span.line}"
    return f"{place} {key} {verdict.outcome} {verdict.risk}: {verdict.reason}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare; exit code 1 when anything differs."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --selection", description=__doc__)
    parser.add_argument("projects", nargs="+", type=Path, help="folders of projects")
    options = parser.parse_args(arguments)
    differ = 0
    for project in options.projects:
        found = compare(project)
        differ += bool(found.lost or found.odd)
        print(_text(project.name, found), flush=True)
    print(f"selection: {len(options.projects) - differ} of {len(options.projects)} projects are read the same")
    return int(differ > 0)


def _text(name: str, found: Compared) -> str:
    counts = f"{found.selected.parsed} of {found.whole.parsed} code files parsed, {len(found.whole.said)} statements"
    lines = [f"  lost  {line}" for line in found.lost] + [f"  odd   {line}" for line in found.odd]
    return "\n".join((f"{name}: {counts}, {len(lines)} differ", *lines))
