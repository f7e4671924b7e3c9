"""Requests that ask for something, told from those that tell somebody something: what comes back is used.

Knows no library and no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import is_raised
from agent_architecture.names.log_calls import says
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

BODY: Final = frozenset({"json", "text", "content", "data", "body", "read", "blob", "arrayBuffer"})
"""Parts of an answer that carry what was asked for."""


def is_query(program: Program, call: ir.Call) -> bool:
    """Whether what a request brings back is read: it asks for something, and tells nobody anything."""
    structure = program.structure(program.scope_of(call))
    names = {a.target.id for a in structure.enclosing(call, ir.Assign) if isinstance(a.target, ir.Name)}
    names |= {
        item.target.id
        for around in structure.enclosing(call, ir.With)
        for item in around.items
        if isinstance(item.target, ir.Name)
    }
    members = (
        node
        for node in structure.nodes
        if isinstance(node, ir.Member) and node.name in BODY and not _is_reported(structure, node)
    )
    return any(call.span == m.target.span or (isinstance(m.target, ir.Name) and m.target.id in names) for m in members)


def _is_reported(structure: Structure, node: ir.Node) -> bool:
    """Whether something is only printed, logged or raised: `print(response.text)` where a request failed."""
    return any(
        is_raised(around) or (isinstance(around, ir.Call) and says(around)) for around in structure.ancestors(node)
    )
