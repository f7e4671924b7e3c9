"""What is assigned to an attribute of an object after it was made: `agent.tools = […]`, `agent.input_guardrails = […]`.

Finds the assignments; what the objects are, and what is assigned, others say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.packs.addresses import ELEMENT
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


class SetAttribute(NamedTuple):
    """One assignment: `owner.name = value`."""

    owner: ir.Expr
    name: str
    value: ir.Expr


def set_attributes(context: Context, names: Collection[str]) -> Iterator[SetAttribute]:
    """Every assignment to an attribute of one of these names; files that hold none are not looked at."""
    if not names:
        return
    written = re.compile(rb"\.(?:%s)\s*=[^=]" % b"|".join(re.escape(name).encode() for name in sorted(names)))
    for module in context.program.modules:
        file = context.program.table.file(module.path)
        if file is None or not written.search(file.data):
            continue
        for scope in module.code:
            for node in own_nodes(scope):
                target = node.target if isinstance(node, ir.Assign) and node.value is not None else None
                if (
                    isinstance(node, ir.Assign)
                    and node.value
                    and isinstance(target, ir.Member)
                    and target.name in names
                ):
                    yield SetAttribute(target.target, target.name, node.value)


class SetGuards:
    """The guards that are assigned to agents of which an argument of that name takes them."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[int, list[ir.Expr]] | None = None

    def of(self, match: Match) -> Iterator[Value]:
        """What stands around the agent that a match made by such an assignment."""
        if self._known is None:
            self._known = {}
            for made, expr in self._all():
                self._known.setdefault(id(made.node), []).append(expr)
        program = self._context.program
        for value in (value for expr in self._known.get(id(match.node), ()) for value in program.value_of(expr)):
            if isinstance(value, Items):
                yield from (part for item in value.items for part in program.value_of(item))
            else:
                yield value

    def _all(self) -> Iterator[tuple[Match, ir.Expr]]:
        """Each assignment with the agent; a list to which the row has elements go (`input_guardrails[]`)."""
        names: set[str] = set()
        for match in self._context.of_kind("agent"):
            names |= _names(match)
        for owner, name, value in set_attributes(self._context, names):
            for match in self._context.made_by(self._context.program.value_of(owner), "agent"):
                if name in _names(match):
                    yield match, value


def _names(match: Match) -> frozenset[str]:
    """The names of the arguments that take lists of guards."""
    address = match.row.relations.get("guards")
    ways = address.alternatives if address is not None else ()
    return frozenset(str(steps[-2]) for steps in ways if len(steps) > 1 and steps[-1] == ELEMENT)
