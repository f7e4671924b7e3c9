"""Code sinks: calls that execute program text, who wrote the text, and where it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import default
from agent_architecture.model.system import CodeOrigin, CodeSink
from agent_architecture.model.touches import FenceKind
from agent_architecture.names import flow
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.control.arithmetic_only import is_arithmetic
from agent_architecture.semantics.control.denylists import is_screened
from agent_architecture.semantics.effects.calls import rows_of
from agent_architecture.semantics.effects.code_execution import inline
from agent_architecture.semantics.matching.context import called, label
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.topics.touches.own_pickles import is_own_pickle
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.touches import Touch
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.conversations.request_owners import Askers
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

PROCESSES: Final = ("execute_process", "execute_shell")
WRITTEN: Final = frozenset({CodeOrigin.MODEL, CodeOrigin.TOOL_ARGUMENT})
"""Whose text nobody of the project wrote."""


def code_sinks(context: Context, agents: Agents, askers: Askers, touches: Iterable[Touch]) -> tuple[CodeSink, ...]:
    """Every code sink that is fed by a model or by the arguments of a tool, by position."""
    sources, listed = _Sources(context, agents, askers), _listed(touches)
    matches = (*context.of_kind("code_sink"), *agents.named_tools.beside("code_sink"))
    found = [sink for match in matches if (sink := _sink(context, sources, match, listed)) is not None]
    found.extend(_interpreters(context, sources))
    unique = {(sink.span, sink.symbol): sink for sink in found}
    return tuple(sorted(unique.values(), key=lambda sink: (sink.span, sink.symbol)))


def _listed(touches: Iterable[Touch]) -> frozenset[Span]:
    """Where code runs whose text every tool that comes there has held against a list or a pattern."""
    running = [touch for touch in touches if touch.effect.kind == "execute_code"]
    unlisted = {touch.effect.span for touch in running if touch.fenced(FenceKind.LISTED) is None}
    return frozenset(touch.effect.span for touch in running) - unlisted


class _Sources:
    """Who speaks for a model: model calls, agent runs, and the parameters of functions that run as tools."""

    def __init__(self, context: Context, agents: Agents, askers: Askers) -> None:
        self.context = context
        self.calls = {id(match.node) for match in context.of_kind("model_call", "run")}
        self.tools = agents.functions()
        self.askers = askers

    def origin(self, expr: ir.Expr) -> _Writer:
        """Who wrote the text of an expression, and the way it took."""
        known = CodeOrigin.PROJECT
        for origin in flow.origins(self.context.program, expr, self.askers.reader):
            if origin.kind == "call" and id(origin.node) in self.calls:
                sites = tuple(site.span for site in self.askers.of(origin.node))
                return _Writer(CodeOrigin.MODEL, (origin.node.span, *origin.trail), sites)
            if origin.kind == "parameter" and id(origin.node) in self.tools:
                return _Writer(CodeOrigin.TOOL_ARGUMENT, (origin.node.span, *origin.trail))
            if origin.kind != "constant":
                known = CodeOrigin.UNKNOWN
        return _Writer(known)


class _Writer(NamedTuple):
    """Who wrote a text, the way that it took, and the sites whose model that is."""

    origin: CodeOrigin
    trail: tuple[Span, ...] = ()
    sites: tuple[Span, ...] = ()


def _sink(context: Context, sources: _Sources, match: Match, listed: frozenset[Span]) -> CodeSink | None:
    isolation = effective(context, match, "isolation")
    framework = match.row.where.pack
    symbol = label(match)
    address = match.row.properties.get("code")
    if address is None:
        # The library hands it code itself; the row says whose.
        writer = CodeOrigin(str(match.row.constants.get("origin", CodeOrigin.MODEL)))
        return CodeSink(match.node.span, symbol, framework, writer, isolation)
    for expr in expressions(context.program, match.arguments, address) if match.arguments is not None else ():
        by = sources.origin(expr)
        if by.origin in WRITTEN and not is_own_pickle(context.program, match.node):
            is_listed = by.origin is CodeOrigin.TOOL_ARGUMENT and match.node.span in listed
            confined = _confined(context, match, expr, is_listed=is_listed)
            where = isolation._replace(values=(confined,)) if confined else isolation
            return CodeSink(match.node.span, symbol, framework, by.origin, where, by.trail, sites=by.sites)
    return None


def _confined(context: Context, match: Match, code: ir.Expr, *, is_listed: bool) -> str:
    """What the code around a call leaves of the text that it runs; "" where that is everything. `is_listed`: a tool has
    held it against a list.
    """
    if isinstance(match.node, ir.Call) and is_arithmetic(context, match.node, code):
        return "arithmetic"
    in_process = effective(context, match, "isolation").values == ("none",)
    return "denylist" if in_process and (is_listed or is_screened(context, match, code)) else ""


def _interpreters(context: Context, sources: _Sources) -> Iterator[CodeSink]:
    """Processes that run an interpreter on inline text: `[sys.executable, "-c", code]`, `python -c "…"`."""
    for name in sorted(context.packs.effect_names(*PROCESSES)):
        for site in context.program.calls(name):
            row = next((row for row, _ in rows_of(context, site.call) if row.effect in PROCESSES), None)
            for code in inline(context, site.call) if row is not None else ():
                by = sources.origin(code)
                if row is not None and by.origin in WRITTEN:
                    pack, where = row.where.pack, default("process", row.where.pack)
                    symbol = called(site.call)
                    yield CodeSink(site.call.span, symbol, pack, by.origin, where, by.trail, sites=by.sites)
