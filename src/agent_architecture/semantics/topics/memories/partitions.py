"""Whose a part of a memory is, and what is deleted from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, unknown, written
from agent_architecture.names.values import Api, Const, Items
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.matches import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

NAMESPACE: Final = "namespace"
DELETES: Final = "deletes"
KINDS: Final = ("memory", "checkpointer")


def partition(context: Context, match: Match) -> Setting:
    """The namespace of a memory or of what is written to it; a path of several keys is known where all of them are."""
    for value in written_values(context, match, NAMESPACE):
        if isinstance(value, Items):
            keys = tuple(_constant(context.program, value))
            if len(keys) < len(value.items) or not value.complete:
                return unknown("keys that are read at run time", value.node.span)
            return written("/".join(keys), value.node.span) if keys else ABSENT
        if isinstance(value, Api):
            return unknown("what a library hands in", value.node.span)
    return effective(context, match, NAMESPACE)


def _constant(program: Program, path: Items) -> Iterator[str]:
    for item in path.items:
        values = program.value_of(item)
        if all(isinstance(value, Const) for value in values):
            yield str(next(value.value for value in values if isinstance(value, Const)))


def deletions(context: Context) -> Iterator[tuple[int | str, Span]]:
    """Calls that delete from a memory: by the id of its match, or by the library where nobody makes it. The last
    counts.
    """
    for name in sorted(context.packs.mark_names(DELETES)):
        for site in context.program.calls(name):
            for api in resolved(context.program, site.call.callee):
                marks = [mark for mark in context.packs.marks(api.path) if mark.covers == DELETES]
                made = context.made(api, *KINDS)
                for mark in marks:
                    yield (mark.where.pack if made is None else id(made)), site.call.span
