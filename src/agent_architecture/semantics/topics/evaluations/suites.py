"""Evaluation suites of libraries in code: what each has, by the rows of the packs.

Decides what a suite holds, not who runs it. A row says where dataset and scorers stand; what a scorer looks at is read
from its code.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Setting, written
from agent_architecture.model.system import EvalSuite
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, Const, Instance, Items, Unknown, Value
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.topics.evaluations.cases import Case, fixtures_of, has_table, python_case, repeated
from agent_architecture.semantics.topics.evaluations.gates import has_gate
from agent_architecture.semantics.topics.evaluations.grading import (
    asserted,
    can_score,
    is_assertion,
    looks_at_state,
    looks_at_steps,
)
from agent_architecture.semantics.topics.evaluations.runs import Execution, functions_in
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

RESULT: Final = "gen_ai.evaluation.result"
"""The conventions' event of a grade."""
ATTACK: Final = regex(
    r"jail_?break|prompt_?injection|red_?team|adversarial|(?:^|_)attacks?(?:_|$)|\bgarak\b|inject(?:ion)?_attack",
    re.IGNORECASE,
)
"""Names of suites, datasets and cases that attack."""

SEVERAL: Final = 3
"""So many answers that a library grades in a file, each of one case, are a dataset that is written as code."""


class Suite(NamedTuple):
    """A suite and where it stands: its scope, for what starts it (None: a document), and its case, if it is a test."""

    made: EvalSuite
    scope: ir.Scope | None
    case: Case | None = None


def added_up(suites: tuple[Suite, ...]) -> Iterator[Suite]:
    """The same suites, in which those of one file that each have a library grade one answer are together a dataset."""
    cases = Counter(suite.made.span.path for suite in suites if _is_case(suite))
    for suite in suites:
        is_part = _is_case(suite) and cases[suite.made.span.path] >= SEVERAL
        yield suite._replace(made=suite.made._replace(dataset=True)) if is_part else suite


def _is_case(suite: Suite) -> bool:
    """An assertion of a test is no grade: it may hold whatever the agent says."""
    return bool(suite.made.framework) and suite.made.scorer and not suite.made.dataset and not suite.made.mocked_model


def code_suites(context: Context) -> Iterator[Suite]:
    """The suites that calls and decorators of evaluation libraries make, by position."""
    for match in context.of_kind("eval_suite"):
        if isinstance(match.node, ir.Function):
            yield _of_function(context, match, match.node)
        elif isinstance(match.node, ir.Call):
            yield _of_call(context, match, match.node)


# --------------------------------------------------------------------------------------------------------------- calls
def _of_call(context: Context, match: Match, call: ir.Call) -> Suite:
    scope = context.program.scope_of(call)
    dataset, scorers = _values(context, match, "dataset"), _values(context, match, "scorer")
    body = Execution(context.program).nodes(callbacks(context, call))
    graders = [f for value in scorers for f in _functions(context, value)]
    marks = _marks(context, (call, *body))
    of_library = bool(match.row.constants.get("scorer"))
    has_scorer = of_library or (_holds(scorers) and (not graders or any(can_score(f) for f in graders)))
    steps = "trajectory" in marks or _is_given(context, match, "trajectory") or _checks_beside(context, match, scope)
    trajectory = steps or _sees_steps(context, graders, body)
    adversarial = "adversarial" in marks or _is_given(context, match, "adversarial")
    attack = adversarial or _names_attack(context, match, dataset)
    made = EvalSuite(
        _case_of(match, scope) or call.span,
        context.symbol(call),
        match.row.where.pack,
        dataset=_holds(dataset) or adversarial,
        scorer=has_scorer or adversarial or any(map(is_assertion, body)) or bool(marks & {"scored", "trajectory"}),
        trajectory=trajectory,
        adversarial=attack,
        trials=_trials(context, match, call),
        threshold=_is_given(context, match, "threshold") or any(map(is_assertion, body)) or has_gate(context, scope),
        records=_records(context, match, scope),
    )
    return Suite(made, scope)


def _case_of(match: Match, scope: ir.Scope) -> Span | None:
    """The test that is the case, where a library grades one answer in it; one that goes over a set of them has its own
    cases.
    """
    grades_one = match.row.constants.get("scorer") and "dataset" not in match.row.properties
    is_test = isinstance(scope, ir.Function) and scope.name.startswith("test")
    return scope.name_span if grades_one and isinstance(scope, ir.Function) and is_test else None


def _checks_beside(context: Context, match: Match, scope: ir.Scope) -> bool:
    """Whether the test in which a library grades one answer holds the steps of its run against those expected, too."""
    if not match.row.constants.get("scorer") or not isinstance(scope, ir.Function):
        return False
    calls = context.program.structure(scope).calls
    apis = (api for call in calls for api in resolved(context.program, call.callee))
    return any(row.covers == "trajectory" for api in apis for row in context.packs.marks(api.path))


def _records(context: Context, match: Match, scope: ir.Scope | None) -> str:
    """What keeps each grade: the suite's library, or code around it."""
    if effective(context, match, "records").value is True:
        return f"{match.row.where.pack} stores it with its case"
    return graded_by_hand(context, scope)


def graded_by_hand(context: Context, scope: ir.Scope | None) -> str:
    """The event of a grade that code in a scope writes, for a reader."""
    for call in context.program.structure(scope).calls if scope is not None else ():
        event = context.at(call, "event")
        names = effective(context, event, "name").values if event is not None else ()
        if RESULT in names:
            return f"{dotted(call.callee)} ({call.span.path}:{call.span.line})"
    return ""


