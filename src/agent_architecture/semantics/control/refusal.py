"""Whether code can stop what comes after it: guards that refuse, checks of arguments, questions to a person.

Says what a function can do, and what stands on every way to a call. Must not know whether that is enough.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import patterns
from agent_architecture.names.classes import ITSELF
from agent_architecture.names.log_calls import says
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import Structure, blocks, own_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.persons_answers import answers_for_person
from agent_architecture.semantics.control.silent_answers import silent_yes
from agent_architecture.semantics.control.switched_off import is_switched_off
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import MarkRow

PASSING: Final = regex(r"allow|approve|accept|proceed|continue|pass_?through|^pass(?:ed|es)?$|^next$", re.IGNORECASE)
"""Names and words with which guards let a call pass."""

NEGATED: Final = regex(
    r"\b(?:not|never|no|only|dis|cannot|un)[ _-]?(?:\w+ )?(?:allow|approv|accept|permit)|n't |deny|denied",
    re.IGNORECASE,
)
"""Words that turn these round."""

CANCELLING: Final = regex(r"^_?(?:cancel|terminate|abort|deny|block|refuse)(?:[_A-Z]|led$|ed$|d$|$)")
"""Attributes of what a guard is given with which it stops the call: `event.cancel_tool`, `context.terminate`."""

STOPPING: Final = regex(r"^(?:abort|reject|deny|refuse|block|trip_?wire)$", re.IGNORECASE)
"""What guards are given to stop the call with: `({ messages, abort }) => …`."""

SILENT: Final = ("GuardrailFunctionOutput",)
"""What guardrails return; without `SPEAKING` arguments it lets the call pass."""
TRIPWIRES: Final = ("tripwire_triggered", "tripwireTriggered")
SPEAKING: Final = ("behavior", *TRIPWIRES)

ASKING: Final = regex(
    r"^_?(?:ask|request|require|get|await|wait|prompt|confirm|seek)_?(?:for_?)?(?:the_?)?(?:user|human|person|operator)?_?"
    r"(?:approval|permission|confirmation|consent|confirm)?(?:_?(?:for|from|with|action|tool|command|user|human|execution))*$",
    re.IGNORECASE,
)
ASKED: Final = regex(r"approv|permission|confirm|consent|(?:ask|prompt)_?(?:for_?)?(?:user|human)", re.IGNORECASE)
"""Names of the project's own questions to a person: both must hold."""


# ------------------------------------------------------------------------------------------------------------- guards
def _is_false(value: ir.Expr) -> bool:
    return isinstance(value, ir.Literal) and value.value is False


def can_refuse(function: ir.Function, never: Callable[[ir.Expr], bool] = _is_false) -> bool:
    """Whether a guard has a way that stops the call: it raises, or answers with something else than "go on"; `never`
    says of what it answers with whether that can only be no.
    """
    return any(True for _ in _refusals(function, never)) or _keeps_back(function, _parameters(function))


def only_rewrites(function: ir.Function, never: Callable[[ir.Expr], bool] = _is_false) -> bool:
    """Whether all that a guard of an answer does is to put another text in its place, whatever the answer says."""
    structure = Structure(function)
    return all(
        isinstance(at, ir.Return)
        and isinstance(at.value, (ir.Name, ir.Member, ir.Template))
        and not any(isinstance(around, (ir.If, ir.Match, ir.Loop)) for around in structure.ancestors(at))
        for at in _refusals(function, never)
    )


def refuses_results(function: ir.Function, never: Callable[[ir.Expr], bool] = _is_false) -> bool:
    """Whether a guard stops nothing before what it is handed to call (`handler(request)`) has run: what it refuses, or
    puts in place of the answer, is what came out.
    """
    going_on = tuple(_going_on(function, _parameters(function)))
    if not going_on or _keeps_back(function, _parameters(function)):
        return False
    structure = Structure(function)
    return all(
        any(at.span.contains(call.span) or structure.dominates(call, at) for call in going_on)
        for at in _refusals(function, never)
    )


def _refusals(function: ir.Function, never: Callable[[ir.Expr], bool]) -> Iterator[ir.Node]:
    """Where a guard stops the call."""
    excused = {id(node) for node in _handling(function)}
    parameters = _parameters(function)
    passing = parameters | _passed_on(function, parameters)
    for node in own_nodes(function):
        match node:
            case ir.Raise():
                stops = id(node) not in excused
            case ir.Call(callee=callee):
                stops = bool(STOPPING.search(callee_name(callee)) and _roots(callee) & parameters)
            case ir.Return(value=value) if value is not None:
                stops = _refuses(value, passing, never)
            case ir.Assign():
                stops = _cancels(node, parameters)
            case _:
                stops = False
        if stops:
            yield node


def _parameters(function: ir.Function) -> set[str]:
    return {name for parameter in function.params for name in _names(parameter)}


def lets_pass(function: ir.Function) -> tuple[ir.Return, ...]:
    """The answers of a guard that let the call go on."""
    parameters = _parameters(function)
    passing = parameters | _passed_on(function, parameters)
    returns = own_nodes(function, ir.Return)
    return tuple(node for node in returns if node.value is None or not _refuses(node.value, passing))


def _cancels(node: ir.Assign, parameters: set[str]) -> bool:
    """Whether an assignment tells what the guard was given to stop: `event.cancel_tool = "not allowed"`."""
    target = node.target
    if not isinstance(target, ir.Member) or not CANCELLING.match(target.name):
        return False
    is_off = isinstance(node.value, ir.Literal) and not node.value.value
    return not is_off and any(isinstance(part, ir.Name) and part.id in parameters for part in ir.walk(target.target))


