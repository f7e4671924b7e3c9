"""Whether code can stop what comes after it: guards that refuse, checks of arguments, questions to a person.

Says what a function can do, and what stands on every way to a call. Must not know whether that is enough.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.flow import ends
from agent_architecture.names import patterns
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import blocks, own_nodes
from agent_architecture.names.values import Const, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.context import dotted
from agent_architecture.semantics.control.conditions import Either, all_in
from agent_architecture.semantics.control.known import conditions_of
from agent_architecture.semantics.match import resolved
from agent_architecture.semantics.reach import leaves
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.control.conditions import Condition, Known
    from agent_architecture.semantics.rows import MarkRow
    from agent_architecture.sources.source import Span

PASSING: Final = regex(r"allow|approve|accept|proceed|continue|pass_?through|^pass(?:ed|es)?$|^next$", re.IGNORECASE)
"""Names and words with which guards let a call pass."""

NEGATED: Final = regex(r"\b(?:not|never|no|only|dis|cannot|un)[ _-]?(?:\w+ )?(?:allow|approv|accept|permit)|n't |deny|denied", re.IGNORECASE)
"""Words that turn these round."""

CANCELLING: Final = regex(r"^_?(?:cancel|terminate|abort|deny|block|refuse)(?:[_A-Z]|led$|ed$|d$|$)")
"""Attributes of what a guard is given with which it stops the call: `event.cancel_tool`, `context.terminate`."""

STOPPING: Final = regex(r"^(?:abort|reject|deny|refuse|block|trip_?wire)$", re.IGNORECASE)
"""What guards are given to stop the call with: `({ messages, abort }) => …`."""

SILENT: Final = ("GuardrailFunctionOutput",)
"""What guardrails return; without `SPEAKING` arguments it lets the call pass."""
SPEAKING: Final = ("behavior", "tripwire_triggered", "tripwireTriggered")

CHECKING: Final = regex(
    r"^(?:is|has|can|may|check|valid|ensure(?!_future)|assert|authori[sz]|allow|permit|verify|require|enforce|guard|policy)(?:_|[A-Z]|$|at|e)"
    r"|^(?:fullmatch|match|test|startswith|startsWith|endswith|endsWith|includes|is_relative_to|isSubsetOf|issubset)$"
)
"""Calls whose answer decides whether to go on."""

LOGS: Final = frozenset({"console", "log", "logger", "logging"})
"""What calls of answer nothing."""

STATE: Final = regex(
    r"^has_?(?:attr|own|own_?property)$|^is_?(?:file|dir|directory|symlink|mount|none|null|nil|undefined|empty|blank|array|list|string|str|number|nan|int"
    r"|integer|float|dict|object|function|callable|open|closed|closing|connected|initialized|ready|running|alive|done"
    r"|loaded|available|installed|instance)$",
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

ASKING: Final = regex(
    r"^_?(?:ask|request|require|get|await|wait|prompt|confirm|seek)_?(?:for_?)?(?:the_?)?(?:user|human|person|operator)?_?"
    r"(?:approval|permission|confirmation|consent|confirm)?(?:_?(?:for|from|with|action|tool|command|user|human|execution))*$",
    re.IGNORECASE,
)
ASKED: Final = regex(r"approv|permission|confirm|consent|(?:ask|prompt)_?(?:for_?)?(?:user|human)", re.IGNORECASE)
"""Names of the project's own questions to a person: both must hold."""


# ------------------------------------------------------------------------------------------------------------- guards
def can_refuse(function: ir.Function) -> bool:
    """Whether a guard has a way that stops the call: it raises, or answers with something else than "go on"."""
    excused = {id(node) for node in _handling(function)}
    parameters = {name for parameter in function.params for name in _names(parameter)}
    passing = parameters | _passed_on(function, parameters)
    for node in own_nodes(function):
        if isinstance(node, ir.Raise) and id(node) not in excused:
            return True
        if isinstance(node, ir.Call) and STOPPING.search(callee_name(node.callee)) and _roots(node.callee) & parameters:
            return True
        if isinstance(node, ir.Return) and node.value is not None and _refuses(node.value, passing):
            return True
        if isinstance(node, ir.Assign) and _cancels(node, parameters):
            return True
    return _keeps_back(function, parameters)


def lets_pass(function: ir.Function) -> tuple[ir.Return, ...]:
    """The answers of a guard that let the call go on."""
    parameters = {name for parameter in function.params for name in _names(parameter)}
    passing = parameters | _passed_on(function, parameters)
    returns = (node for node in own_nodes(function) if isinstance(node, ir.Return))
    return tuple(node for node in returns if node.value is None or not _refuses(node.value, passing))


