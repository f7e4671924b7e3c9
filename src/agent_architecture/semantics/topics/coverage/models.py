"""The models that agents, requests and clients name, by the packs' property `model`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.models import ModelUse
from agent_architecture.model.settings import Origin
from agent_architecture.semantics.matching.effective import effective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

KINDS: Final = ("agent", "graph", "model_call", "model_client")
MADE: Final = ("py:", "npm:")
"""How a value begins that is an object of a library: the client that it is names the model."""


def models(context: Context) -> Iterator[ModelUse]:
    """A use for each place that names a model, or lets something decide that cannot be read."""
    for match in context.of_kind(*KINDS):
        name = effective(context, match, "model")
        names = tuple(value for value in name.values if isinstance(value, str) and value and not value.startswith(MADE))
        if names or name.origin is Origin.UNKNOWN:
            symbol = context.symbol(match.node)
            yield ModelUse(match.node.span, symbol, match.row.where.pack, name._replace(values=names))
