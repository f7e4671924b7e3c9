"""Logs of a project's own: a class that keeps what was learnt or said in a file, and that a model is asked with.

It stands where it is kept. A cache, settings and templates are read and written, too: the class says by its name that
it remembers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import default
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.topics.memories.containers import asks, holders
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled

REMEMBERS: Final = regex(r"(?i)memor|histor|conversation|transcript|journal|reflection|lesson|knowledge")
"""What a class is called that keeps what an agent learnt or heard."""
FILES: Final = ("read_file", "write_file")


def logs(context: Context, read: Recalled) -> Iterator[ByHand]:
    """The logs, each once, in the order in which models are asked with them."""
    owners = (function.outer for function in read.entered)
    for cls in dict.fromkeys(owner for owner in owners if isinstance(owner, ir.Class)):
        touched = _files(context, cls) if REMEMBERS.search(cls.name) else {}
        if len(touched) == len(FILES) and not asks(context.program, read, cls):
            holder = next(holders(context.program, read, cls), None)
            if holder is not None:
                symbol = context.symbol(holder) or cls.name
                memory = Memory(holder.span, symbol, "", Holding.FACTS, durable=default(True, "a file"))
                yield ByHand(memory, tuple(touched["write_file"]), tuple(touched["read_file"]))


def _files(context: Context, cls: ir.Class) -> dict[str, list[ir.Call]]:
    """The calls of a class that read and write files, by effect."""
    program, packs = context.program, context.packs
    names = packs.effect_names(*FILES)
    found: dict[str, list[ir.Call]] = {}
    for method in (node for node in cls.body if isinstance(node, ir.Function)):
        for name, calls in program.calls_in(method).items():
            for call in calls if name in names else ():
                for effect in (one for one in FILES if one in kinds_of(context, call)):
                    found.setdefault(effect, []).append(call)
    return found