def callbacks(context: Context, call: ir.Call) -> tuple[ir.Function, ...]:
    """The functions that a suite is handed: in its call, or in the next one for `test.each(rows)(name, callback)`."""
    around = next(context.program.structure(context.program.scope_of(call)).ancestors(call), None)
    calls = (call, around) if isinstance(around, ir.Call) and around.callee is call else (call,)
    return tuple(a.value for each in calls for a in each.args if isinstance(a.value, ir.Function))


def _values(context: Context, match: Match, name: str) -> tuple[Value, ...]:
    address = match.row.properties.get(name)
    if address is None:
        return ()
    return at_call(context.program, match.arguments, match.api.receiver, address).values


def _holds(values: tuple[Value, ...]) -> bool:
    """Whether something is given: not `None`, not an empty list."""
    for value in values:
        if isinstance(value, Const) and value.value in {None, False, ""}:
            continue
        if isinstance(value, Items) and value.complete and not value.items:
            continue
        return True
    return False


def _is_given(context: Context, match: Match, name: str) -> bool:
    return bool(match.row.constants.get(name)) or _holds(_values(context, match, name))


def _functions(context: Context, value: Value) -> Iterator[ir.Function]:
    """The project's functions that a scorer is made of."""
    if isinstance(value, Items):
        for item in value.items:
            yield from functions_in(context.program, item)
    elif not isinstance(value, (Const, Unknown)):
        node = getattr(value, "function", None)
        if isinstance(node, ir.Function):
            yield node
        elif isinstance(value, Instance):
            yield from (n for n in value.cls.body if isinstance(n, ir.Function) and n.name != "__init__")


def _sees_steps(context: Context, graders: Iterable[ir.Function], body: tuple[ir.Node, ...]) -> bool:
    nodes = _grader_nodes(context, graders)
    checked = tuple(asserted(body))
    return any(looks_at_steps(part) or looks_at_state(context, part) for part in (nodes, checked))


def _grader_nodes(context: Context, graders: Iterable[ir.Function]) -> tuple[ir.Node, ...]:
    found = [node for grader in graders for node in own_nodes(grader)]
    found.extend(Execution(context.program).nodes(graders))
    return tuple({id(node): node for node in found}.values())


def _marks(context: Context, nodes: tuple[ir.Node, ...]) -> frozenset[str]:
    """The marks of what a suite is made of: of everything written in these nodes, and in what their names stand for."""
    found: set[str] = set()
    queue = list(nodes)
    seen: set[int] = set()
    while queue and len(seen) < MARK_NODES:
        node = queue.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        queue.extend(ir.children(node))
        if isinstance(node, ir.Call):
            for api in resolved(context.program, node.callee):
                rows = (*context.packs.marks(api.path), *context.packs.subclass_marks(api.path))
                found.update(row.covers for row in rows)
        if isinstance(node, (ir.Name, ir.Member)):
            queue.extend(_stands_for(context, node))
    return frozenset(found)


MARK_NODES: Final = 3000
"""Nodes that are looked at for the marks of one suite."""


def _stands_for(context: Context, expr: ir.Name | ir.Member) -> Iterator[ir.Node]:
    for value in context.program.value_of(expr):
        match value:
            case Api():
                yield value.node
            case Items():
                yield from value.items
            case Instance(call=ir.Call() as made):
                yield made
            case _:
                node = getattr(value, "function", None)
                if isinstance(node, ir.Function):
                    yield from node.body


def _names_attack(context: Context, match: Match, dataset: tuple[Value, ...]) -> bool:
    """Whether a suite's own name, or that of its dataset, says that it attacks."""
    texts = [context.symbol(match.node)]
    texts.extend(v.value for v in dataset if isinstance(v, Const) and isinstance(v.value, str))
    for argument in match.given:
        if isinstance(argument.value, ir.Literal) and isinstance(argument.value.value, str):
            texts.append(argument.value.value)
        elif isinstance(argument.value, ir.Name):
            texts.append(argument.value.id)
    scope = context.program.scope_of(match.node)
    texts.append(scope.name if isinstance(scope, ir.Function) else "")
    return any(ATTACK.search(text.replace(" ", "_").replace("-", "_")) for text in texts)


def _trials(context: Context, match: Match, node: ir.Node) -> Setting:
    """How often each case is run: what the suite says, or loops around it that repeat it."""
    setting = effective(context, match, "trials")
    loop = repeated(context.program, node)
    return widest(setting, loop)


def widest(setting: Setting, loop: tuple[int, Span] | None) -> Setting:
    """The larger of a setting and of a number that is written elsewhere."""
    if loop is None:
        return setting
    known = [value for value in setting.values if isinstance(value, (int, float))]
    return setting if known and max(known) >= loop[0] else written(loop[0], loop[1])


# ---------------------------------------------------------------------------------------------------- tests with a mark
def _of_function(context: Context, match: Match, function: ir.Function) -> Suite:
    """A decorated function: its assertions are the scorer, its parameters the dataset."""
    program = context.program
    case = None
    if program.module_of(function).language is Language.PYTHON:
        case = python_case(program, function, fixtures_of(program, function.span.path))
    body = Execution(program).nodes((function, *(case.fixtures if case else ())))
    own = body or tuple(own_nodes(function))
    marks = _marks(context, own)
    graded = any(map(is_assertion, own)) or bool(marks & {"scored", "trajectory"})
    trials = effective(context, match, "trials")
    made = EvalSuite(
        function.name_span,
        function.name,
        match.row.where.pack,
        dataset=has_table(program, function) or bool(function.params and not function.name.startswith("test")),
        scorer=graded,
        trajectory="trajectory" in marks or _sees_steps(context, (), own),
        adversarial="adversarial" in marks or bool(ATTACK.search(function.name)),
        trials=widest(trials, case.repeats if case else None),
        threshold=any(map(is_assertion, own)),
        records=_records(context, match, function),
    )
    return Suite(made, function, case)
