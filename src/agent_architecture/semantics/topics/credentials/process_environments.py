"""Whether a function of the project that is handed all variables of the process hands them on, or only reads some.

Follows parameters through the project's own calls; must not know what the variables are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

MCP: Final = regex(r"(?<![a-zA-Z])(?:mcp|MCP)(?![a-z])")
"""A word of the command, or of what code calls it, that says of a process that it is a server."""
STARTING: Final = frozenset({"execute_shell", "execute_process"})
ENV: Final = frozenset({"env", "environment", "environ"})
"""What the parameters of functions are called that are given an environment."""
DEPTH: Final = 4
"""Functions that hand a parameter to each other."""
ASKING: Final = frozenset({"get", "has", "hasOwn", "hasOwnProperty", "isinstance"})
"""Calls that read one variable of what they are given."""


def starts_server(context: Context, node: ir.Node) -> bool:
    """Whether what is given an environment here is the start of a process that its command says to be an MCP server."""
    structure = context.program.structure(context.program.scope_of(node))
    around = (node, *structure.ancestors(node))
    call = next((each for each in around if isinstance(each, ir.Call)), None)
    if call is None or STARTING.isdisjoint(kinds_of(context, call)):
        return False
    parts = (part for argument in call.args if argument.keyword not in ENV for part in _command(argument.value))
    return any(MCP.search(_text(part)) for part in parts)


def _command(value: ir.Expr) -> Iterator[ir.Node]:
    """The parts of an argument that are no options of the start: `spawn("node", [path], { env })`."""
    return iter(()) if isinstance(value, ir.Map) else ir.walk(value)


def _text(node: ir.Node) -> str:
    match node:
        case ir.Literal(value=str() as text) | ir.Name(id=text) | ir.Member(name=text):
            return text
        case _:
            return ""


def hands_on(program: Program, function: ir.Function, name: str, left: int = DEPTH) -> bool:
    """Whether a parameter goes on as a whole: returned, kept, or given to a call that does more than read a part."""
    structure = program.structure(function)
    for node in structure.nodes:
        if not (isinstance(node, ir.Name) and node.id == name):
            continue
        around = structure.parent(node)
        if isinstance(around, (ir.Member, ir.Index)) and around.target is node:
            continue
        if isinstance(around, ir.Call) and left and _only_read_by(program, around, node, left - 1):
            continue
        if not isinstance(around, (ir.Operator, ir.If, ir.Conditional, ir.Parameter)):
            return True
    return False


def _only_read_by(program: Program, call: ir.Call, given: ir.Name, left: int) -> bool:
    """Whether a call of the project's own functions only reads parts of what it is given."""
    if callee_name(call.callee) in ASKING:
        return True
    called = program.callees(call)
    site = CallSite(call, program.scope_of(call))
    params = [(f, p) for f in called for p in f.params if passed_argument(site, f, p) is given]
    return bool(params) and not any(hands_on(program, f, p.name, left) for f, p in params)
