"""Retries: what libraries are told to repeat, what clients repeat by themselves, what code repeats by hand; and how
often one model call is repeated when they lie in each other.

States attempts, pauses, filters and layers; what is too much is for the detector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Retry
from agent_architecture.model.settings import ABSENT, Origin, Setting, written
from agent_architecture.model.system import SiteKind
from agent_architecture.names.classes import lineage
from agent_architecture.names.values import ClassValue, Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.context import label
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import bare_decorator, resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.topics.retries.jobs import Started, done_by, is_job
from agent_architecture.semantics.topics.retries.written_retries import by_hand, is_number
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Reached, Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

CLIENT: Final = frozenset({"max_retries", "time_limit", "base_url", "credential"})
"""A row of a model client names one of these; what only wraps a client names none."""
NO_SITES: Final = (SiteKind.MCP_SERVER, SiteKind.MCP_CLIENT)


class Construct(NamedTuple):
    """A retry before its layers are known: what it repeats, by node, and its own attempts."""

    retry: Retry
    node: ir.Node
    reached: Reached | None
    clients: tuple[Match, ...] = ()
    """The model clients that it repeats, named by what it is given to."""
    by_hand: bool = False


def retries(
    work: Work, sites: Iterable[Site], loops: Iterable[HandWritten], steps: Iterable[ir.Function], near: Near
) -> tuple[Retry, ...]:
    """Every retry of a project that runs an agent, in no order; `steps` are the functions of graphs. One by hand that
    is called from elsewhere alone, and asks no model, is no agent's; nor is a decorator of such a function.
    """
    headers = frozenset(s.span for s in sites if s.kind is SiteKind.HAND_WRITTEN_LOOP)
    if all(site.kind in NO_SITES for site in sites):
        return ()
    of_agents = tuple(_of_agents(work, loops, steps))
    started = Started(work, of_agents)
    constructs = [*_of_libraries(work, started), *(Construct(*found, by_hand=True) for found in by_hand(work, headers))]
    clients = {
        id(match.node): _client(work, match) for match in work.context.of_kind("model_client") if _is_client(match)
    }
    inside = frozenset(id(node) for nodes in of_agents for node in nodes)
    own = [each for each in constructs if not _is_of_others(work, each, inside, near)]
    layered = [_with_layers(work, construct, constructs, clients) for construct in own]
    return (*layered, *clients.values())


def _is_of_others(work: Work, construct: Construct, inside: frozenset[int], near: Near) -> bool:
    """Whether all that is known to call a retry is code of which nothing leads to an agent: a page, a script that tries
    a deployment out, a middleware; or nobody is seen to call it, and its file is no agent's: the client of a service
    that takes payments. Of a library's the same is said where it is put on a function of the project.
    """
    reached, node = construct.reached, construct.node
    if not construct.by_hand and not isinstance(node, ir.Function):
        return False
    if reached is None or reached.asks or reached.handed or _lies_in(construct, inside):
        return False
    scope = node if isinstance(node, ir.Function) else work.context.program.scope_of(node)
    return isinstance(scope, ir.Function) and near.is_of_others(scope)


# -------------------------------------------------------------------------------------------------------------- clients
def _is_client(match: Match) -> bool:
    return bool(CLIENT & {*match.row.properties, *match.row.defaults, *match.row.constants})


def _client(work: Work, match: Match) -> Retry:
    """A model client and the retries of its SDK. A library that states no number keeps to its own, small one."""
    repeats = effective(work.context, match, "max_retries")
    numbers = [value for value in repeats.values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    attempts = repeats._replace(values=tuple(value + 1 for value in numbers)) if numbers else repeats
    if repeats.is_known and not numbers:
        attempts = ABSENT
    return Retry(match.node.span, label(match), match.row.where.pack, attempts, is_client=True, layers=(attempts,))


# ------------------------------------------------------------------------------------------------------------ libraries
def _of_agents(work: Work, loops: Iterable[HandWritten], steps: Iterable[ir.Function]) -> Iterator[Iterable[ir.Node]]:
    """What agents come to in their tools, in the passes of loops by hand and in the steps of graphs."""
    for function in (*work.agents.running().values(), *steps):
        yield work.inside(*function.body).nodes
    yield from (loop.inside.nodes() for loop in loops if loop.site is not None)


def _of_libraries(work: Work, started: Started) -> Iterator[Construct]:
    for match in work.context.of_kind("retry"):
        attempts = _attempts(work, match)
        if any(isinstance(value, str) for value in attempts.values):
            continue  # An object says more: it is a retry itself.
        is_client = effective(work.context, match, "scope").value == "client"
        if is_client and attempts.origin not in {Origin.WRITTEN, Origin.UNKNOWN}:
            continue  # What a client does by itself, unasked, counts for clients of models alone.
        does = tuple(done_by(work, match)) if (of_queue := is_job(work, match)) else ()
        bodies = (*_repeated(work, match), *(node for function in does for node in function.body))
        reached = work.inside(*bodies) if bodies else None
        if of_queue and (started.is_apart(match, does, reached) or (isinstance(match.node, ir.Class) and not does)):
            continue
        settings = {
            name: effective(work.context, match, name) for name in ("backoff", "jitter", "filter", "time_limit")
        }
        if settings["filter"].origin is Origin.ABSENT and (end := _given_up(work, match, bodies)) is not None:
            settings["filter"] = written("chosen", end.span)
        once = reached.once[0] if reached is not None and reached.once else None
        retry = Retry(
            _span(work.context.program, match),
            label(match),
            match.row.where.pack,
            attempts,
            settings["backoff"],
            settings["jitter"],
            settings["filter"],
            repeats_effect=once.symbol if once is not None else "",
            repeats=() if reached is None else reached.once,
            is_client=is_client,
            time_limit=settings["time_limit"],
            related=(once.span,) if once is not None else (),
        )
        yield Construct(retry, match.node, reached, tuple(_clients_given(work, match)))


def _given_up(work: Work, match: Match, bodies: Iterable[ir.Node]) -> ir.Call | None:
    """Where what is repeated ends the tries by itself: it throws an error that the library does not try again, or calls
    the function that it is given for that.
    """
    calls = [node for node in ir.walk(*bodies) if isinstance(node, ir.Call)]
    for call in calls:
        marks = (
            row for api in resolved(work.context.program, call.callee) for row in work.context.packs.marks(api.path)
        )
        if any(row.covers == "ends_retries" and row.where.pack == match.row.where.pack for row in marks):
            return call
    if not match.row.constants.get("given_end") or not isinstance(match.node, ir.Call):
        return None
    names = {function.params[0].name for function in _functions(work, match.node) if function.params}
    return next((call for call in calls if isinstance(call.callee, ir.Name) and call.callee.id in names), None)


def _span(program: Program, match: Match) -> Span:
    """The decorator, or the call; of a chain over several lines the line of its own link."""
    if isinstance(match.node, ir.Call):
        callee = match.node.callee
        if isinstance(callee, ir.Member) and callee.name_span.line > match.node.span.line:
            return callee.name_span
        return match.node.span
    if match.arguments is not None:
        return match.arguments.span
    decorator = bare_decorator(program, match)
    return decorator.span if decorator is not None else match.api.node.span


def _attempts(work: Work, match: Match) -> Setting:
    """All tries, the first included."""
    found = effective(work.context, match, "attempts")
    if effective(work.context, match, "counts").value != "retries":
        return found
    return found._replace(values=tuple(value + 1 if is_number(value) else value for value in found.values))


def _repeated(work: Work, match: Match) -> Iterator[ir.Node]:
    """What a library's retry repeats: the decorated function, the callback, the loop over its attempts, the node of a
    graph.
    """
    if isinstance(match.node, ir.Function):
        yield from match.node.body
        return
    if not isinstance(match.node, ir.Call):
        return
    for function in (*_functions(work, match.node), *_handed(work, match), *_methods(work, match)):
        yield from function.body
    for around in work.context.program.structure(work.context.program.scope_of(match.node)).ancestors(match.node):
        if isinstance(around, ir.Loop) and around.source is not None and around.source.span.contains(match.node.span):
            yield from around.body
        elif isinstance(around, ir.Call) and work.context.at(around, "agent") is None:
            for function in _functions(work, around):
                yield from function.body


def _methods(work: Work, match: Match) -> Iterator[ir.Function]:
    """The method of the project's own class that its library base repeats."""
    name = match.row.constants.get("method")
    values = work.context.program.value_of(match.node.callee) if name and isinstance(match.node, ir.Call) else ()
    for cls in (value.cls for value in values if isinstance(value, ClassValue)):
        nodes = (node for each in lineage(work.context.program, cls) for node in each.body)
        yield from [node for node in nodes if isinstance(node, ir.Function) and node.name == name][:1]


