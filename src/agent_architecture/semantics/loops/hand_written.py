"""Hand-written agent loops: loops and recursions that come back to a model with what it answered.

A row cannot say this: nothing but structure tells an agent's loop from a loop that calls a model for each of many
things. A loop
is an agent's when a conversation outlives its passes and grows in them, or when each pass acts on a tool that the
model picked.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Bound, BoundKind, Confidence, FeedbackPath, PathKind, Site, SiteKind
from agent_architecture.names.exits import leaves
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.bounds.loop_bounds import bounds_of
from agent_architecture.semantics.callgraph.call_paths import Step
from agent_architecture.semantics.callgraph.reach import Extent, extent, loops_around, recursions, without
from agent_architecture.semantics.callgraph.routes import routes
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.loops.chats import asks_itself, is_chat, person_in
from agent_architecture.semantics.loops.divide_and_conquer import divides
from agent_architecture.semantics.loops.false_recursions import TOGETHER, only_seems_to_lead_back
from agent_architecture.semantics.loops.feedback import feeds_back, grown
from agent_architecture.semantics.loops.loop_path import Path
from agent_architecture.semantics.loops.model_inputs import Pass, places_of, places_passed_in
from agent_architecture.semantics.loops.tool_choices import dispatches
from agent_architecture.semantics.loops.validation_loops import asks_until_it_will_do
from agent_architecture.semantics.loops.work_lists import goes_through
from agent_architecture.semantics.matching.picked_tools import picks
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.access_paths import Place
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.answer_sinks.planned_work import Listed
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span


class HandWritten(NamedTuple):
    """A hand-written loop as entities, and the model calls and runs that it makes."""

    site: Site | None
    """None for a loop that only asks again until the answer will do, whose bound is judged, and for a chat."""
    path: FeedbackPath
    asks: tuple[Match, ...]
    scope: ir.Scope
    inside: Extent
    """What one pass may run."""
    passes: frozenset[int] = frozenset()
    """Ids of all nodes that it may run, with those of the loops inside it."""
    choosing: frozenset[int] = frozenset()
    """Ids of those among them at which a look at the model's choice is its own."""
    grown: tuple[tuple[Place, ir.Node], ...] = ()
    """What a pass makes longer and the model is asked with, of an agent's loop."""
    degree: Degree = Degree.RESOLVED
    """INFERRED for a loop that only works off what a model listed: that the list is one of work is a shape."""


class Found(NamedTuple):
    """The hand-written loops, and the chats: loops whose passes a person and a model take in turns, which are no agents
    of their own.
    """

    loops: tuple[HandWritten, ...]
    chats: tuple[HandWritten, ...]


def hand_written(
    context: Context, calls: Iterable[Match], runs: Mapping[int, FeedbackPath], listed: Iterable[Listed] = ()
) -> Found:
    """The hand-written loops around these model calls and runs, by position, and those over `listed` work.

    `runs` are the feedback paths of framework runs, by the id of their call.
    """
    asked = tuple(calls)
    of_work = {id(one.loop): one for one in listed}
    around = _with_listed(context, _paths(context, asked, of_work), of_work, asked)
    agentic = _agentic(context, around.paths, around.building)
    agentic |= {id(path.node) for path in around.paths if any(_runs_again(path, one) for one in around.listed.values())}
    building = agentic  # a plan's loop does not choose: what a step's own request picks is a dispatch
    agentic |= {key for key, one in around.listed.items() if not one.of_tools} - _run_in_passes(around, agentic)
    program, conditions = context.program, conditions_of(context)
    kept = [p for p in around.paths if id(p.node) in agentic or asks_until_it_will_do(program, conditions, p)]
    paths = [path._replace(choosing=frozenset()) if id(path.node) not in building else path for path in kept]
    made: dict[int, FeedbackPath] = {}
    for path in sorted(paths, key=lambda p: _size(p.node)):
        others = (other for other in paths if other is not path and id(other.node) in made)
        inner = [made[id(other.node)] for other in others if _holds(path, other)]
        inner.extend(runs[id(node)] for node in path.extent.nodes() if id(node) in runs)
        made[id(path.node)] = _entity(context, path, tuple(inner))
    talking = [p for p in around.paths if isinstance(p.node, ir.Loop) and id(p.node) in around.building - agentic]
    return Found(
        tuple(
            _written(path, made[id(path.node)], grown(context, path) if id(path.node) in agentic else ())._replace(
                site=_site(path) if id(path.node) in agentic else None,
                degree=Degree.RESOLVED if id(path.node) in building else Degree.INFERRED,
            )
            for path in sorted(paths, key=lambda path: _header(path.node))
        ),
        tuple(_written(path, _entity(context, path, ()), grown(context, path)) for path in talking),
    )