def _cancels(node: ir.Assign, parameters: set[str]) -> bool:
    """Whether an assignment tells what the guard was given to stop: `event.cancel_tool = "not allowed"`."""
    target = node.target
    if not isinstance(target, ir.Member) or not CANCELLING.match(target.name):
        return False
    is_off = isinstance(node.value, ir.Literal) and not node.value.value
    return not is_off and any(isinstance(part, ir.Name) and part.id in parameters for part in ir.walk(target.target))


def _keeps_back(function: ir.Function, parameters: set[str]) -> bool:
    """Whether what comes next, which the guard is handed to call (`await next(context)`), is not called on some way."""
    going_on = [
        node
        for node in own_nodes(function)
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Name) and node.callee.id in parameters
    ]
    for node in own_nodes(function) if going_on else ():
        if isinstance(node, ir.If):
            calling = [side for side in blocks(node) if any(s.span.contains(c.span) for s in side for c in going_on)]
            others = [side for side in blocks(node) if side not in calling]
            behind = any(call.span > node.span and not node.span.contains(call.span) for call in going_on)
            if any(side and isinstance(side[-1], ir.Return) for side in others) if behind else calling and others:
                return True
    return False


def _names(parameter: ir.Parameter) -> Iterator[str]:
    """What a parameter is called: `result` of `result` and of `{ result }`."""
    yield parameter.name
    for leaf in patterns.leaves(parameter.pattern) if parameter.pattern is not None else ():
        if isinstance(leaf.place, ir.Name):
            yield leaf.place.id


def _roots(callee: ir.Expr) -> set[str]:
    return {node.id for node in ir.walk(callee) if isinstance(node, ir.Name)}


def _passed_on(function: ir.Function, parameters: set[str]) -> set[str]:
    """The names that only ever hold what comes next answers: `result = await call_next(event)`."""
    assigned: dict[str, list[bool]] = {}
    for node in own_nodes(function):
        if isinstance(node, ir.Assign):
            value = node.value.value if isinstance(node.value, ir.Await) else node.value
            goes_on = isinstance(value, ir.Call) and not _answers_no(value, parameters)
            for target in ir.walk(node.target):
                if isinstance(target, ir.Name):
                    assigned.setdefault(target.id, []).append(goes_on)
    return {name for name, ways in assigned.items() if all(ways)}


def _handling(function: ir.Function) -> Iterator[ir.Node]:
    """The nodes of handlers: what they raise is a failure, not a decision."""
    for node in own_nodes(function):
        if isinstance(node, ir.Try):
            for handler in node.handlers:
                yield from ir.walk(*handler.body)


def _refuses(value: ir.Expr, parameters: set[str]) -> bool:
    queue = [value]
    for expr in queue:
        if isinstance(expr, ir.Conditional):
            queue += (expr.then, expr.otherwise)
        elif isinstance(expr, ir.Await):
            queue.append(expr.value)
    return any(_is_no(expr, parameters) for expr in queue if not isinstance(expr, (ir.Conditional, ir.Await)))


def _is_no(value: ir.Expr, parameters: set[str]) -> bool:
    match value:
        case ir.Literal():
            return value.value is False or (isinstance(value.value, str) and not _passes(value.value))
        case ir.Name():
            return value.id not in parameters
        case ir.Map():
            texts = [n.value for n in ir.walk(value) if isinstance(n, ir.Literal) and isinstance(n.value, str)]
            denied = any(_may_be_false(entry.value) for entry in value.entries if _lets(entry))
            return denied or (bool(value.entries) and not any(map(_passes, texts)))
        case ir.Call():
            return _answers_no(value, parameters)
        case _:
            return True


def _passes(text: str) -> bool:
    """Whether a word says that the call may go on: `allow`, not `not allowed`."""
    return PASSING.search(text) is not None and NEGATED.search(text) is None


def _may_be_false(value: ir.Expr) -> bool:
    return value.value is False if isinstance(value, ir.Literal) else True


def _lets(entry: ir.Entry) -> bool:
    """Whether an entry says that the call may go on: `proceed: …`, `allow: …`."""
    key = entry.key.value if isinstance(entry.key, ir.Literal) else None
    return isinstance(key, str) and bool(PASSING.search(key))


def _answers_no(call: ir.Call, parameters: set[str]) -> bool:
    name = callee_name(call.callee)
    roots = _roots(call.callee)
    if PASSING.search(name) or (isinstance(call.callee, ir.Name) and roots & parameters) or roots & LOGS:
        return False
    if name.endswith(SILENT):
        said = [a.value for a in call.args if a.keyword in SPEAKING]
        return any(not (isinstance(value, ir.Literal) and value.value is False) for value in said)
    return True


