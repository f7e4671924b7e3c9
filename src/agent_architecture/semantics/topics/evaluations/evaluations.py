"""Evaluations: suites in code, tests and configuration, what starts each of them, and the CI steps that run them.

Puts together what the modules beside it find. Says nothing about whether an evaluation is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import CiJob, EvalSuite
from agent_architecture.names.structure import own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.evaluations.cases import (
    fixtures_of,
    is_collected,
    is_test_function,
    python_case,
)
from agent_architecture.semantics.topics.evaluations.documents import document_suites
from agent_architecture.semantics.topics.evaluations.doubles import Doubles
from agent_architecture.semantics.topics.evaluations.files import eval_code
from agent_architecture.semantics.topics.evaluations.grading import is_assertion
from agent_architecture.semantics.topics.evaluations.runs import AgentRuns
from agent_architecture.semantics.topics.evaluations.scripts import Script, Scripts, Step, runner_settings
from agent_architecture.semantics.topics.evaluations.shell import Command, commands
from agent_architecture.semantics.topics.evaluations.starts import Place, Started, is_attack, started
from agent_architecture.semantics.topics.evaluations.suites import Suite, added_up, callbacks, code_suites, widest
from agent_architecture.semantics.topics.evaluations.tests import loop_suites, suite_functions, test_suites
from agent_architecture.semantics.topics.fixes.fix_places import mends
from agent_architecture.sources.operator_scripts import stands_beside
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.fix_places import Mend
    from agent_architecture.model.system import Site
    from agent_architecture.names.modules import ModuleTable
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.evaluations.files import EvalCode
    from agent_architecture.sources.source import Notice, Span

COMMANDS: Final = frozenset({"command", "main", "group", "callback", "cli", "entrypoint", "local_entrypoint"})
"""Decorators that make a function a command of a program."""

NEEDS_RUNNER: Final = regex(r"\.(?:eval|test|spec)s?\.[cm]?[jt]sx?$")
"""Files of JavaScript that do nothing when they are executed: a test runner or a library's command collects them."""

ACTIONS: Final = {
    "promptfoo/promptfoo-action": ("promptfoo", "eval"),
    "braintrustdata/eval-action": ("braintrust", "eval"),
}
"""CI actions that run an evaluation library's command line."""


class Evaluations(NamedTuple):
    """What is known about evaluations, by position; `notices` tell what was not read."""

    suites: tuple[EvalSuite, ...] = ()
    ci_jobs: tuple[CiJob, ...] = ()
    notices: tuple[Notice, ...] = ()
    mends: tuple[Mend, ...] = ()
    """Where arguments of suites may be written."""


class _Origin(NamedTuple):
    """A text that somebody runs: a CI step, or a script that a person may start."""

    words: str
    span: Span
    commands: tuple[Command, ...]
    step: Step | None = None


def evaluations(context: Context, sites: tuple[Site, ...], judged: frozenset[Role]) -> Evaluations:
    """The suites and CI jobs of a project; `sites` are those that are judged, `judged` the roles of judged files."""
    code = eval_code(context, sites)
    table = code.context.program.table
    runs = AgentRuns(code.context, context.program, sites)
    suites_there = added_up(tuple(_suites(code, runs)))
    counting = (suite for suite in suites_there if _counts(table, suite.made.span.path, judged))
    found = tuple(_in_its_test(code, suite) for suite in counting)
    origins = tuple(_origins(Scripts(table)))
    settings = runner_settings(table)
    suites: list[EvalSuite] = []
    jobs: dict[Span, CiJob] = {}
    for suite in found:
        place = _place(code.context.program, suite)
        by = [(o, s) for o in origins for c in o.commands if (s := started(c, place, settings)) is not None]
        made = _with_start(suite.made, place, by)
        suites.append(made)
        for origin, start in by:
            if origin.step is not None and made.dataset and not made.mocked_model:
                _add_job(jobs, origin.step, made, start, gated="scoreThreshold" in settings.words)
    for origin, attack in _attacks(origins, suites):
        suites.append(attack)
        if origin.step is not None:
            jobs.setdefault(origin.span, CiJob(origin.span, origin.step.name, "", threshold=False))
    order = sorted(suites, key=lambda suite: (suite.span, suite.symbol))
    return Evaluations(
        tuple(order), tuple(jobs[span] for span in sorted(jobs)), code.notices, mends(code.context, "eval_suite")
    )