def _written(path: Path, entity: FeedbackPath, longer: tuple[tuple[Place, ir.Node], ...]) -> HandWritten:
    return HandWritten(None, entity, path.asks, path.scope, path.extent, path.passes, path.choosing, longer)


def _size(node: ir.Node) -> tuple[int, Span]:
    return node.span.end_line - node.span.line, node.span


def _holds(outer: Path, inner: Path) -> bool:
    """Whether one pass of `outer` may start `inner`."""
    if any(node is inner.node for node in outer.extent.own):
        return True
    return any(function is inner.scope or function is inner.node for function, _ in outer.extent.called)


class _Around(NamedTuple):
    """The loops and recursions around model calls."""

    paths: tuple[Path, ...]
    building: frozenset[int]
    """The ids of the nodes of those whose passes build on each other."""
    listed: Mapping[int, Listed] = MappingProxyType({})
    """Those over work that a model listed, by the ids of their nodes."""


def _with_listed(context: Context, around: _Around, listed: Mapping[int, Listed], calls: tuple[Match, ...]) -> _Around:
    """The same with the loops over work that a model listed, each bounded by what cuts the list: in it alone, no model
    need be asked.
    """
    known = {id(path.node) for path in around.paths}
    starts = {id(match.node): match for match in calls}
    paths = [_bounded_by_cuts(path, listed.get(id(path.node))) for path in around.paths]
    for key, (loop, _, scope, *_) in listed.items():
        if key not in known:
            inside = extent(context.program, loop.body, set())
            bounds = bounds_of(context.program, loop, scope, inside, ())
            path = _asking(context, Path(loop, scope, (), inside, inside, bounds, ()), loop.body, (), starts)
            paths.append(_bounded_by_cuts(path, listed[key]))
    return _Around(tuple(paths), around.building, listed)


def _run_in_passes(around: _Around, agentic: frozenset[int]) -> frozenset[int]:
    """The ids of the loops over listed work that are how an agent runs what its own model listed: they stand in a pass,
    take the list out of one, or ask no model and work off what was answered in one.
    """
    own = [path for path in around.paths if id(path.node) in agentic]
    inside = frozenset[int]().union(*(path.passes for path in own))
    asked = frozenset(id(ask.node) for path in own for ask in path.asks)
    silent = {id(path.node) for path in around.paths if not path.asks}
    return frozenset(
        key
        for key, one in around.listed.items()
        if id(one.node) in inside or not agentic.isdisjoint(one.inside - {key}) or (key in silent and one.asks <= asked)
    )


def _runs_again(path: Path, picked: Listed) -> bool:
    """Whether a loop that goes over no data asks for tools, runs what was picked and asks again: what it sends may be
    kept where nobody sees it grow, in a store.
    """
    loop, source = path.node, picked.loop.source
    if not isinstance(loop, ir.Loop) or id(loop) not in picked.inside or source is None or not picks(source):
        return False
    is_counted = isinstance(loop.source, ir.Call) and callee_name(loop.source.callee) == "range"
    body = [node for node in loop.body if node.span > picked.node.span]
    return (loop.source is None or is_counted) and loop.span.contains(picked.node.span) and not any(map(leaves, body))


def _bounded_by_cuts(path: Path, listed: Listed | None) -> Path:
    """A loop over what a model listed goes round as often as the model likes, up to where the list is cut."""
    if listed is None:
        return path
    own = (bound for bound in path.bounds if bound.kind is not BoundKind.COLLECTION)
    return path._replace(bounds=(*listed.cuts, *own))


