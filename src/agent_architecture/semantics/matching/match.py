"""A match: a row of a pack, and the call, definition, object or text of the program that it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Degree
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Api
    from agent_architecture.semantics.packs.rows import EntityRow


class Match(NamedTuple):
    """A row and what it matched.

    `node` is the call, the decorated function or class, the object that a call names, or the text that names it;
    `arguments` the call or object that carries the properties (None for a text, and for a decorator without
    parentheses). `api` is the callee as it was resolved; its receiver is the object that a method was called on.
    `hands_on`: in a method that overrides the library's, and whose own callers' calls match instead. `degree` says how
    it is known that the row speaks of it.
    """

    row: EntityRow
    node: ir.Call | ir.Function | ir.Class | ir.Map | ir.Literal
    arguments: ir.Call | ir.Map | None
    api: Api
    hands_on: bool = False
    degree: Degree = Degree.RESOLVED
    through: tuple[ir.Node, ...] = ()
    """The calls behind `node`, the library's own first, where code that many use makes the thing for one of them."""
    runs: ir.Function | None = None
    """The function that the thing runs, where the one that the library is given only stands around it."""

    @property
    def made_at(self) -> ir.Node:
        """The library's own call behind the thing; the node itself where nothing stands between."""
        return self.through[0] if self.through else self.node

    @property
    def given(self) -> tuple[ir.Argument, ...]:
        """The arguments as they are written; none for an object."""
        return self.arguments.args if isinstance(self.arguments, ir.Call) else ()
