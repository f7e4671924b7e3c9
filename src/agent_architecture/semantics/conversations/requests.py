"""Requests to models as the project makes them: where its own functions that hand on messages are called.

`ask(messages)` in ten places is ten requests, though one line in `ask` makes them all. Says which call is one, and
which one a message is made for; knows nothing of texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import is_answer
from agent_architecture.names.lookup import only_value, visible_bindings
from agent_architecture.names.scopes import enclosing_scopes
from agent_architecture.names.string_parts import places
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.conversations.messages import messages_of
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.taint.boundaries import names_in
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ABOVE: Final = 4
"""Functions of the project around a request through which messages are handed."""
INSIDE: Final = 3
"""Assignments and calls between a parameter and what a request is given."""
ASKING: Final = ("model_call", "run")


class Requests:
    """All requests, by the call that makes each; a call of the project's own function stands for the one inside."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.by_call: dict[int, Match] = {id(match.node): match for match in context.of_kind(*ASKING)}
        for match in tuple(self.by_call.values()):
            for text in messages_of(self._context, match):
                for place in self._handed(match.node, text, ABOVE):
                    self.by_call.setdefault(id(place.node), match._replace(node=place.node))
                for call in self._around(match.node, text):
                    self.by_call.setdefault(id(call), match._replace(node=call))

    def of_slot(self, slot: TextSlot) -> tuple[TextSlot, ...]:
        """A message where the project decides what it says, with the request that it is made for."""
        lone = _lone(slot)
        lifted = [
            slot._replace(
                node=place.node, texts=(place.given,), symbol=called(place.node), framework="",
                ask=self.by_call.get(id(place.node), slot.ask),
            )
            for place in (self._handed(slot.node, lone, ABOVE) if lone is not None else ())
        ]  # fmt: skip
        if lifted:
            return tuple(lifted)
        return (slot._replace(ask=self.of_message(slot)),)

    def of_message(self, slot: TextSlot) -> Match | None:
        """The request that a message is made for, also where the list around it is handed back to who makes it."""
        return slot.ask if slot.ask is not None else self._for(slot.node)

    def handed_in(self, node: ir.Node, text: ir.Expr) -> tuple[tuple[ir.Call, ir.Expr], ...]:
        """The calls of the project's own functions that hand a text, as it is, to where it stands, with what each is
        given: there the project decides what it says.
        """
        return tuple((place.node, place.given) for place in self._handed(node, text, ABOVE))

    def _around(self, request: ir.Node, text: ir.Expr) -> Iterator[ir.Call]:
        """The calls of the function around a request that hand on an object with the messages in it."""
        function = self._context.program.scope_of(request)
        if isinstance(function, ir.Function) and not function.span.contains(text.span):
            sites = self._context.program.callers(function)
            yield from (site.call for site in sites if site.call.span.contains(text.span))

    def joined(self, message: ir.Node) -> Iterator[Match]:
        """The requests that are given the list to which a message is added: `messages.append(…)`."""
        structure = self._context.program.structure(self._context.program.scope_of(message))
        name = next(filter(None, map(_grown_list, structure.ancestors(message))), "")
        for call in structure.calls if name else ():
            if id(call) in self.by_call and any(name in names_in(argument.value) for argument in call.args):
                yield self.by_call[id(call)]

    def _for(self, message: ir.Node, left: int = INSIDE) -> Match | None:
        """The request around a message, or the one that is given the list it stands in; for a function that returns
        the list, the one that is given what this returns.
        """
        scope = self._context.program.scope_of(message)
        structure = self._context.program.structure(scope)
        filled = _filled(message)
        if filled:
            own = (call for call in structure.calls if id(call) in self.by_call and call.span > message.span)
            return next((self.by_call[id(call)] for call in own if _takes(call, filled)), None)
        for around in structure.ancestors(message):
            if id(around) in self.by_call:
                return self.by_call[id(around)]
            if is_answer(around) and isinstance(scope, ir.Function) and left:
                sites = (self._for(site.call, left - 1) for site in self._context.program.callers(scope))
                return next((found for found in sites if found is not None), None)
            if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name):
                name = around.target.id
                own = (call for call in structure.calls if id(call) in self.by_call)
                given = (call for call in own if any(name in names_in(argument.value) for argument in call.args))
                return next((self.by_call[id(call)] for call in given), None)
        return None

    def _handed(self, node: ir.Node, text: ir.Expr, left: int) -> Iterator[_Place]:
        """The calls that hand a text through parameters to where it stands, outermost alone."""
        function = self._context.program.scope_of(node)
        if not left or not isinstance(function, ir.Function):
            return
        for param, steps in self._params(text, INSIDE):
            if param not in function.params or param.name in {"self", "cls"}:
                continue
            for site in self._context.program.callers(function):
                passed = passed_argument(site, function, param)
                if passed is None or isinstance(passed, Unknown) or _is_inside(site.scope, function):
                    continue
                given = self._part(passed, steps)
                if given is None:
                    continue
                further = tuple(self._handed(site.call, given, left - 1))
                yield from further or (_Place(site.call, given),)

    def _part(self, passed: ir.Expr, steps: tuple[str, ...]) -> ir.Expr | None:
        """What a call gives that hands all in one object, `ask({ prompt, messages })`: the entry; None where the object
        that is written there has none. An object that nobody can read is given as it is.
        """
        for step in steps:
            value = only_value(self._context.program, passed) if isinstance(passed, ir.Name) else passed
            if not isinstance(value, ir.Map) or any(entry.key is None for entry in value.entries):
                return passed
            part = next((entry.value for entry in value.entries if _is_key(entry, step)), None)
            if part is None:
                return None
            passed = part
        return passed

    def _params(self, expr: ir.Expr, left: int) -> Iterator[tuple[ir.Parameter, tuple[str, ...]]]:
        """The parameters that an expression hands on as they are, or a part of them; a text that is put together is
        decided there.
        """
        match expr:
            case ir.Name() if left:
                for binding in visible_bindings(self._context.program, expr):
                    if isinstance(binding.extra, ir.Parameter) and binding.kind == "parameter":
                        yield binding.extra, binding.steps
                    elif binding.kind == "assign" and isinstance(binding.value, (ir.Name, ir.Call, ir.List)):
                        yield from self._params(binding.value, left - 1)
            case ir.List(items=items):
                for item in items:
                    yield from self._params(item, left)
            case ir.Map(entries=entries):
                for entry in entries:
                    yield from self._params(entry.value, left)
            case ir.Call(args=(only,)) if left and only.keyword is None and not self._context.program.callees(expr):
                if places(self._context.program, expr) is None:
                    yield from self._params(only.value, left - 1)
            case _:
                return


