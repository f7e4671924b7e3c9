"""The texts of tools that a file declares for a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.offers import McpOffer, OfferKind
from agent_architecture.semantics.adapters.mcp_toolbox import BOUND, PUT_IN, tools_files
from agent_architecture.semantics.matching.documents import at
from agent_architecture.semantics.topics.mcp_offers.offers import traits_of
from agent_architecture.semantics.topics.mcp_offers.texts import Wording
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

TEXTS: Final = {
    ("description",): "description",
    (BOUND, "[]", "name"): "parameter name",
    (BOUND, "[]", "description"): "parameter",
    (PUT_IN, "[]", "name"): "parameter name",
    (PUT_IN, "[]", "description"): "parameter",
}


def configured_offers(context: Context) -> Iterator[McpOffer]:
    """One for each tool."""
    for offered in tools_files(context).offered:
        tool = offered.tool
        words = [Wording("name", tool.name, tool.span)]
        for steps, part in TEXTS.items():
            texts = (found for found in at(offered.node, steps) if isinstance(found, ir.Literal))
            words.extend(Wording(part, text.value, text.span) for text in texts if isinstance(text.value, str))
        yield McpOffer(tool.span, tool.name, tool.framework, OfferKind.TOOL, tuple(traits_of(words)), ())
