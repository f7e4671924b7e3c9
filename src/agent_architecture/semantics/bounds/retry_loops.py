"""Hand-written retries: loops, and functions that call themselves, whose way round is a failure.

A pack row cannot say this: it is structure. A loop is a retry when it is left as soon as a try succeeds, or when the
status of the answer decides. A loop that goes on to the next thing, polls, or asks a model with what it answered is
none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.closure_writes import covers, lines_of
from agent_architecture.names.exits import always, leaves, some_go_round, some_leave
from agent_architecture.names.structure import blocks, own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.empty_answers import is_left_with_answer
from agent_architecture.semantics.bounds.fallback_calls import falls_back
from agent_architecture.semantics.bounds.next_names import tries_another_name
from agent_architecture.semantics.bounds.readiness_probes import STATUS, asks_whether_up, only_asks_whether_up
from agent_architecture.semantics.bounds.state_polls import polls_state
from agent_architecture.semantics.bounds.status_recursions import asked_again
from agent_architecture.semantics.bounds.taken_next import cuts_next, takes_next, turns_pages
from agent_architecture.semantics.bounds.unused_names import looks_for_unused
from agent_architecture.semantics.callgraph.call_paths import Step
from agent_architecture.semantics.callgraph.reach import PARSES, comes_back
from agent_architecture.semantics.control.choices import choices
from agent_architecture.semantics.control.conditions_of_project import conditions_in
from agent_architecture.semantics.control.failure_handlers import is_wide
from agent_architecture.semantics.control.leaving import asked_last, leavings
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.control.conditions import Conditions
    from agent_architecture.semantics.packs.packs import Packs

_CATCHES: Final = regex(rb"\b(?:except|catch)\b")
_STATUS_WORD: Final = regex(
    rb"\b(?:status_code|status|statusCode|is_success|ok)\b|attempt|retr(?:y|ies)", re.IGNORECASE
)
_REPEATS: Final = regex(rb"\b(?:for|while|do)\b")
_ATTEMPT: Final = regex(r"attempt|retr(?:y|ies)|^tries$|^try_", re.IGNORECASE)
NESTED: Final = 20
"""Blocks in each other that are looked through."""


class Repetition(NamedTuple):
    """A loop, or a function that calls itself, that repeats `body` when it fails. `handlers` are those that go round;
    none when only the status of an answer decides.
    """

    node: ir.Loop | ir.Function
    scope: ir.Scope
    body: tuple[ir.Node, ...]
    handlers: tuple[ir.Handler, ...]
    attempt: ir.Try | None
    by_answer: bool = False
    """Whether it asks again because an answer does not parse."""


def repetitions(program: Program, packs: Packs) -> Iterator[Repetition]:
    """Every hand-written retry of the program, by module and position; what they repeat is for the caller to ask."""
    for module in program.modules:
        yield from program.kept(_in_module, packs, module)


def _in_module(program: Program, packs: Packs, module: ir.Module) -> tuple[Repetition, ...]:
    return tuple(_repeated(program, packs, module))


def _repeated(program: Program, packs: Packs, module: ir.Module) -> Iterator[Repetition]:
    file = program.table.file(module.path)
    catching = [] if file is None else lines_of(_CATCHES, file.data)
    if file is None or not (catching or _STATUS_WORD.search(file.data)):
        return
    repeating, told = lines_of(_REPEATS, file.data), lines_of(_STATUS_WORD, file.data)
    for scope in module.code:
        if isinstance(scope, ir.Module) or covers(scope, repeating):
            yield from _loops(program, packs, scope)
        if isinstance(scope, ir.Function) and scope.name and covers(scope, catching):
            yield from _recursion(program, packs, scope)
        if (
            isinstance(scope, ir.Function)
            and scope.name
            and covers(scope, told)
            and (body := asked_again(program, conditions_in(program, packs), scope))
        ):
            yield Repetition(scope, scope, body, (), None)


def _loops(program: Program, packs: Packs, scope: ir.Scope) -> Iterator[Repetition]:
    for node in own_nodes(scope, ir.Loop):
        if node.kind != "comprehension" and not node.is_async:
            found = _of_loop(program, packs, scope, node)
            if found is not None:
                yield found


def _of_loop(program: Program, packs: Packs, scope: ir.Scope, loop: ir.Loop) -> Repetition | None:
    structure, conditions = program.structure(scope), conditions_in(program, packs)
    tries = [
        node
        for node in ir.walk(*loop.body)
        if isinstance(node, ir.Try)
        and next((a for a in structure.enclosing(node, ir.Loop) if a.kind != "comprehension"), None) is loop
    ]
    for attempt in tries:
        handlers = tuple(h for h in attempt.handlers if _goes_round(program, scope, loop, attempt, h))
        same = not _is_next_thing(loop, attempt.body) and not tries_another_name(loop, attempt, handlers)
        same = same and not cuts_next(loop, attempt.body)
        if handlers and same and not asks_whether_up(program, structure, attempt):
            by_answer = _asks_again(attempt, loop)
            is_left = _left_on_success(program, scope, loop, attempt) or is_left_with_answer(
                program, conditions, attempt
            )
            if is_left or by_answer or _left_by_status(conditions, loop):
                return Repetition(loop, scope, attempt.body, handlers, attempt, by_answer)
    if tries or turns_pages(loop):
        return None
    by_status = not _strides(loop) and not _is_next_thing(loop, loop.body) and _left_by_status(conditions, loop)
    if by_status and only_asks_whether_up(program, structure, ir.walk(*loop.body)):
        return None
    if (by_status or _is_called_attempt(loop)) and not _looks_for_more(program, conditions, loop):
        return Repetition(loop, scope, loop.body, (), None)
    return None


def _looks_for_more(program: Program, conditions: Conditions, loop: ir.Loop) -> bool:
    """Whether a loop that counts its passes waits for something, or looks for a name that nobody has."""
    return polls_state(program, conditions, loop) or looks_for_unused(program, conditions, loop)


def _strides(loop: ir.Loop) -> bool:
    """Whether it goes over pages: a range with a step."""
    return isinstance(loop.source, ir.Call) and len(loop.source.args) > 2  # noqa: PLR2004 - start, stop, step


def _is_called_attempt(loop: ir.Loop) -> bool:
    """`for attempt in range(3):` that some answer leaves."""
    named = isinstance(loop.target, ir.Name) and _ATTEMPT.search(loop.target.id)
    return bool(named) and _counts(loop.source) and some_leave(*loop.body)


def _goes_round(program: Program, scope: ir.Scope, loop: ir.Loop, attempt: ir.Try, handler: ir.Handler) -> bool:
    """Whether the loop goes on after a handler. One that ends by leaving does not; one that leaves only sometimes
    does.
    """
    if some_go_round(*handler.body):
        return True
    if always(handler.body, leaves):
        return False
    last = handler.body[-1] if handler.body else attempt
    return comes_back(program, loop, Step(last, scope))


def _left_on_success(program: Program, scope: ir.Scope, loop: ir.Loop, attempt: ir.Try) -> bool:
    """Whether the loop is always left once the tried body has run to its end."""
    if always(attempt.body, leaves) or always(attempt.otherwise, leaves):
        return True
    if _sets_flag(loop, attempt) or always(loop.body[-1:], leaves):  # the last statement: all else goes round by name
        return True
    last = attempt.body[-1] if attempt.body else attempt
    return not comes_back(program, loop, Step(last, scope))


def _sets_flag(loop: ir.Loop, attempt: ir.Try) -> bool:
    """`while not done:`, where only success sets `done`."""
    tested = {node.id for node in ir.walk(loop.test) if isinstance(node, ir.Name)} if loop.test is not None else set()
    failing = {name for handler in attempt.handlers for name in _assigned(handler.body)}
    return bool(tested & (_assigned(tuple(_whenever_good((*attempt.body, *attempt.otherwise)))) - failing))


def _whenever_good(body: tuple[ir.Node, ...], depth: int = NESTED) -> Iterator[ir.Node]:
    """The statements that run whenever a try succeeds: not those of a further loop, nor under a test of what was found
    (a step of an agent that may be its last one). A status, or whether there is an answer, says that it succeeded.
    """
    for node in body if depth else ():
        if isinstance(node, (ir.With, ir.Block)):
            yield from _whenever_good(node.body, depth - 1)
        elif isinstance(node, ir.Try):
            yield from _whenever_good((*node.body, *node.otherwise), depth - 1)
        elif isinstance(node, ir.If) and (_tests_status(node.test) or _tests_presence(node.test)):
            yield from _whenever_good((*node.then, *node.otherwise), depth - 1)
        elif not isinstance(node, (ir.If, ir.Loop)):
            yield node


def _tests_presence(test: ir.Expr) -> bool:
    """`if answer:`, `if answer is not None:`, `if not answer:`."""
    return all(isinstance(node, (ir.Name, ir.Literal, ir.Operator)) for node in ir.walk(test))


def _assigned(body: tuple[ir.Node, ...]) -> set[str]:
    return {
        node.target.id
        for node in ir.walk(*body)
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and not node.op
    }


def _left_by_status(conditions: Conditions, loop: ir.Loop) -> bool:
    """Whether the status of an HTTP answer decides last if the loop is left: `if response.ok: return`, or all that is
    left for `if response.status_code == 429: continue` is to leave.
    """
    for leaving in leavings(conditions, ir.walk(*loop.body)):
        asked = asked_last(leaving, loop) if leaves(leaving.node) else ()
        inner = max((one.at.span for one in asked), default=None)
        for reason in asked:
            if reason.at.span == inner and _tests_status(reason.expr):
                is_around = reason.at.span.contains(leaving.node.span)
                if _is_good(reason) if is_around else any(some_go_round(*side) for side in blocks(reason.at)):
                    return True
    return False


def _is_good(reason: Condition) -> bool:
    """Whether a condition says that the status is a good one."""
    fails = any(
        isinstance(part, ir.Operator) and part.op in {ir.Op.NE, ir.Op.GE, ir.Op.GT} for part in ir.walk(reason.expr)
    )
    return reason.holds is not fails


def _tests_status(test: ir.Expr) -> bool:
    for node in ir.walk(test):
        if isinstance(node, ir.Member) and node.name in STATUS:
            if node.name != "status":
                return True
            numbers = (part for part in ir.walk(test) if isinstance(part, ir.Literal))
            if any(isinstance(part.value, int) and not isinstance(part.value, bool) for part in numbers):
                return True
    return False


def _asks_again(attempt: ir.Try, loop: ir.Loop) -> bool:
    """Whether what fails is a parse of the answer, after which the loop is left."""
    calls = [node for node in ir.walk(*attempt.body) if isinstance(node, ir.Call)]
    parses = any(PARSES.search(dotted(call.callee).rpartition(".")[2]) for call in calls)
    return parses and some_leave(*loop.body) and _left_inside(attempt)


def _left_inside(attempt: ir.Try) -> bool:
    return some_leave(*attempt.body, *attempt.otherwise)


def _is_next_thing(loop: ir.Loop, body: tuple[ir.Node, ...]) -> bool:
    """Whether each pass tries another thing (the next provider, page or request) rather than the same again."""
    if loop.kind in {"while", "do"}:
        return takes_next(loop, body)
    if loop.kind != "each" or loop.target is None or _counts(loop.source):
        return False
    names = {node.id for node in ir.walk(loop.target) if isinstance(node, ir.Name)}
    _add_derived(names, loop.body)
    return any(isinstance(node, ir.Name) and node.id in names for node in ir.walk(*body))


def _add_derived(names: set[str], body: tuple[ir.Node, ...]) -> None:
    """Add the names that are given something of these names."""
    for node in ir.walk(*body):
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and _mentions(node.value, names):
            names.add(node.target.id)


def _counts(source: ir.Expr | None) -> bool:
    """Whether a loop only counts: over a range, or over numbers one by one (`for attempt in (1, 2)`)."""
    if isinstance(source, ir.List):
        return bool(source.items) and all(isinstance(i, ir.Literal) and type(i.value) is int for i in source.items)
    return isinstance(source, ir.Call) and dotted(source.callee).rpartition(".")[2] in {"range", "count", "repeat"}


def _recursion(program: Program, packs: Packs, function: ir.Function) -> Iterator[Repetition]:
    """`catch { return call(retries - 1) }`."""
    conditions = conditions_in(program, packs)
    for node in own_nodes(function, ir.Try):
        handlers = tuple(
            handler
            for handler in node.handlers
            if any(_again(program, conditions, inner, function) for inner in ir.walk(*handler.body))
        )
        if handlers and not any(_calls(program, inner, function) for inner in ir.walk(*node.body)):
            yield Repetition(function, function, node.body, handlers, node)
            return


def _again(program: Program, conditions: Conditions, node: ir.Node, function: ir.Function) -> bool:
    is_own = isinstance(node, ir.Call) and _calls(program, node, function)
    return isinstance(node, ir.Call) and is_own and not falls_back(program, conditions, function, node)


def _calls(program: Program, node: ir.Node, function: ir.Function) -> bool:
    return isinstance(node, ir.Call) and any(found is function for found in program.callees(node))


# -------------------------------------------------------------------------------------------------------------- filters
def catches_all(program: Program, packs: Packs, handlers: tuple[ir.Handler, ...]) -> bool:
    """Whether a handler goes round for every error: no narrower type, and no look at the error that may leave."""
    conditions = conditions_in(program, packs)
    return any(is_wide(handler) and not _looks_at_error(program, conditions, handler) for handler in handlers)


def _looks_at_error(program: Program, conditions: Conditions, handler: ir.Handler) -> bool:
    """Whether a test of the error decides if the loop goes round.

    A test whose branch goes round decides nothing where the rest of the handler goes round, too.
    """
    if handler.name is None:
        return False
    names = {handler.name}
    _add_derived(names, tuple(handler.body))
    gives_up = always(handler.body, leaves)
    return any(
        any(_mentions(asked, names) for asked in (*choice.tests, choice.node if not choice.sides else None))
        and (gives_up or not choice.sides or any(some_leave(*side) for side in choice.sides))
        for choice in choices(program, conditions, ir.walk(*handler.body))
        if not choice.is_value
    )


def _mentions(expr: ir.Node | None, names: set[str]) -> bool:
    return expr is not None and any(isinstance(node, ir.Name) and node.id in names for node in ir.walk(expr))
