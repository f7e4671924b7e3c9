"""Tools that take the person's answer from the model: `def delete(path, confirmed)`, and a test of `confirmed`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import Approval, Bypass, BypassKind
from agent_architecture.names.exits import ends
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import parts_of
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.argument_tests import following, refuses
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
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
        bodies: list[tuple[ir.Node, ...]] = [tuple(own_nodes(function))] if function is not None else []
        if not bodies and names:
            bodies = [tuple(ir.walk(*b.statements)) for b in agents.facts.dispatch.bodies(tool.name, tool.span.path)]
        for name in names:
            test = next((n for nodes in bodies for n in nodes if _gates(context.program, n, name)), None)
            if test is not None:
                what = f"The model itself sets {name}, which {tool.name} takes for the person's answer"
                bypass = Bypass(test.span, BypassKind.MODEL, what, tool)
                yield Approval(tool.span, tool.symbol, tool.framework, (tool,), bypasses=(bypass,))
                break


def _names(tool: Tool) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*tool.parameters, *(parameter.name for parameter in tool.schema.parameters))))


def _gates(program: Program, node: ir.Node, name: str) -> bool:
    """Whether a test of the argument leaves, on one side, before what the tool does."""
    if not isinstance(node, ir.If) or not any(_is(part, name) for part in ir.walk(node.test)):
        return False
    if not any(_is_asked(part, name) for part, _ in parts_of(node.test)):
        return False
    return refuses(node.then) or ends(node.then) or refuses(node.otherwise or following(program, node))


def _is_asked(test: ir.Expr, name: str) -> bool:
    """Whether a test holds or fails by the argument itself, not by something that is compared with it."""
    match test:
        case ir.Operator(op=ir.Op.EQ | ir.Op.NE | ir.Op.IS, operands=operands):
            return any(_is_asked(o, name) for o in operands) and any(isinstance(o, ir.Literal) for o in operands)
        case ir.Call(callee=ir.Member(target=target, name="lower" | "strip" | "toLowerCase" | "trim")):
            return _is_asked(target, name)
        case _:
            return _is(test, name)


def _is(node: ir.Node, name: str) -> bool:
    match node:
        case ir.Name(id=found) | ir.Member(name=found) | ir.Index(key=ir.Literal(value=str() as found)):
            return found == name
        case ir.Call(callee=ir.Member(name="get"), args=(ir.Argument(value=ir.Literal(value=str() as found)), *_)):
            return found == name
        case _:
            return False
