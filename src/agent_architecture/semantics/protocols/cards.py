"""What A2A agents say of themselves: cards that code makes, and cards in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import AgentCard
from agent_architecture.model.settings import Origin
from agent_architecture.semantics.matching.documents import entries
from agent_architecture.semantics.matching.properties import AtCall, InDocument, InObject
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Entries
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.matching.properties import Source
    from agent_architecture.sources.source import Span

KIND: Final = "agent_card"


def agent_cards(context: Context) -> Iterator[AgentCard]:
    """Every card in code, then every card in a file."""
    for match in context.of_kind(KIND):
        yield card_of(context, match)
    read: set[int] = set()  # a file that two rows describe is read by the first
    for row in context.packs.documents:
        if row.kind == KIND:
            for path, key, node in entries(context, row):
                if id(node) in read:
                    continue
                card = _card(InDocument(row, node, key), node.span, path.rpartition("/")[2], row.where.pack)
                # Other files have these names, too; a card says what its agent can do.
                if isinstance(node, ir.Map) and Origin.WRITTEN in {card.skills.origin, card.capabilities.origin}:
                    read.add(id(node))
                    yield card


def card_of(context: Context, match: Match) -> AgentCard:
    """The card that a call makes."""
    node = match.node
    span = ir.place_of(node)
    return _card(AtCall(context, match), span, context.symbol(node), match.row.where.pack)


def card_in(context: Context, pack: str, value: Entries) -> AgentCard | None:
    """The card that is an object in code, which a pack's row for files describes."""
    rows = (row for row in context.packs.documents if row.kind == KIND and row.where.pack == pack)
    return next((_card(InObject(context.program, row, value), value.node.span, "", pack) for row in rows), None)


def _card(source: Source, span: Span, symbol: str, framework: str) -> AgentCard:
    return AgentCard(
        span,
        symbol,
        framework,
        name=source.setting("name"),
        description=source.setting("description"),
        url=source.setting("url"),
        version=source.setting("version"),
        protocol_version=source.setting("protocol_version"),
        provider=source.setting("provider"),
        preferred_transport=source.setting("preferred_transport"),
        extended=source.setting("extended"),
        skills=source.parts("skills"),
        capabilities=source.parts("capabilities"),
        security_schemes=source.parts("security_schemes"),
        security=source.parts("security"),
        signatures=source.parts("signatures"),
        input_modes=source.parts("input_modes"),
        output_modes=source.parts("output_modes"),
        interfaces=source.parts("interfaces"),
    )
