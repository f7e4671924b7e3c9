"""What code asks of a model's text before it acts on it: whether it is listed, or only how it begins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from agent_architecture.model.outputs import Validation
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.callgraph.callers import HANDED, on_ways
from agent_architecture.semantics.callgraph.tool_arguments import of_function
from agent_architecture.semantics.control.argument_tests import looked_at, refuses
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.read_only_statements import asks_one
from agent_architecture.semantics.control.silent_answers import TIDYING
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span


def policy(context: Context, call: ir.Call, asked: Match, effect: str) -> Validation:
    """What code asks of a model's text on every way to a call: whether, as a whole, it is one of what is listed or fits
    a pattern, or is one database statement that only asks (`LISTED`), or only something of it, as how it begins
    (`CHECKED`).
    """
    program = context.program
    scope = program.scope_of(call)
    if not isinstance(scope, ir.Function):
        return Validation.NONE

    def found_at(place: ir.Node, owner: ir.Scope) -> dict[bool, None] | None:
        return _asked_at(context, place, owner, asked) or None

    ways, everywhere = on_ways(program, call, scope, found_at, HANDED, decorated=False)
    found = dict.fromkeys(yes for way in ways for yes in way) if everywhere else {}
    if any(True not in way for way in ways):
        found.pop(True, None)
    if found and effect.startswith("database"):
        is_answer = partial(_is_of, program, asked=asked.node)
        return Validation.LISTED if True in found or asks_one(context, call, is_answer) else Validation.CHECKED
    return Validation.LISTED if True in found else Validation.CHECKED if found else Validation.NONE


def _asked_at(context: Context, place: ir.Node, scope: ir.Scope, asked: Match) -> dict[bool, None]:
    """What was asked of a model's text on every way to a place of a function: of the whole of it, or of a part."""
    program = context.program
    if not isinstance(scope, ir.Function):
        return {}
    body = of_function(scope)

    def said(condition: Condition) -> dict[bool, None]:
        found: dict[bool, None] = {}
        for one in looked_at(program, body, condition):
            is_content = one.kind == "content" and not (one.ordered or one.empty)
            is_whole = _form(program, one.expr, asked) if is_content else None
            if is_whole is not None:
                found[is_whole and not one.prefix] = None
        return found

    return held(conditions_of(context).at(place), said)


def _form(program: Program, expr: ir.Expr, asked: Match) -> bool | None:
    """Whether an expression is a model's text, in whatever form; not how long it is, or a part of it. None: another
    text.
    """
    origins = flow.origins(program, expr)
    text = next((origin for origin in origins if origin.node is asked.node), None)
    if text is None:
        return None
    calls = (one.node for one in origins if isinstance(one.node, ir.Call) and one.node is not asked.node)
    between = [node for node in calls if lies_on(text.trail, node, asked.node)]
    is_text = all(callee_name(node.callee) in TIDYING or program.callees(node) for node in between)
    return is_text and not any(isinstance(node, ir.Index) for node in ir.walk(expr))


def _is_of(program: Program, expr: ir.Expr, asked: ir.Node) -> bool:
    return any(end.node is asked for end in flow.ends(program, expr))


def only_refuses(program: Program, call: ir.Expr) -> bool:
    """Whether all that comes of a look at a text is that it is refused: the look is the check."""
    structure = program.structure(program.scope_of(call))
    tests = (node for node in structure.enclosing(call, ir.If) if node.test.span.contains(call.span))
    return any(refuses(node.then) and not node.otherwise for node in tests)


def is_on_way(program: Program, call: ir.Call, asked: Match, acting: Iterable[tuple[Match, tuple[Span, ...]]]) -> bool:
    """Whether the helper in which code looks at an answer hands it on to something that acts on it: what the helper
    does is a part of the way there, to make it ready or to check it. `acting` are the ways to what acts on answers.
    """
    scope = program.scope_of(call)
    ways = (trail for match, trail in acting if trail and match.node is asked.node)
    ways = (trail for trail in ways if not scope.span.contains(trail[-1]))
    return isinstance(scope, ir.Function) and any(scope.span.contains(place) for trail in ways for place in trail)


def lies_on(trail: tuple[Span, ...], node: ir.Node, start: ir.Node) -> bool:
    """Whether a call stands on a trail, behind its start."""
    span = node.span
    if start.span.contains(span):
        return False
    return any(span.path == each.path and span.line <= each.line <= span.end_line for each in trail)
