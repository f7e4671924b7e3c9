"""What keeps how far a run came: the checkpointer or session that it is given, the platform that runs it, the durable
engine whose steps it takes, a file that hand-written code puts its conversation into.

Facts about each site that runs an agent; whether it needs any of it is for the detector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.resilience import Engine, Progress
from agent_architecture.model.settings import ABSENT, written
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.made_once import is_unset_at_first
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Const, Func, Items, Unknown
from agent_architecture.semantics.adapters.attached_savers import Attached
from agent_architecture.semantics.adapters.deployments import exported_through
from agent_architecture.semantics.agents.approval_words import NEVER
from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.effects.record_only import speaks_of_records
from agent_architecture.semantics.effects.served_tool_calls import called_by_name
from agent_architecture.semantics.loops.sites import exported_at, run_agents
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import NOTHING, Read, at_call
from agent_architecture.semantics.topics.memories.own_stores import stored_by
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.memory import MemoryWrite
    from agent_architecture.model.settings import Scalar, Setting
    from agent_architecture.model.system import Site
    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

SAVERS: Final = ("checkpointer", "memory")
"""Relations that name what keeps a run, in the order in which they count; kinds that it can be."""
KEPT: Final = (Holding.CONVERSATION, Holding.PROGRESS)
WRITES: Final = ("write_file", "database", "database_write")
TO_FILES: Final = frozenset({"write", "writelines", "dump"})
"""Calls that write to a file which was opened before."""
ABOVE: Final = 40
"""Functions around a site, callers included, that are looked at for a durable step."""


def progress(
    work: Work, graphs: Graphs, sites: Iterable[Site], loops: tuple[HandWritten, ...], puts: Iterable[MemoryWrite]
) -> tuple[Progress, ...]:
    """One for each site that runs an agent or loops by hand. `puts` are what is written to memories."""
    reader = _Reader(work, graphs, frozenset(put.span for put in puts if any(map(_is_talk, put.memories))))
    by_span = {site.span: site for site in sites}
    found: dict[Span, Progress] = {}
    for loop in loops:
        if loop.site is not None and loop.site.span in by_span:
            found[loop.site.span] = reader.of_loop(by_span[loop.site.span], loop)
    for match in work.context.of_kind("run"):
        site = by_span.get(match.node.span)
        if site is not None and site.span not in found:
            found[site.span] = reader.of_run(site, match, run_agents(work.context, match))
    for site, match in exported_at(work.context, graphs, by_span.values()):
        if site.span not in found:
            found[site.span] = reader.of_run(site, match, (match,), exported=True)
    for loop in loops:
        if loop.site is not None and loop.site.span in found:
            started = (found[path.span] for path in loop.path.inner if path.span in found)
            lost = tuple(one.site for one in started if not is_kept(one))
            found[loop.site.span] = found[loop.site.span]._replace(starts=lost)
    return tuple(found.values())


def is_kept(one: Progress) -> bool:
    """Whether anything keeps a run, or may."""
    return bool(one.savers or one.unread or one.supplied or one.engine or one.written)


def _is_talk(memory: Memory) -> bool:
    """Whether a memory is a conversation that survives the process."""
    return memory.holds is Holding.CONVERSATION and memory.persists is True


class _Reader:
    def __init__(self, work: Work, graphs: Graphs, turns: frozenset[Span]) -> None:
        self._work = work
        self._turns = turns
        """Where turns are put into conversations that survive the process."""
        self._context = work.context
        self._graphs = graphs
        self._durable = dict(_durable_functions(work.context))
        self._attached = Attached(work.context)
        self._platforms = exported_through(work.context, "durable")
        runs = {id(match.node) for match in work.context.of_kind("run")}
        self._begun_again = [match for match in work.context.of_kind("resume") if id(match.node) in runs]
        """Runs that begin at a task of an earlier one."""

    def of_run(self, site: Site, match: Match, agents: tuple[Match, ...], *, exported: bool = False) -> Progress:
        """What keeps a framework's run."""
        around = agents or (match,)
        own = () if exported else (match,)
        savers, unsaved, unread = self._savers(own, around, *self._attached.to(around, match.node))
        outer = () if savers or unread or exported else self._outer(match)
        if outer:  # a graph that a step of another one runs is kept where that is kept
            savers, unsaved, unread = self._savers((), outer)
        platforms = [self._platforms.get(id(one.node), "") for one in (around if exported else outer)]
        platforms = platforms or [self._kept_by_object(match.node)]
        return Progress(
            site.span,
            site.symbol,
            site.framework,
            site,
            max(self._graphs.steps(agent) for agent in around),
            any(self._graphs.repeats(agent) for agent in agents),
            _pauses(self._context, match, *agents),
            savers,
            unsaved,
            unread,
            self._durability(match, savers),
            effective(self._context, match, "thread_id"),
            platforms[0] if platforms and all(platforms) else "",
            self._around(match.node),
            drawn=any(map(self._graphs.is_built, around)),
            tasks=0 if exported else self._tasks(match),
        )

    def of_loop(self, site: Site, loop: HandWritten) -> Progress:
        """What keeps a hand-written loop."""
        nodes = tuple(loop.inside.nodes())
        engine = self._inside(nodes)
        outer = [m for f in self._above(loop.scope) if (m := self._context.at(f, "agent")) is not None]
        savers, unsaved, unread = self._savers((), outer[:1]) if outer else ((), True, "")
        return Progress(
            site.span,
            site.symbol,
            site.framework,
            site,
            repeats=True,
            savers=savers,
            unsaved=unsaved,
            unread=unread,
            engine=None if outer else engine or self._holding(loop.scope),
            written=self._written(loop, nodes),
            served=next(
                (n.span for n in nodes if isinstance(n, ir.Call) and any(called_by_name(self._context, n))), None
            ),
        )

    def _durability(self, match: Match, savers: tuple[Memory, ...]) -> Setting:
        """When a run is kept: as it is told, or after each step where a memory of it does so by itself."""
        spans = {saver.span for saver in savers}
        kept = (m for m in self._context.of_kind("memory") if m.node.span in spans)
        stated = (effective(self._context, memory, "per_step") for memory in kept)
        always = next((each for each in stated if each is not ABSENT and not set(each.values) & {False, None}), None)
        return always or effective(self._context, match, "durability")

    def _tasks(self, match: Match) -> int:
        """How many tasks a run is given in a list, one more where code puts in as many as there are; none where
        the project goes on with such runs at a task.
        """
        address = match.row.relations.get("tasks")
        if address is None or any(each.row.where.pack == match.row.where.pack for each in self._begun_again):
            return 0
        values = at_call(self._context.program, match.arguments, match.api.receiver, address).values
        lists = [value for value in values if isinstance(value, Items) and value.items]
        return max((len(each.items) + (not each.complete or self._is_filled(each)) for each in lists), default=0)

    def _is_filled(self, listed: Items) -> bool:
        """Whether a loop puts what it makes into a list."""
        structures = ((self._context.program.structure(self._context.program.scope_of(e)), e) for e in listed.items)
        loops = (loop for structure, item in structures for loop in structure.enclosing(item, ir.Loop))
        return any(not loop.span.contains(listed.node.span) for loop in loops)

    # ------------------------------------------------------------------------------------------------ checkpointers
    def _savers(
        self, own: Iterable[Match], agents: Iterable[Match], *later: ir.Expr
    ) -> tuple[tuple[Memory, ...], bool, str]:
        """What agents are given, or were given `later`."""
        found: dict[Span, Memory] = {}
        unsaved, unread = False, ""
        values = tuple(value for expr in later for value in self._context.program.value_of(expr))
        for agent in agents:
            relation, read = (SAVERS[0], Read(values, missing=False)) if values else self._given((*own, agent))
            stated = self._context.all_at(agent.node, "checkpointer")
            found |= {memory.span: memory for memory in map(self._memory, stated)}
            unsaved = unsaved or (read.missing and not stated)
            for value in read.values:
                made = self._context.made(value, *SAVERS)
                if made is not None and Holding(str(made.row.constants.get("holds", "conversation"))) in KEPT:
                    found[made.node.span] = self._memory(made)
                elif isinstance(value, Const):
                    unsaved = unsaved or not (value.value or self._is_set_later(value, read.values))
                    if value.value is True and relation == SAVERS[0]:  # what a memory holds is no run's progress
                        found[value.span] = _by_library(value.span, agent)
                elif made is None and (relation == SAVERS[0] or (isinstance(value, Unknown) and self._keeps(agent))):
                    unread = value.why if isinstance(value, Unknown) else "an object of which no pack knows"
        return tuple(found.values()), unsaved, unread

    def _keeps(self, agent: Match) -> bool:
        """Whether any memory of an agent's library keeps what was said, or how far a run came."""
        own = (source for source in self._context.packs.sources if source.pack.id == agent.row.where.pack)
        memories = [row for source in own for row in source.entities if row.kind == SAVERS[1]]
        return not memories or any(Holding(str(r.constants.get("holds", "conversation"))) in KEPT for r in memories)

    def _is_set_later(self, value: Const, among: Values) -> bool:
        """Whether nothing is one of several values only since who asks first makes what the others are."""
        return value.value is None and len(among) > 1 and is_unset_at_first(self._context.program, value.span)

    def _outer(self, match: Match) -> tuple[Match, ...]:
        """The agents whose graphs have a step that makes this run."""
        above = self._above(self._context.program.scope_of(match.node))
        found = next((found for function in above if (found := self._graphs.acting(function))), ())
        around = self._graphs.around(found)  # that graph may be a step of a further one
        return tuple(one for one in around if len(self._graphs.around((one,))) == 1)

    def _given(self, places_of: tuple[Match, ...]) -> tuple[str, Read]:
        for relation in SAVERS:
            for place in places_of:
                for read in self._read(place, relation):
                    if read.values:
                        return relation, read
        return "", NOTHING

    def _read(self, place: Match, relation: str) -> Iterator[Read]:
        program = self._context.program
        address = place.row.relations.get(relation)
        if address is not None:
            yield at_call(program, place.arguments, place.api.receiver, address)
        for row, call, receiver in self._context.set_calls.of(place):
            if relation in row.relations:
                yield at_call(program, call, receiver, row.relations[relation])

    def _memory(self, match: Match) -> Memory:
        durable, location = (effective(self._context, match, name) for name in ("durable", "location"))
        node = match.node
        if isinstance(node, ir.Class) and durable is ABSENT:
            durable = stored_by(self._context, self._work.effects, node).durable
        place = ir.place_of(node)
        symbol = called(node) or self._context.symbol(node)
        holds = Holding.PROGRESS if match.row.kind == SAVERS[0] else Holding.CONVERSATION
        return Memory(place, symbol, match.row.where.pack, holds, durable, location)

    def _kept_by_object(self, node: ir.Node) -> str:
        """The library whose object keeps the runs that its methods make."""
        cls = enclosing_class(self._context.program, node)
        keeper = None if cls is None else self._context.at(cls, SAVERS[1])
        return keeper.row.where.pack if keeper is not None and keeper.row.constants.get("keeps_runs") else ""

    # ------------------------------------------------------------------------------------------------------- engines
    def _above(self, scope: ir.Scope) -> Iterator[ir.Function]:
        """The functions around a scope, those that call it included, nearest first."""
        around = above(self._context.program, [scope], written_in=True)
        return (each for each in around if isinstance(each, ir.Function))

    def _holding(self, scope: ir.Scope) -> Engine | None:
        step = next((self._durable[id(f)] for f in self._above(scope) if id(f) in self._durable), None)
        return None if step is None else _engine(step, whole=True)

    def _around(self, node: ir.Node) -> Engine | None:
        return self._holding(self._context.program.scope_of(node))

    def _inside(self, nodes: Iterable[ir.Node]) -> Engine | None:
        """The durable step that a pass of a loop takes: a call of one, or a call that is handed one."""
        for node in nodes:
            if not isinstance(node, ir.Call):
                continue
            own = self._context.at(node, "durable_step")
            if own is not None:
                return _engine(own, whole=False)
            if not self._durable:
                continue
            functions = [*self._context.program.callees(node), *self._handed(node)]
            step = next((self._durable[id(f)] for f in functions if id(f) in self._durable), None)
            if step is not None:
                return _engine(step, whole=False)
        return None

    def _handed(self, call: ir.Call) -> Iterator[ir.Function]:
        for argument in call.args[:2]:
            if isinstance(argument.value, (ir.Name, ir.Member)):
                values = self._context.program.value_of(argument.value)
                yield from (value.function for value in values if isinstance(value, Func))

    # ------------------------------------------------------------------------------------------------ files, databases
    def _written(self, loop: HandWritten, nodes: Iterable[ir.Node]) -> Span | None:
        """Where a pass puts what it asked the model with into a file or database, tools aside; what a table keeps of a
        conversation is what the model is asked with next.
        """
        nodes = tuple(nodes)
        turn = next((node.span for node in nodes if isinstance(node, ir.Call) and node.span in self._turns), None)
        if turn is not None:
            return turn
        kept = {name for (_, name), _ in loop.grown}
        tools = self._work.agents.functions()
        inside = {id(node) for function in tools.values() for node in own_nodes(function)}
        for node in nodes if kept else ():
            if isinstance(node, ir.Call) and id(node) not in inside and _is_given(node, kept) and not self._logs(node):
                functions = [f for f in self._context.program.callees(node) if id(f) not in tools]
                if self._writes(node) or any(self._reaches(f) for f in functions):
                    return node.span
        return None

    def _logs(self, call: ir.Call) -> bool:
        """Whether a call stands in a function that writes records."""
        scope = self._context.program.scope_of(call)
        return isinstance(scope, ir.Function) and speaks_of_records(scope.name)

    def _reaches(self, function: ir.Function) -> bool:
        nodes = extent(self._context.program, function.body, set()).nodes()
        calls = [node for node in nodes if isinstance(node, ir.Call)]
        asks = any(self._context.at(call, "model_call", "run") is not None for call in calls)
        return not asks and any(self._writes(call) for call in calls)

    def _writes(self, call: ir.Call) -> bool:
        """Whether a call writes by itself, or to the file that is opened around it."""
        rows = self._work.effects.rows
        if any(row.effect in WRITES for row, _ in rows(call)):
            return True
        if callee_name(call.callee) not in TO_FILES:
            return False
        around = self._context.program.structure(self._context.program.scope_of(call)).ancestors(call)
        opened = (item.value for outer in around if isinstance(outer, ir.With) for item in outer.items)
        return any(isinstance(made, ir.Call) and any(row.effect in WRITES for row, _ in rows(made)) for made in opened)


