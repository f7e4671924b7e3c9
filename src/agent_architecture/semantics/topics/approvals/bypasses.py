"""What goes past a question in code: switches, rules, remembered answers, failures that count as a yes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import Bypass, BypassKind
from agent_architecture.names.builtins import is_environment
from agent_architecture.names.exits import answer_of, is_answer, some_raise
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import joins
from agent_architecture.names.values import Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import places
from agent_architecture.semantics.control.choices import asked_by
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.deciding_tests import away, deciding
from agent_architecture.semantics.control.leaving import leavings
from agent_architecture.semantics.control.silent_answers import is_yes, silent_yes
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

OUTWARDS: Final = 2
"""Calls followed from a question to the tests around whoever asks it."""
INWARDS: Final = 2
"""Functions that a test asks which are looked into."""

SWITCH: Final = regex(
    r"^_*(?:auto(?:_?(?:approved?|confirm|run|accept|yes|exec\w*|mode|continue))|yolo\w*|(?:assume_?)?yes|skip_?\w*confirm\w*"
    r"|skip_?(?:approval|permission|prompt)s?|no_?(?:confirm\w*|input|prompts?|interact\w*|approval)|non_?interactive"
    r"|(?:is_?)?interactive\w*|is_?ci|ci|unattended|headless|dangerously\w*|(?:approve|allow)_?all\w*"
    r"|always_?(?:allow|approve|yes|confirm)\w*|bypass\w*|(?:confirm\w*|approval|permission|execution)_?mode|mode|isatty"
    r"|is_?tty|human_?in_?(?:the_)?loop|hitl|force|full_?auto)$",
    re.IGNORECASE,
)
"""Names of options that switch a question off."""
OWN: Final = regex(
    r"^(?:require|needs?|ask|with)_?(?:user_?|human_?)?(?:confirm\w*|approval|permission)$|^confirm$", re.IGNORECASE
)
"""The same, where they are an entry of the project's own configuration, not of a tool."""
HOLDERS: Final = frozenset(
    {"self", "config", "settings", "options", "args", "cfg", "opts", "flags", "params", "env", "argv"}
)

LISTS: Final = regex(r"allow|white_?list|safe|trusted|auto_?approv|permitted|approved", re.IGNORECASE)
"""Names of lists of what passes without a question."""
PREFIXES: Final = frozenset({"startswith", "startsWith", "match", "search", "fullmatch", "test"})
KEPT: Final = regex(
    r"auto_?(?:approve|confirm|accept|run|yes)|always_?(?:allow|approv|confirm|yes)|approve_?all|allow_?all|yolo|skip_?confirm"
    r"|trusted|remember|confirm_?all|yes_?to_?all",
    re.IGNORECASE,
)
"""Names of places in which one answer is kept for later calls."""


def passing(context: Context, call: ir.Call, scope: ir.Scope) -> tuple[Bypass, ...]:
    """All ways past a question."""
    found = [*_around(context, call, scope), *_failing(context, call, scope)]
    silence = silent_yes(context, call)
    if silence is not None:
        found.append(Bypass(silence.span, BypassKind.SILENCE, "No answer counts as a yes"))
    found.extend(_remembered(scope, call))
    return tuple({(bypass.span, bypass.kind): bypass for bypass in found}.values())


# --------------------------------------------------------------------------------------------------------------- tests
def _around(context: Context, call: ir.Call, scope: ir.Scope) -> Iterator[Bypass]:
    for place, owner in places(context.program, call, scope, OUTWARDS):
        yield from _at(context, place, is_whole=_is_whole(owner))
    for function in context.program.callees(call):
        yield from _inside(context, function)


def _is_whole(owner: ir.Scope) -> bool:
    """Whether leaving a function early leaves out all that is done: it answers nothing and refuses nothing itself, so
    that nobody goes on by what it came to.
    """
    if not isinstance(owner, ir.Function):
        return False
    nodes = tuple(own_nodes(owner))
    says = any(is_answer(node) and answer_of(node) is not None for node in nodes)
    ends = any(isinstance(node, ir.Call) and callee_name(node.callee) == "exit" for node in nodes)
    return not says and not ends and not some_raise(nodes)


def _at(context: Context, call: ir.Node, *, is_whole: bool) -> Iterator[Bypass]:
    """The tests that decide whether a call is come to; of those before it where that leads away without a no."""
    conditions = conditions_of(context)
    for condition in deciding(context, call):
        at = condition.at
        passes = any(_lets_pass(block[-1]) for block in away(conditions, at)) and not is_whole
        if at.span.contains(call.span) or passes:
            for asked in asked_by(conditions, condition.expr):
                yield from _of_test(context, asked)


def _inside(context: Context, function: ir.Function) -> Iterator[Bypass]:
    """What decides in a function that asks which answer it gives, where that is not no: `if yolo: return True`."""
    for leaving in leavings(conditions_of(context), own_nodes(function)):
        if not _lets_pass(leaving.node, leaving.answer):
            continue
        around = leaving.answer or leaving.node
        for reason in leaving.reasons:
            if reason.holds is not None and reason.at.span.contains(around.span):
                yield from _of_test(context, reason.expr)
        if leaving.answer is not None and joins(leaving.answer):
            yield from _of_test(context, leaving.answer)


def _lets_pass(statement: ir.Node, answer: ir.Expr | None = None) -> bool:
    """Whether a statement ends the function and does not refuse: `return True`."""
    value = answer or answer_of(statement)
    return is_answer(statement) and not (isinstance(value, ir.Literal) and value.value is False)


