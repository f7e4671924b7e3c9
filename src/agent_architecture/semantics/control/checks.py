"""Checks that stand in front of calls and can stop what comes after them: tests that limit a value, outcomes of guards,
calls of the project's own checks. What stands there is asked of `control`; this says what of it is a check.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import goes_no_further
from agent_architecture.names.flow import ends
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import of_part
from agent_architecture.names.values import Const, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.argument_tests import looks_in_text
from agent_architecture.semantics.control.condition import Either, all_in
from agent_architecture.semantics.control.conditions_of_project import conditions_of, marks_of
from agent_architecture.semantics.control.confining_calls import CONFINING
from agent_architecture.semantics.control.set_up import asks_set_up, refuses_by_set_up
from agent_architecture.semantics.control.tool_allowlists import picks
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition, Known
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

CHECKING: Final = regex(
    r"^(?:is|has|can|may|check|valid|ensure(?!_future)|assert|authori[sz]|allow|permit|verify|require|enforce|guard|policy)(?:_|[A-Z]|$|at|e)"
    r"|^(?:fullmatch|match|test|includes|is_relative_to|isSubsetOf|issubset)$"
)
"""Calls whose answer decides whether to go on. How a text begins or ends says nothing of the rest of it: where that is
enough, since a path was resolved before, `argument_checks` says so.
"""

STATE: Final = regex(
    r"^has_?(?:attr|own|own_?property)$|^is_?(?:file|dir|directory|symlink|mount|none|null|nil|undefined|empty|blank|array|list|string|str|number|nan|int"
    r"|integer|float|dict|object|function|callable|open|closed|closing|connected|initialized|ready|running|alive|done"
    r"|loaded|available|installed|instance|absolute|relative)$",
    re.IGNORECASE,
)
"""Calls that only tell whether something is there, in order, or of a kind."""

COMPOSING: Final = frozenset(
    {"Path", "PurePath", "resolve", "absolute", "abspath", "realpath", "normpath", "join", "joinpath", "cwd", "getcwd"}
    | {"str", "format", "strip", "lower", "upper", "replace", "String", "toString", "trim", "toLowerCase"}
)
"""Calls that say nothing but what they are given, or where the program runs."""

DECIDED: Final = regex(
    r"guard|polic|permission|permit|allow|deni|denied|authori[sz]|blocked|forbid|refus|approved|tripwire", re.IGNORECASE
)
"""Names of what guards of the project answer."""


SAYING: Final = frozenset({"ok", "valid", "success", "passed", "is_valid", "isValid"})
"""Parts of an answer that say yes or no."""


class Check(NamedTuple):
    """A check in front of a place; `skipped`: some way there does not pass it."""

    node: ir.Node
    skipped: bool = False

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.node.span


def checks_before(  # noqa: PLR0913, PLR0917 - what stands around the calls
    context: Context,
    scope: ir.Scope,
    calls: Iterable[ir.Call],
    asks: Iterable[ir.Call] = (),
    filled: Collection[str] = (),
    beside: Iterable[ir.Call] = (),
    tool: str = "",
) -> Check | None:
    """A check that stands before each of these calls of a scope and can leave before them: the first one.

    What stands before a call of the scope that asks the model (`asks`) cannot judge the answer, and what the model
    itself fills in (`filled`) is no outcome of a guard, whatever it is called. A test that only chooses between these
    calls and those `beside` them, or that finds the name of the `tool` among others, refuses nothing.
    """
    structure = context.program.structure(scope)
    places, asked = tuple(calls), tuple(asks)
    every = tuple(dict.fromkeys((*places, *beside)))

    answers: dict[Condition, bool] = {}

    def refuses(condition: Condition) -> bool:
        if condition not in answers:
            answers[condition] = asked_of(condition)
        return answers[condition]

    def asked_of(condition: Condition) -> bool:
        if condition.holds is not None and context.program.scope_of(condition.expr) is not scope:
            return False  # what a helper asks of an argument is for `argument_checks`, of anything else its own affair
        if picks(context.program, condition, tool):
            return False
        at = condition.at
        before_model = any(at is ask or structure.dominates(at, ask) for ask in asked)
        return not before_model and _refuses_by(context, condition, filled) and _divides(condition.at, every)

    found = [_first_check(conditions_of(context).at(place), refuses) for place in places]
    if not found or not all(found):
        return None
    return next((each for each in found if each is not None and each.skipped), found[0])


def _first_check(known: Known, refuses: Callable[[Condition], bool]) -> Check | None:
    """The first check among conditions: one that holds, else one of which something holds on every way, else one on
    some way. What one way denies and another one says decides nothing.
    """
    skipped: Check | None = None
    for each in known:
        if not isinstance(each, Either):
            if refuses(each):
                return Check(each.at)
            continue
        said = {id(one.expr) for one in all_in((each,)) if one.holds}
        kept = [tuple(one for one in all_in(way) if one.holds or id(one.expr) not in said) for way in each.ways]
        checks = [next((one.at for one in way if refuses(one)), None) for way in kept]
        first = next((at for at in checks if at is not None), None)
        if first is not None and all(checks):
            return Check(first)
        if first is not None and skipped is None and not _is_choice(each):
            skipped = Check(first, skipped=True)
    return skipped


def _is_choice(each: Either) -> bool:
    """Whether ways only differ in how one test was answered: whatever it says, the place is reached."""
    sides = [{(id(one.expr), one.holds) for one in all_in(way)} for way in each.ways]
    return any(
        (node, not holds) in other for one in sides for node, holds in one for other in sides if other is not one
    )


def _divides(check: ir.Node, places: tuple[ir.Call, ...]) -> bool:
    """Whether some side of a test does not get to the calls: one that only chooses among them refuses nothing."""
    if not isinstance(check, ir.If):
        return True
    behind = any(at.span > check.span and not check.span.contains(at.span) for at in places)
    return not all(
        any(statement.span.contains(at.span) for statement in side for at in places)
        or (behind and not (side and goes_no_further(side[-1])))
        for side in (check.then, check.otherwise)
    )


def _refuses_by(context: Context, condition: Condition, filled: Collection[str]) -> bool:
    """Whether a condition limits a value, is the outcome of a guard, or a call that comes back only for some values."""
    parts = tuple(ir.walk(condition.expr))
    if condition.holds is not None:
        return any(_constrains(context.program, part) or _says_no(part, filled) for part in parts)
    call = condition.expr
    if not isinstance(call, ir.Call):
        return False
    if marks_of(context, call) & CONFINING:
        return True
    return CHECKING.search(callee_name(call.callee)) is not None and not refuses_by_set_up(context.program, call)


def _says_no(part: ir.Node, filled: Collection[str]) -> bool:
    """Whether a part of a test is the outcome of a guard, by its name: `guardrail_error`, `decision.allowed`."""
    if isinstance(part, ir.Name) and part.id in filled:
        return False
    return isinstance(part, (ir.Name, ir.Member)) and DECIDED.search(callee_name(part)) is not None


def _constrains(program: Program, part: ir.Node) -> bool:
    """Whether a part of a test limits a value: membership in a fixed list, a number, a check by name."""
    match part:
        case ir.Operator(op=ir.Op.IN, operands=(_, right)):
            return _is_fixed(program, right) and not asks_set_up(program, part)
        case ir.Operator(op=ir.Op.LT | ir.Op.GT | ir.Op.LE | ir.Op.GE, operands=operands):
            is_held = any(_is_amount(program, o) for o in operands)
            return is_held and not any(_is_count(program, o) for o in operands) and not asks_set_up(program, part)
        case ir.Call():
            name = callee_name(part.callee)
            is_foregone = STATE.match(name) or _is_foregone(program, part) or asks_set_up(program, part)
            return CHECKING.search(name) is not None and not is_foregone and not looks_in_text(program, part)
        case ir.Name() | ir.Member() | ir.Index():
            return any(_constrains(program, check) for check in _outcome_of(program, part))
        case _:
            return False


def _outcome_of(program: Program, part: ir.Expr) -> Iterator[ir.Call]:
    """The call of which a name keeps one part of the answer: `ok, why = validate(arguments)`, `verdict.ok`."""
    named, taken = (part, "") if isinstance(part, ir.Name) else of_part(part)
    bound = visible_bindings(program, named) if isinstance(named, ir.Name) else ()
    for binding in bound:
        value = binding.value.value if isinstance(binding.value, ir.Await) else binding.value
        if binding.kind == "assign" and isinstance(value, ir.Call) and (taken in SAYING or len(binding.steps) == 1):
            yield value


def _is_foregone(program: Program, test: ir.Call) -> bool:
    """Whether all that a test looks at is written in the program, so that its outcome is known before any call."""
    receiver = (test.callee.target,) if isinstance(test.callee, ir.Member) else ()
    looked_at = (*receiver, *(argument.value for argument in test.args))
    found = [origin for expr in looked_at for origin in ends(program, expr)]
    return bool(found) and all(
        origin.kind == "constant" or (isinstance(origin.node, ir.Call) and callee_name(origin.node.callee) in COMPOSING)
        for origin in found
    )


def _is_count(program: Program, operand: ir.Expr) -> bool:
    """Whether a number only tells how often something was done: `steps += 1` stands beside the test."""
    name = dotted(operand)
    return bool(name) and any(
        isinstance(node, ir.Assign)
        and node.op == ir.Op.ADD
        and isinstance(node.value, ir.Literal)
        and dotted(node.target) == name
        for node in own_nodes(program.scope_of(operand))
    )


def _is_fixed(program: Program, expr: ir.Expr) -> bool:
    values = program.value_of(expr)
    return bool(values) and all(
        isinstance(value, Items)
        and value.complete
        and all(isinstance(v, Const) for item in value.items for v in program.value_of(item))
        for value in values
    )


def _is_amount(program: Program, expr: ir.Expr) -> bool:
    """Whether a number says how much is allowed; that there is one at least is asked of everything."""
    values = program.value_of(expr)
    return any(
        isinstance(value, Const)
        and isinstance(value.value, (int, float))
        and not isinstance(value.value, bool)
        and value.value > 0
        and value.value != 1
        for value in values
    )
