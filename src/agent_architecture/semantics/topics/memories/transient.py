"""What a library would keep, and one call of a function makes for itself and forgets: no memory.

Documents in a variable that nothing hands on; a conversation that is begun, filled and sent to a model once; a chat of
a model's library that nothing hands on, and in which no person takes turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.memory import Holding
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import answer_of, is_answer
from agent_architecture.names.program import CallSite
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.loops.chats import person_in
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def is_passing(context: Context, match: Match) -> bool:
    """Whether a memory is kept in a variable of one call alone: never returned, handed on or put anywhere."""
    scope = context.program.scope_of(match.node)
    holds, durable = (match.row.constants.get(name) for name in ("holds", "durable"))
    name = context.symbol(match.node)
    if durable is False and holds == Holding.CONVERSATION and _is_a_chat(context, match):
        return _is_talked_through(context, scope, match.node, name)
    if durable is not False or not isinstance(scope, ir.Function) or "." in name:
        return False
    if not scope.name or not any(b.kind == "assign" for b in context.program.bindings(scope).get(name, ())):
        return False
    if holds == Holding.DOCUMENTS:
        return not any(_hands_on(node, name, context.program) for node in own_nodes(scope))
    return holds == Holding.CONVERSATION and _is_one_request(context, scope, match.node, name)


def _is_a_chat(context: Context, match: Match) -> bool:
    """Whether a memory is what a model is asked through: its library sends the whole of it with each message."""
    asks = (ask.api.receiver for ask in context.of_kind("model_call", "run"))
    return any(receiver is not None and receiver.node is match.node for receiver in asks)


def _is_talked_through(context: Context, scope: ir.Scope, made: ir.Node, name: str) -> bool:
    """Whether a chat is kept in a variable alone, or nowhere, and no person takes turns in it."""
    structure = context.program.structure(scope)
    around = structure.parent(made)
    if not isinstance(around, ir.Assign):
        return True
    if not isinstance(around.target, ir.Name) or any(_hands_on(node, name) for node in structure.nodes):
        return False
    begun_in = [id(loop) for loop in structure.enclosing(made, ir.Loop)]
    asking = (call for call in structure.calls if _is_asked(call, name))
    repeated = (loop for call in asking for loop in structure.enclosing(call, ir.Loop) if id(loop) not in begun_in)
    return not any(person_in(context, ir.walk(*loop.body)) for loop in repeated)


def _is_asked(call: ir.Call, name: str) -> bool:
    callee = call.callee
    return isinstance(callee, ir.Member) and isinstance(callee.target, ir.Name) and callee.target.id == name


def _is_one_request(context: Context, scope: ir.Function, made: ir.Node, name: str) -> bool:
    """Whether a conversation is only ever sent to a model once for each time that it is begun."""
    asking = [call for call in own_nodes(scope, ir.Call) if _sends(context, call, name)]
    if len(asking) != 1 or any(_hands_on(node, name) for node in own_nodes(scope) if node is not asking[0]):
        return False
    structure = context.program.structure(scope)
    begun_in = [id(loop) for loop in structure.enclosing(made, ir.Loop)]
    return all(id(loop) in begun_in or _runs_over(loop, asking[0]) for loop in structure.enclosing(asking[0], ir.Loop))


def _runs_over(loop: ir.Loop, answer: ir.Call) -> bool:
    """Whether a loop goes over the parts of an answer, and asks for none itself."""
    return loop.source is not None and loop.source.span.contains(answer.span)


def _sends(context: Context, call: ir.Call, name: str) -> bool:
    """Whether a call asks a model with what a variable holds as its messages."""
    return any(
        isinstance(sent, ir.Name) and sent.id == name
        for match in context.all_at(call, "run", "model_call")
        for sent in _messages(context, match, call)
    )


def _messages(context: Context, match: Match, call: ir.Call) -> tuple[ir.Expr, ...]:
    address = match.row.properties.get("messages")
    return () if address is None else expressions(context.program, call, address)


def _hands_on(node: ir.Node, name: str, program: Program | None = None) -> bool:
    """Whether a node gives what a variable holds to something else; to a function of the project that keeps it to
    itself only where no `program` says so.
    """
    match node:
        case ir.Yield(value=value) | ir.Assign(value=value):
            given = [value]
        case _ if is_answer(node):
            given = [answer_of(node)]
        case ir.Call() if program is not None and _is_used_up(program, node, name):
            return False
        case ir.Call(args=args):
            given = [argument.value for argument in args]
        case ir.List(items=items):
            given = list(items)
        case ir.Map(entries=entries):
            given = [entry.value for entry in entries]
        case ir.Function():
            return True  # a function inside may use it later
        case _:
            return False
    return any(isinstance(expr, ir.Name) and expr.id == name for expr in given)


def _is_used_up(program: Program, call: ir.Call, name: str) -> bool:
    """Whether all that a call may run are functions of the project that hand what the variable holds to nobody."""
    functions = program.callees(call)
    return bool(functions) and not any(
        isinstance(given := passed_argument(CallSite(call, each), each, parameter), ir.Name)
        and given.id == name
        and any(_hands_on(node, parameter.name) for node in own_nodes(each))
        for each in functions
        for parameter in each.params
    )
