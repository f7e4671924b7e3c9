"""Places where a run stops until somebody answers: interrupts, tools that a person approves; and what each needs to go
on: where the run is kept, under which name, what resumes it, what it did before, when the wait ends.

Facts; the detector judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Pause
from agent_architecture.model.settings import ABSENT
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from agent_architecture.model.effects import Effect
    from agent_architecture.model.resilience import Progress
    from agent_architecture.model.system import Binding, Tool
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

ASKS: Final = frozenset({"always", "conditional"})
PYTHON: Final = (".py", ".ipynb")


def pauses(
    work: Work, graphs: Graphs, progress: tuple[Progress, ...], bindings: Iterable[Binding]
) -> tuple[Pause, ...]:
    """Every pause, by what stops the run."""
    asked = {binding.tool.span for binding in bindings if any(v in ASKS for v in binding.gate.approval.values)}
    resumed = tuple(match for match in work.context.of_kind("resume"))
    engines = {match.row.where.pack for match in work.context.of_kind("durable_step")}
    engines -= {match.row.where.pack for match in work.context.of_kind("agent")}
    found: dict[Span, Pause] = {}
    for match in work.context.of_kind("interrupt"):
        if isinstance(match.node, ir.Call):
            found[match.node.span] = _of_call(work, graphs, progress, resumed, engines, match, match.node)
    inside = frozenset(found)
    for each in progress:
        for tool in each.site.tools:
            waits = _is_gated(tool) or tool.span in asked
            if waits and tool.span not in found and tool.gate.inside not in inside:
                found[tool.span] = _of_tool(work.context, progress, resumed, tool, by_library=tool.span in asked)
    return tuple(found.values())


def _is_gated(tool: Tool) -> bool:
    return tool.gate.inside is not None or any(value in ASKS for value in tool.gate.approval.values)


def _of_call(  # noqa: PLR0913, PLR0917 - what is known of a pause
    work: Work,
    graphs: Graphs,
    progress: tuple[Progress, ...],
    resumed: tuple[Match, ...],
    engines: set[str],
    match: Match,
    call: ir.Call,
) -> Pause:
    scope = work.context.program.scope_of(call)
    pack = match.row.where.pack
    acting = graphs.around(graphs.acting(scope)) if isinstance(scope, ir.Function) else ()
    agents = {agent.node.span for agent in acting}
    own = tuple(p for p in progress if any(agent.span in agents for agent in p.site.agents))
    tools = tuple(p for p in progress if any(_holds(tool, call) for tool in p.site.tools))
    first = next(iter(_done_before(work, scope, call)), None)
    around = deadline_around(work.context, call, scope)
    limit = effective(work.context, match, "time_limit")
    return Pause(
        call.span,
        called(call),
        pack,
        own or tools or (() if agents else tuple(p for p in progress if p.site.framework == pack)),
        pack in engines,
        tuple(one.node.span for one in resumed if _resumes(work.context, one, pack, call.span, agents)),
        first,
        around.limit if around is not None and around.every_path and not limit.is_known else limit,
    )


def _of_tool(
    context: Context, progress: tuple[Progress, ...], resumed: tuple[Match, ...], tool: Tool, *, by_library: bool
) -> Pause:
    own = tuple(each for each in progress if tool in each.site.tools)
    packs = {tool.framework, *(each.site.framework for each in own)}
    agents = {agent.span for each in own for agent in each.site.agents}
    spans = tuple(
        one.node.span for one in resumed if any(_resumes(context, one, pack, tool.span, agents) for pack in packs)
    )
    by_library = by_library or any(value in ASKS for value in tool.gate.approval.values)
    blocks = tool.gate.inside is not None and not by_library
    return Pause(tool.span, tool.symbol, tool.framework, own, False, spans, None, ABSENT, blocks)


def _resumes(context: Context, match: Match, pack: str, place: Span, agents: AbstractSet[Span]) -> bool:
    """Whether a call can go on with a run of a library that stopped at a place: it is of that library, in the same
    language, and for one of the agents that stop there, where both are known.
    """
    families = {match.row.where.pack, *str(match.row.constants.get("scope", "")).split()}
    if pack not in families or match.node.span.path.endswith(PYTHON) != place.path.endswith(PYTHON):
        return False
    resumed = {agent.node.span for agent in _goes_on(context, match)}
    return not resumed or not agents or bool(resumed & agents)


def _goes_on(context: Context, match: Match) -> tuple[Match, ...]:
    """The agents whose runs a call goes on with: those that it names, else those of the run that is given what it
    makes.
    """
    address = match.row.relations.get("agent")
    if address is not None:
        read = at_call(context.program, match.arguments, match.api.receiver, address)
        return context.made_by(read.values, "agent")
    given = (run for run in context.of_kind("run") if _is_given(context, run.node, match.node))
    return tuple(agent for run in given for agent in run_agents(context, run))


def _is_given(context: Context, call: ir.Node, made: ir.Node) -> bool:
    given = call.args if isinstance(call, ir.Call) else ()
    values = (value for argument in given for value in context.program.value_of(argument.value))
    return any(getattr(value, "node", None) is made for value in values)


def _holds(tool: Tool, call: ir.Call) -> bool:
    return tool.gate.inside == call.span or tool.span.contains(call.span)


def _done_before(work: Work, scope: ir.Scope, call: ir.Call) -> Iterator[Effect]:
    """What a function does before it pauses that is there twice when it begins anew."""
    if isinstance(scope, ir.Function):
        for statement in _before(scope.body, call):
            yield from work.inside(statement).once


def _before(body: Iterable[ir.Node], call: ir.Call) -> Iterator[ir.Node]:
    """The statements that ran when a call in these begins, on the way to it."""
    for statement in body:
        if not statement.span.contains(call.span):
            yield statement
            continue
        match statement:
            case ir.If(then=then, otherwise=otherwise):
                inner = next((b for b in (then, otherwise) if any(s.span.contains(call.span) for s in b)), ())
                yield from _before(inner, call)
            case ir.Loop(body=inside) | ir.With(body=inside) | ir.Try(body=inside):
                if any(s.span.contains(call.span) for s in inside):
                    yield from _before(inside, call)
        return
