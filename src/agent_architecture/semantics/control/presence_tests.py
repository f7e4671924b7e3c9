"""Whether something is there: conditions that say so, and reads that only ask it.

`if not os.getenv("KEY")`, `Boolean(process.env.KEY)`, `"set" if os.environ.get("KEY") else "missing"`: what is read
goes nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.null_checks import no_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.test_parts import has, lacks
from agent_architecture.names.values import Const
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.sources.source import Span

ANSWERING: Final = frozenset({"bool", "Boolean", "len"})
"""Calls that say of a text whether it is one, or how long."""
SAME: Final = frozenset({"strip", "trim"})
"""Calls whose answer is there where the text is."""
LENGTH: Final = "length"
COMPARED: Final = frozenset({ir.Op.EQ, ir.Op.NE, ir.Op.IS})


def is_there(condition: Condition, name: str) -> bool:
    """Whether a condition says that what is called so is there: `limit` and `limit is not None` hold, `not limit` and
    `limit is None` do not.
    """
    missing = lacks(condition.expr)
    if missing is not None:
        return condition.holds is False and dotted(missing) == name
    return condition.holds is True and dotted(has(condition.expr)) == name


def is_missing(condition: Condition, name: str) -> bool:
    """Whether a condition says that it is not there."""
    return condition.holds is not None and is_there(condition._replace(holds=not condition.holds), name)


def is_only_asked(program: Program, node: ir.Node) -> bool:
    """Whether all that is done with a read is to ask whether it gave something, or one of the texts that code has for
    it (`KEY == "change-me"`).
    """
    child = node
    for around in program.structure(program.scope_of(node)).ancestors(node):
        match around:
            case ir.Operator(op=ir.Op.NOT):
                return True
            case ir.Member(name=name) if name == LENGTH:
                return True
            case ir.Operator(op=op, operands=operands) if op in COMPARED:
                return any(no_value(one) or _is_written(program, one) for one in operands if one is not child)
            case ir.Operator(op=ir.Op.IN, operands=(first, ir.List(items=items))):
                return first is child and all(isinstance(item, ir.Literal) for item in items)
            case ir.Operator(op=ir.Op.AND, operands=(*_, last)) if child is not last:
                return True
            case ir.Operator(op=ir.Op.AND | ir.Op.OR | ir.Op.NULLISH):
                pass
            case ir.If(test=test) | ir.Conditional(test=test) | ir.Loop(test=test):
                return test is child
            case ir.Call(callee=callee) if callee_name(callee) in ANSWERING:
                return True
            case ir.Opaque(kind=ir.OpaqueKind.ASSERT):
                return True
            case ir.Member(name=name) | ir.Call(callee=ir.Member(name=name)) if name in SAME:
                pass
            case _:
                return False
        child = around
    return False


def is_only_asked_at(program: Program, span: Span, variable: str) -> bool:
    """The same of every read of a variable in a line."""
    scope = program.scope_of(ir.Literal(span, variable))
    nodes = (node for node in program.structure(scope).nodes if node.span.line == span.line)
    reads = [node for node in nodes if _reads(node, variable)]
    return bool(reads) and all(is_only_asked(program, node) for node in reads)


def _reads(node: ir.Node, variable: str) -> bool:
    match node:
        case ir.Call(args=(first, *_)):
            return isinstance(first.value, ir.Literal) and first.value.value == variable
        case ir.Index(key=ir.Literal(value=key)):
            return key == variable
        case ir.Member(name=name):
            return name == variable
        case _:
            return False


def _is_written(program: Program, expr: ir.Expr) -> bool:
    """Whether a text stands in the code: an empty one, or the stand-in that an application may not go on with."""
    values = program.value_of(expr)
    return isinstance(expr, ir.Literal) or (bool(values) and all(isinstance(value, Const) for value in values))
