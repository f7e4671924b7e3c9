"""Every tool, prompt, resource and instruction that the project's MCP servers offer, with what their texts do.

Walks from the call, decorator or object that makes an offer to all texts that a model will read of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.offers import McpOffer, OfferKind, Trait, Trick
from agent_architecture.names.values import Func
from agent_architecture.semantics.agents.mcp_answered import answered
from agent_architecture.semantics.agents.mcp_listed import HANDLER, listed
from agent_architecture.semantics.agents.mcp_servers import functions_registered, is_served, registered_nodes
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.protocols.mcp_rewritten import rewritten
from agent_architecture.semantics.topics.mcp_offers.computed import Origins
from agent_architecture.semantics.topics.mcp_offers.texts import Wording, of_expr, of_function, returned
from agent_architecture.semantics.topics.mcp_offers.tricks import lookalike, tricks
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.offers import Computed
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.mcp_listed import Listed
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.protocols.mcp_rewritten import Rewritten
    from agent_architecture.sources.source import Span

KINDS: Final = {"tool": OfferKind.TOOL, "mcp_prompt": OfferKind.PROMPT, "mcp_resource": OfferKind.RESOURCE}
READ: Final = ("name", "uri", "description", "parameters", "arguments", "output_schema")
"""The properties whose texts a model reads."""
SAID: Final = ("name", "title", "description", "inputSchema", "input_schema", "parameters", "annotations")
SIDE: Final = frozenset({"sidenote", "side_note"})
"""Parameters that no tool needs: what a model puts there leaves with the call."""
PARTS: Final = {"parameters": "parameter", "arguments": "parameter", "output_schema": "parameter", "uri": "name"}
"""What the properties are called in a sentence."""


def offers(context: Context) -> tuple[McpOffer, ...]:
    """All offers, by position; each thing once."""
    found: dict[Span, McpOffer] = {}
    general: set[int] = set()
    origins = Origins(context)
    described = [(match, tool) for match, tool in listed(context)]
    for match, tool in (*described, *((None, tool) for tool in answered(context))):
        if match is not None:
            general.add(id(match.node))
        framework = "" if match is None else match.row.where.pack
        found.setdefault(tool.node.span, _of_listed(context, origins, tool, framework))
    listed_by_server = registered_nodes(context)
    for match in (*context.finished("tool"), *context.of_kind("mcp_prompt", "mcp_resource")):
        if id(match.node) not in general and _is_offered(match, listed_by_server):
            made = _of_match(context, origins, match)
            found.setdefault(made.span, made)
    for match, _, plain in functions_registered(context):
        made = _of_function(context, match, plain.function)
        found.setdefault(made.span, made)
    for one in rewritten(context):
        made = _of_text(context, origins, one)
        found.setdefault(made.span, made)
    for match in context.of_kind("mcp_server"):
        instructions = _instructions(context, origins, match)
        if instructions is not None:
            found.setdefault(instructions.span, instructions)
    return tuple(sorted(found.values(), key=lambda offer: (offer.span, offer.symbol)))


def _is_offered(match: Match, listed_by_server: frozenset[int]) -> bool:
    if match.row.kind != "tool":
        return True
    return is_served(match, listed_by_server) and match.row.constants.get("name") != HANDLER


# -------------------------------------------------------------------------------------------------- by calls of packs
def _of_match(context: Context, origins: Origins, match: Match) -> McpOffer:
    program = context.program
    node = match.node
    function = node if isinstance(node, ir.Function) else _function(context, match)
    words: list[Wording] = []
    computed: list[Computed] = []
    described = False
    for name in READ:
        for expr in _written(program, match, name):
            described = described or name == "description"
            part = PARTS.get(name, name)
            words.extend(of_expr(program, expr, part))
            if name in {"name", "description", "uri"}:
                computed.extend(origins.of(expr, part))
    if function is not None:
        words.extend(of_function(program, function, docstring=not described))
        if match.row.kind != "tool":
            words.extend(returned(program, function))
    named = effective(context, match, "name").value
    symbol = named if isinstance(named, str) and named and ":" not in named else ""
    symbol = symbol or (function.name if function is not None and function.name else KINDS[match.row.kind].value)
    span = ir.place_of(node)
    traits = tuple(traits_of((Wording("name", symbol, span), *words)))
    return McpOffer(span, symbol, match.row.where.pack, KINDS[match.row.kind], traits, tuple(computed))


def _of_function(context: Context, server: Match, function: ir.Function) -> McpOffer:
    """A plain function in the list of tools of a server."""
    span = ir.place_of(function)
    words = (Wording("name", function.name, span), *of_function(context.program, function, docstring=True))
    return McpOffer(span, function.name, server.row.where.pack, OfferKind.TOOL, tuple(traits_of(words)), ())


def _of_text(context: Context, origins: Origins, one: Rewritten) -> McpOffer:
    """What a tool says of itself from then on."""
    words = of_expr(context.program, one.value, "description")
    computed = tuple(origins.of(one.value, "description"))
    framework = next((match.row.where.pack for match in context.of_kind("mcp_server")), "")
    return McpOffer(one.node.span, dotted(one.target), framework, OfferKind.TOOL, tuple(traits_of(words)), computed)


def _written(program: Program, match: Match, name: str) -> tuple[ir.Expr, ...]:
    address = match.row.properties.get(name)
    if address is None or match.arguments is None:
        return ()
    return expressions(program, match.arguments, address)


def _function(context: Context, match: Match) -> ir.Function | None:
    address = match.row.relations.get("function")
    if address is None:
        return None
    values = at_call(context.program, match.arguments, match.api.receiver, address).values
    return next((value.function for value in values if isinstance(value, Func)), None)


def _instructions(context: Context, origins: Origins, match: Match) -> McpOffer | None:
    """What a server says of itself as a whole, where it says something."""
    exprs = _written(context.program, match, "instructions")
    if not exprs:
        return None
    part = "instructions"
    words = (word for expr in exprs for word in of_expr(context.program, expr, part))
    computed = tuple(one for expr in exprs for one in origins.of(expr, part))
    symbol = context.symbol(match.node) or "the server"
    kind = OfferKind.INSTRUCTIONS
    return McpOffer(match.node.span, symbol, match.row.where.pack, kind, tuple(traits_of(words)), computed)


# ---------------------------------------------------------------------------------------------------------- by objects
def _of_listed(context: Context, origins: Origins, tool: Listed, framework: str) -> McpOffer:
    said = {key: expr for key, expr in tool.entries.items() if key in SAID}
    words = [
        word
        for key, expr in said.items()
        for word in of_expr(context.program, expr, key if key in {"name", "description", "title"} else "parameter")
    ]
    computed = [one for key in ("name", "description") if key in said for one in origins.of(said[key], key)]
    return McpOffer(tool.node.span, tool.name, framework, OfferKind.TOOL, tuple(traits_of(words)), tuple(computed))


# ------------------------------------------------------------------------------------------------------------- judging
def traits_of(words: Iterable[Wording]) -> Iterator[Trait]:
    """What the texts of an offer do."""
    for word in words:
        if word.part in {"name", "parameter name"}:
            strange = lookalike(word.text)
            if strange:
                yield Trait(Trick.LOOKALIKE, word.part, strange, word.span)
            if word.part == "parameter name" and word.text.lower() in SIDE:
                yield Trait(Trick.COLLECTS, word.part, word.text, word.span)
        for told in tricks(word.text, strict=word.part == "message"):
            yield Trait(told.trick, word.part, told.quote, word.span)
