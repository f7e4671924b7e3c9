"""The report for a person at a terminal: the order of its sections, the headline and the last line.

A pure function of the outcome; the source lines come through a callable. It computes no score, and knows no flag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.model.system import PROTOCOL_SITES
from agent_architecture.render.axes import axes
from agent_architecture.render.changes_text import since_baseline
from agent_architecture.render.counted import counted
from agent_architecture.render.findings_text import COLORS
from agent_architecture.render.fixable import NOTHING, Fixable
from agent_architecture.render.inventory import inventory
from agent_architecture.render.layout import Cell, wrap
from agent_architecture.render.overview import ALL, PLANS, Plan, finding_blocks, first_blocks
from agent_architecture.render.places import placed
from agent_architecture.render.projects import projects
from agent_architecture.render.safe import cells, pad
from agent_architecture.render.statistics import statistics
from agent_architecture.render.style import BOLD, CYAN, DIM, GREEN, RED, YELLOW, Style
from agent_architecture.render.verdicts import verdicts
from agent_architecture.render.view import LEAST_RISK, SourceLine, View
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from agent_architecture.model.system import Dependency
    from agent_architecture.report import Decision, Outcome, ProjectFacts, Report, Violation
    from agent_architecture.scoring import Scores
    from agent_architecture.sources.source import Notice

NOT_APPLICABLE: Final = "no agent call sites found: not applicable, not a pass"
LONGEST: Final = 150
"""Lines of a report that lists no more than it must: what somebody reads."""
FRAMEWORKS: Final = 6
"""Libraries in the headline before it is cut."""


def render(  # noqa: PLR0913 - the properties of a terminal
    outcome: Outcome,
    *,
    width: int,
    color: bool,
    verbose: bool,
    source: SourceLine,
    unicode: bool = True,
    quiet: bool = False,
    subjects: bool = False,
    counts: bool = False,
    prefix: str = "",
    least_risk: float = LEAST_RISK,
    fixable: Fixable = NOTHING,
) -> str:
    """The whole report as text.

    Args:
        outcome: what the run ended with.
        width: columns to use; only paths may be longer.
        color: whether to use ANSI colours.
        verbose: list everything instead of what fits on a few screens.
        source: gives a line of a scanned file by path and number (from 1), or None.
        unicode: whether characters outside ASCII can be shown.
        quiet: findings and the last line only.
        subjects: add every verdict, the safe ones too.
        counts: show how many places each rule has findings in, instead of the findings.
        prefix: goes before every path, so that a terminal can open it from where the command runs.
        least_risk: places of less risk are counted, unless `verbose`.
        fixable: the places that the tool can mend.
    """
    known = None if outcome.comparison is None else outcome.comparison.known
    view = View(width, Style(color, unicode), verbose, source, prefix, counts, known, least_risk, fixable)
    for plan in (ALL,) if verbose else PLANS:
        blocks = _blocks(outcome, plan, view, quiet=quiet, subjects=subjects)
        text = "\n\n".join("\n".join(block) for block in blocks if block) + "\n"
        if text.count("\n") <= LONGEST:
            break
    return text


def _blocks(outcome: Outcome, plan: Plan, view: View, *, quiet: bool, subjects: bool) -> Iterator[list[str]]:
    if quiet:
        yield from _findings(outcome.report, plan, view)
    else:
        yield from _sections(outcome, plan, view, subjects=subjects)
    line = view.fixable.line()
    yield [*([line] if line else []), *_last_line(outcome, view), *_decision(outcome.decision, view)]


def _sections(outcome: Outcome, plan: Plan, view: View, *, subjects: bool) -> Iterator[list[str]]:
    report = outcome.report
    yield [*_headline(report.project, view), *([] if plan.inventory else _contents(report.project, view))]
    if not sum(report.project.roles.values()):
        yield list(_notices(report.notices, view))
        return
    if not report.applicable:
        yield list(_not_applicable(report.project, view))
    yield list(projects(report, view))
    if not view.counts:
        yield from first_blocks(report, view)
    yield from _findings(report, plan, view)
    yield list(_hidden(report, view))
    if plan.inventory:
        yield from inventory(report.project, view)
    if subjects:
        yield from verdicts(report.subjects, view)
    yield list(_incomplete(report.scores, view))
    if outcome.comparison is not None:
        yield [view.heading(view.style.safe(f"Against the baseline {outcome.comparison.before}"))]
        yield from since_baseline(outcome.comparison, view)
    yield list(_violations(outcome.violations, view))
    yield list(_notices(report.notices, view))
    if report.applicable:
        yield list(axes(report.scores, view))


# ------------------------------------------------------------------------------------------------------------- headline
def _headline(project: ProjectFacts, view: View) -> Iterator[str]:
    style = view.style
    files = sum(project.roles.values())
    name = style.cut(project.name, view.width // 2)
    languages = ", ".join(f"{language} {count}" for language, count in _by_count(project.languages.items()))
    parts = [counted(files, "file") + " read", *([languages] if languages else [])]
    text = style.mark(" · ").join(parts)
    yield f"{style.paint(name, BOLD)}  {text}" if len(text) + 2 + cells(name) <= view.width else style.paint(name, BOLD)
    if len(text) + 2 + cells(name) > view.width:
        yield from view.prose(text, "  ")
    if project.frameworks:
        yield from (style.paint(line, DIM) for line in view.prose(_libraries(project, view), "  "))
    if project.configuration:
        line = f"  configuration: {view.path(project.configuration)}"
        yield view.style.paint(line, DIM)
    if project.judged_role is Role.EXAMPLE:
        yield from view.prose("No application code calls an agent: the examples are judged as the application.", "  ")


def _contents(project: ProjectFacts, view: View) -> Iterator[str]:
    """How much was found, in one line."""
    runs = sum(site.kind not in PROTOCOL_SITES for site in project.sites)
    counts = (
        (runs, "agent call site"),
        (len(project.sites) - runs, "MCP or A2A site"),
        (len(project.agents), "agent"),
        (len(project.tools), "tool"),
        (len(project.handoffs), "handoff"),
    )
    text = ", ".join(counted(count, noun) for count, noun in counts if count)
    yield from (view.style.paint(line, DIM) for line in view.prose(text, "  "))


def _by_count(items: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(((name, count) for name, count in items if count), key=lambda item: (-item[1], item[0]))


def _libraries(project: ProjectFacts, view: View) -> str:
    shown = project.frameworks if view.verbose else project.frameworks[:FRAMEWORKS]
    more = len(project.frameworks) - len(shown)
    return ", ".join(map(_library, shown)) + (f" and {more} more" if more else "")


def _library(dependency: Dependency) -> str:
    """Name and version; a version that no lock file gives is marked with where it comes from."""
    origin = "" if dependency.origin == "lock" else f" ({dependency.origin})"
    return f"{dependency.name} {dependency.version}{origin}"


# ---------------------------------------------------------------------------------------------------- what is special
def _not_applicable(project: ProjectFacts, view: View) -> Iterator[str]:
    lines = [Cell(line, (BOLD, YELLOW)) for line in wrap(NOT_APPLICABLE, view.width - 4)]
    declared = (
        f"declared libraries: {_libraries(project, view)}" if project.frameworks else "no agent library is declared"
    )
    lines += [Cell(line) for line in wrap(view.style.safe(declared), view.width - 4)]
    yield from _box(lines, view)


def _box(lines: list[Cell], view: View) -> Iterator[str]:
    style = view.style
    inner = max(cells(line.text) for line in lines)
    side = style.paint(style.mark("│"), YELLOW)
    yield style.paint(style.mark("╭" + "─" * (inner + 2) + "╮"), YELLOW)
    for line in lines:
        yield f"{side} {style.paint(pad(line.text, inner), *line.codes)} {side}"
    yield style.paint(style.mark("╰" + "─" * (inner + 2) + "╯"), YELLOW)


def _findings(report: Report, plan: Plan, view: View) -> Iterator[list[str]]:
    yield from statistics(report, view) if view.counts else finding_blocks(report, plan, view)


def _hidden(report: Report, view: View) -> Iterator[str]:
    """What is not shown, and why."""
    counts = Counter[str](one.kind for one in report.suppressed)
    ways = {"inSource": "comments", "external": view.style.safe(report.project.configuration) or "the configuration"}
    parts = [f"{counted(counts[kind], 'place')} by {way}" for kind, way in ways.items() if counts[kind]]
    if report.left_out.findings:
        flags = ", ".join(f"--{name}" for name in report.left_out.by)
        parts.append(f"{counted(report.left_out.findings, 'finding')} by {flags}")
    if parts:
        text = f"Not shown: {'; '.join(parts)}. The scores count them."
        yield from (view.style.paint(line, DIM) for line in view.prose(text))


def _incomplete(scores: Scores, view: View) -> Iterator[str]:
    style = view.style
    for failure in scores.failed:
        text = f"The detector {_short(failure.key)} failed: {failure.error}"
        yield from (style.paint(line, RED) for line in view.prose(text, "  ", first=""))
    if scores.missing:
        total = len(scores.missing) + len(scores.failed) + len(scores.metrics)
        text = f"Incomplete: {len(scores.missing)} of {total} detectors are not written yet; the scores leave them out."
        yield from (style.paint(line, YELLOW) for line in view.prose(text))
    if view.verbose:
        lines = wrap(", ".join(map(_short, scores.missing)), view.width - 2)
        yield from (style.paint(f"  {line}", DIM) for line in lines)


def _violations(violations: tuple[Violation, ...], view: View) -> Iterator[str]:
    if violations:
        yield view.heading("Policy", len(violations))
        yield from view.table([_violation(item, view) for item in violations], all_rows=True)


def _violation(item: Violation, view: View) -> tuple[Cell, ...]:
    color = RED if item.severity == "error" else YELLOW
    return Cell(view.style.safe(item.severity), (color,)), Cell(view.style.safe(item.text))


def _notices(notices: tuple[Notice, ...], view: View) -> Iterator[str]:
    if not notices:
        return
    yield view.heading("Notices", len(notices))
    rows = [(Cell(_where(notice, view), (CYAN,)), Cell(view.style.cut(notice.message, 300))) for notice in notices]
    yield from view.table(rows)


def _where(notice: Notice, view: View) -> str:
    return view.path(notice.path) + (f":{notice.line}" if notice.line else "")


# ------------------------------------------------------------------------------------------------------------ last line
def _last_line(outcome: Outcome, view: View) -> Iterator[str]:
    """What it all comes to, in one line unless the terminal is narrow."""
    between = view.style.mark(" · ")
    line: list[Cell] = []
    for part in _summary(outcome, view.style):
        joined = [*line, Cell(between), *part] if line else part
        if line and sum(cells(cell.text) for cell in joined) > view.width:
            yield view.line(line)
            joined = part
        line = joined
    yield view.line(line)


def _decision(decision: Decision, view: View) -> Iterator[str]:
    for reason in decision.reasons:
        yield from (view.style.paint(line, RED) for line in view.prose(f"failed: {reason}", "  ", first=""))


def _summary(outcome: Outcome, style: Style) -> Iterator[list[Cell]]:
    report, scores = outcome.report, outcome.report.scores
    if not sum(report.project.roles.values()):
        yield [Cell(f"no source files found in {style.cut(report.project.name, 60)}", (BOLD,))]
        return
    yield _found(report)
    if report.applicable and report.findings:
        yield [Cell(counted(sum(1 for _ in placed(report.findings)), "place"))]
    hidden = len(report.suppressed) + report.left_out.evidence
    if hidden:
        yield [Cell(f"{counted(hidden, 'place')} not shown")]
    if report.applicable:
        yield [Cell(f"health {scores.health:.2f}")]
    if outcome.comparison is not None:
        changed = outcome.comparison
        yield [Cell(f"{len(changed.new)} new and {len(changed.fixed)} fixed since the baseline")]
    errors = sum(item.severity == "error" for item in outcome.violations)
    if errors:
        yield [Cell(counted(errors, "policy error"), (RED,))]
    if scores.failed:
        yield [Cell(counted(len(scores.failed), "detector") + " failed", (RED,))]
    if scores.missing:
        yield [Cell("incomplete")]


def _found(report: Report) -> list[Cell]:
    if not report.applicable:
        return [Cell(NOT_APPLICABLE, (BOLD, YELLOW))]
    if not report.findings:
        return [Cell("no findings", (BOLD, GREEN))]
    counts = Counter(finding.severity for finding in report.findings)
    files = counted(len({finding.path for finding in report.findings}), "file")
    levels = [Cell(f"{counts[level]} {level}", COLORS[level]) for level in reversed(Severity) if counts[level]]
    listed = [cell for level in levels for cell in (Cell(", "), level)][1:]
    return [
        Cell(counted(len(report.findings), "finding"), (BOLD,)),
        Cell(f" in {files} ("),
        *listed,
        Cell(")"),
    ]


def _short(key: str) -> str:
    return key.rpartition(".")[2]