def _is_given(call: ir.Call, names: set[str]) -> bool:
    """Whether a call is given the conversation as it is, or as a text that is made of it; records are no progress."""
    if speaks_of_records(callee_name(call.callee)):
        return False
    made = [a.value for a in call.args if isinstance(a.value, ir.Call)]
    given = [argument.value for argument in (*call.args, *(inner for one in made for inner in one.args))]
    return any(isinstance(e, (ir.Name, ir.Member)) and dotted(e).rpartition(".")[2] in names for e in given)


def _pauses(context: Context, *matches: Match) -> bool:
    """Whether a run is told to stop before or after some of its steps."""
    for match in matches:
        address = match.row.properties.get("approval")
        read = NOTHING if address is None else at_call(context.program, match.arguments, match.api.receiver, address)
        if any(_stops(value, match.row.values.get("approval", {})) for value in read.values):
            return True
    return False


def _stops(value: Value, meant: Mapping[str, Scalar]) -> bool:
    """Whether a value says that a run stops; `meant` is what its library means by it (a switch may say "never")."""
    match value:
        case Items():
            return bool(value.items)
        case Const():
            said = meant.get(str(value.value).lower(), value.value)
            return bool(said) and str(said).lower() not in NEVER
        case _:
            return False


def _by_library(span: Span, agent: Match) -> Memory:
    return Memory(
        span, "checkpoints of the library", agent.row.where.pack, Holding.PROGRESS, written(True, span), ABSENT
    )


def _engine(step: Match, *, whole: bool) -> Engine:
    node = step.node
    place = ir.place_of(node)
    return Engine(place, called(node), step.row.where.pack, whole)


def _durable_functions(context: Context) -> Iterator[tuple[int, Match]]:
    """The functions whose results a durable engine keeps, by id."""
    for match in context.of_kind("durable_step"):
        if isinstance(match.node, ir.Function):
            yield id(match.node), match
        address = match.row.relations.get("function")
        if address is not None:
            values = at_call(context.program, match.arguments, match.api.receiver, address).values
            yield from ((id(value.function), match) for value in values if isinstance(value, Func))
