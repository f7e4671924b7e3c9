"""Findings, worst first: one section a rule, with its places by reason, the fix, and how much of it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.records import NamedTuple
from agent_architecture.render.counted import counted
from agent_architecture.render.excerpt import excerpt
from agent_architecture.render.fixable import MARK
from agent_architecture.render.layout import Cell, shortened, wrap
from agent_architecture.render.places import by_reason, worst_first
from agent_architecture.render.safe import cells, pad
from agent_architecture.render.style import BLUE, BOLD, CYAN, DIM, GREEN, MAGENTA, RED, YELLOW
from agent_architecture.render.view import SHOWN, View
from agent_architecture.scoring import SEVERITY_RANK

if TYPE_CHECKING:
    from agent_architecture.findings import Finding
    from agent_architecture.render.places import Placed
    from agent_architecture.report import Report
    from agent_architecture.sources.source import Span

COLORS: Final = {
    Severity.CRITICAL: (BOLD, RED),
    Severity.HIGH: (RED,),
    Severity.MEDIUM: (YELLOW,),
    Severity.LOW: (BLUE,),
    Severity.GOOD: (DIM,),
}
RELATED: Final = 3
"""Related places named beside a piece of evidence."""
GUTTER: Final = 6
"""Cells for the line number."""
BRIEF_REASONS: Final = 2
"""Reasons of one rule where it is told briefly."""
LONGEST_SYMBOL: Final = 60
"""Cells of a name: longer ones are hostile, or an expression that the line of code shows."""
LEVEL: Final = max(map(len, Severity))
"""Cells of the longest severity."""


class Detail(IntEnum):
    """How much is told of a rule."""

    LINE = 0
    """Its severity, how many places, its name and title."""
    BRIEF = 1
    """Beside these its first reasons, each with its place."""
    FULL = 2
    """Every reason with the line of code, and the fix."""


class Told(NamedTuple):
    """One rule: a finding that says what it is, and its places in all files, the worst first."""

    finding: Finding
    places: tuple[Placed, ...]


def rules_of(report: Report, places: Sequence[Placed]) -> list[Told]:
    """The rules of these places: by severity, inside it by the places' own risk."""
    risks = {metric.rule_id: metric.risk for metric in report.scores.metrics}
    rules: dict[str, list[Placed]] = {}
    for one in places:
        rules.setdefault(one.finding.rule_id, []).append(one)
    told = [Told(group[0].finding, tuple(worst_first(group))) for group in rules.values()]

    def badness(rule: Told) -> tuple[int, float, float, str]:
        rank, rule_id = SEVERITY_RANK[rule.finding.severity], rule.finding.rule_id
        return -rank, -rule.places[0].evidence.risk, -risks.get(rule_id, 0.0), rule_id

    return sorted(told, key=badness)


def rule_lines(rule: Told, detail: Detail, view: View) -> list[str]:
    """What is told of one rule, in more than a line."""
    return [*_title(rule, view), *(_full(rule, view) if detail is Detail.FULL else _brief(rule, view))]


def short(rule_id: str) -> str:
    """A rule as a user types it."""
    return rule_id.removeprefix("arxo/agent-")


def count_of(places: Sequence[Placed]) -> str:
    """How many findings, in how many places."""
    findings = len({(one.finding.rule_id, one.finding.path) for one in places})
    return f"{counted(findings, 'finding')} in {counted(len(places), 'place')}"


# ---------------------------------------------------------------------------------------------------------------- title
def rule_table(rules: Sequence[Told], view: View) -> Iterator[str]:
    """One line a rule, aligned."""
    counts = max((len(counted(len(rule.places), "place")) for rule in rules), default=0)
    return (_line(rule, counts, view) for rule in rules)


def _line(rule: Told, counts: int, view: View) -> str:
    style, finding = view.style, rule.finding
    level = pad(finding.severity.upper(), LEVEL)
    head = f"{level}  {counted(len(rule.places), 'place'):{counts}}  "
    name = style.safe(short(finding.rule_id))
    room = view.width - cells(head) - cells(name) - 2
    title = shortened(style.safe(finding.title), room, style.mark("…")) if room >= LEVEL else ""
    painted = style.paint(level, *COLORS[finding.severity]) + head[len(level) :]
    return f"{painted}{style.paint(name, CYAN)}" + (f"  {title}" if title else "")


def _title(rule: Told, view: View) -> Iterator[str]:
    """Severity, title, rule and the number of places, on one line where they fit."""
    style, finding = view.style, rule.finding
    codes, level = COLORS[finding.severity], finding.severity.upper()
    head = level + "  "
    title = wrap(style.safe(finding.title), view.width - len(head)) or [""]
    name = f"{style.safe(short(finding.rule_id))} ({counted(len(rule.places), 'place')})"
    together = len(title) == 1 and len(head) + cells(title[0]) + 2 + cells(name) <= view.width
    lines = [style.paint(line, BOLD) for line in title]
    rest = [*lines[1:], *([] if together else [style.paint(name, DIM)])]
    yield f"{style.paint(level, *codes)}  {lines[0]}" + (f"  {style.paint(name, DIM)}" if together else "")
    yield from (" " * len(head) + line for line in rest)


