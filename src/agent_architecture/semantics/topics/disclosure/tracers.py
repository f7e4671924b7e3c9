"""Tracers that are on, and what they record of what is said: calls of libraries, variables of the environment, and
wrappers around functions whose arguments and results they record.

Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.model.settings import ABSENT, Origin, written
from agent_architecture.names.values import Func
from agent_architecture.semantics.callgraph.processes import Programs, assigned_for
from agent_architecture.semantics.matching.context import label
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.environment import assigned
from agent_architecture.semantics.topics.tracing.switches import (
    TARGETED,
    Switches,
    is_left_off,
    is_off,
    is_on,
    scopes_of,
)
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

JUDGED: Final = frozenset({Role.APP, Role.EXAMPLE, Role.CONFIG})


def tracers(context: Context) -> Iterator[Disclosure]:
    """Each where it is switched on; a client that only handlers of its library use stands behind these."""
    matches, masked = _judged(context, "tracer"), _masked(context)
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
        mask = masked(match)
        redacts = mask or own if is_handler else own
        if is_handler or pack not in handlers or mask is not None:
            yield _tracer(match, captures, redacts)
    yield from _of_agents(context, masked)
    yield from _by_environment(context)


def _of_agents(context: Context, masked: Callable[[Match], Setting | None]) -> Iterator[Disclosure]:
    """Agents, runs and model calls that are traced because their own arguments say so."""
    for match in (one for kind in ("agent", "run", "model_call") for one in _judged(context, kind)):
        captures = effective(context, match, "captures_content")
        if captures.origin is not Origin.ABSENT and is_on(effective(context, match, "tracing")):
            yield _tracer(match, captures, masked(match) or ABSENT)


def wrapped(context: Context, holds: Callable[[ir.Function], bool]) -> Iterator[Disclosure]:
    """Each wrapper that records the arguments and the result of a function; `holds` says of one whether it is given
    what is said, or gives it back. One of a library that records nothing before it is switched on counts where
    something may do that.
    """
    masked, hiding, switches = _masked(context), _hiding(context), Switches(context)
    for match in _judged(context, "span"):
        captures, function = effective(context, match, "captures_content"), _function(context, match)
        if captures.origin is Origin.ABSENT or function is None or not holds(function):
            continue
        pack, own = match.row.where.pack, effective(context, match, "redacts")
        switch = switches.of(pack, match.node.span.path)
        if switches.speak_of(pack) and (switch is None or is_off(switch.enabled)):
            continue
        captures = written(False, match.node.span) if hiding(pack, match.node.span.path) else captures
        redacts = own if own.origin is not Origin.ABSENT else masked(match) or own
        span = function.name_span if function is match.node else match.node.span
        symbol = function.name or label(match)
        yield Disclosure(span, symbol, pack, Kept.TALK, Sink.TRACE, captures=captures, redacts=redacts)


def _function(context: Context, match: Match) -> ir.Function | None:
    """The project's function that a wrapper stands around."""
    if isinstance(match.node, ir.Function):
        return match.node
    values = context.program.value_of(match.given[0].value) if match.given else ()
    return next((value.function for value in values if isinstance(value, Func)), None)


def _judged(context: Context, kind: str) -> list[Match]:
    return [m for m in context.of_kind(kind) if context.program.module_of(m.node).role in JUDGED]


def _masked(context: Context) -> Callable[[Match], Setting | None]:
    """Tells what takes something out of all that is traced of a library where a match stands."""
    masks = [(m, found) for m in _judged(context, "tracer") if (found := _masks(context, m)) is not None]
    apart = context.once(Programs).apart

    def masked(match: Match) -> Setting | None:
        pack, at = match.row.where.pack, match.node.span.path
        found = [mask for m, mask in masks if m.row.where.pack == pack and not apart(m.node.span.path, at)]
        return found[-1] if found else None

    return masked


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
    hiding = _hiding(context)
    seen: set[tuple[str, str]] = set()
    for one in found:
        pack = one.row.where.pack
        says = one.row.constants.get("captures_content") is True and one.row.sets == "enabled"
        asks = one.row.sets == "captures_content"
        is_told = (says or asks) and is_on(one.setting) and (one.path, pack) not in seen
        is_shown = not asks and _is_form(context, one.path)
        if is_told and not is_shown and not is_left_off(context, one.path, one.span):
            seen.add((one.path, pack))
            captures = written(asks or not hiding(pack, one.path), one.span)
            yield Disclosure(one.span, one.variable, pack, Kept.TALK, Sink.TRACE, one.variable, captures=captures)


def _is_form(context: Context, path: str) -> bool:
    """Whether a file only shows which variables there are: what it says of content by itself is meant."""
    file = context.program.table.file(path)
    return file is not None and file.language is Language.ENV and file.role is Role.EXAMPLE


def _hiding(context: Context) -> Callable[[str, str], bool]:
    """Tells whether a variable of the environment says of a pack that it records no content, for a file."""

    def hiding(pack: str, at: str) -> bool:
        wanted = ("tracer", "captures_content", pack)
        said = (one for one in assigned_for(context, at) if (one.row.kind, one.row.sets, one.row.where.pack) == wanted)
        return any(not any(one.setting.values) for one in said)

    return hiding
