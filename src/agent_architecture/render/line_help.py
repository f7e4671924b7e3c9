"""One line on one screen: what the analysis sees there, what it decides, and where it sees nothing, why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Outcome
from agent_architecture.records import NamedTuple
from agent_architecture.render.findings_text import short
from agent_architecture.render.layout import wrap
from agent_architecture.render.page import MAX_WIDTH
from agent_architecture.render.style import BOLD, CYAN, DIM, UNDERLINE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.detector import Verdict
    from agent_architecture.render.style import Style

MOST: Final = 8
"""Verdicts, and calls, that are shown of each kind; the rest is counted."""
PARTS: Final = 16
"""Entities that are shown: a call that runs an agent is one of a dozen kinds at once."""
NOTHING: Final = "Nothing here is seen as part of an agent: no site, agent, tool, request to a model or memory."
ASKED: Final = (
    "A request alone is no site: one stands where a loop sends its answer back, or where code runs what it picked."
)
GAPS: Final = frozenset({Outcome.ABSENT, Outcome.PARTIAL})


class Part(NamedTuple):
    """An entity that stands at the line, or around it."""

    kind: str
    name: str
    library: str
    """"" for the project's own."""
    degree: str
    line: int


class Decided(NamedTuple):
    """A verdict at the line."""

    rule_id: str
    verdict: Verdict


class Seen(NamedTuple):
    """What is seen at a line."""

    path: str
    line: int
    role: str
    is_judged: bool
    parts: tuple[Part, ...]
    around: tuple[Part, ...]
    verdicts: tuple[Decided, ...]
    notices: tuple[str, ...]
    calls: tuple[str, ...]
    """Calls that start at the line, each with what is known of its callee."""
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What else is known of it, under titles."""


def line_screen(seen: Seen, *, width: int, style: Style) -> str:
    """The answer to `explain FILE:LINE`."""
    room = min(width, MAX_WIDTH)
    head = [style.paint(style.safe(f"{seen.path}:{seen.line}"), BOLD, UNDERLINE), *_role(seen, room, style)]
    blocks = [head, [*_seen(seen, room, style)]]
    for title, chosen in _groups(seen.verdicts):
        blocks.append([style.paint(title, BOLD), *_verdicts(chosen, room, style)])
    for title, texts in (("Calls", seen.calls), *seen.facts):
        if texts:
            blocks.append([style.paint(title, BOLD), *_listed(texts, room, style)])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _role(seen: Seen, room: int, style: Style) -> Iterator[str]:
    judged = "judged" if seen.is_judged else "known, not judged: only application code is"
    yield from (style.paint(line, DIM) for line in wrap(f"{seen.role} file, {judged}", room))


def _seen(seen: Seen, room: int, style: Style) -> Iterator[str]:
    """What stands at the line; else what was noticed there, or that nothing is."""
    for part in seen.parts[:PARTS]:
        yield from wrap(style.safe(_part(part)), room)
    if len(seen.parts) > PARTS:
        yield style.paint(f"and {len(seen.parts) - PARTS} more", DIM)
    for notice in seen.notices:
        yield from wrap(style.safe(notice), room)
    kinds = {part.kind.partition(" (")[0] for part in seen.parts}
    if "model call" in kinds and "agent call site" not in kinds:
        yield from wrap(ASKED, room)
    if not seen.parts and not seen.notices:
        yield from wrap(NOTHING, room)
    for part in seen.around[:MOST]:
        yield from (
            style.paint(line, DIM) for line in wrap(style.safe(f"inside {_part(part)}, line {part.line}"), room)
        )


def _part(part: Part) -> str:
    by = part.library or "the project's own"
    how = f", {part.degree}" if part.degree else ""
    return f"{part.kind} {part.name} ({by}{how})"


def _groups(verdicts: tuple[Decided, ...]) -> Iterator[tuple[str, list[Decided]]]:
    for title, outcomes in (
        ("Gaps", GAPS),
        ("Cannot be told without running it", frozenset({Outcome.UNKNOWN})),
        ("Controlled", frozenset({Outcome.CONTROLLED})),
    ):
        chosen = [one for one in verdicts if one.verdict.outcome in outcomes]
        if chosen:
            yield title, chosen


def _verdicts(chosen: list[Decided], room: int, style: Style) -> Iterator[str]:
    for one in chosen[:MOST]:
        risk = f"  risk {one.verdict.risk:g}" if one.verdict.risk else ""
        yield f"  {style.paint(short(one.rule_id), CYAN)}{risk}"
        yield from ("    " + line for line in wrap(style.safe(one.verdict.reason), room - 4))
    if len(chosen) > MOST:
        yield style.paint(f"  and {len(chosen) - MOST} more", DIM)


def _listed(texts: tuple[str, ...], room: int, style: Style) -> Iterator[str]:
    for text in texts[:MOST]:
        yield from ("  " + line for line in wrap(style.safe(text), room - 2))
    if len(texts) > MOST:
        yield style.paint(f"  and {len(texts) - MOST} more", DIM)
