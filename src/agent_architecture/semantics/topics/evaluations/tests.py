"""Hand-written tests and evaluations: code that runs the agent on cases and grades what comes back, without a library.

A row cannot say this: only structure tells an evaluation from a test of something else. A test with a stand-in for the
model is a unit test; one that runs the agent for real on a table of cases and asserts is an evaluation; so is a loop
over cases whose answers are compared with what the cases expect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.model.system import EvalSuite
from agent_architecture.names.structure import header_nodes, own_nodes
from agent_architecture.names.values import ClassValue
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.evaluations.cases import Case, cases, is_collected, repeated
from agent_architecture.semantics.topics.evaluations.files import NAMED
from agent_architecture.semantics.topics.evaluations.gates import has_gate
from agent_architecture.semantics.topics.evaluations.grading import (
    asserted,
    calls_grader,
    grades_cases,
    handed_to_graders,
    holds_anyway,
    is_assertion,
    looks_at_state,
    looks_at_steps,
)
from agent_architecture.semantics.topics.evaluations.proofs import counts_proofs, proves_state
from agent_architecture.semantics.topics.evaluations.suites import ATTACK, Suite, graded_by_hand, widest
from agent_architecture.sources.operator_scripts import stands_beside
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.evaluations.doubles import Double, Doubles
    from agent_architecture.semantics.topics.evaluations.files import EvalCode
    from agent_architecture.semantics.topics.evaluations.runs import AgentRuns, Code
    from agent_architecture.sources.source import Span

UNCLEAR: Final = regex(
    r"^(?:(?:unittest\.)?mock\.)?(?:MagicMock|Mock|AsyncMock|create_autospec)$|^(?:vi|jest)\.fn$|^mocker\.\w+$|"
    r"(?:^|\.)(?:Fake|Mock|Stub|Dummy|Scripted)[A-Z]\w*$"
)
"""Makes a stand-in for something. Where it is not known for what, the test shows nothing about the agent."""

SETUPS: Final = frozenset({"setUp", "asyncSetUp", "setup_method", "setUpClass", "setup_class"})
EACH: Final = frozenset({"map", "forEach", "flatMap"})
LOOPS: Final = frozenset({"each", "comprehension"})


def test_suites(code: EvalCode, runs: AgentRuns, doubles: Doubles, taken: frozenset[int]) -> Iterator[Suite]:
    """The evaluations among the tests that a runner collects, and of each file the first other test of the agent.

    `taken` are the ids of functions that are suites of a library already.
    """
    for module in code.tests:
        if module.path not in code.leading or not is_collected(module.path):
            continue
        has_test = False
        for case in _own_cases(code.context, module, taken):
            if has_test and not _may_have_cases(case):
                continue
            suite = _judged(code.context, runs, doubles, case)
            if suite is not None and (suite.made.dataset or not has_test):
                has_test = has_test or not suite.made.dataset
                yield suite


def _may_have_cases(case: Case) -> bool:
    return case.table or bool(own_nodes(case.function, ir.Loop))


def _own_cases(context: Context, module: ir.Module, taken: frozenset[int]) -> tuple[Case, ...]:
    return tuple(case for case in cases(context.program, module) if id(case.function) not in taken)


def _judged(context: Context, runs: AgentRuns, doubles: Doubles, case: Case) -> Suite | None:
    code = runs.execution.of((case.function, *case.fixtures, *_setup(context, case.function)))
    around = tuple(_around(context, case))
    answers = tuple(node for nodes in code for node in runs.answers(nodes, case.fixtures))
    double = doubles.first((*code, *around), runs_agent=bool(answers))
    if double is not None:
        return Suite(_unit_test(case, double), case.function, case)
    own = tuple(node for nodes in code for node in nodes)
    if not answers or not any(is_assertion(node) and not holds_anyway(context, node) for node in own):
        return None
    nodes = (*own, *(node for nodes in around for node in nodes))
    if doubles.hides_agent(nodes) or any(_is_unclear(context, node) for node in nodes):
        return None
    checked = tuple(asserted(own))
    made = EvalSuite(
        case.span,
        case.symbol,
        "",
        dataset=case.table or any(_in_cases(context, node) for node in answers),
        scorer=True,
        trajectory=looks_at_steps(checked) or looks_at_state(context, checked),
        adversarial=_attacks(case),
        trials=_widest(context, answers, case.repeats),
        threshold=True,
        records=graded_by_hand(context, case.function),
        confidence=Confidence.MEDIUM,
    )
    return Suite(made, case.function, case)


def _unit_test(case: Case, double: Double) -> EvalSuite:
    return EvalSuite(case.span, case.symbol, "", threshold=True, mocked_model=True, confidence=double.confidence)


def _is_unclear(context: Context, node: ir.Node) -> bool:
    """Whether a node makes something that may stand in for the model: a mock, or an object of a test's own class."""
    if not isinstance(node, ir.Call):
        return False
    if UNCLEAR.search(dotted(node.callee)):
        return True
    classes = (value.cls for value in context.program.value_of(node.callee) if isinstance(value, ClassValue))
    return any(context.program.module_of(cls).role is Role.TEST and _acts(cls) for cls in classes)


