"""What tools are called that a model is given, mappings above all, and whether one only shapes the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.options import as_written
from agent_architecture.names.values import Const, Entries
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeGuard

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.match import Match

UNNAMED: Final = "tool"
"""What a schema is called whose name is only known at run time."""
CHOICE: Final = frozenset({"tool_choice", "toolChoice"})
"""What all model APIs call the tool that a model has to pick."""
DEPTH: Final = 2
"""How deep in that choice the tool's name stands: `{"type": "function", "function": {"name": "x"}}`."""


def is_schema(value: Entries) -> bool:
    """Whether a mapping describes one tool, as model APIs take it."""
    return bool({"name", "function", "type"} & dict(value.entries).keys())


def schema_name(program: Program, value: Entries) -> str:
    """The name that such a mapping gives its tool."""
    entries = dict(value.entries)
    for key in ("name", "function"):
        for inner in program.value_of(entries[key]) if key in entries else ():
            if isinstance(inner, Const) and isinstance(inner.value, str):
                return UNNAMED if _is_passed_on(program, entries[key]) else inner.value
            if isinstance(inner, Entries):
                return schema_name(program, inner)
    kinds = program.value_of(entries["type"]) if "type" in entries else ()
    return next((str(v.value) for v in kinds if isinstance(v, Const)), UNNAMED)


def _is_passed_on(program: Program, name: ir.Expr) -> bool:
    """Whether a name is that of whatever object a function is handed: `(tool) => ({ name: tool.name })`."""
    if isinstance(name, ir.Conditional):
        return _is_passed_on(program, name.then) or _is_passed_on(program, name.otherwise)
    target: ir.Expr = name
    while isinstance(target, (ir.Member, ir.Index)):
        target = target.target
    bound = visible_bindings(program, target) if isinstance(target, ir.Name) and target is not name else ()
    return any(binding.kind == "parameter" for binding in bound)


def is_made_up(tool: Tool) -> bool:
    """Whether a tool is a schema whose name is only known at run time: it stands for a registry. What a library says it
    does belongs to one tool, whatever its variable is called.
    """
    return tool.name == UNNAMED and not tool.parameters and not tool.effects


def is_forced(program: Program, match: Match, name: str) -> bool:
    """Whether the model has to pick this tool: the call that gives it the tools says so."""
    calls = (match.arguments, *(api.node for api in receivers(match.api)))
    given = (argument for call in calls if isinstance(call, ir.Call) for argument in call.args)
    return any(_names(program, chosen, name, DEPTH) for argument in given for chosen in _choices(program, argument))


def _choices(program: Program, argument: ir.Argument) -> Iterator[ir.Expr]:
    if argument.keyword in CHOICE:
        yield argument.value
    elif argument.keyword is None and isinstance(as_written(program, argument.value), ir.Map):
        for value in program.value_of(argument.value):
            yield from (expr for key, expr in value.entries if key in CHOICE) if isinstance(value, Entries) else ()


def _names(program: Program, chosen: ir.Expr, name: str, depth: int) -> bool:
    """Whether a choice is this tool whatever happens."""
    values = program.value_of(chosen)
    return bool(values) and all(_is_name(program, value, name, depth) for value in values)


def _is_name(program: Program, value: Value, name: str, depth: int) -> bool:
    match value:
        case Const():
            return value.value == name
        case Entries(entries=entries) if depth > 0:
            return any(_names(program, expr, name, depth - 1) for key, expr in entries if key != "type")
        case _:
            return False


def is_written(name: object) -> TypeGuard[str]:
    """Whether a name is one, and not what a library gives at run time."""
    return isinstance(name, str) and name != "" and not name.startswith(("py:", "npm:"))


def name_elsewhere(function: ir.Function | None, node: ir.Node) -> str:
    """The name of a tool's function that is defined elsewhere: libraries call the tool by it; "" for one that is
    written in the call.
    """
    return "" if function is None or node.span.contains(function.span) else function.name