def _paths(context: Context, calls: tuple[Match, ...], of_work: Mapping[int, Listed]) -> _Around:
    """The loops and recursions around these calls. A loop that comes to a model only by starting its own function
    again, as one that reads a stream does when the answer asks for tools, is part of that recursion's pass.
    """
    program = context.program
    starts = {id(match.node): match for match in calls if isinstance(match.node, ir.Call)}
    requests = context.once(routes)
    around = loops_around(
        program, [(m.node, program.scope_of(m.node)) for m in starts.values() if isinstance(m.node, ir.Call)], requests
    )
    loops = {
        id(loop)
        for loop, scope, steps in around.loops
        if id(loop) in of_work or any(around.ways.leads_past(step, scope) for step in steps)
    }
    found = []
    for loop, scope, steps in around.loops:
        if id(loop) not in loops:
            continue
        body = (*loop.body, *((loop.test,) if loop.test else ()), *loop.update)
        below = around.ways.below(steps)
        inside = extent(program, body, loops - {id(loop)}, [step.scope for step in below])
        bounds = bounds_of(program, loop, scope, inside, _nodes(steps))
        found.append(_asking(context, Path(loop, scope, steps, inside, inside, bounds, ()), body, below, starts))
    building = _building(context, found)
    agents = _agentic(context, found, building)
    nested = {id(step.node) for path in found if id(path.node) in agents for step in path.steps}
    others = {id(step.node) for step in around.ways.steps.values() if only_seems_to_lead_back(program, step)}
    recursive = []
    for functions, steps in recursions(around.ways, without=frozenset(nested | others)):
        if len(functions) > TOGETHER:
            continue
        below = around.ways.below(steps)
        path = _recursion(context, functions, steps, loops, below)
        recursive.append(_asking(context, path, functions[0].body, below, starts))
    return _Around((*found, *recursive), building | _building(context, recursive))


def _asking(
    context: Context, path: Path, body: tuple[ir.Node, ...], below: tuple[Step, ...], starts: Mapping[int, Match]
) -> Path:
    """The path with the model calls that lie on the ways down from it, or that a pass may make besides, and with what
    they are given.
    """
    program = context.program
    nodes = frozenset(id(node) for node in extent(program, body, set(), [step.scope for step in below]).nodes())
    answers = frozenset(id(step.node) for step in below)
    asks = tuple(match for key, match in starts.items() if key in nodes or key in answers)
    one = Pass(nodes, answers, requests=context.once(routes))
    given = (places_of(program, ask.node, one) for ask in asks if isinstance(ask.node, ir.Call))
    asked = frozenset[Place]().union(*given)
    asked |= places_passed_in(program, path.scope, asked)
    ways = frozenset(id(step.scope) for step in below)
    passes = nodes | answers
    is_loop = isinstance(path.node, ir.Loop)
    over_requests = answers - nodes
    choosing = passes if is_loop else passes & (_once(program, path, body, below) | over_requests)
    return path._replace(asks=asks, asked=asked, passes=passes, choosing=choosing, ways=ways)


def _once(program: Program, path: Path, body: tuple[ir.Node, ...], below: tuple[Step, ...]) -> frozenset[int]:
    """The ids of the nodes that a pass runs, but for those that others run for each of many things."""
    each = {id(node) for node in ir.walk(*body) if isinstance(node, ir.Loop) and node.source is not None}
    inside = extent(program, body, each, [step.scope for step in below])
    return frozenset(id(node) for part in (inside, path.members) for node in part.nodes())


def _nodes(steps: tuple[Step, ...]) -> tuple[ir.Node, ...]:
    return tuple(step.node for step in steps)


def _recursion(
    context: Context,
    functions: tuple[ir.Function, ...],
    steps: tuple[Step, ...],
    loops: set[int],
    below: tuple[Step, ...],
) -> Path:
    own = without(functions[0].body, loops)
    members = Extent(own, tuple((function, without(function.body, loops)) for function in functions[1:]))
    inside = extent(context.program, functions[0].body, loops, [step.scope for step in below])
    bounds = bounds_of(context.program, None, functions[0], inside, _nodes(steps), members)
    return Path(functions[0], functions[0], steps, inside, members, bounds, ())