def _acts(cls: ir.Class) -> bool:
    """Whether a class has methods of its own; one without only holds data."""
    return any(isinstance(node, ir.Function) and not node.name.startswith("__") for node in cls.body)


def _attacks(case: Case) -> bool:
    names = (case.symbol, *(p.name for p in case.function.params), *case.marks)
    return any(ATTACK.search(name.replace(" ", "_").replace("-", "_")) for name in names)


def _setup(context: Context, function: ir.Function) -> Iterator[ir.Function]:
    """What runs before a test in its class or file."""
    if isinstance(function.outer, ir.Class):
        yield from (n for n in function.outer.body if isinstance(n, ir.Function) and n.name in SETUPS)
    module = context.program.module_of(function)
    if module.language is Language.PYTHON:
        return
    for scope in module.code:
        for name in ("beforeEach", "beforeAll", "before"):
            for call in context.program.calls_in(scope).get(name, ()):
                yield from (a.value for a in call.args if isinstance(a.value, ir.Function))


def _around(context: Context, case: Case) -> Iterator[Code]:
    """The decorators of a test and of its class, and the code of its module outside functions."""
    yield tuple(header_nodes(case.function))
    if isinstance(case.function.outer, ir.Class):
        yield tuple(header_nodes(case.function.outer))
    yield context.program.structure(context.program.module_of(case.function)).nodes


def _in_cases(context: Context, node: ir.Node) -> bool:
    """Whether a loop over something other than a range of numbers stands around a node."""
    loops = context.program.structure(context.program.scope_of(node)).enclosing(node, ir.Loop)
    return any(loop.kind in LOOPS and not _is_range(loop.source) for loop in loops)


def _is_range(source: ir.Expr | None) -> bool:
    return isinstance(source, ir.Call) and dotted(source.callee) == "range"


def _widest(context: Context, answers: Iterable[ir.Node], repeats: tuple[int, Span] | None) -> Setting:
    setting = widest(ABSENT, repeats)
    for node in answers:
        setting = widest(setting, repeated(context.program, node))
    return setting


# ----------------------------------------------------------------------------------------------------- loops over cases
def loop_suites(code: EvalCode, runs: AgentRuns, taken: frozenset[int]) -> Iterator[Suite]:
    """The loops over cases that run the agent and grade its answers, in scripts."""
    for module in code.context.program.modules:
        is_script = module.role in {Role.APP, Role.TEST} or stands_beside(module.path, module.role)
        if module.path not in code.leading or is_collected(module.path) or not is_script:
            continue
        for scope in module.code:
            if id(scope) not in taken:
                yield from _loops_in(code.context, runs, scope, in_tests=module.role is Role.TEST)


