"""Tracers that are on, and what they record of what is said: calls of libraries, variables of the environment.

Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.model.settings import ABSENT, Origin, written
from agent_architecture.semantics.context import label
from agent_architecture.semantics.effective import effective
from agent_architecture.semantics.environment import assigned
from agent_architecture.semantics.tracing.switches import TARGETED, is_off, is_on, scopes_of
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match

JUDGED: Final = frozenset({Role.APP, Role.EXAMPLE, Role.CONFIG})


def tracers(context: Context) -> Iterator[Disclosure]:
    """Each where it is switched on; a client that only handlers of its library use stands behind these."""
    matches = [m for m in context.of_kind("tracer") if context.program.module_of(m.node).role in JUDGED]
    masked = {m.row.where.pack: found for m in matches if (found := _masks(context, m)) is not None}
    handlers = {m.row.where.pack for m in matches if scopes_of(context, m) & TARGETED}
    for match in matches:
        pack = match.row.where.pack
        captures = effective(context, match, "captures_content")
        is_handler = bool(scopes_of(context, match) & TARGETED)
        if is_handler and captures.origin is Origin.ABSENT:
            others = (
                effective(context, other, "captures_content") for other in matches if other.row.where.pack == pack
            )
            captures = next((each for each in others if each.origin is not Origin.ABSENT), ABSENT)
        if captures.origin is Origin.ABSENT or is_off(effective(context, match, "enabled")):
            continue
        own = effective(context, match, "redacts")
        redacts = masked.get(pack, own) if is_handler else own
        if is_handler or pack not in handlers or pack in masked:
            yield _tracer(match, captures, redacts)
    yield from _by_environment(context)


def _tracer(match: Match, captures: Setting, redacts: Setting) -> Disclosure:
    return Disclosure(
        match.node.span, label(match), match.row.where.pack, Kept.TALK, Sink.TRACE, captures=captures, redacts=redacts
    )


def _masks(context: Context, match: Match) -> Setting | None:
    """What takes something out, where a tracer is given such a thing."""
    redacts = effective(context, match, "redacts")
    return redacts if redacts.origin is Origin.UNKNOWN or any(redacts.values) else None


def _by_environment(context: Context) -> Iterator[Disclosure]:
    found = tuple(one for one in assigned(context) if one.row.kind == "tracer")
    hiding = {one.row.where.pack for one in found if one.row.sets == "captures_content" and not any(one.setting.values)}
    seen: set[tuple[str, str]] = set()
    for one in found:
        pack = one.row.where.pack
        says = one.row.constants.get("captures_content") is True and one.row.sets == "enabled"
        asks = one.row.sets == "captures_content"
        if (says or asks) and is_on(one.setting) and (one.path, pack) not in seen:
            seen.add((one.path, pack))
            captures = written(pack not in hiding, one.span)
            yield Disclosure(one.span, one.variable, pack, Kept.TALK, Sink.TRACE, one.variable, captures=captures)
