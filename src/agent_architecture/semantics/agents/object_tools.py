"""Libraries' tools that work by an object of the project: an executor of commands, an editor of files.

Says which of its methods does the work; must not know what that does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Func, Instance
from agent_architecture.semantics.agents.offered.tool_descriptions import method_of
from agent_architecture.semantics.matching.matches import method_in
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Values
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def given_function(context: Context, effects: Effects, match: Match) -> ir.Function | None:
    """The project's function that a library's tool is given to run, or the method of an object that it is given."""
    if match.runs is not None:
        return match.runs
    for value in _given(context, match):
        if isinstance(value, Func):
            return value.function
        if isinstance(value, Instance):
            return _working(context, effects, match, value.cls)
    return _of_class(context, match)


def _of_class(context: Context, match: Match) -> ir.Function | None:
    """The method by which the library runs a class of the project that is its tool, inherited or not."""
    if not isinstance(match.node, ir.Class) or not match.row.method:
        return None
    return method_in(context.program, match.node, match.row.method)


def _given(context: Context, match: Match) -> Values:
    address = match.row.relations.get("function")
    if address is None:
        return ()
    return at_call(context.program, match.arguments, match.api.receiver, address).values


def _working(context: Context, effects: Effects, match: Match, cls: ir.Class) -> ir.Function | None:
    """The method that the tool works by: the one by which objects of this kind are called, else the first that does
    what the library says the tool does (an editor creates, changes and deletes).
    """
    method = method_of(context.program, cls)
    kind = match.row.constants.get("effect")
    if method is not None or kind is None:
        return method
    methods = (node for node in cls.body if isinstance(node, ir.Function) and not node.name.startswith("_"))
    return next((one for one in methods if any(effect.kind == kind for effect in effects.of(one))), None)


def is_of_object(context: Context, match: Match, function: ir.Function) -> bool:
    """Whether a function is a method of such an object: its name is not the tool's."""
    if not isinstance(function.outer, ir.Class):
        return False
    return any(isinstance(value, Instance) for value in _given(context, match))