def _loops_in(context: Context, runs: AgentRuns, scope: ir.Scope, *, in_tests: bool) -> Iterator[Suite]:
    for node in own_nodes(scope, ir.Loop, ir.Call):
        if isinstance(node, ir.Loop) and node.kind in LOOPS and node.target is not None and not _is_range(node.source):
            names = frozenset(n.id for n in ir.walk(node.target) if isinstance(n, ir.Name))
            suite = _loop(context, runs, scope, (node.body, names, node.header), in_tests=in_tests)
        elif isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) and node.callee.name in EACH:
            callback = next((a.value for a in node.args if isinstance(a.value, ir.Function)), None)
            names = frozenset(p.name for p in callback.params) if callback is not None else frozenset()
            body = callback.body if callback is not None else ()
            suite = _loop(context, runs, scope, (body, _bound(body, names), node.span), in_tests=in_tests)
        else:
            continue
        if suite is not None:
            yield suite


def _bound(body: tuple[ir.Node, ...], names: frozenset[str]) -> frozenset[str]:
    """Names of parameters, and what a destructured one is taken apart into."""
    found = set(names)
    for node in ir.walk(*body):
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Name) and node.value.id in found:
            found.update(n.id for n in ir.walk(node.target) if isinstance(n, ir.Name))
    return frozenset(found)


Cases = tuple[tuple[ir.Node, ...], frozenset[str], "Span"]
"""The body of a loop over cases, the names that a case has in it, and where the loop stands."""


def _loop(context: Context, runs: AgentRuns, scope: ir.Scope, loop: Cases, *, in_tests: bool) -> Suite | None:
    body, names, span = loop
    answers = tuple(node for node in ir.walk(*body) if runs.by(node))
    if not answers:
        return None
    inner = tuple(_helpers(context, runs, answers))
    nodes = (*ir.walk(*body), *(node for function in inner for node in own_nodes(function)))
    compared = grades_cases(body, names, answers) or any(_helper_grades(runs, function) for function in inner)
    weakly = in_tests and (calls_grader(nodes) or any(map(is_assertion, nodes)))
    named = in_tests or NAMED.search(span.path) is not None
    proven = named and (
        proves_state(context, body, names, answers) or (not compared and counts_proofs(context, body, names, answers))
    )
    if not (compared or weakly or proven):
        return None
    checked = (*asserted(nodes), *handed_to_graders(context, nodes))
    runs_inside = [node for function in inner for node in own_nodes(function) if runs.by(node)]
    symbol = scope.qualname or scope.span.path.rpartition("/")[2]
    made = EvalSuite(
        span,
        symbol,
        "",
        dataset=True,
        scorer=True,
        trajectory=proven or looks_at_steps(checked) or looks_at_state(context, checked),
        adversarial=bool(ATTACK.search(symbol)),
        trials=_widest(context, (*answers, *runs_inside), None),
        threshold=has_gate(context, scope) or has_gate(context, context.program.module_of(scope)),
        records=graded_by_hand(context, scope),
        confidence=Confidence.MEDIUM,
    )
    return Suite(made, scope)


def _helpers(context: Context, runs: AgentRuns, answers: Iterable[ir.Node]) -> Iterator[ir.Function]:
    """The project's functions that a loop calls for each case and that run the agent for it."""
    for node in answers:
        if isinstance(node, ir.Call):
            yield from (function for function in context.program.callees(node) if runs.inside(function))


def _helper_grades(runs: AgentRuns, function: ir.Function) -> bool:
    answers = tuple(node for node in own_nodes(function) if runs.by(node))
    return grades_cases(function.body, frozenset(p.name for p in function.params), answers)


def suite_functions(suites: Iterable[Suite]) -> Iterator[int]:
    """The ids of the functions that are, or contain, a suite."""
    for suite in suites:
        scope = suite.scope
        while isinstance(scope, (ir.Function, ir.Class)):
            yield id(scope)
            scope = scope.outer
