"""The tools that code picks out by their names: those that a hook lets through on every way to "go on", and those that
a call is left for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Const, Items
from agent_architecture.semantics.control.argument_tests import CONTAINING
from agent_architecture.semantics.control.condition import Condition, held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.refusal import lets_pass
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

NAMES: Final = frozenset({"tool_name", "toolName", "name"})
"""Where libraries tell a hook which tool is called."""


def let_through(context: Context, hook: ir.Function) -> frozenset[str] | None:
    """The names of the tools whose calls may pass a hook; None where it does not go by names, or not on every way."""
    conditions = conditions_of(context)
    ways = [conditions.at(node.value) for node in lets_pass(hook) if node.value is not None]
    ways += [conditions.behind(hook.body)] if conditions.goes_on(hook.body) else []
    found: set[str] = set()
    for way in ways:
        listed = held(way, lambda one: _listed(context.program, one)).get("name")
        if listed is None:
            return None
        found |= listed
    return frozenset(found) if ways else None


def is_for_others(context: Context, call: ir.Call, tool: str) -> bool:
    """Whether a call is only reached for tools of other names: `if name not in ASKED: BY_NAME[name].invoke(args)`."""
    for each in conditions_of(context).at(call) if tool else ():
        if isinstance(each, Condition) and each.holds is not None:
            compared = _compared(context.program, each).get("name")
            if compared is not None and each.holds is not (tool in compared):
                return True
    return False


def picks(program: Program, condition: Condition, tool: str) -> bool:
    """Whether a condition only picks the tool of this name, by a name, or names, that stand in it:
    `name in ("get_a", "get_b")`. It refuses none of them; a list that has a name of its own is a policy.
    """
    match condition.expr:
        case (
            ir.Operator(op=ir.Op.IN | ir.Op.EQ, operands=(_, ir.Literal() | ir.List()))
            | ir.Call(callee=ir.Member(target=ir.List()))
        ):
            return bool(tool) and any(tool in texts for texts in _listed(program, condition).values())
        case _:
            return False


def _listed(program: Program, condition: Condition) -> dict[str, frozenset[str]]:
    """The texts that the name of a tool is one of, where a condition says that."""
    return _compared(program, condition) if condition.holds else {}


def _compared(program: Program, condition: Condition) -> dict[str, frozenset[str]]:
    """The texts with which a condition compares the name of a tool."""
    match condition.expr:
        case ir.Operator(op=ir.Op.IN, operands=(left, right)) if _is_name(program, left):
            texts = _texts(program, right)
        case ir.Operator(op=ir.Op.EQ, operands=(left, right)) if _is_name(program, left):
            texts = _texts(program, right)
        case ir.Call(callee=ir.Member(name=name, target=target), args=(ir.Argument(value=left), *_)) if (
            name in CONTAINING and _is_name(program, left)
        ):
            texts = _texts(program, target)
        case _:
            return {}
    return {} if texts is None else {"name": texts}


def _is_name(program: Program, expr: ir.Expr) -> bool:
    """Whether an expression is the name of the tool that is called: `event["tool_name"]`, `toolName`."""
    match expr:
        case _ if (read := part_read(expr)) is not None:
            return read.key in NAMES
        case ir.Name(id=key):
            bound = [b for b in visible_bindings(program, expr) if b.value is not None]
            return key in NAMES or any(b.value is not None and _is_name(program, b.value) for b in bound)
        case _:
            return False


def _texts(program: Program, expr: ir.Expr) -> frozenset[str] | None:
    """The texts of a list, or the one text that an expression is; None where it cannot be read."""
    found: set[str] = set()
    for value in program.value_of(expr):
        items = [v for item in value.items for v in program.value_of(item)] if isinstance(value, Items) else [value]
        if isinstance(value, Items) and not value.complete:
            return None
        for each in items:
            if not isinstance(each, Const) or not isinstance(each.value, str):
                return None
            found.add(each.value)
    return frozenset(found) or None