# ------------------------------------------------------------------------------------------------- checks in front of
class Check(NamedTuple):
    """A check in front of a place; `skipped`: some way there does not pass it."""

    node: ir.Node
    skipped: bool = False

    @property
    def span(self) -> Span:
        return self.node.span


def checks_before(
    context: Context, scope: ir.Scope, calls: Iterable[ir.Call], asks: Iterable[ir.Call] = ()
) -> Check | None:
    """A check that stands before each of these calls of a scope and can leave before them: the first one.

    What stands before a call of the scope that asks the model (`asks`) cannot judge the answer.
    """
    structure = context.program.structure(scope)
    places, asked = tuple(calls), tuple(asks)

    def refuses(condition: Condition) -> bool:
        before_model = any(structure.dominates(condition.at, ask) for ask in asked)
        return not before_model and _refuses_by(context, condition) and _divides(condition.at, places)

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
    return any((node, not holds) in other for one in sides for node, holds in one for other in sides if other is not one)


def _divides(check: ir.Node, places: tuple[ir.Call, ...]) -> bool:
    """Whether some side of a test does not get to the calls: one that only chooses among them refuses nothing."""
    if not isinstance(check, ir.If):
        return True
    behind = any(at.span > check.span and not check.span.contains(at.span) for at in places)
    return not all(
        any(statement.span.contains(at.span) for statement in side for at in places)
        or (behind and not (side and _is_end(side[-1])))
        for side in (check.then, check.otherwise)
    )


def _refuses_by(context: Context, condition: Condition) -> bool:
    """Whether a condition limits a value, is the outcome of a guard, or a call that comes back only for some values."""
    parts = tuple(ir.walk(condition.expr))
    if condition.holds is not None:
        return any(_constrains(context.program, part) or _says_no(part) for part in parts)
    call = condition.expr
    if not isinstance(call, ir.Call):
        return False
    if any(mark.covers in {"confines_path", "screens_url"} for mark in _marks(context, call)):
        return True
    return CHECKING.search(callee_name(call.callee)) is not None


def _says_no(part: ir.Node) -> bool:
    """Whether a part of a test is the outcome of a guard, by its name: `guardrail_error`, `decision.allowed`."""
    return isinstance(part, (ir.Name, ir.Member)) and DECIDED.search(callee_name(part)) is not None


def _leaves(node: ir.If) -> bool:
    """Whether one branch of an `if` ends what comes after it."""
    return any(_is_end(block[-1]) for block in blocks(node) if block)


def _is_end(statement: ir.Node) -> bool:
    return leaves(statement) or isinstance(statement, (ir.Continue, ir.Break))


def _constrains(program: Program, part: ir.Node) -> bool:
    """Whether a part of a test limits a value: membership in a fixed list, a number, a check by name."""
    match part:
        case ir.Operator(op="in", operands=(_, right)):
            return _is_fixed(program, right)
        case ir.Operator(op="<" | ">" | "<=" | ">=", operands=operands):
            return any(_is_amount(program, o) for o in operands) and not any(_is_count(program, o) for o in operands)
        case ir.Call():
            name = callee_name(part.callee)
            return CHECKING.search(name) is not None and not STATE.match(name) and not _is_foregone(program, part)
        case _:
            return False


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
        and node.op == "+"
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
    values = program.value_of(expr)
    return any(
        isinstance(value, Const)
        and isinstance(value.value, (int, float))
        and not isinstance(value.value, bool)
        and value.value > 0
        for value in values
    )


# ------------------------------------------------------------------------------------------------------------ persons
def asks_person(context: Context, call: ir.Call) -> bool:
    """Whether a call waits for a person: a library's, or one of the project's that says so by its name."""
    if any(mark.covers == "waits_for_person" for mark in _marks(context, call)):
        return True
    if context.at(call, "interrupt") is not None:
        return True
    name = callee_name(call.callee)
    return ASKED.search(name) is not None and ASKING.match(name) is not None


def is_skipped(context: Context, scope: ir.Scope, question: ir.Call, calls: Iterable[ir.Call]) -> bool:
    """Whether some way to one of these calls of the scope does not pass the question.

    A question that is raised (`raise ApprovalRequired`) is skipped by whoever has been approved: that is its purpose.
    """
    structure = context.program.structure(scope)
    places = tuple(calls)
    if all(structure.dominates(question, at) for at in places):
        return False
    for around in structure.enclosing(question, ir.If):
        answered = any(
            isinstance(part, (ir.Name, ir.Member)) and ASKED.search(callee_name(part)) for part in ir.walk(around.test)
        )
        if answered and _leaves(around) and all(structure.dominates(around, at) for at in places):
            return False
    return True


def _marks(context: Context, call: ir.Call) -> Iterator[MarkRow]:
    for api in resolved(context.program, call.callee):
        yield from context.packs.marks(api.path)
