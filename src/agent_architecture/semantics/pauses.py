"""Places where a run stops until somebody answers: interrupts, tools that a person approves; and what each needs to go
on: where the run is kept, under which name, what resumes it, what it did before, when the wait ends.

Facts; the detector judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Pause
from agent_architecture.model.settings import ABSENT
from agent_architecture.semantics.context import called
from agent_architecture.semantics.effective import effective
from agent_architecture.semantics.lifters.deadlines import deadline_around
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.effects import Effect
    from agent_architecture.model.resilience import Progress
    from agent_architecture.model.system import Binding, Tool
    from agent_architecture.semantics.graphs import Graphs
    from agent_architecture.semantics.match import Match
    from agent_architecture.semantics.work import Work
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
                found[tool.span] = _of_tool(progress, resumed, tool, by_library=tool.span in asked)
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
        tuple(one.node.span for one in resumed if _resumes(one, pack, call.span)),
        first,
        around.limit if around is not None and around.every_path and not limit.is_known else limit,
    )


def _of_tool(progress: tuple[Progress, ...], resumed: tuple[Match, ...], tool: Tool, *, by_library: bool) -> Pause:
    own = tuple(each for each in progress if tool in each.site.tools)
    packs = {tool.framework, *(each.site.framework for each in own)}
    spans = tuple(one.node.span for one in resumed if any(_resumes(one, pack, tool.span) for pack in packs))
    by_library = by_library or any(value in ASKS for value in tool.gate.approval.values)
    blocks = tool.gate.inside is not None and not by_library
    return Pause(tool.span, tool.symbol, tool.framework, own, False, spans, None, ABSENT, blocks)


def _resumes(match: Match, pack: str, place: Span) -> bool:
    """Whether a call can resume runs of a library at a place: one of the same library, in the same language."""
    own = match.row.where.pack
    is_family = own == pack or {own, pack} == {"langchain", "langgraph"}  # agents of one are graphs of the other
    return is_family and match.node.span.path.endswith(PYTHON) == place.path.endswith(PYTHON)


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
