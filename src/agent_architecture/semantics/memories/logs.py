"""Logs of a project's own: a class that keeps what was learnt or said in a file, and that a model is asked with.

It stands where it is kept. A cache, settings and templates are read and written, too: the class says by its name that
it remembers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import default
from agent_architecture.semantics.match import effect_rows
from agent_architecture.semantics.memories.containers import asks, holders
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.memories.recalled import Recalled

REMEMBERS: Final = re.compile(r"(?i)memor|histor|conversation|transcript|journal|reflection|lesson|knowledge")
"""What a class is called that keeps what an agent learnt or heard."""
FILES: Final = ("read_file", "write_file")


def logs(context: Context, read: Recalled) -> Iterator[Memory]:
    """The logs, each once, in the order in which models are asked with them."""
    owners = (function.outer for function in read.entered)
    for cls in dict.fromkeys(owner for owner in owners if isinstance(owner, ir.Class)):
        if REMEMBERS.search(cls.name) and _keeps_file(context, cls) and not asks(context.program, read, cls):
            holder = next(holders(context.program, read, cls), None)
            if holder is not None:
                symbol = context.symbol(holder) or cls.name
                yield Memory(holder.span, symbol, "", Holding.FACTS, durable=default(True, "a file"))


def _keeps_file(context: Context, cls: ir.Class) -> bool:
    """Whether a class both reads and writes files."""
    program, packs = context.program, context.packs
    names = packs.effect_names(*FILES)
    done = {
        row.effect
        for method in cls.body
        if isinstance(method, ir.Function)
        for name, calls in program.calls_in(method).items()
        if name in names
        for call in calls
        for row in effect_rows(program, packs, call)
    }
    return done >= set(FILES)
