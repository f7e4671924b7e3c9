"""Conversations that are made shorter: a function gives back the messages that it was given, or in their place what a
model made of them.

Such a summary is the same conversation, told on in fewer words: neither its model nor the one that goes on with it is
told by another agent. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Items
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.conversations.answers import Answers
    from agent_architecture.semantics.conversations.requests import Requests
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

HELPERS: Final = 3
"""Calls between such a function and the one that makes a message of the summary, or asks for it."""


class Condensed:
    """Answers for messages; what is known of a function is remembered."""

    def __init__(self, context: Context, reader: Answers, requests: Requests) -> None:
        self._context = context
        self._program = context.program
        self._reader = reader
        self._requests = requests
        self._asked: dict[int, tuple[ir.Function, frozenset[int]]] = {}

    def goes_on(self, node: ir.Node, ask: Match, trail: tuple[Span, ...]) -> bool:
        """Whether an answer that comes to a message is the same conversation there: it was written, or is part of what
        was given, where the messages are replaced.
        """
        program = self._program
        near = [s for s in above(program, [program.scope_of(node)], HELPERS, MANY) if isinstance(s, ir.Function)]
        passed = {id(scope_at(program, span)) for span in trail}
        for function in near:
            asked = self._asks(function)
            if asked and (id(ask.node) in asked or id(function) in passed):
                return True
        return False

    def _asks(self, function: ir.Function) -> frozenset[int]:
        """The requests whose answers a function gives back in the place of the messages that it was given."""
        if id(function) not in self._asked:
            self._asked[id(function)] = function, frozenset(self._found(function))
        return self._asked[id(function)][1]

    def _found(self, function: ir.Function) -> Iterator[int]:
        given = [dict(_parts(value)) for value in self._program.structure(function).returns]
        kept = {place for parts in given for place, part in parts.items() if self._is_given(part)}
        others = [
            part for parts in given for place, part in parts.items() if place in kept and not self._is_given(part)
        ]
        if not others or not self._program.callers(function) or any(map(self._holds_all, others)):
            return
        inside = {id(one) for one, _ in extent(self._program, function.body, set()).called} | {id(function)}
        for part in (text for other in others for text in self._texts(other)):
            for origin in flow.origins(self._program, part, self._reader):
                if id(origin.node) in self._requests.by_call and id(self._program.scope_of(origin.node)) in inside:
                    yield id(origin.node)

    def _texts(self, part: ir.Expr) -> Iterator[ir.Expr]:
        """What stands in the messages of a list."""
        lists = [value for value in self._program.value_of(part) if isinstance(value, Items)]
        for item in (item for each in lists for item in each.items):
            yield from (argument.value for argument in item.args) if isinstance(item, ir.Call) else ()
            yield from (entry.value for entry in item.entries) if isinstance(item, ir.Map) else ()

    def _is_given(self, part: ir.Expr) -> bool:
        """Whether it is what the function was given, or a part of that: `const messages = options.messages`."""
        match part:
            case ir.Name():
                bound = visible_bindings(self._program, part)
                return any(b.kind == "parameter" or (b.value is not None and self._is_part(b.value)) for b in bound)
            case _:
                return self._is_part(part)

    def _is_part(self, part: ir.Expr) -> bool:
        if not isinstance(part, ir.Member) or not isinstance(part.target, ir.Name):
            return False
        return any(binding.kind == "parameter" for binding in visible_bindings(self._program, part.target))

    def _holds_all(self, part: ir.Expr) -> bool:
        """Whether all messages stand in it beside others: then one was only added."""
        found = [part]
        if isinstance(part, ir.Name):
            found += [b.value for b in visible_bindings(self._program, part) if b.value is not None]
        for node in ir.walk(*found):
            match node:
                case ir.Spread(value=value) if self._is_given(value):
                    return True
                case ir.Operator(op=ir.Op.ADD, operands=operands) if any(map(self._is_given, operands)):
                    return True
                case ir.Call(callee=ir.Member(target=target, name="concat")) if self._is_given(target):
                    return True
                case _:
                    continue
        return False


def _parts(value: ir.Expr) -> Iterator[tuple[str, ir.Expr]]:
    """What a function gives back at once, each by its place."""
    match value:
        case ir.List(items=items, kind="tuple"):
            yield from ((str(number), item) for number, item in enumerate(items))
        case ir.Map(entries=entries):
            yield from ((str(e.key.value), e.value) for e in entries if isinstance(e.key, ir.Literal))
        case _:
            yield "", value