def _functions(work: Work, call: ir.Call) -> Iterator[ir.Function]:
    """The project's functions among the arguments of a call."""
    for argument in call.args:
        if isinstance(argument.value, (ir.Function, ir.Name, ir.Member)):
            values = work.context.program.value_of(argument.value)
            yield from (value.function for value in values if isinstance(value, Func))


def _handed(work: Work, match: Match) -> Iterator[ir.Function]:
    """The functions that a retry object is handed later, or that stand beside it in a call: `policy.execute(f)`,
    `add_node("x", f, retry_policy=policy)`.
    """
    program = work.context.program
    name = work.context.symbol(match.node).rpartition(".")[2]
    for scope in (
        {id(s): s for s in (program.scope_of(match.node), program.module_of(match.node))}.values() if name else ()
    ):
        for call in program.structure(scope).calls:
            words = [node for node in ir.walk(call) if isinstance(node, (ir.Name, ir.Member))]
            if any((n.id if isinstance(n, ir.Name) else n.name) == name for n in words) and call is not match.node:
                is_given = work.context.made_by([v for n in words for v in program.value_of(n)], match.row.kind)
                if any(made.node is match.node for made in is_given):
                    yield from _functions(work, call)


def _clients_given(work: Work, match: Match) -> Iterator[Match]:
    """The model clients that a retry is put on: `model.with_retry()`, a middleware of an agent with that model."""
    own = work.context.made(match.api, "model_client")
    if own is not None:
        yield own
    if effective(work.context, match, "scope").value == "model" and isinstance(match.node, ir.Call):
        structure = work.context.program.structure(work.context.program.scope_of(match.node))
        agents = (work.context.at(around, "agent") for around in structure.ancestors(match.node))
        for agent in (found for found in agents if found is not None):
            address = agent.row.properties.get("model")
            if address is not None:
                read = at_call(work.context.program, agent.arguments, agent.api.receiver, address)
                yield from work.context.made_by(read.values, "model_client")


