"""The tools behind the lists that agents, runs and model calls are given, where the lists themselves do not say.

Remembers what was followed. What is a tool is for `trace` to say, what a binding is for `bindings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, ClassValue, Entries, Instance, Items, Unknown, Value
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.offered.tool_descriptions import (
    Described,
    holding,
    method_of,
    of_object,
    own_text,
)
from agent_architecture.semantics.agents.offered.tool_documents import made_of_entries
from agent_architecture.semantics.agents.offered.tool_wrappers import wrapped
from agent_architecture.semantics.agents.offered.trace import Trace, name_of
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.read import Given, expressions
from agent_architecture.semantics.matching.used_tools import chosen
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.addresses import Address

KNOWN: Final = ("tool", "given_tool", "tool_set", "handoff", "agent", "mcp_client")
"""Kinds of entity that packs know among tools."""

Element = tuple[ir.Expr, tuple[Value, ...]]


class Offer(NamedTuple):
    """What stands behind one list of tools. `open`: further ones come from outside the program."""

    elements: tuple[Element, ...]
    open: bool = False


class Offers:
    """What matches are given in relations, traced on demand."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[tuple[int, str, tuple[int, ...]], Offer] = {}
        self._wrapped: dict[int, tuple[Described, ...]] = {}
        self.described: dict[int, Described] = {}
        """Every tool that describes itself and was found behind a list, by the id of its node."""

    def completed(self, match: Match, relation: str, whole: Iterable[Value], found: tuple[Element, ...]) -> Offer:
        """The elements of a list, with what stands behind those that do not say what they are."""
        read = tuple(one for element in found for part in self._kept_apart(element) for one in self._read(part))
        if not any(map(_is_list_unread, whole)) and not any(map(self._is_unread, read)):
            return Offer(read)
        offer = self.behind(match, relation)
        if not offer.elements:
            return Offer(read, offer.open)
        plain = (element for element in read if not self._is_unread(element))
        return Offer(
            tuple({id(expr): (expr, values) for expr, values in (*plain, *offer.elements)}.values()), offer.open
        )

    def _read(self, element: Element) -> tuple[Element, ...]:
        """An element; an object that describes itself stands where it is defined, and so do those that one call of a
        library makes tools of.
        """
        own = self._context.used_at(element[0])
        for value in element[1]:
            made = own or self._context.made(value, *KNOWN)
            if made is not None and made.row.kind == "tool" and self.wrapped(made):
                return self.remember(self.wrapped(made))
            tool = of_object(self._context.program, value) if isinstance(value, Instance) and made is None else None
            if made is None and isinstance(value, Entries):
                tool = holding(self._context.program, value.node)
            if tool is not None:
                return self.remember([tool])
        return (element,)

    def _kept_apart(self, element: Element) -> tuple[Element, ...]:
        """An element; the tools that one call makes for many stand where each is asked for."""
        expr, values = element
        own = self._context.used_at(expr)
        made = {id(value): self._context.apart(value.node) for value in values if isinstance(value, Api)}
        if not any(made.values()) or own is not None:
            return (element,)
        found = {id(one.node): one for every in made.values() for one in chosen(self._context.program, expr, every)}
        rest = tuple(value for value in values if not made.get(id(value)))
        apart = ((one.node, self._context.program.value_of(one.node)) for one in found.values())
        return (*(((expr, rest),) if rest else ()), *apart)

    def wrapped(self, match: Match) -> tuple[Described, ...]:
        """The tools of the project for which one call or class of a library's tool stands; none where it is one."""
        found = self._wrapped.get(id(match.node))
        if found is None:
            found = self._wrapped[id(match.node)] = wrapped(self._context, match)
        return found

    def behind(self, match: Match, relation: str, calls: Calls = ()) -> Offer:
        """The tools behind a relation of a match, where the code around it was entered by these calls."""
        key = id(match.node), relation, tuple(map(id, calls))
        if key not in self._known:
            trace = Trace(self._context)
            trace.back(self.exprs(match, relation), calls)
            self._known[key] = self._offer(trace)
        return self._known[key]

    def exprs(self, match: Match, relation: str) -> tuple[ir.Expr, ...]:
        """The expressions that a match, or a call on its receivers, gives in a relation."""
        return tuple(expr for call, address in self._given(match, relation) for expr in self._at(call, address))

    def remember(self, tools: Iterable[Described]) -> tuple[Element, ...]:
        """Tools as the elements of a list."""
        found = tuple(tools)
        self.described |= {id(tool.node): tool for tool in found}
        return tuple((tool.node, self._values(tool)) for tool in found)

    def _offer(self, trace: Trace) -> Offer:
        whole = (holding(self._context.program, tool.node) or tool for tool in trace.tools.values())
        tools = {id(tool.node): tool for tool in whole}
        for cls in trace.kinds:
            tools |= {id(tool.node): tool for tool in made_of_entries(self._context.program, cls)}
        plain: list[Element] = []
        is_open = False
        for node in sorted(trace.known.values(), key=lambda node: node.span):
            match = self._context.at(node, "tool")
            behind = self.wrapped(match) if match is not None else ()
            tools |= {id(tool.node): tool for tool in behind}
            if match is not None and not behind:
                plain.append((node, self._context.program.value_of(node)))
            is_open = is_open or match is None
        ordered = sorted(tools.values(), key=lambda tool: tool.node.span)
        return Offer((*self.remember(ordered), *plain), is_open)

    def _values(self, tool: Described) -> tuple[Value, ...]:
        if isinstance(tool.node, ir.Class):
            return (ClassValue(tool.node),)
        return self._context.program.value_of(tool.node)

    def _given(self, match: Match, relation: str) -> Iterator[tuple[Given, Address]]:
        if relation in match.row.relations and match.arguments is not None:
            yield match.arguments, match.row.relations[relation]
        for api in receivers(match.api):
            if isinstance(api.node, ir.Call) and api.receiver is not None:
                for row in self._context.packs.settings(api.receiver.path):
                    if relation in row.relations:
                        yield api.node, row.relations[relation]

    def _at(self, call: Given, address: Address) -> tuple[ir.Expr, ...]:
        return expressions(self._context.program, call, address.whole())

    def _is_unread(self, element: Element) -> bool:
        """Whether an element does not say what it is: a name that belongs to another object, or nothing readable."""
        expr, values = element
        if id(expr) in self.described or self._context.made_by(values, *KNOWN):
            return False
        return not values or any(self._says_nothing(value) for value in values)

    def _says_nothing(self, value: Value) -> bool:
        match value:
            case Unknown() | Items():
                return True
            case Instance():
                return method_of(self._context.program, value.cls) is None
            case Entries(node=ir.Map() as node):
                named = name_of(self._context.program, node)
                return named is not None and not own_text(self._context.program, named)
            case _:
                return False


def _is_list_unread(value: Value) -> bool:
    """Whether a whole list may hold more than it shows."""
    match value:
        case Unknown() | Instance() | Api():
            return True
        case Items() | Entries():
            return not value.complete
        case _:
            return False