def _going_on(function: ir.Function, parameters: set[str]) -> Iterator[ir.Call]:
    """The calls of what comes next, which a guard is handed: `await next(context)`."""
    for node in own_nodes(function, ir.Call):
        if isinstance(node.callee, ir.Name) and node.callee.id in parameters:
            yield node


def _keeps_back(function: ir.Function, parameters: set[str]) -> bool:
    """Whether what comes next, which the guard is handed to call (`await next(context)`), is not called on some way."""
    going_on = list(_going_on(function, parameters))
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


def _refuses(value: ir.Expr, parameters: set[str], never: Callable[[ir.Expr], bool] = _is_false) -> bool:
    queue = [value]
    for expr in queue:
        if isinstance(expr, ir.Conditional):
            queue += (expr.then, expr.otherwise)
        elif isinstance(expr, ir.Await):
            queue.append(expr.value)
    return any(_is_no(expr, parameters, never) for expr in queue if not isinstance(expr, (ir.Conditional, ir.Await)))


def _is_no(value: ir.Expr, parameters: set[str], never: Callable[[ir.Expr], bool]) -> bool:
    match value:
        case ir.Literal():
            return value.value is False or (isinstance(value.value, str) and not _passes(value.value))
        case ir.Name():
            return value.id not in parameters
        case ir.Member() if isinstance(root := _first(value), ir.Name) and root.id not in ITSELF:
            return root.id not in parameters  # `args.messages` hands back what came
        case ir.Map():
            texts = [n.value for n in ir.walk(value) if isinstance(n, ir.Literal) and isinstance(n.value, str)]
            denied = any(_may_be_false(entry.value) for entry in value.entries if _lets(entry))
            said = [entry.value for entry in value.entries if entry.key is not None and _key(entry) in TRIPWIRES]
            if said:
                return not all(map(never, said))
            return denied or (bool(value.entries) and not any(map(_passes, texts)))
        case ir.Call():
            return _answers_no(value, parameters, never)
        case _:
            return True


def _first(expr: ir.Expr) -> ir.Expr:
    while isinstance(expr, ir.Member):
        expr = expr.target
    return expr


def _passes(text: str) -> bool:
    """Whether a word says that the call may go on: `allow`, not `not allowed`."""
    return PASSING.search(text) is not None and NEGATED.search(text) is None


def _may_be_false(value: ir.Expr) -> bool:
    return value.value is False if isinstance(value, ir.Literal) else True


def _key(entry: ir.Entry) -> object:
    return entry.key.value if isinstance(entry.key, ir.Literal) else None


def _lets(entry: ir.Entry) -> bool:
    """Whether an entry says that the call may go on: `proceed: …`, `allow: …`."""
    key = _key(entry)
    return isinstance(key, str) and bool(PASSING.search(key))


def _answers_no(call: ir.Call, parameters: set[str], never: Callable[[ir.Expr], bool] = _is_false) -> bool:
    name = callee_name(call.callee)
    roots = _roots(call.callee)
    if PASSING.search(name) or (isinstance(call.callee, ir.Name) and roots & parameters) or says(call):
        return False
    if name.endswith(SILENT):
        said = [a.value for a in call.args if a.keyword in SPEAKING]
        return bool(said) and not all(map(never, said))
    return True


# ------------------------------------------------------------------------------------------------------------ persons
def asks_person(context: Context, call: ir.Call) -> bool:
    """Whether a call waits for a person: a library's, or one of the project's that says so by its name, or answers what
    a person said. Not where no caller wants the question.
    """
    return _waits_for_person(context, call) and not is_switched_off(context, call)


def _waits_for_person(context: Context, call: ir.Call) -> bool:
    if any(mark.covers == "waits_for_person" for mark in _marks(context, call)):
        return True
    if context.at(call, "interrupt") is not None or answers_for_person(context, call):
        return True
    name = callee_name(call.callee)
    functions = context.program.callees(call) if ASKED.search(name) and ASKING.match(name) else None
    return functions is not None and (not functions or any(map(_may_ask, functions)))


def _may_ask(function: ir.Function) -> bool:
    """Whether a function can ask anybody anything: it calls, waits or raises, or what it answers is no constant."""
    for node in own_nodes(function):
        if isinstance(node, (ir.Await, ir.Raise, ir.Yield)):
            return True
        if isinstance(node, ir.Call) and not says(node):
            return True
        if isinstance(node, ir.Return) and not (
            node.value is None or isinstance(node.value, (ir.Literal, ir.Template))
        ):
            return True
    return False


def is_skipped(context: Context, scope: ir.Scope, question: ir.Call, calls: Iterable[ir.Call]) -> bool:
    """Whether some way to one of these calls of the scope does not pass the question, or passes it in silence.

    A question that is raised (`raise ApprovalRequired`) is skipped by whoever has been approved: that is its purpose.
    """
    if any(silent_yes(context, one) is not None for one in (question, *_asked_inside(context, question))):
        return True
    structure = context.program.structure(scope)
    places = tuple(calls)
    if all(structure.dominates(question, at) for at in places):
        return False
    for around in structure.enclosing(question, ir.If):
        answered = any(
            isinstance(part, (ir.Name, ir.Member)) and ASKED.search(callee_name(part)) for part in ir.walk(around.test)
        )
        if (
            answered
            and conditions_of(context).turns_away(around)
            and all(structure.dominates(around, at) for at in places)
        ):
            return False
    return True


def _asked_inside(context: Context, question: ir.Call) -> Iterator[ir.Call]:
    """The questions that a function of the project asks which is one by its name."""
    for function in context.program.callees(question):
        for call in context.program.structure(function).calls:
            if any(mark.covers == "waits_for_person" for mark in _marks(context, call)):
                yield call


def _marks(context: Context, call: ir.Call) -> Iterator[MarkRow]:
    for api in resolved(context.program, call.callee):
        yield from context.packs.marks(api.path)
