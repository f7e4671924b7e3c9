"""Spans that the project opens by hand for requests to models, tools and agents, with all that is put on them.

A span is one of these when its library says so, when its attributes or its name do, or when nothing else records the
work that lies directly in it. States names and values; which of them a convention asks for is not known here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin
from agent_architecture.model.tracing import GenAiSpan, WorkKind
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Const, Text
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.topics.tracing.span_attributes import Put
from agent_architecture.semantics.topics.tracing.switches import is_on
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.tracing import TracedWork
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

OF_MODELS: Final = ("gen_ai_", "llm_")
"""How the names of attributes begin that speak of models, agents and tools."""
ANYWHERE: Final = frozenset({"gen_ai_conversation_id"})
"""What is put on spans of all kinds, to find those of one conversation."""
SPOKEN: Final = regex(
    r"^(?:(?:gen[_.]?ai|llm|tool)(?=$|[\s_.:/-])"
    r"|(?:chat|text_completion|generate_content|invoke_agent|create_agent|execute_tool|invoke_workflow)(?=$|[\s:]))",
    re.IGNORECASE,
)
"""Names of spans that say so: `chat gpt-5`, `llm_request`, `tool.search`."""
OF_WORK: Final = {WorkKind.CALL: "model", WorkKind.TOOL: "tool", WorkKind.SITE: "agent"}
NAMED: Final = frozenset({"gen_ai", "gen_ai_old"})
FOREIGN: Final = "openinference"
OWN: Final = "own"
JUDGED: Final = frozenset({"model", "tool", "agent"})
"""What the spans of a library's own kinds are for, where they count."""


def genai_spans(context: Context, agents: Agents, work: Iterable[TracedWork]) -> tuple[GenAiSpan, ...]:
    """All such spans of a project that runs an agent."""
    pieces = tuple(work)
    return tuple(_Found(context, agents, pieces).all()) if pieces else ()


class _Found:
    """Asks each question of the program once."""

    def __init__(self, context: Context, agents: Agents, work: tuple[TracedWork, ...]) -> None:
        self._context = context
        self._put = Put(context)
        self._spans = {id(match.node): match for match in context.of_kind("span")}
        self._inside = {node: self._inside_of(match) for node, match in self._spans.items()}
        self._holds = dict(self._held(work))
        self._tools = {id(function) for function in agents.code.values()}

    def all(self) -> Iterator[GenAiSpan]:
        for match in self._spans.values():
            found = self._read(match)
            if found is not None:
                yield found

    def _read(self, match: Match) -> GenAiSpan | None:
        said = effective(self._context, match, "convention").value
        convention = str(said) if said is not None else ""
        attributes, hidden = self._put.on(match)
        names = tuple(dict.fromkeys(self._names(match)))
        kind = effective(self._context, match, "work").value
        work = str(kind) if kind is not None else self._holds.get(id(match.node), "") or self._of_tool(match)
        marked = any(each.name.startswith(OF_MODELS) and each.name not in ANYWHERE for each in attributes)
        if convention in NAMED or convention == FOREIGN:
            counts = work in JUDGED
        elif convention == OWN:
            counts = marked
        else:
            counts = marked or bool(work) or bool(names and all(map(SPOKEN.match, names)))
        if not counts:
            return None
        own = "" if convention == OWN else convention
        place, symbol, pack = _place(match), called(match.node), match.row.where.pack
        return GenAiSpan(place, symbol, pack, work, names, own, attributes, hidden)

    def _names(self, match: Match) -> Iterator[str]:
        """The constant beginnings of a span's name."""
        address = match.row.properties.get("name")
        given = () if address is None or match.arguments is None else (match.arguments, address)
        exprs = expressions(self._context.program, *given) if given else ()
        for expr in exprs:
            values = self._context.program.value_of(expr)
            yield from (value.value for value in values if isinstance(value, Const) and isinstance(value.value, str))
            for text in (*(value.node for value in values if isinstance(value, Text)), expr):
                first = next(iter(pieces_of(self._context.program, text)), None)
                if isinstance(first, str):
                    yield first

    # ---------------------------------------------------------------------------------------------------------- inside
    def _inside_of(self, match: Match) -> Span:
        """The code that runs in a span, as far as its syntax says."""
        if isinstance(match.node, ir.Function):
            return match.node.span
        structure = self._context.program.structure(self._context.program.scope_of(match.node))
        for around in structure.enclosing(match.node, ir.With):
            if any(item.value is match.node for item in around.items):
                return around.span
        return match.node.span

    def _held(self, work: Iterable[TracedWork]) -> Iterator[tuple[int, str]]:
        """What lies directly in a span and is recorded by nothing else, by the id of the span's node."""
        for piece in work:
            others = (r for r in (*piece.recordings, *piece.asked) if not r.by_hand)
            if any(is_on(r.enabled) or r.enabled.origin is Origin.UNKNOWN for r in others):
                continue
            around = [(node, inside) for node, inside in self._inside.items() if inside.contains(piece.span)]
            if around and piece.kind in OF_WORK:
                nearest = max(around, key=lambda each: (each[1].line, each[1].col))
                yield nearest[0], OF_WORK[piece.kind]

    def _of_tool(self, match: Match) -> str:
        """Whether a span is that of a tool's function: above it, or around all that it does."""
        function = match.node if isinstance(match.node, ir.Function) else self._context.program.scope_of(match.node)
        if not isinstance(function, ir.Function) or id(function) not in self._tools:
            return ""
        whole = any(
            isinstance(node, ir.With) and any(item.value is match.node for item in node.items) for node in function.body
        )
        return "tool" if whole or function is match.node else ""


def _place(match: Match) -> Span:
    """Where a reader looks for a span: its call, or the decorator."""
    if isinstance(match.node, ir.Function):
        if isinstance(match.arguments, ir.Call):
            return match.arguments.span
        above = (decorator.span for decorator in match.node.decorators)
        return next(above, match.node.span)
    return match.node.span
