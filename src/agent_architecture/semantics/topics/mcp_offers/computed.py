"""Whether a text of an offer comes from elsewhere: fetched, read from a database, told by another server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.offers import Computed
from agent_architecture.model.settings import Origin
from agent_architecture.names import flow
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Api, Const, Func, Text
from agent_architecture.semantics.conversations.collected import LISTS
from agent_architecture.semantics.effects.calls import rows_of
from agent_architecture.semantics.effects.unread_calls import UnreadCalls
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import Read, to_setting
from agent_architecture.semantics.taint.sources import READING, sources_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context

FOREIGN: Final = frozenset({"web", "tool", "memory", "retrieval", "mail", "peer", "model", "user"})
"""Whose texts say something that nobody in the project wrote."""
DATA: Final = "data"
"""Where a name is made of what a library gives: the files of a folder, the rows of a table."""
TOLD: Final = frozenset({"name", "description"})
"""What something that was made of a function says of itself."""
NAMES: Final = frozenset({"name", "uri"})


class Origins:
    """Where texts begin, asked of one at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._sources = sources_of(context)

    def of(self, expr: ir.Expr, part: str) -> Iterator[Computed]:
        """What an expression is made of that the project did not write."""
        program = self._context.program
        values = program.value_of(expr)
        if isinstance(expr, ir.Literal) or (values and all(isinstance(value, Const) for value in values)):
            return
        if self._is_told_by_function(expr):
            return
        origins = flow.ends(program, expr)
        found = [(origin.node, self._foreign(origin.node)) for origin in origins]
        yield from (Computed(part, word, called(node), node.span) for node, word in found if word)
        if any(word for _, word in found):
            return
        data = next((o.node for o in origins if part in NAMES and self._brings(o)), None)
        if data is not None:
            yield Computed(part, DATA, called(data), data.span)
        elif not self._is_readable(expr, values):
            # What is put into a text that is written out otherwise says little.
            doubtful = to_setting(program, Read(values, missing=False))
            source = doubtful.source or "what is only given at run time"
            if doubtful.origin is Origin.UNKNOWN or any(isinstance(value, Api) for value in values):
                yield Computed(part, "", source, expr.span)

    def _is_told_by_function(self, expr: ir.Expr) -> bool:
        """`made.description`, of what a library made of a function: its docstring, and not what it answers."""
        if not isinstance(expr, ir.Member) or expr.name not in TOLD:
            return False
        made = [value.node for value in self._context.program.value_of(expr.target) if isinstance(value, Api)]
        given = [a.value for node in made if isinstance(node, ir.Call) for a in node.args]
        return any(isinstance(value, Func) for each in given for value in self._context.program.value_of(each))

    def _brings(self, origin: flow.End) -> bool:
        """Whether a text begins with what a call brings: files of a folder, rows, the answer of somebody. What the
        operator has set is his word, and what code puts together of its own tables is the project's.
        """
        if origin.kind != "call" or not isinstance(origin.node, ir.Call):
            return False
        if rows_of(self._context, origin.node):
            return any(row.effect in READING for row, _ in rows_of(self._context, origin.node))
        apis = resolved(self._context.program, origin.node.callee)
        if any(LISTS.search(api.path) for api in apis) or self._context.once(UnreadCalls).has(origin.node):
            return True
        return not apis and not self._context.program.callees(origin.node)

    def _is_readable(self, expr: ir.Expr, values: Values) -> bool:
        """Whether some of the text is written out."""
        built = (expr, *(value.node for value in values if isinstance(value, Text)))
        pieces = (piece for node in built for piece in pieces_of(self._context.program, node))
        return any(isinstance(piece, str) and piece.strip() for piece in pieces)

    def _foreign(self, node: ir.Node) -> str:
        source = self._sources.of_call(node) if isinstance(node, ir.Call) else None
        return source.origin if source is not None and source.origin in FOREIGN else ""