def _suites(code: EvalCode, runs: AgentRuns) -> Iterator[Suite]:
    library = tuple(code_suites(code.context))
    yield from library
    yield from (Suite(made, None) for made in document_suites(code.context))
    taken = frozenset((*suite_functions(library), *_callbacks(library, code.context)))
    if code.tests:
        yield from test_suites(code, runs, Doubles(code.context, runs, code.tests), taken)
    for suite in loop_suites(code, runs, taken):
        in_tests = _role(code.context.program.table, suite.made.span.path) is Role.TEST
        if in_tests or (suite.scope is not None and _starters(code.context.program, suite.scope)):
            yield suite


def _callbacks(suites: tuple[Suite, ...], context: Context) -> Iterator[int]:
    """The functions that are handed to a library's suite: it runs them."""
    spans = {suite.made.span for suite in suites}
    for match in context.of_kind("eval_suite"):
        if match.node.span in spans and isinstance(match.node, ir.Call):
            yield from map(id, callbacks(context, match.node))


def _counts(table: ModuleTable, path: str, judged: frozenset[Role]) -> bool:
    """Whether a file's evaluation is the application's: it is judged, a test, or a script that somebody starts."""
    role = _role(table, path)
    return role in judged | {Role.TEST} or stands_beside(path, role)


def _role(table: ModuleTable, path: str) -> Role:
    file = table.file(path)
    return file.role if file is not None else Role.APP


# --------------------------------------------------------------------------------------------------------------- starts
def _in_its_test(code: EvalCode, suite: Suite) -> Suite:
    """A suite, run by the test of a file that a runner collects where one runs its code from another module: whether
    grades decide is what that test asserts.
    """
    if suite.scope is None or suite.case is not None or is_collected(suite.made.span.path):
        return suite
    program = code.context.program
    test = next(_tests_above(code, suite.scope), None)
    if test is None:
        return suite
    gates = suite.made.threshold or any(map(is_assertion, own_nodes(test)))
    case = python_case(program, test, fixtures_of(program, test.span.path))
    return Suite(suite.made._replace(threshold=gates), test, case)


def _tests_above(code: EvalCode, scope: ir.Scope) -> Iterator[ir.Function]:
    """The tests of collected files that run a scope's code. The application's program knows no test as a caller: those
    are looked up by what they call.
    """
    program = code.context.program
    run = {id(each): each for each in above(program, [scope], most=MANY) if isinstance(each, ir.Function)}
    calling = [
        inner
        for module in code.tests
        for name in {each.name for each in run.values()} & module.index.calls.keys()
        for inner in module.index.calls[name]
        if any(id(each) in run for call in program.calls_in(inner).get(name, ()) for each in program.callees(call))
    ]
    for each in (*run.values(), *above(program, calling, most=MANY)):
        if isinstance(each, ir.Function) and is_test_function(each) and is_collected(each.span.path):
            yield each


def _place(program: Program, suite: Suite) -> Place:
    path = suite.made.span.path if suite.case is None else suite.case.function.span.path
    collected = ""
    if suite.scope is not None and is_collected(path):
        collected = "python" if program.module_of(suite.scope).language is Language.PYTHON else "javascript"
    runnable = suite.scope if not NEEDS_RUNNER.search(path) else None
    return Place(
        path,
        suite.made.framework,
        collected,
        suite.case.marks if suite.case is not None else frozenset(),
        _starters(program, runnable) if runnable is not None else frozenset(),
        _entries(program, runnable) if runnable is not None else frozenset(),
        attacks=suite.scope is None and suite.made.adversarial,
    )