def _is_key(entry: ir.Entry, step: str) -> bool:
    return isinstance(entry.key, ir.Literal) and step == f".{entry.key.value!s}"


def _grown_list(around: ir.Node) -> str:
    """The variable that a call makes longer."""
    match around:
        case ir.Call(callee=ir.Member(target=ir.Name(id=name), name="append" | "extend" | "insert" | "push")):
            return name
        case _:
            return ""


def _is_inside(scope: ir.Scope, function: ir.Function) -> bool:
    """Whether code is that of a function or of one written in it: its call of itself goes on with its conversation."""
    return scope is function or function in enclosing_scopes(scope)


class _Place(NamedTuple):
    node: ir.Call
    given: ir.Expr


def _lone(slot: TextSlot) -> ir.Name | None:
    """What a message says, where that is one variable, also as the one part of a list: `[{"text": prompt}]`."""
    text = slot.texts[0] if slot.fill is None and len(slot.texts) == 1 else None
    if isinstance(text, ir.List) and len(text.items) == 1 and isinstance(text.items[0], ir.Map):
        text = next((entry.value for entry in text.items[0].entries if _is_key(entry, ".text")), None)
    return text if isinstance(text, ir.Name) else None


def _filled(message: ir.Node) -> str:
    """The conversation that a message is put into as it is made: `history.add_user_message(text)`; "" for none."""
    match message:
        case ir.Call(callee=ir.Member(target=ir.Name(id=conversation), name=name)) if name.startswith("add_"):
            return conversation
        case _:
            return ""


def _takes(call: ir.Call, name: str) -> bool:
    """Whether a request is given a conversation, or made of it: `agent.run(history)`, `chat.invoke()`."""
    match call.callee:
        case ir.Member(target=ir.Name(id=owner)) if owner == name:
            return True
    return any(name in names_in(argument.value) for argument in call.args)
