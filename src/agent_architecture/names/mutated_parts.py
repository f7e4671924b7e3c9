"""Parts of what a name holds, after everything that is put into them: `found.pages` after `found.pages.push(x)`.

Of attributes of the project's own objects `members` knows what their methods put in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names import mutations
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Entries, Items
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Values


def of_part(program: Program, expr: ir.Member | ir.Index, values: Values) -> Values:
    """The values of an attribute or element after what the functions that see its name put into it."""
    part = expr.name if isinstance(expr, ir.Member) else expr.key.value if isinstance(expr.key, ir.Literal) else None
    holds = any(isinstance(value, (Items, Entries)) for value in values)
    if not holds or not isinstance(part, str) or not isinstance(expr.target, ir.Name):
        return values
    found: dict[mutations.Change, None] = {}
    for binding in visible_bindings(program, expr.target):
        node = binding.node
        owner = node if binding.kind == "parameter" and isinstance(node, ir.Function) else program.scope_of(node)
        found |= dict.fromkeys(mutations.changes_of_part(program, owner, expr.target.id, part))
    return mutations.after(program, values, found) if found else values