def _starters(program: Program, scope: ir.Scope) -> frozenset[str]:
    """The files that run a scope's code when they are run themselves."""
    found: set[str] = set()
    for current in above(program, [scope], most=MANY):
        if isinstance(current, ir.Module):
            found.add(current.path)
        elif isinstance(current, ir.Function) and (_is_command(current) or _is_handed_over(program, current)):
            found.add(current.span.path)
    return frozenset(found)


def _entries(program: Program, scope: ir.Scope) -> frozenset[tuple[str, str]]:
    """The functions of modules that run a scope's code when an entry point names them: file and name."""
    return frozenset(
        (found.span.path, found.name)
        for found in above(program, [scope], most=MANY)
        if isinstance(found, ir.Function) and isinstance(found.outer, ir.Module)
    )


def _is_command(function: ir.Function) -> bool:
    names = (dotted(d.callee if isinstance(d, ir.Call) else d) for d in function.decorators)
    return any(name.rpartition(".")[2] in COMMANDS for name in names)


def _is_handed_over(program: Program, function: ir.Function) -> bool:
    """`anyio.run(main)` at the top of a file."""
    module = program.module_of(function)
    if not function.name or function.outer is not module:
        return False
    calls = (call for group in program.calls_in(module).values() for call in group)
    return any(isinstance(a.value, ir.Name) and a.value.id == function.name for call in calls for a in call.args)


def _origins(scripts: Scripts) -> Iterator[_Origin]:
    """CI steps first, then scripts by position: the first that runs a suite is named."""
    for step in scripts.steps:
        run = scripts.expanded(commands(step.text, step.folder))
        name = step.action.partition("@")[0].strip()
        if name in ACTIONS:
            run = (Command(ACTIONS[name], step.folder, ignored="fail-on" not in step.action),)
        yield _Origin(f"the CI step at {step.span}", step.span, run, step)
    for script in scripts.scripts:
        yield _Origin(_script_words(script), script.span, scripts.expanded(scripts.commands_of(script)))


def _script_words(script: Script) -> str:
    kinds = {"package": "the script", "task": "the script", "make": "the target"}
    return f"{kinds[script.kind]} {script.name} of {script.span.path}" if script.kind in kinds else script.span.path


def _with_start(made: EvalSuite, place: Place, by: list[tuple[_Origin, Started]]) -> EvalSuite:
    """A suite with who runs it, and with what the command line adds."""
    if by:
        words = by[0][0].words
    elif place.collected:
        words = f"the test run that collects {place.path}"
    elif place.starters:
        words = f"executing {min(place.starters)}"
    else:
        words = ""
    trials = made.trials
    for origin, start in by:
        trials = widest(trials, (start.trials, origin.span) if start.trials else None)
    return made._replace(started_by=words, trials=trials)


def _add_job(jobs: dict[Span, CiJob], step: Step, made: EvalSuite, start: Started, *, gated: bool) -> None:
    stops = made.threshold or start.threshold or (gated and made.framework == "evalite")
    threshold = step.gates and not start.command.ignored and stops
    known = jobs.get(step.span)
    if known is None or (threshold and not known.threshold):
        jobs[step.span] = CiJob(step.span, step.name, made.framework, threshold=threshold)


def _attacks(origins: tuple[_Origin, ...], suites: list[EvalSuite]) -> Iterator[tuple[_Origin, EvalSuite]]:
    """Red teams that are a command alone; one that runs a suite of the project's files is that suite."""
    files = any(suite.adversarial and suite.started_by for suite in suites)
    for origin in origins:
        command = next((c for c in origin.commands if is_attack(c)), None)
        if command is not None and not (files and command.program == "promptfoo"):
            made = EvalSuite(
                origin.span,
                command.program,
                "",
                dataset=True,
                scorer=True,
                adversarial=True,
                started_by=origin.words,
            )
            yield origin, made
