"""The fleet as one HTML file that fetches nothing and runs nothing: tables, a heat map, and lines drawn as SVG.

All text that repositories hold is escaped; the policy of the page lets the browser obey this style and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.fleet.curves import trend
from agent_architecture.fleet.overview import AXES, SEVERITIES
from agent_architecture.fleet.summary import repositories
from agent_architecture.render.html.frame import escaped_text, framed
from agent_architecture.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agent_architecture.fleet.overview import Overview, Repository, Shared

STYLE: Final = Path(__file__).parent / "page.css"
MOST: Final = 1000
"""Rows of a table; the store and the CSV have all of them."""
NAMES: Final = 20
"""Names in a cell."""
LABELLED: Final = ("repository", "owner", "tags", "health", *AXES, *SEVERITIES)


def render(found: Overview) -> str:
    """The page, with a final newline."""
    style = STYLE.read_text("utf-8")
    parts = (
        _head(found), _unread(found), _ranking(found), _groups(found), _weakest(found), _shared(found),
        _changes(found), trend(found.past),
    )  # fmt: skip
    body = "\n".join(("<main>", *(part for part in parts if part), "</main>"))
    return framed(body, title="Fleet", style=style, version=VERSION)


def _head(found: Overview) -> str:
    judged, unread, total = len(found.judged), len(found.unread), len(found.repositories)
    lines = [
        f"<h1>Fleet: {repositories(total)}</h1>",
        f'<p class="faint">Run {found.run.run} of {found.run.started:%Y-%m-%d %H:%M} UTC</p>',
        f"<p>{judged} with agents, {total - judged - unread} without, {unread} could not be read.</p>",
    ]
    if not found.finished:
        lines.append('<p class="bad">This run was stopped before its end.</p>')
    if found.run.health is not None:
        axes = ", ".join(f"{axis} {getattr(found.run, axis):.0f}" for axis in AXES)
        lines.append(f"<p>Mean health {found.run.health:.2f}; {axes}.</p>")
    return "<header>" + "\n".join(lines) + "</header>"


def _unread(found: Overview) -> str:
    rows = [(_name(one.repository), _text(one.owner), _text(one.error)) for one in found.unread]
    return _table("Not read", ("repository", "owner", "why"), rows)


def _ranking(found: Overview) -> str:
    return _table("Least healthy first", LABELLED, [_ranked(one) for one in found.judged])


def _ranked(one: Repository) -> Sequence[str]:
    counts = (_number(getattr(one, severity)) for severity in SEVERITIES)
    health = one.health or 0.0
    scores = (_heat(health * 100, f"{health:.2f}"), *(_heat(score, f"{score:.0f}") for score in one.axes))
    return _name(one.repository), _text(one.owner), _text(", ".join(one.tags)), *scores, *counts


def _groups(found: Overview) -> str:
    """The means of owners and tags: where in the organisation the risk is."""
    groups: defaultdict[tuple[str, str], list[Repository]] = defaultdict(list)
    for one in found.judged:
        if one.owner:
            groups["owner", one.owner].append(one)
        for tag in one.tags:
            groups["tag", tag].append(one)
    rows = []
    for (kind, name), members in sorted(groups.items()):
        axes = [sum(one.axes[place] for one in members) / len(members) for place in range(len(AXES))]
        heat = (_heat(score, f"{score:.0f}") for score in axes)
        worst = _number(sum(one.critical for one in members))
        rows.append((_name(name), _text(kind), _number(len(members)), *heat, worst))
    return _table("Owners and tags", ("name", "kind", "repositories", *AXES, "critical"), rows)


def _weakest(found: Overview) -> str:
    rows = [
        (
            _name(one.key), _text(one.axis or "memory"), _number(one.with_gaps), _number(one.repositories),
            _heat((1 - one.mean_risk) * 100, f"{one.mean_risk:.2f}"),
        )
        for one in found.weakest
    ]  # fmt: skip
    return _table("Weakest detectors", ("detector", "axis", "with gaps", "judged in", "mean risk"), rows)


def _shared(found: Overview) -> str:
    return _table(
        "Shared across repositories",
        ("what", "name", "details", "repositories", "agents and runs that use it"),
        [_shared_row(one) for one in found.shared],
    )


def _shared_row(one: Shared) -> Sequence[str]:
    return _text(one.what), _name(one.name), _text(one.about), _list(one.repositories), _list(one.users)


def _changes(found: Overview) -> str:
    if len(found.past) < 2:  # noqa: PLR2004 - this run, and the one before
        return ""
    moved = [
        (
            _name(one.repository), _text(one.change), _health(one.health_before), _health(one.health_after),
            _number(one.new), _number(one.fixed), _text(one.error_after),
        )
        for one in found.moved
    ]  # fmt: skip
    places = [
        (
            _text(one.change), _text(one.severity), _name(one.repository), _text(one.key),
            _text(f"{one.path}:{one.line}"), _text(one.message),
        )
        for one in found.changes
    ]  # fmt: skip
    before = f"Changed since run {found.past[-2].run}"
    tables = (
        _table(before, ("repository", "change", "health before", "health now", "new", "fixed", "not read"), moved),
        _table("New and fixed places", ("change", "severity", "repository", "detector", "place", "reason"), places),
    )
    return "\n".join(table for table in tables if table) or (
        f"<section><h2>{before}</h2><p>Nothing that was found.</p></section>"
    )


# --------------------------------------------------------------------------------------------------------------- cells
def _table(title: str, columns: Iterable[str], rows: Sequence[Sequence[str]]) -> str:
    """A section with a table of finished cells; empty where there are no rows."""
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{escaped_text(name)}</th>' for name in columns)
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows[:MOST])
    more = len(rows) - MOST
    left = f'<p class="faint">… and {more} more: the store and the CSV have all of them.</p>' if more > 0 else ""
    return (
        f'<section><h2>{escaped_text(title)} <span class="faint">({len(rows)})</span></h2><div class="wide">'
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>{left}</section>"
    )


def _text(text: str) -> str:
    return f"<td>{escaped_text(text)}</td>"


def _name(text: str) -> str:
    return f'<th scope="row">{escaped_text(text)}</th>'


def _number(value: int) -> str:
    return f'<td class="number">{value}</td>'


def _heat(score: float, text: str) -> str:
    """A number on a ground from red (0) to green (100); the number says the same to who sees no colours."""
    band = min(9, max(0, int(score // 10)))
    return f'<td class="number h{band}">{text}</td>'


def _health(value: float | None) -> str:
    return _text("no score") if value is None else _heat(value * 100, f"{value:.2f}")


def _list(names: Sequence[str]) -> str:
    more = len(names) - NAMES
    return _text(", ".join(names[:NAMES]) + (f" and {more} more" if more > 0 else ""))
