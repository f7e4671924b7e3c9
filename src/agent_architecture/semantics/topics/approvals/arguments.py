"""Tools that take the person's answer from the model: `def delete(path, confirmed)`, and a test of `confirmed`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import Approval, Bypass, BypassKind
from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.names.log_calls import says
from agent_architecture.names.structure import own_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.tool_arguments import of_function, whole
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import decided, leavings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.callgraph.tool_arguments import Body
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context

ALWAYS: Final = "always"
AGREED: Final = regex(
    r"^(?:(?:user|human|is|has|was|customer|operator|explicit|final|already|pre)_?)*"
    r"(?:confirm|confirmed|confirmation|approved|approval|consent|consented|authori[sz]ed|acknowledged?|agreed)"
    r"(?:_?(?:by_?)?(?:user|human|person|customer|operator|delete|deletion|action|send|purchase|payment|execution))?$",
    re.IGNORECASE,
)
"""Names of arguments that say that a person agreed."""
SKIPPED: Final = regex(
    r"^(?:skip|no|without|bypass|auto)_?(?:confirm|confirmation|approval|approve|prompt)$", re.IGNORECASE
)
"""Names of arguments that switch the question off."""


def set_by_models(context: Context, agents: Agents) -> Iterator[Approval]:
    """Every tool that goes on because an argument of it says that somebody agreed; what the model says there lets no
    call through that its library asks a person about.
    """
    for tool in agents.all_tools():
        if tool.gate.approval.values == (ALWAYS,):
            continue
        names = [name for name in _names(tool) if AGREED.match(name) or SKIPPED.match(name)]
        function = agents.code.get(id(tool))
        bodies = [of_function(function)] if function is not None else []
        if not bodies and names:
            bodies = [*agents.facts.dispatch.bodies(tool.name, tool.span.path)]
        for name in names:
            tests = (_gate(context, body, name) for body in bodies)
            test = next((each for each in tests if each is not None), None)
            if test is not None:
                what = f"The model itself sets {name}, which {tool.name} takes for the person's answer"
                bypass = Bypass(test.span, BypassKind.MODEL, what, tool)
                yield Approval(tool.span, tool.symbol, tool.framework, (tool,), bypasses=(bypass,))
                break


def _names(tool: Tool) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*tool.parameters, *(parameter.name for parameter in tool.schema.parameters))))


def _gate(context: Context, body: Body, name: str) -> ir.Node | None:
    """The test of the argument by which the tool leaves, or does what it does only where the argument agrees."""
    conditions = conditions_of(context)
    own = of_function(body.function) == body
    nodes = tuple(own_nodes(body.function) if own else ir.walk(*body.statements))
    asked = [one for leaving in leavings(conditions, nodes) for one in leaving.reasons]
    if AGREED.match(name):
        calls = (node for node in nodes if isinstance(node, ir.Call) and not says(node))
        asked += [one for call in calls for one in decided(conditions.at(call)) if _agrees(one)]
    found = (one.at for one in asked if one.holds is not None and _is_asked(context, body, one.expr, name))
    return min(found, key=lambda at: at.span, default=None)


def _agrees(condition: Condition) -> bool:
    """Whether a condition is met by a yes."""
    is_opposite = isinstance(condition.expr, ir.Operator) and condition.expr.op == ir.Op.NE
    return condition.holds is not None and condition.holds is not is_opposite


def _is_asked(context: Context, body: Body, test: ir.Expr, name: str) -> bool:
    """Whether a test holds or fails by the argument itself, not by something that is compared with it."""
    match test:
        case ir.Operator(op=ir.Op.EQ | ir.Op.NE | ir.Op.IS, operands=operands):
            asked = any(_is_asked(context, body, each, name) for each in operands)
            return asked and any(isinstance(each, ir.Literal) for each in operands)
        case ir.Call(callee=ir.Member(target=target, name="lower" | "strip" | "toLowerCase" | "trim")):
            return _is_asked(context, body, target, name)
        case ir.Name() if not body.function.span.contains(test.span):
            return any(each.name == name for each in whole(context.program, body, test))
        case _:
            return _is(test, name)


def _is(node: ir.Node, name: str) -> bool:
    match node:
        case ir.Name(id=found) | ir.Member(name=found):
            return found == name
        case _ if (read := keyed_read(node)) is not None:
            return read.key == name
        case _:
            return False