def _of_test(context: Context, test: ir.Expr, depth: int = INWARDS) -> Iterator[Bypass]:
    asked = {id(node.callee) for node in ir.walk(test) if isinstance(node, ir.Call)}
    for node in ir.walk(test):
        if id(node) in asked:
            continue
        match node:
            case ir.Name() | ir.Member():
                name = callee_name(node)
                if SWITCH.match(name) or (OWN.match(name) and _is_own(node)):
                    text = dotted(node) or name
                    yield Bypass(node.span, BypassKind.SWITCH, f"{text} decides whether the question is asked at all")
                elif isinstance(node, ir.Name) and (kept := _answered_by(context, node)):
                    yield Bypass(node.span, BypassKind.REMEMBERED, f"{kept} skips the question for later calls")
                elif isinstance(node, ir.Name) and _is_from_environment(context, node):
                    yield Bypass(
                        node.span,
                        BypassKind.SWITCH,
                        f"{name}, a variable of the environment, switches the question off",
                    )
            case ir.Operator(op=ir.Op.IN, operands=(_, right)) if LISTS.search(dotted(right)):
                yield Bypass(node.span, BypassKind.RULE, f"What is in {dotted(right)} passes without the question")
            case ir.Call():
                yield from _of_call(context, node, depth)
            case _:
                continue


def _of_call(context: Context, node: ir.Call, depth: int) -> Iterator[Bypass]:
    name = callee_name(node.callee)
    words = [n for n in ir.walk(node) if isinstance(n, (ir.Name, ir.Member))]
    listed = next((dotted(n) for n in words if LISTS.search(callee_name(n)) and n is not node.callee), "")
    if KEPT.search(name):
        yield Bypass(node.span, BypassKind.REMEMBERED, f"{name} skips the question for later calls")
    elif _reads_environment(context, node):
        yield Bypass(node.span, BypassKind.SWITCH, "A variable of the environment switches the question off")
    elif listed and name in {*PREFIXES, "has", "includes", "some", "any"}:
        how = "begins or looks like" if name in PREFIXES else "is in"
        yield Bypass(node.span, BypassKind.RULE, f"What {how} an entry of {listed} passes without the question")
    for function in context.program.callees(node) if depth else ():
        for returned in context.program.structure(function).returns:
            if not isinstance(returned, ir.Literal):
                yield from _of_test(context, returned, depth - 1)


def _answered_by(context: Context, node: ir.Name) -> str:
    """The function that says whether an earlier answer holds, where a name keeps what it says."""
    for binding in visible_bindings(context.program, node):
        value = binding.value.value if isinstance(binding.value, ir.Await) else binding.value
        if binding.kind == "assign" and isinstance(value, ir.Call) and KEPT.search(callee_name(value.callee)):
            return callee_name(value.callee)
    return ""


def _is_own(node: ir.Name | ir.Member) -> bool:
    """Whether an entry belongs to the project's configuration, or is an option that was passed."""
    if isinstance(node, ir.Name):
        return True
    return callee_name(node.target).lower().lstrip("_") in HOLDERS


def _is_from_environment(context: Context, node: ir.Name) -> bool:
    """Whether a name is a variable of the environment, or what one says: `AUTO = os.environ.get("AUTO") == "1"`."""
    values = context.program.value_of(node)
    if any(is_environment(v) or (isinstance(v, Unknown) and v.why.startswith("the environment")) for v in values):
        return True
    compared = (b.value for b in visible_bindings(context.program, node) if isinstance(b.value, ir.Operator))
    parts = (part for operator in compared for part in operator.operands)
    return any(is_environment(v) for part in parts for v in context.program.value_of(part))


def _reads_environment(context: Context, node: ir.Call) -> bool:
    return any(is_environment(value) for value in context.program.value_of(node))


# ----------------------------------------------------------------------------------------------- answers and failures
def _failing(context: Context, call: ir.Call, scope: ir.Scope) -> Iterator[Bypass]:
    """A handler around the question that goes on as if somebody had agreed."""
    for around in context.program.structure(scope).enclosing(call, ir.Try):
        if not any(statement.span.contains(call.span) for statement in around.body):
            continue
        for handler in around.handlers:
            last = handler.body[-1] if handler.body else None
            if last is not None and is_yes(last.value if isinstance(last, ir.Assign) else answer_of(last)):
                what = "Where the question fails, the call goes on as if somebody had agreed"
                yield Bypass(last.span, BypassKind.SILENCE, what)


def _remembered(scope: ir.Scope, call: ir.Call) -> Iterator[Bypass]:
    """An answer that is kept: `self.auto_approve = True`, `always_allowed.add(name)`."""
    for node in own_nodes(scope):
        if node.span < call.span:
            continue
        match node:
            case ir.Assign(target=ir.Name() | ir.Member() as target, value=ir.Literal(value=kept)):
                if kept is not False and kept is not None and KEPT.search(callee_name(target)):
                    what = f"One answer is kept in {dotted(target)} for all later calls"
                    yield Bypass(node.span, BypassKind.REMEMBERED, what)
            case ir.Call(callee=ir.Member(name="add" | "append" | "push", target=target)):
                if KEPT.search(callee_name(target)) or LISTS.search(callee_name(target)):
                    yield Bypass(node.span, BypassKind.REMEMBERED, f"One answer is kept in {dotted(target)}")
            case _:
                continue
