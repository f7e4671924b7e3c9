"""Texts that are put where later runs find them: whose they are, what looks at them before, whose part they go to.

What nobody reads again, and the turns of a conversation that goes on, is none. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Holding, Remembered, Vetting
from agent_architecture.model.settings import ABSENT, Origin, first_of, written
from agent_architecture.names import flow
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.text_provenance import CONTENT, Reading, Said
from agent_architecture.semantics.conversations.tool_runs import ToolRuns
from agent_architecture.semantics.effects.memory_writes import REPLAYED, Put, by_hand, of_rows
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.boundaries import Boundaries, names_in
from agent_architecture.semantics.taint.sources import sources_of
from agent_architecture.semantics.topics.memories.authors import HANDED, Authors
from agent_architecture.semantics.topics.memories.library_memories import is_made
from agent_architecture.semantics.topics.memories.partitions import partition
from agent_architecture.semantics.topics.memories.transient import is_passing
from agent_architecture.semantics.topics.memories.vetting import NOTHING, Vettings, weakest
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.memory import MemoryWrite
    from agent_architecture.model.settings import Setting
    from agent_architecture.model.system import Binding
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.topics.memories.memories import Memories

TURNS: Final = regex(r"(?i)message|items?$|turn")
"""What a call that keeps turns is called, of a memory that cannot be told."""
RECALLED: Final = frozenset({"memory", "retrieval"})
"""Origins of text that a read of a memory brings."""

LABELS: Final = regex(r"(?i)source|origin|provenance|author|trust|verif|confidence|signature|hash|created_?by|url$")
"""Keys that say where an entry comes from."""


def remembered(work: Work, agents: Agents, bindings: Iterable[Binding], found: Memories) -> tuple[Remembered, ...]:
    """Every text, by position; of several authors of one the least vetted."""
    return tuple(_Entries(work, agents, tuple(bindings), found).all(found.writes))


class _Entries:
    def __init__(self, work: Work, agents: Agents, bindings: tuple[Binding, ...], found: Memories) -> None:
        self._context = context = work.context
        self._memories = found.memories
        self._reads = found.reads
        self._named = found.named
        self._ready_made = agents.named_tools.beside("memory")
        boundaries = context.once(Boundaries)
        sources = sources_of(context, frozenset(agents.functions()))
        self._reading = Reading(context, sources, boundaries, ToolRuns(context))
        self._authors = Authors(context, agents, sources)
        self._vettings = Vettings(work, boundaries, bindings)
        self._recalling: frozenset[str] | None = None

    def all(self, writes: tuple[MemoryWrite, ...]) -> Iterator[Remembered]:
        """What calls put in, and what libraries put in by themselves."""
        every = (*self._stated(writes), *by_hand(self._context, writes), *self._named)
        seen: set[tuple[str, int]] = set()
        for write in every:
            place = write.node.span.path, write.node.span.line
            if place not in seen and write.texts:
                seen.add(place)
                yield self._of(write)
        yield from self._filled()

    # ------------------------------------------------------------------------------------------ which writes
    def _stated(self, writes: tuple[MemoryWrite, ...]) -> Iterator[Put]:
        for write, match, call, texts in of_rows(self._context, writes):
            if self._is_conversation(write) or not self._is_read(write) or self._is_forgotten(match):
                continue
            namespace = write.namespace
            if namespace is ABSENT:
                namespace = first_of(m.namespace for m in write.memories)
            ttl = next((s for s in (write.ttl, *(m.ttl for m in write.memories)) if s.value is not None), ABSENT)
            yield Put(call, write.symbol, write.framework, texts, match, namespace, ttl, write.memories)

    def _is_conversation(self, write: MemoryWrite) -> bool:
        holding = {memory.holds for memory in write.memories}
        if not holding:
            holding = {memory.holds for memory in self._memories if memory.framework == write.framework}
            if TURNS.search(write.symbol.rpartition(".")[2]):
                return Holding.FACTS not in holding
        return bool(holding) and holding <= REPLAYED

    def _is_forgotten(self, match: Match) -> bool:
        """Whether what is written to ends with the call that made it: it is filled, searched, and nothing else."""
        made = self._context.made(match.api, "memory")
        if made is None or not is_passing(self._context, made):
            return False
        name = self._context.symbol(made.node)
        calls = self._context.program.structure(self._context.program.scope_of(made.node)).calls
        uses = (c for c in calls if isinstance(c.callee, ir.Member) and dotted(c.callee.target) == name)
        return all(self._context.at(use, "memory_write") or self._packs_read(use) for use in uses)

    def _is_read(self, write: MemoryWrite) -> bool:
        """Whether something takes out of the memory again: where that is a service, in any program of the project."""
        if any(read.framework == write.framework for read in self._reads) or write.framework in self._recalled():
            return True
        return any(read.memories and set(read.memories) & set(write.memories) for read in self._reads)

    def _recalled(self) -> frozenset[str]:
        """The libraries whose memories are read somewhere."""
        if self._recalling is None:
            found = set()
            for name in sorted(self._context.packs.flow_names("source")):
                for site in self._context.program.calls(name):
                    found |= self._packs_read(site.call)
            self._recalling = frozenset(found)
        return self._recalling

    def _packs_read(self, call: ir.Call) -> set[str]:
        packs = self._context.packs
        apis = _apis(self._context, call)
        return {row.where.pack for path in apis for row in packs.flows(path) if row.name in RECALLED}

    def _filled(self) -> Iterator[Remembered]:
        """Memories that their libraries fill by themselves."""
        for match in (*self._context.of_kind("memory"), *self._ready_made):
            origin = match.row.constants.get("fills")
            if origin is not None and is_made(self._context, match):
                namespace = partition(self._context, match)
                ttl = effective(self._context, match, "ttl")
                symbol = self._context.symbol(match.node) or called(match.node)
                pack = match.row.where.pack
                yield Remembered(match.node.span, symbol, pack, str(origin), namespace=namespace, ttl=ttl)

    # ------------------------------------------------------------------------------------------ what is written
    def _of(self, write: Put) -> Remembered:
        program = self._context.program
        origins = [o for text in write.texts for o in flow.origins(program, text, self._read_whole)]
        authors = [(a, o) for o in origins for a in self._authors.of(o)]
        others = [(a, self._vettings.on_way(o, a)) for a, o in authors if a.origin]
        base = Remembered(
            write.node.span, write.symbol, write.framework, "", Vetting.NONE,
            namespace=self._kept_apart(write), provenance=self._provenance(write), trusted=self._trusted(write),
            ttl=write.ttl, confidence=write.confidence,
        )  # fmt: skip
        if not others:
            said = any(isinstance(o.node, ir.Literal) and o.node.value for o in origins if o.kind == "constant")
            given = any(o.kind == "parameter" and o.name not in HANDED for o in origins)
            hidden = any(o.kind == "unknown" for o in origins) or (given and not said and not authors)
            return base._replace(vetting=Vetting.UNKNOWN) if hidden else base
        here = self._vettings.at(write.node, frozenset().union(*map(names_in, write.texts)))
        author, checked = min(others, key=lambda each: weakest(each[1].kind))
        checked = max(checked, here, key=lambda one: weakest(one.kind)) if here is not NOTHING else checked
        return base._replace(
            origin=author.origin, vetting=checked.kind, check=checked.span, source=author.span, trail=author.trail,
            confidence=max((write.confidence, author.confidence), key=tuple(Confidence).index),
        )  # fmt: skip

    def _read_whole(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        """What is kept of messages is what they say: `memory.add([{ role: "user", content: text }])`."""
        return self._reading(node, passed | {CONTENT})

    def _kept_apart(self, write: Put) -> Setting:
        """The namespace of a write, unless a model names it."""
        address = write.match.row.properties.get("namespace") if write.match is not None else None
        if address is None or write.match is None or not isinstance(write.match.node, ir.Call):
            return write.namespace
        given = expressions(self._context.program, write.match.node, address)
        origins = (o for expr in given for o in flow.origins(self._context.program, expr, self._reading))
        model = next((a for o in origins for a in self._authors.of(o) if a.origin == "model"), None)
        return write.namespace if model is None else written("", given[0].span, "a model")

    def _provenance(self, write: Put) -> Setting:
        if write.match is not None:
            said = effective(self._context, write.match, "metadata")
            if said.origin is not Origin.ABSENT and said.value is not None:
                return said
        maps = (node for text in write.texts for node in ir.walk(text) if isinstance(node, ir.Map))
        keys = (entry.key for found in maps for entry in found.entries)
        named = (key for key in keys if isinstance(key, ir.Literal) and LABELS.search(str(key.value)))
        return next((written(str(key.value), key.span) for key in named), ABSENT)

    def _trusted(self, write: Put) -> Setting:
        found = (r for r in self._reads if r.framework == write.framework and r.filter is not ABSENT)
        return next((read.filter for read in found), ABSENT)


def _apis(context: Context, call: ir.Call) -> tuple[str, ...]:
    """The library functions that a call may be of."""
    return tuple(api.path for api in resolved(context.program, call.callee))