# ---------------------------------------------------------------------------------------------------------------- brief
def _brief(rule: Told, view: View) -> Iterator[str]:
    shown = [one for one in rule.places if one.evidence.risk >= view.least_risk]
    groups = by_reason(shown)[:BRIEF_REASONS]
    for group in groups:
        first, more = group[0], len(group) - 1
        others = [Cell(f"and {more} more", (CYAN,))] if more else []
        yield from view.flowing([*where(first, view, brief=True), *others], "  ")
        yield from view.prose(first.evidence.message, "      ")
    yield from _left(rule, groups, view)


# ----------------------------------------------------------------------------------------------------------------- full
def _full(rule: Told, view: View) -> Iterator[str]:
    shown = [one for one in rule.places if view.verbose or one.evidence.risk >= view.least_risk]
    groups = by_reason(shown)
    groups = groups if view.verbose else groups[:SHOWN]
    for group in groups:
        yield from _group(group, view)
    yield from _left(rule, groups, view)
    told = [group[0] for group in groups] or rule.places[:1]
    for advice in dict.fromkeys(one.finding.recommendation for one in told):
        yield from labelled("fix:", advice, view)


def _left(rule: Told, groups: Sequence[Sequence[Placed]], view: View) -> Iterator[str]:
    """How many places are not listed, and why where nothing is."""
    count = len(rule.places) - sum(map(len, groups))
    if count:
        more = f"… {count} more {'place' if count == 1 else 'places'}"
        text = more if groups else f"{counted(count, 'place')}, each of a risk below {view.least_risk:g}"
        yield view.style.paint(view.style.mark(f"  {text}"), DIM)


def labelled(label: str, text: str, view: View, indent: str = "  ") -> Iterator[str]:
    """A foreign line of code, or sentence, behind a word that says what it is."""
    head = f"{indent}{label}  "
    for number, line in enumerate(view.code(text, " " * len(head), first="")):
        yield f"{indent}{view.style.paint(label, MAGENTA)}  {line}" if number == 0 else line


def _group(group: Sequence[Placed], view: View) -> Iterator[str]:
    """Places with one reason: the line of the first, the reason, and where else it holds."""
    first = group[0]
    yield from view.flowing(where(first, view), "  ")
    yield from _quote(first.span, COLORS[first.finding.severity], view)
    indent = " " * (GUTTER + 3)
    risk = f" (risk {first.evidence.risk:.2g})" if first.evidence.risk < 1 else ""
    yield from view.prose(first.evidence.message + risk, indent)
    if len(group) > 1:
        same = _named([one.span for one in group[1:]], len(group) if view.verbose else SHOWN, view)
        yield from (view.style.paint(line, CYAN) for line in view.prose(f"the same at {same}", indent))
    elsewhere = [span for span in first.evidence.related if span[:2] != first.span[:2]]
    if elsewhere:
        see = f"see also {_named(elsewhere, RELATED, view)}"
        yield from (view.style.paint(line, DIM) for line in view.prose(see, indent))


def where(one: Placed, view: View, *, brief: bool = False) -> list[Cell]:
    """A place with its column and symbol, unless it is told briefly; marked when it is new, and when it is fixable."""
    symbol = "" if brief else view.style.cut(one.evidence.symbol, LONGEST_SYMBOL)
    new = [Cell("new", (BOLD, GREEN))] if view.is_new(one.evidence.fingerprint) else []
    place = Cell(view.place(one.span, column=not brief), (CYAN,))
    mark = [Cell(MARK, (CYAN,))] if view.is_fixable(one.finding.key, one.span) else []
    return [*new, place, *([Cell(symbol, (DIM,))] if symbol else []), *mark]


def _quote(span: Span, codes: tuple[str, ...], view: View) -> Iterator[str]:
    """The source line and the underline below it; nothing when the line cannot be read."""
    line = view.source(span.path, span.line) if span.line > 0 else None
    if line is None or not line.strip():
        return
    style = view.style
    bar = style.paint(style.mark("│"), DIM)
    number = style.paint(str(span.line).rjust(GUTTER), DIM)
    end = span.end_col if span.end_line == span.line else None
    piece = excerpt(line, span.col, end, view.width - GUTTER - 3, unicode=style.unicode)
    yield f"{number} {bar} {piece.before}{style.paint(piece.span, BOLD)}{piece.after}"
    yield f"{'':{GUTTER}} {bar} {'':{piece.offset}}{style.paint('^' * piece.length, *codes)}"


def _named(places: Sequence[Span], most: int, view: View) -> str:
    named = list(dict.fromkeys(map(view.place, places)))
    more = f" and {len(named) - most} more" if len(named) > most else ""
    return f"{', '.join(named[:most])}{more}"
