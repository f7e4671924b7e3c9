"""What the model sees a tool as: the name that it is given, the key under which it is offered, its function's name.

Never what made it: a factory, a decorator or the method of a class are no names of tools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import is_answer
from agent_architecture.names.values import Func
from agent_architecture.semantics.agents.given_schemas import is_written, name_elsewhere
from agent_architecture.semantics.agents.object_tools import is_of_object
from agent_architecture.semantics.matching.class_names import said_by_class
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

NAME = "name"


def name_of(context: Context, match: Match, function: ir.Function | None, key: str = "") -> str:
    """The name of the tool that a match makes, which runs `function` and is offered under `key`."""
    written = effective(context, match, NAME).value
    if is_written(written):
        return _of_function(context, match) or written
    if isinstance(match.node, ir.Class):
        said = said_by_class(context.program, match.node, match.row.properties.get(NAME))
        return next(iter(said)) if len(said) == 1 else context.symbol(match.node)
    if key:
        return key
    named = None if function is None or is_of_object(context, match, function) else function
    given = key_of(context.program, match.node) or name_elsewhere(named, match.node) or _made_by(context, match)
    return given or context.symbol(match.node)


def _of_function(context: Context, match: Match) -> str:
    """The name of the function that stands where the name does: its own, or of what it says that it stands around."""
    address = match.row.properties.get(NAME)
    if address is None:
        return ""
    values = at_call(context.program, match.arguments, match.api.receiver, address).values
    functions = [match.runs or value.function for value in values if isinstance(value, Func)]
    return functions[0].name if len(functions) == len(values) == 1 else ""


def key_of(program: Program, node: ir.Node) -> str:
    """The key under which a tool stands where it is made (`{ weather: tool(...) }`); "" for none."""
    around = program.structure(program.scope_of(node)).parent(node)
    entries = around.entries if isinstance(around, ir.Map) else ()
    keys = (entry.key for entry in entries if entry.value is node)
    return next((str(key.value) for key in keys if isinstance(key, ir.Literal)), "")


def _made_by(context: Context, match: Match) -> str:
    """The function whose result a tool is (`const weather = (user) => tool({ execute: … })`); "" for none, and for
    a library's own tool, which says what it does by itself.
    """
    scope = context.program.scope_of(match.node)
    around = context.program.structure(scope).parent(match.node)
    is_result = is_answer(around) and "function" in match.row.relations
    return scope.name if is_result and isinstance(scope, ir.Function) else ""
