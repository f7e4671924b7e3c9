"""What a class of the project keeps outside the process: in a file or a database, by what its methods do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, default, unknown
from agent_architecture.names.classes import methods_written
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.topics.memories.retention import kept_by
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context

KEEPING: Final = {"a file": ("read_file", "write_file"), "a database": ("database_read", "database_write")}
"""In what such a class keeps it: the effects of reading and of writing it."""
KINDS: Final = frozenset(kind for pair in KEEPING.values() for kind in pair)


class OwnStore(NamedTuple):
    """What a class that extends a library's store says of what it keeps."""

    durable: Setting = ABSENT
    ttl: Setting = ABSENT
    deletes: Setting = ABSENT


NOT_OWN: Final = OwnStore()


def stored_by(context: Context, effects: Effects, cls: ir.Class) -> OwnStore:
    """What a class of the project keeps, and how long; unknown where no call of it is known to keep anything."""
    touched = touched_by(context, effects, cls)
    where = place_of(touched)
    if not where:
        return OwnStore(unknown("the code of the class", cls.name_span))
    told = kept_by(context, methods_written(cls), touched[KEEPING[where][1]])
    return OwnStore(default(True, where), told.ttl, told.deletes)


def place_of(touched: dict[str, list[ir.Call]]) -> str:
    """In what it is kept, where it is read and written: "" else."""
    return next((where for where, pair in KEEPING.items() if touched.keys() >= set(pair)), "")


def touched_by(context: Context, effects: Effects, cls: ir.Class) -> dict[str, list[ir.Call]]:
    """The calls of a class that read and write what outlives the process, by effect."""
    found: dict[str, list[ir.Call]] = {}
    for method in methods_written(cls):
        kinds = {effect.span: effect.kind for effect in effects.of(method) if effect.kind in KINDS}
        for call in context.program.structure(method).calls if kinds else ():
            if call.span in kinds:
                found.setdefault(kinds[call.span], []).append(call)
    return found