# ---------------------------------------------------------------------------------------------------------- is it one?
def _agentic(context: Context, paths: Iterable[Path], building: frozenset[int]) -> frozenset[int]:
    """The ids of the nodes of the paths that are an agent's, of those whose passes build on each other."""
    candidates = [path for path in paths if id(path.node) in building]
    found: dict[int, bool] = {}
    begun: set[int] = set()

    def decide(path: Path) -> bool:
        key = id(path.node)
        if key not in found:
            found[key] = False  # one that can come back to itself is not inside itself
            begun.add(key)
            held = [inner for inner in candidates if inner is not path and _holds(path, inner)]
            inside = [inner for inner in held if decide(inner)]
            is_own = not is_chat(context, path) or asks_itself(context, path, inside)
            within = [inner for inner in held if inner in inside or id(inner.node) in begun]
            found[key] = is_own and not _runs_others(context.program, path, within)
            begun.discard(key)
        return found[key]

    return frozenset(id(path.node) for path in candidates if decide(path))


def _runs_others(program: Program, path: Path, inside: Iterable[Path]) -> bool:
    """Whether a loop runs agents for each of many things, or a recursion starts them: it asks no model but by the loops
    of these agents.
    """
    if not (goes_through(program, path.node) or isinstance(path.node, ir.Function)):
        return False
    theirs = {id(ask.node) for inner in inside if not goes_through(program, inner.node) for ask in inner.asks}
    return bool(theirs) and all(id(ask.node) in theirs for ask in path.asks)


def _building(context: Context, paths: Iterable[Path]) -> frozenset[int]:
    """The ids of the nodes of the paths whose passes build on each other."""
    return frozenset(id(path.node) for path in paths if _is_agentic(context, path))


def _is_agentic(context: Context, path: Path) -> bool:
    """Whether passes build on each other: a conversation that grows, or a recursion that runs what the model picked. A
    loop over what it picked only runs that, whatever asks a model inside a tool.
    """
    if isinstance(path.node, ir.Loop) and path.node.source is not None and picks(path.node.source):
        return False
    if path.asks and all(_goes_on(context, ask) for ask in path.asks):
        return False
    if divides(context.program, path):
        return False
    return (isinstance(path.node, ir.Function) and dispatches(path.members)) or feeds_back(context, path)


def _goes_on(context: Context, ask: Match) -> bool:
    """Whether a run takes up what another one stopped with (`Runner.run(agent, result.to_state())`): the agent's own
    loop goes on, however often it has to wait.
    """
    address = ask.row.properties.get("messages") if ask.row.kind == "run" else None
    given = expressions(context.program, ask.arguments, address) if address is not None and ask.arguments else ()
    values = [value for expr in given for value in context.program.value_of(expr)]
    return bool(values) and all(context.made(value, "resume") is not None for value in values)


# ------------------------------------------------------------------------------------------------------------- entities
def _header(node: ir.Loop | ir.Function) -> Span:
    return node.header if isinstance(node, ir.Loop) else node.name_span


def _symbol(path: Path) -> str:
    return path.scope.qualname or path.scope.span.path


def _entity(context: Context, path: Path, inner: tuple[FeedbackPath, ...]) -> FeedbackPath:
    bounds = list(path.bounds)
    person = person_in(context, path.extent.own)
    if person is not None:
        bounds.append(Bound(BoundKind.PERSON, person.span))
    deadline = deadline_around(context, path.node, path.scope)
    if deadline is not None:
        bounds.append(deadline)
    inferred = all(step.inferred for step in path.steps)
    return FeedbackPath(
        _header(path.node),
        _symbol(path),
        "",
        PathKind.LOOP if isinstance(path.node, ir.Loop) else PathKind.RECURSION,
        bounds=tuple(bounds),
        depth=1 + max((p.depth for p in inner), default=0),
        inner=inner,
        budget_passed=tuple(bool(p.bounds) for p in inner),
        confidence=Confidence.MEDIUM if inferred else Confidence.HIGH,
    )


def _site(path: Path) -> Site:
    return Site(_header(path.node), _symbol(path), "", SiteKind.HAND_WRITTEN_LOOP)
