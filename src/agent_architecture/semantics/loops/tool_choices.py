"""Whether code looks at the tool that a model picked, by the names under which model APIs hand it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.matching.picked_tools import DISPATCH, words_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.callgraph.reach import Extent


def dispatches(inside: Extent) -> bool:
    """Whether the extent looks at the tool that the model picked. Under a key that it writes, it looks at nothing."""
    nodes = tuple(inside.nodes())
    written = {id(entry.key) for node in nodes if isinstance(node, ir.Map) for entry in node.entries}
    return any(DISPATCH.match(word) for node in nodes if id(node) not in written for word in words_of(node))
