"""Code sinks: calls that execute program text, who wrote the text, and where it runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import default
from agent_architecture.model.system import CodeOrigin, CodeSink, Confidence
from agent_architecture.names import flow
from agent_architecture.names.values import Const, Items
from agent_architecture.semantics.effective import effective
from agent_architecture.semantics.match import resolved
from agent_architecture.semantics.read import at_call, expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents import Agents
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match
    from agent_architecture.sources.source import Span

INTERPRETER: Final = re.compile(r"(?:^|/)(?:python[\d.]*|node|nodejs|deno|bun|ruby|perl|php|Rscript)(?:\.exe)?$")
"""Programs that run the text that follows `-c` or `-e`."""
INLINE: Final = frozenset({"-c", "-e", "--eval", "eval", "-p", "-r"})


def code_sinks(context: Context, agents: Agents) -> tuple[CodeSink, ...]:
    """Every code sink that is fed by a model or by the arguments of a tool, by position."""
    sources = _Sources(context, agents)
    found = [sink for match in context.of_kind("code_sink") if (sink := _sink(context, sources, match)) is not None]
    found.extend(_interpreters(context, sources))
    unique = {(sink.span, sink.symbol): sink for sink in found}
    return tuple(sorted(unique.values(), key=lambda sink: (sink.span, sink.symbol)))


class _Sources:
    """Who speaks for a model: model calls, agent runs, and the parameters of functions that run as tools."""

    def __init__(self, context: Context, agents: Agents) -> None:
        self.context = context
        self.calls = {id(match.node) for match in context.of_kind("model_call", "run")}
        self.tools = agents.functions()

    def origin(self, expr: ir.Expr) -> tuple[CodeOrigin, tuple[Span, ...], Confidence]:
        """Who wrote the text of an expression, and the way it took."""
        known = CodeOrigin.PROJECT
        for origin in flow.origins(self.context.program, expr):
            if origin.kind == "call" and id(origin.node) in self.calls:
                return CodeOrigin.MODEL, (origin.node.span, *origin.trail), Confidence.HIGH
            if origin.kind == "parameter" and id(origin.node) in self.tools:
                return CodeOrigin.TOOL_ARGUMENT, (origin.node.span, *origin.trail), Confidence.HIGH
            if origin.kind != "constant":
                known = CodeOrigin.UNKNOWN
        return known, (), Confidence.HIGH


def _sink(context: Context, sources: _Sources, match: Match) -> CodeSink | None:
    isolation = effective(context, match, "isolation")
    framework = match.row.where.pack
    symbol = context.symbol(match.node)
    address = match.row.properties.get("code")
    if address is None:
        # The library hands it code itself; the row says whose.
        writer = CodeOrigin(str(match.row.constants.get("origin", CodeOrigin.MODEL)))
        return CodeSink(match.node.span, symbol, framework, writer, isolation)
    for expr in expressions(context.program, match.arguments, address) if match.arguments is not None else ():
        origin, trail, confidence = sources.origin(expr)
        if origin in {CodeOrigin.MODEL, CodeOrigin.TOOL_ARGUMENT}:
            return CodeSink(match.node.span, symbol, framework, origin, isolation, trail, confidence)
    return None


def _interpreters(context: Context, sources: _Sources) -> Iterator[CodeSink]:
    """Processes that run an interpreter on inline text: `[sys.executable, "-c", code]`."""
    for name in sorted(context.packs.last_names):
        for site in context.program.calls(name):
            for api in resolved(context.program, site.call.callee):
                for row in context.packs.effects(api.path):
                    if row.effect not in {"execute_process", "execute_shell"} or row.argument is None:
                        continue
                    read = at_call(context.program, site.call, api.receiver, row.argument)
                    for code in (
                        c for value in read.values if isinstance(value, Items) for c in _inline(context, value)
                    ):
                        origin, trail, confidence = sources.origin(code)
                        if origin in {CodeOrigin.MODEL, CodeOrigin.TOOL_ARGUMENT}:
                            where = default("none", "a process of the host")
                            yield CodeSink(
                                site.call.span,
                                context.symbol(site.call),
                                row.where.pack,
                                origin,
                                where,
                                trail,
                                confidence,
                            )


def _inline(context: Context, argv: Items) -> Iterator[ir.Expr]:
    """The program text in an argument list, when it starts an interpreter with inline text."""
    program = context.program
    words = [_word(program.value_of(item)) for item in argv.items]
    starts = bool(words) and (INTERPRETER.search(words[0]) or words[0] == "sys.executable")
    for flag, item in zip(words[1:], argv.items[2:], strict=False):
        if starts and flag in INLINE:
            yield item


def _word(values: tuple[object, ...]) -> str:
    first = values[0] if values else None
    if isinstance(first, Const):
        return str(first.value)
    path = getattr(first, "path", "")
    return "sys.executable" if path in {"py:sys.executable", "npm:globalThis:process.execPath"} else ""
