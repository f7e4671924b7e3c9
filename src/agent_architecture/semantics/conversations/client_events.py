"""Mappings in the form of messages that go to a person's screen alone: events for a browser, lines of a console.

What a server writes to the client whose request it answers, and what is printed, no model reads, whatever the mapping
calls its parts. A socket that the code itself has opened may lead to a model, and an event that somebody listens to may
come back: those are left what they look like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import arguments_at
from agent_architecture.names.log_calls import prints
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.taint.request_handlers import ROUTES, handing
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.matching.context import Context

WRITING: Final = frozenset({"send_json", "send_text", "send_str", "write", "send", "json", "end", "writeSSE"})
"""Methods by which a server writes to the client that it answers."""
SPELLING: Final = frozenset({"dumps", "stringify", "encode", "str", "String"})
"""Calls that write a mapping down."""
EVENT: Final = regex(r"^(?:data|event|id): ?")
"""How an event that a server sends begins (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""
WITHIN: Final = (ir.Map, ir.Template, ir.Operator, ir.Conditional, ir.Await, ir.List, ir.Spread)
"""What something may be a part of on its way to a screen."""
CALLS: Final = 3
"""Functions of the project through which a mapping, or the client's socket, is followed."""


def is_shown(context: Context, node: ir.Node) -> bool:
    """Whether a mapping goes nowhere but to a person's screen."""
    return context.once(_Shown).holds(node)


class _Shown:
    def __init__(self, context: Context) -> None:
        self._program: Program = context.program

    def holds(self, node: ir.Node, calls: int = CALLS) -> bool:
        """Whether an expression of a scope's own code is only written to the client, or printed."""
        structure = self._program.structure(self._program.scope_of(node))
        inner = node
        for around in structure.ancestors(node):
            match around:
                case ir.Call(callee=callee) if inner is not callee:
                    if callee_name(callee) not in SPELLING:
                        return self._shows(around, inner, calls)
                case ir.Template(parts=(ir.Literal(value=str() as begin), *_)) if EVENT.match(begin):
                    return True
                case ir.Assign(target=ir.Name() as target, value=value) if value is inner:
                    uses = tuple(self._uses(target))
                    return bool(uses) and all(self.holds(use, calls) for use in uses)
                case _ if not isinstance(around, WITHIN):
                    return False
            inner = around
        return False

    def _uses(self, target: ir.Name) -> Iterator[ir.Name]:
        """The places of a scope's own code where a name is read after it was given its only value."""
        scope = self._program.scope_of(target)
        if len(self._program.bindings(scope).get(target.id, ())) != 1 or not isinstance(scope, ir.Function):
            return
        for node in self._program.structure(scope).nodes:
            if isinstance(node, ir.Name) and node.id == target.id and node.span != target.span:
                yield node

    def _shows(self, call: ir.Call, given: ir.Node, calls: int) -> bool:
        """Whether a call brings what it is given to a screen, and nowhere else."""
        callee = call.callee
        if prints(call):
            return True
        if isinstance(callee, ir.Member) and callee.name in WRITING:
            return self._is_clients(callee.target, CALLS)
        functions = self._program.callees(call) if calls else ()
        return bool(functions) and all(self._shows_its(function, call, given, calls) for function in functions)

    def _shows_its(self, function: ir.Function, call: ir.Call, given: ir.Node, calls: int) -> bool:
        """Whether all that a function of the project does with an argument is to show it."""
        place = next((number for number, argument in enumerate(call.args) if argument.value is given), None)
        if place is None or call.args[place].keyword is not None or place >= len(function.params):
            return False
        name = function.params[place].name
        uses = [n for n in self._program.structure(function).nodes if isinstance(n, ir.Name) and n.id == name]
        return bool(uses) and all(self.holds(use, calls - 1) for use in uses)

    def _is_clients(self, expr: ir.Expr, calls: int) -> bool:
        """Whether an expression is the socket or the response of the client whose request is answered."""
        while isinstance(expr, (ir.Member, ir.Index, ir.Call)):
            expr = expr.callee if isinstance(expr, ir.Call) else expr.target
        bound = visible_bindings(self._program, expr) if isinstance(expr, ir.Name) else ()
        return bool(bound) and all(self._is_handed(each, calls) for each in bound)

    def _is_handed(self, binding: Binding, calls: int) -> bool:
        """Whether a name is a parameter that a server gives a value, itself or through functions of the project."""
        function = binding.node
        if binding.kind != "parameter" or not isinstance(function, ir.Function):
            return False
        decorators = (each.callee if isinstance(each, ir.Call) else each for each in function.decorators)
        if any(callee_name(each) in ROUTES for each in decorators) or handing(self._program, function) is not None:
            return True
        position = next((n for n, param in enumerate(function.params) if param is binding.extra), len(function.params))
        sites = self._program.callers(function) if calls else ()
        given = [arguments_at(site, function) or () for site in sites]
        return bool(given) and all(
            position < len(args) and self._is_clients(args[position].value, calls - 1) for args in given
        )
