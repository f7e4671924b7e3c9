"""What a model picked: the part of its answer that names a tool to call, and the expressions that it is taken from.

The words are those under which model APIs hand a choice out. Who runs what was picked is for others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

DISPATCH: Final = regex(
    r"^(?:tool_?calls?|tool_?use|toolUse|function_?calls?|functionCalls?|stop_reason|stopReason|tool_?requests?|next_tool|action_?input|actions?)$",
    re.IGNORECASE,
)
"""Names under which model APIs, and hand-written protocols over them, hand out the tool that a model picked."""
CALLS: Final = regex(r"^(?:tool_?calls?|tool_?uses?|function_?calls?|tool_?requests?)$", re.IGNORECASE)
"""Those of them that are calls of tools and nothing else; a plan may have actions."""
HOPS: Final = 6
"""Names and helpers that what a model picked is handed through: `calls = picked_in(answer)`, `for call in calls`."""


def picks(expr: ir.Expr) -> bool:
    """Whether an expression names what a model picked: `message.tool_calls`."""
    return any(DISPATCH.match(word) for word in _named(expr))


def lists_calls(expr: ir.Expr) -> bool:
    """Whether an expression is named after the calls of tools that a model asked for."""
    return any(CALLS.match(word) for word in _named(expr))


def hands_out(expr: ir.Expr, words: re.Pattern[str] = DISPATCH) -> bool:
    """Whether an expression takes what a model picked out of something."""
    return any(words.match(part_of(node)) for node in ir.walk(expr))


def is_picked(program: Program, target: ir.Expr, words: re.Pattern[str] = DISPATCH) -> bool:
    """Whether an expression is, or is taken from, what a model picked, through any of a few names and helpers."""
    layer, seen = [target], set[int]()
    for _ in range(HOPS):
        if any(hands_out(expr, words) for expr in layer):
            return True
        parts = [node for expr in layer for node in ir.walk(expr)]
        bound = (b for name in parts if isinstance(name, ir.Name) for b in visible_bindings(program, name))
        bindings = list({id(binding): binding for binding in bound if id(binding) not in seen}.values())
        asked = (f for call in parts if isinstance(call, ir.Call) for f in program.callees(call) if id(f) not in seen)
        helpers = list({id(function): function for function in asked}.values())
        seen.update(map(id, (*bindings, *helpers)))
        layer = [source for binding in bindings for source in sources_of(program, binding)]
        layer += [given for helper in helpers for given in program.structure(helper).returns]
    return any(hands_out(expr, words) for expr in layer)


def sources_of(program: Program, binding: Binding) -> Iterator[ir.Expr]:
    """What a name is bound to: its value, or for the parameter of a callback what calls it with each element."""
    if binding.value is not None:
        yield binding.value
    if isinstance(binding.node, ir.Function) and binding.kind == "parameter":
        around = program.structure(binding.node.outer).parent(binding.node)
        if isinstance(around, ir.Call) and isinstance(around.callee, ir.Member):
            yield around.callee.target


def part_of(node: ir.Node) -> str:
    """The part that an expression takes of something; "" for none."""
    read = part_read(node)
    return read.key if read is not None else ""


def words_of(node: ir.Node) -> Iterator[str]:
    """The word that a node is, or takes: of a member its name, of a text itself."""
    match node:
        case ir.Member():
            yield node.name
        case ir.Literal(value=str() as text):
            yield text
        case _:
            return


def said_by(node: ir.Node) -> Iterator[str]:
    """The same, and of a variable its name."""
    yield from (node.id,) if isinstance(node, ir.Name) else words_of(node)


def _named(expr: ir.Expr) -> Iterator[str]:
    return (word for node in ir.walk(expr) for word in said_by(node))
