"""Code lenses: over each site, agent, tool and server how many guardrails are there, and how many are missing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from lsprotocol.types import CodeLens, Command, Position, Range

from agent_architecture.detector import Outcome
from agent_architecture.render.counted import counted
from agent_architecture.render.findings_text import short
from agent_architecture.render.safe import fit, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from agent_architecture.detector import Verdict
    from agent_architecture.language_server.moved import Moved
    from agent_architecture.language_server.positions import Text
    from agent_architecture.language_server.roots import Root
    from agent_architecture.render.seen import Seen
    from agent_architecture.report import Report

SHOW: Final = "agent-architecture.verdicts"
"""The command that tells the verdicts which a lens counts."""
LONGEST: Final = 60
"""Cells of a name."""
MOST: Final = 12
"""Verdicts of each kind that are told."""
GAPS: Final = frozenset({Outcome.ABSENT, Outcome.PARTIAL})
KINDS: Final = (
    ("missing", GAPS),
    ("controlled", frozenset({Outcome.CONTROLLED})),
    ("not to be told", frozenset({Outcome.UNKNOWN})),
)


class Judged:
    """The things of a report that verdicts are about, by file."""

    def __init__(self, report: Report, seen: Iterable[Seen], root: Root) -> None:
        """Those that stand somewhere and have verdicts."""
        self._report = report
        self._at: dict[Path, list[Seen]] = {}
        for one in seen:
            if one.rows and one.node.span.line > 0:
                self._at.setdefault(root.path(one.node.span.path), []).append(one)

    def lenses(self, path: Path, before: Text, moved: Moved, uri: str) -> list[CodeLens]:
        """The lenses of a file, where its lines are now."""
        found = []
        for one, line in self._placed(path, before, moved):
            counts = Counter(name for verdict in self._verdicts(one) for name, kind in KINDS if verdict.outcome in kind)
            said = ", ".join(_count(name, counts[name]) for name, _ in KINDS if counts[name])
            title = f"{fit(visible(one.node.name), LONGEST)}: {said}"
            place = Range(Position(line, 0), Position(line, 0))
            found.append(CodeLens(place, Command(title, SHOW, arguments=[uri, line])))
        return found

    def told(self, path: Path, before: Text, moved: Moved, line: int) -> str:
        """The verdicts that the lenses of a line count, as text."""
        here = [one for one, at in self._placed(path, before, moved) if at == line]
        return "\n".join(text for one in here for text in self._of(one))

    def _placed(self, path: Path, before: Text, moved: Moved) -> Iterator[tuple[Seen, int]]:
        for one in self._at.get(path, ()):
            line = moved.line(before.position(before.place(one.node.span.line)).line)
            if line is not None:
                yield one, line

    def _of(self, one: Seen) -> Iterator[str]:
        yield fit(visible(one.node.name), LONGEST)
        rules = {row: short(self._rule(row)) for row in one.rows}
        for name, kind in KINDS:
            chosen = [row for row in one.rows if self._report.subjects[row].verdict.outcome in kind]
            for row in chosen[:MOST]:
                yield f"  {name}: {rules[row]}: {visible(self._report.subjects[row].verdict.reason)}"
            if len(chosen) > MOST:
                yield f"  {name}: {len(chosen) - MOST} more"

    def _rule(self, row: int) -> str:
        key = self._report.subjects[row].key
        return next(metric.rule_id for metric in self._report.scores.metrics if metric.key == key)

    def _verdicts(self, one: Seen) -> Sequence[Verdict]:
        return [self._report.subjects[row].verdict for row in one.rows]


def _count(name: str, count: int) -> str:
    return counted(count, "gap") if name == "missing" else f"{count} {name}"
