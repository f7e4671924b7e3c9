"""The keys under which tools are offered that have no other name: `tools: { find_guest: findGuest }`.

A function that makes a tool for each key makes another one each time, whatever it is called itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Entries
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.matching.used_tools import chosen
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

OFFERING = ("agent", "run", "model_call", "tool_set")
NAME = "name"


class Keys:
    """The keys of all tools without a name, by the node that makes each."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._found: dict[int, dict[int, tuple[ir.Expr, str]]] = {}
        for match in context.of_kind(*OFFERING):
            for key, expr in self._offered(match):
                for made in self._made(expr):
                    if made.row.properties.keys().isdisjoint({NAME}) and NAME not in made.row.constants:
                        self._found.setdefault(id(made.node), {})[id(expr)] = expr, key

    def of(self, node: ir.Node) -> str:
        """The key of a tool, the first of several; "" where there is none."""
        return next((key for _, key in self._found.get(id(node), {}).values()), "")

    def is_made_for_each(self, node: ir.Node) -> bool:
        """Whether a call makes tools for several keys: each call of the function around it is one."""
        found = self._found.get(id(node), {})
        calls = {key for expr, key in found.values() if isinstance(expr, ir.Call) and expr is not node}
        return len(calls) > 1

    def at(self, expr: ir.Expr, node: ir.Node) -> str:
        """The key of the tool that a call makes for this place alone; "" for one that is the same elsewhere."""
        _, key = self._found.get(id(node), {}).get(id(expr), (expr, ""))
        return key if isinstance(expr, ir.Call) and expr is not node and self.is_made_for_each(node) else ""

    def _made(self, expr: ir.Expr) -> Iterator[Match]:
        for made in self._context.made_by(self._context.program.value_of(expr), "tool"):
            own = chosen(self._context.program, expr, self._context.apart(made.through[0])) if made.through else (made,)
            yield from own if len(own) == 1 else ()

    def _offered(self, match: Match) -> Iterator[tuple[str, ir.Expr]]:
        for value in self._lists(match):
            if isinstance(value, Entries) and value.node is not match.node:
                yield from value.entries

    def _lists(self, match: Match) -> Iterator[Value]:
        program, relation = self._context.program, match.row.relations.get("tools")
        if relation is not None:
            yield from at_call(program, match.arguments, match.api.receiver, relation.whole()).values
        for row, call, receiver in self._context.set_calls.of(match):
            if "tools" in row.relations:
                yield from at_call(program, call, receiver, row.relations["tools"].whole()).values
