"""How one report is shown: its width, its style, and where its source lines come from. Knows no section of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.records import NamedTuple
from agent_architecture.render.fixable import NOTHING, Fixable
from agent_architecture.render.layout import OVERFLOW, Cell, column_widths, flow, place_row, wrap, wrap_code
from agent_architecture.render.places import joined
from agent_architecture.render.style import BOLD, DIM, Style

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span

SHOWN: Final = 10
"""Rows of a list before it is cut; `verbose` shows all."""
LEAST_RISK: Final = 0.5
"""Places of less risk are counted, not listed."""
LONGEST_PROSE: Final = 600
"""Cells of one foreign sentence: longer ones are hostile, or say nothing more."""

SourceLine: TypeAlias = "Callable[[str, int], str | None]"
"""Gives a line of a scanned file by path and number, or None."""


class View(NamedTuple):
    """How to show: `prefix` goes before every path, so that a terminal can open it."""

    width: int
    style: Style
    verbose: bool
    source: SourceLine
    prefix: str = ""
    counts: bool = False
    """Whether findings are only counted."""
    known: frozenset[str] | None = None
    """The fingerprints that the baseline has; None without one."""
    least_risk: float = LEAST_RISK
    """Places of less risk are only counted."""
    fixable: Fixable = NOTHING
    """The places that the tool can mend."""

    def is_new(self, fingerprint: str) -> bool:
        """Whether there is a baseline, and it does not have this."""
        return self.known is not None and fingerprint not in self.known

    def is_fixable(self, key: str, span: Span) -> bool:
        """Whether `--fix` mends this place of a rule (its key, in full or not)."""
        return (key.rpartition(".")[2], span) in self.fixable.places

    def path(self, path: str) -> str:
        """A path of the scanned project, safe to print."""
        return self.style.safe(joined(self.prefix, path))

    def place(self, span: Span, *, column: bool = False) -> str:
        """Where a span begins, as `path:line` or `path:line:column`."""
        line = f":{span.line}" if span.line > 0 else ""
        return self.path(span.path) + line + (f":{span.col}" if column and line and span.col > 0 else "")

    def prose(self, text: str, indent: str = "", first: str | None = None) -> Iterator[str]:
        """A foreign sentence, wrapped; `first` begins the first line, `indent` the others."""
        yield from _indented(wrap(self.style.cut(text, LONGEST_PROSE), self.width - len(indent)), indent, first)

    def code(self, text: str, indent: str = "", first: str | None = None) -> Iterator[str]:
        """A foreign line of code, or a sentence: the same, with a comment that does not fit on lines of its own."""
        yield from _indented(wrap_code(self.style.cut(text, LONGEST_PROSE), self.width - len(indent)), indent, first)

    def flowing(self, pieces: Sequence[Cell], begin: str = "", indent: str = OVERFLOW) -> Iterator[str]:
        """Painted pieces side by side, on as many lines as they take."""
        return map(self.line, flow(pieces, self.width, begin, indent))

    def heading(self, text: str, count: int | None = None) -> str:
        """The title of a section, with how many there are."""
        number = self.style.paint(f" ({count})", DIM) if count is not None else ""
        return self.style.paint(text, BOLD) + number

    def table(self, rows: Sequence[Sequence[Cell]], *, all_rows: bool = False) -> Iterator[str]:
        """Aligned rows, the first ten unless `verbose`, then how many were left out."""
        shown = rows if self.verbose or all_rows else rows[:SHOWN]
        widths = column_widths(shown)
        for row in shown:
            for line in place_row(row, widths, self.width):
                yield self.line(line)
        if len(shown) < len(rows):
            yield self.style.paint(self.style.mark(f"  … {len(rows) - len(shown)} more (-v lists all)"), DIM)

    def line(self, parts: Sequence[Cell]) -> str:
        """Painted cells as one line, without blanks at its end."""
        kept = list(parts)
        while kept and not kept[-1].text.strip():
            kept.pop()
        last = Cell(kept[-1].text.rstrip(), kept[-1].codes) if kept else Cell("")
        return "".join(self.style.paint(cell.text, *cell.codes) for cell in (*kept[:-1], last))


def _indented(lines: Sequence[str], indent: str, first: str | None) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield (indent if number or first is None else first) + line