# --------------------------------------------------------------------------------------------------------------- layers
def _with_layers(work: Work, construct: Construct, constructs: list[Construct], clients: dict[int, Retry]) -> Retry:
    """The retry with the longest chain of retries below it, down to a model client."""
    chain = _chain(work, construct, constructs, clients, ())
    spans = tuple(retry.span for retry in chain[1:])
    return construct.retry._replace(
        layers=tuple(retry.attempts for retry in chain), related=(*construct.retry.related, *spans)
    )


def _chain(
    work: Work,
    construct: Construct,
    constructs: list[Construct],
    clients: dict[int, Retry],
    above: tuple[int, ...],
) -> tuple[Retry, ...]:
    below: list[tuple[Retry, ...]] = [(clients[id(m.node)],) for m in construct.clients if id(m.node) in clients]
    reached = construct.reached
    if reached is not None and len(above) < DEPTH:
        made = (work.context.made(ask.api, "model_client") for ask in reached.asks)
        below.extend((clients[id(m.node)],) for m in made if m is not None and id(m.node) in clients)
        inside = {id(node) for node in reached.nodes}
        others = (other for other in constructs if other is not construct and id(other.node) not in above)
        below.extend(
            _chain(work, other, constructs, clients, (*above, id(construct.node)))
            for other in others
            if _lies_in(other, inside)
        )
    longest = max(below, key=_product, default=())
    return (construct.retry, *longest)


DEPTH: Final = 5
"""Retries inside each other that are followed."""


def _lies_in(other: Construct, inside: Collection[int]) -> bool:
    """Whether a retry is run by these nodes: it stands among them, or decorates a function that they call."""
    nodes = other.node.body if isinstance(other.node, ir.Function) else (other.node,)
    return any(id(node) in inside for node in nodes)


def _product(chain: tuple[Retry, ...]) -> float:
    total = 1.0
    for retry in chain:
        numbers = [float(v) for v in retry.attempts.values if is_number(v)]
        total *= max(numbers, default=1.0)
    return total
