"""Logs of a project's own: a class that keeps what was learnt or said in a file or a database, and that a
model is asked with.

It stands where it is kept. A cache, settings and templates are read and written, too: the class says by its name that
it remembers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import default
from agent_architecture.regexes import regex
from agent_architecture.semantics.topics.memories.containers import asks, holders
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled

REMEMBERS: Final = regex(r"(?i)memor|histor|conversation|transcript|journal|reflection|lesson|knowledge")
"""What a class is called that keeps what an agent learnt or heard."""
KEEPING: Final = {"a file": ("read_file", "write_file"), "a database": ("database_read", "database_write")}
"""In what such a class keeps it: the effects of reading and of writing it."""
KINDS: Final = frozenset(kind for pair in KEEPING.values() for kind in pair)


def logs(context: Context, effects: Effects, read: Recalled) -> Iterator[ByHand]:
    """The logs, each once, in the order in which models are asked with them."""
    owners = (function.outer for function in read.entered)
    for cls in dict.fromkeys(owner for owner in owners if isinstance(owner, ir.Class)):
        touched = _touched(context, effects, cls) if REMEMBERS.search(cls.name) else {}
        where = next((where for where, pair in KEEPING.items() if touched.keys() >= set(pair)), None)
        if where is not None and not asks(context.program, read, cls):
            holder = next(holders(context.program, read, cls), None)
            if holder is not None:
                taking, putting = KEEPING[where]
                symbol = context.symbol(holder) or cls.name
                memory = Memory(holder.span, symbol, "", Holding.FACTS, durable=default(True, where))
                yield ByHand(memory, tuple(touched[putting]), tuple(touched[taking]))


def _touched(context: Context, effects: Effects, cls: ir.Class) -> dict[str, list[ir.Call]]:
    """The calls of a class that read and write what outlives the process, by effect."""
    found: dict[str, list[ir.Call]] = {}
    for method in (node for node in cls.body if isinstance(node, ir.Function)):
        kinds = {effect.span: effect.kind for effect in effects.of(method) if effect.kind in KINDS}
        for call in context.program.structure(method).calls if kinds else ():
            if call.span in kinds:
                found.setdefault(kinds[call.span], []).append(call)
    return found
