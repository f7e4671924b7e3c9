"""Texts that are put where later runs find them: whose they are, what looks at them before, whose part they go to.

What nobody reads again, and the turns of a conversation that goes on, is none. Must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Holding, Remembered, Vetting
from agent_architecture.model.settings import ABSENT, Origin, unknown, written
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.context import called, dotted
from agent_architecture.semantics.effective import effective
from agent_architecture.semantics.flows.boundaries import Boundaries, names_in
from agent_architecture.semantics.flows.reading import Reading
from agent_architecture.semantics.flows.sources import Sources
from agent_architecture.semantics.flows.tool_runs import ToolRuns
from agent_architecture.semantics.match import resolved
from agent_architecture.semantics.memories.authors import HANDED, Authors
from agent_architecture.semantics.memories.partitions import partition
from agent_architecture.semantics.memories.passing import is_passing
from agent_architecture.semantics.memories.vetting import NOTHING, Vettings, weakest
from agent_architecture.semantics.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.memory import Memory, MemoryWrite
    from agent_architecture.model.settings import Setting
    from agent_architecture.model.system import Binding
    from agent_architecture.semantics.agents import Agents
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match
    from agent_architecture.semantics.memories.found import Memories
    from agent_architecture.semantics.work import Work

REPLAYED: Final = frozenset({Holding.CONVERSATION, Holding.PROGRESS})
"""Memories whose entries only go on with what was said."""
TURNS: Final = re.compile(r"(?i)message|items?$|turn")
"""What a call that keeps turns is called, of a memory that cannot be told."""
RECALLED: Final = frozenset({"memory", "retrieval"})
"""Origins of text that a read of a memory brings."""

KEEPER: Final = re.compile(
    r"(?:^|[._])(?:memory|memories|memory_?(?:store|manager|service|bank|client|provider)|long_?term_?memory|mem|ltm"
    r"|knowledge_?base|vector_?(?:store|db|memory))$",
    re.IGNORECASE,
)
"""What an object is called that remembers, and that nobody in the project makes."""
KEEPING: Final = re.compile(
    r"^a?(?:store|save|add|insert|upsert|put|remember|write|record|create)"
    r"(?:_?(?:memory|memories|fact|facts|texts?|documents?|entry|entries|item|experience|episode))?$",
    re.IGNORECASE,
)
FINDING: Final = re.compile(
    r"^a?(?:search|retrieve|recall|query|get|load|find|similarity_?search|fetch)\w*$", re.IGNORECASE
)
"""What its methods are called that put something in, and take something out."""

MOVING: Final = frozenset({"mkdir", "makedirs", "replace", "rename", "unlink", "touch", "rmdir", "remove", "chmod"})
OPENING: Final = frozenset({"open", "openSync", "createWriteStream"})
PUTTING: Final = frozenset({"write", "writelines", "dump", "writerow", "writerows"})
"""Calls that change files and write nothing, those that open one, and those that write into it."""
LABELS: Final = re.compile(
    r"(?i)source|origin|provenance|author|trust|verif|confidence|signature|hash|created_?by|url$"
)
"""Keys that say where an entry comes from."""


class _Write(NamedTuple):
    node: ir.Node
    symbol: str
    framework: str
    texts: tuple[ir.Expr, ...]
    match: Match | None = None
    namespace: Setting = ABSENT
    ttl: Setting = ABSENT
    memories: tuple[Memory, ...] = ()
    confidence: Confidence = Confidence.HIGH


def remembered(work: Work, agents: Agents, bindings: Iterable[Binding], found: Memories) -> tuple[Remembered, ...]:
    """Every text, by position; of several authors of one the least vetted."""
    return tuple(_Entries(work, agents, tuple(bindings), found).all(found.writes))


class _Entries:
    def __init__(self, work: Work, agents: Agents, bindings: tuple[Binding, ...], found: Memories) -> None:
        self._context = context = work.context
        self._memories = found.memories
        self._reads = found.reads
        self._ready_made = agents.named_tools.beside("memory")
        boundaries = Boundaries(context)
        sources = Sources(context, frozenset(agents.functions()))
        self._reading = Reading(context, sources, boundaries, ToolRuns(context))
        self._authors = Authors(context, agents, sources)
        self._vettings = Vettings(work, boundaries, bindings)
        self._recalling: frozenset[str] | None = None

    def all(self, writes: tuple[MemoryWrite, ...]) -> Iterator[Remembered]:
        """What calls put in, and what libraries put in by themselves."""
        every = (*self._stated(writes), *self._by_hand(writes), *self._by_name())
        seen: set[tuple[str, int]] = set()
        for write in every:
            place = write.node.span.path, write.node.span.line
            if place not in seen and write.texts:
                seen.add(place)
                yield self._of(write)
        yield from self._filled()

    # ------------------------------------------------------------------------------------------ which writes
    def _stated(self, writes: tuple[MemoryWrite, ...]) -> Iterator[_Write]:
        by_span = {write.span: write for write in writes}
        for match in self._context.of_kind("memory_write"):
            write = by_span.get(match.node.span)
            address = match.row.properties.get("content")
            if write is None or address is None or not isinstance(match.node, ir.Call):
                continue
            if self._is_conversation(write) or not self._is_read(write) or self._is_forgotten(match):
                continue
            texts = expressions(self._context.program, match.node, address)
            namespace = write.namespace
            if namespace is ABSENT:
                namespace = next((m.namespace for m in write.memories if m.namespace is not ABSENT), ABSENT)
            ttl = next((s for s in (write.ttl, *(m.ttl for m in write.memories)) if s.value is not None), ABSENT)
            yield _Write(match.node, write.symbol, write.framework, texts, match, namespace, ttl, write.memories)

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
            for name in sorted(self._context.packs.source_names()):
                for site in self._context.program.calls(name):
                    found |= self._packs_read(site.call)
            self._recalling = frozenset(found)
        return self._recalling

    def _packs_read(self, call: ir.Call) -> set[str]:
        packs = self._context.packs
        apis = _apis(self._context, call)
        return {row.where.pack for path in apis for row in packs.flows(path) if row.name in RECALLED}

    def _by_hand(self, writes: tuple[MemoryWrite, ...]) -> Iterator[_Write]:
        """Facts that the project's own classes keep in files."""
        for write in writes:
            memory = write.memories[0] if write.memories and not write.framework else None
            if memory is None or memory.framework or memory.holds in REPLAYED:
                continue
            scope = self._context.program.scope_of(ir.Name(write.span, ""))
            nodes = (n for n in self._context.program.structure(scope).nodes if n.span == write.span)
            found = next((n for n in nodes if isinstance(n, ir.Call)), None)
            node = self._putting(found, scope) if found is not None else None
            if node is not None:
                texts = tuple(argument.value for argument in node.args)
                yield _Write(node, called(node), "", texts, None, memory.namespace, memory.ttl, write.memories)

    def _putting(self, call: ir.Call, scope: ir.Scope) -> ir.Call | None:
        """The call that puts a text into a file: of one that opens it, what is written next; none that moves it."""
        if _name(call) in MOVING:
            return None
        if callee_name(call.callee) not in OPENING:
            return call
        later = (c for c in self._context.program.structure(scope).calls if c.span > call.span)
        return next((c for c in later if callee_name(c.callee) in PUTTING), None)

    def _by_name(self) -> Iterator[_Write]:
        """Calls that say by their names what they do, of objects that nobody in the project makes and that are asked
        somewhere what they keep.
        """
        calls = [call for m in self._context.program.modules for s in m.code for call in self._named(s)]
        members = (call.callee for call in calls if isinstance(call.callee, ir.Member))
        found = {dotted(callee.target) for callee in members if FINDING.match(callee.name)}
        for call in calls:
            target = call.callee.target if isinstance(call.callee, ir.Member) else None
            if target is None or not KEEPING.match(_name(call)) or dotted(target) not in found or not call.args:
                continue
            if self._context.at(call, "memory_write") is None:
                texts = tuple(argument.value for argument in call.args if not _is_owner(argument.keyword))
                owner = next((a for a in call.args if _is_owner(a.keyword)), None)
                namespace = ABSENT if owner is None else self._owner(owner.value)
                yield _Write(call, called(call), "", texts, None, namespace, confidence=Confidence.MEDIUM)

    def _named(self, scope: ir.Scope) -> Iterator[ir.Call]:
        for name, calls in self._context.program.calls_in(scope).items():
            if KEEPING.match(name) or FINDING.match(name):
                for call in calls:
                    if not isinstance(call.callee, ir.Member) or not KEEPER.search(dotted(call.callee.target)):
                        continue
                    if not self._context.program.callees(call) and not _apis(self._context, call):
                        yield call

    def _owner(self, expr: ir.Expr) -> Setting:
        return written("", expr.span) if isinstance(expr, ir.Literal) else unknown(dotted(expr) or "a key", expr.span)

    def _filled(self) -> Iterator[Remembered]:
        """Memories that their libraries fill by themselves."""
        for match in (*self._context.of_kind("memory"), *self._ready_made):
            origin = match.row.constants.get("fills")
            if origin is not None:
                namespace = partition(self._context, match)
                ttl = effective(self._context, match, "ttl")
                symbol = self._context.symbol(match.node) or called(match.node)
                pack = match.row.where.pack
                yield Remembered(match.node.span, symbol, pack, str(origin), namespace=namespace, ttl=ttl)

    # ------------------------------------------------------------------------------------------ what is written
    def _of(self, write: _Write) -> Remembered:
        program = self._context.program
        origins = [o for text in write.texts for o in flow.origins(program, text, self._reading)]
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

    def _kept_apart(self, write: _Write) -> Setting:
        """The namespace of a write, unless a model names it."""
        address = write.match.row.properties.get("namespace") if write.match is not None else None
        if address is None or write.match is None or not isinstance(write.match.node, ir.Call):
            return write.namespace
        given = expressions(self._context.program, write.match.node, address)
        origins = (o for expr in given for o in flow.origins(self._context.program, expr, self._reading))
        model = next((a for o in origins for a in self._authors.of(o) if a.origin == "model"), None)
        return write.namespace if model is None else written("", given[0].span, "a model")

    def _provenance(self, write: _Write) -> Setting:
        if write.match is not None:
            said = effective(self._context, write.match, "metadata")
            if said.origin is not Origin.ABSENT and said.value is not None:
                return said
        maps = (node for text in write.texts for node in ir.walk(text) if isinstance(node, ir.Map))
        keys = (entry.key for found in maps for entry in found.entries)
        named = (key for key in keys if isinstance(key, ir.Literal) and LABELS.search(str(key.value)))
        return next((written(str(key.value), key.span) for key in named), ABSENT)

    def _trusted(self, write: _Write) -> Setting:
        found = (r for r in self._reads if r.framework == write.framework and r.filter is not ABSENT)
        return next((read.filter for read in found), ABSENT)


def _apis(context: Context, call: ir.Call) -> tuple[str, ...]:
    """The library functions that a call may be of."""
    return tuple(api.path for api in resolved(context.program, call.callee))


def _name(call: ir.Call) -> str:
    return call.callee.name if isinstance(call.callee, ir.Member) else ""


def _is_owner(keyword: str | None) -> bool:
    return (
        keyword is not None
        and re.search(r"(?i)(?:user|tenant|owner|session|agent)_?(?:id)?$|namespace", keyword) is not None
    )
