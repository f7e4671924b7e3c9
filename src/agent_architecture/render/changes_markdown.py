"""What changed between two reports, as Markdown. Text of scanned projects is escaped as in `markdown`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agent_architecture.contract import contract, short
from agent_architecture.render.markdown_text import SHOWN, code, place, safe

if TYPE_CHECKING:
    from agent_architecture.changes import Changes, Gap, ScoreChange


def render(changes: Changes) -> str:
    """The whole difference, with a final newline."""
    return "\n".join(_lines(changes)) + "\n"


def _lines(changes: Changes) -> Iterator[str]:
    yield f"## Agent architecture: {safe(changes.before)} → {safe(changes.after)}"
    if changes.nothing:
        yield "\nNothing changed."
    if changes.remarks:
        yield ""
        yield from (f"- {safe(remark)}" for remark in changes.remarks)
    yield from _scores(changes)
    yield from _gaps("New findings", changes.new)
    yield from _gaps("Fixed findings", changes.fixed)
    yield from architecture(changes)


def _scores(changes: Changes) -> Iterator[str]:
    if changes.scores:
        composites = {item.key for item in contract().composites}
        yield "\n### Scores\n"
        yield "| score | before | after | |"
        yield "| --- | ---: | ---: | --- |"
        yield from map(_score, sorted(changes.scores, key=lambda change: change.key not in composites))


def _score(change: ScoreChange) -> str:
    before, after = ("" if value is None else f"{value:.4g}" for value in (change.before, change.after))
    word = {True: "better", False: "**worse**", None: ""}[change.better]
    return f"| {code(short(change.key))} | {before} | {after} | {word} |"


def _gaps(head: str, gaps: Sequence[Gap]) -> Iterator[str]:
    if gaps:
        yield f"\n### {head}: {len(gaps)}\n"
        for gap in gaps[:SHOWN]:
            yield f"- {place(gap.path, gap.line)} {safe(gap.message)} ({code(gap.rule_id)}, {safe(gap.severity)})"
        if len(gaps) > SHOWN:
            yield f"\n{len(gaps) - SHOWN} more are in the full report."


def architecture(changes: Changes) -> Iterator[str]:
    """The section on agents, tools, edges and servers; nothing where they are the same."""
    lines = [
        *(f"- **tool {safe(item.tool.name)}** now {safe('; now '.join(item.more))}" for item in changes.grown),
        *(f"- new {part.kind} {safe(part.name)} ({place(part.path, part.line)})" for part in changes.added),
        *(f"- gone: {part.kind} {safe(part.name)} ({safe(part.path)})" for part in changes.removed),
    ]
    if lines:
        yield f"\n### Architecture: {len(lines)} {'change' if len(lines) == 1 else 'changes'}\n"
        yield from lines[:SHOWN]
        if len(lines) > SHOWN:
            yield f"\n{len(lines) - SHOWN} more are in the full report."
