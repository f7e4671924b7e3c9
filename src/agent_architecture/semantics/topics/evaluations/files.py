"""Which test files may hold evaluations of the agent, and a program that contains them.

Tests are not part of the program that is judged: a test that hands the agent a limit or a stand-in says nothing about
the application. So evaluations are understood in a program of their own, which shares the application's modules.
Knows files and imports; must not know what makes a test an evaluation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exports import Exports
from agent_architecture.names.import_scan import mentions
from agent_architecture.names.import_targets import InFolder, InProject, ancestors, join, parent
from agent_architecture.names.modules import ModuleTable
from agent_architecture.names.program import Program
from agent_architecture.names.reached import reached
from agent_architecture.names.select import imports_of
from agent_architecture.names.specifiers import Specifiers
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import Context
from agent_architecture.semantics.matching.imported_roots import imported_roots
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.matches import holds, resolved
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.scan import scanner
from agent_architecture.sources.source import Notice, Role
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_architecture.model.system import Site
    from agent_architecture.names.program import CallSite
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.structure import Structure
    from agent_architecture.names.values import Values
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import PackRows
    from agent_architecture.sources.source import SourceFile

LIMIT: Final = 2_000_000
"""Bytes of tests that are parsed: more take longer than the application itself."""

NAMED: Final = regex(r"(?:^|[/_.-])(?:evals?|evaluations?|bench(?:marks?)?|integration|e2e)(?=[/_.-])", re.IGNORECASE)
"""What folders and files of evaluations are called: where there are more tests than are read, these come first."""

RECORDED: Final = frozenset({"tracer", "span", "span_attribute", "event", "metric"})
"""Kinds of what a library records of an agent that it evaluates."""
SUITES: Final = ("eval_suite",)
RUNS: Final = (*SUITES, "run")
"""A run that stands in a test matters where some test leads to an agent."""
EVAL_MARKS: Final = frozenset({"trajectory", "adversarial", "scored"})


class EvalCode(NamedTuple):
    """The code in which evaluations are looked for.

    `tests` are the modules of test files that were chosen; `leading` the paths of all files, tests included, that hold
    an agent call site, or an agent that one runs, or import one that does.
    """

    context: Context
    tests: tuple[ir.Module, ...]
    leading: frozenset[str]
    notices: tuple[Notice, ...]


class TestProgram(Program):
    """A program with tests in it. What stands in the application is answered by the application's own program."""

    def __init__(self, table: ModuleTable, exports: Exports, application: Program) -> None:
        super().__init__(table, exports, application.library)
        self._application = application
        self._own = frozenset(module.path for module in application.modules)

    def _knows(self, node: ir.Node | ir.Scope) -> bool:
        return node.span.path in self._own

    def value_of(self, expr: ir.Expr) -> Values:
        """As the application's program has it, for its own expressions: a test tells nothing about them."""
        return self._application.value_of(expr) if self._knows(expr) else super().value_of(expr)

    def is_settled(self, expr: ir.Expr) -> bool:
        """Whether the value of an expression is known for good."""
        return self._application.is_settled(expr) if self._knows(expr) else super().is_settled(expr)

    def callees(self, call: ir.Call) -> tuple[ir.Function, ...]:
        """The project's functions that a call may run."""
        return self._application.callees(call) if self._knows(call) else super().callees(call)

    def callers(self, function: ir.Function) -> tuple[CallSite, ...]:
        """The calls that may run a function; a test that calls the application is none."""
        return self._application.callers(function) if self._knows(function) else super().callers(function)

    def structure(self, scope: ir.Scope) -> Structure:
        """The parents of a scope's nodes."""
        return self._application.structure(scope) if self._knows(scope) else super().structure(scope)

    def bindings(self, scope: ir.Scope) -> Mapping[str, tuple[Binding, ...]]:
        """What each name is bound by in a scope."""
        return self._application.bindings(scope) if self._knows(scope) else super().bindings(scope)

    def attributes(self, cls: ir.Class) -> Mapping[str, tuple[Binding, ...]]:
        """What each attribute of a class is bound by, in the class itself."""
        return self._application.attributes(cls) if self._knows(cls) else super().attributes(cls)

    def calls_in(self, scope: ir.Scope) -> Mapping[str, Sequence[ir.Call]]:
        """The calls of a scope's own code."""
        return self._application.calls_in(scope) if self._knows(scope) else super().calls_in(scope)


def eval_code(context: Context, sites: tuple[Site, ...]) -> EvalCode:
    """The application's program together with the test files that may evaluate it."""
    known = {module.path: module for module in context.program.modules}
    application = context.program.table
    table = ModuleTable(application.files(), parse, kept=application.kept.apart(), known=known)
    specifiers = Specifiers(table)
    started = {site.span.path for site in sites} | {agent.span.path for site in sites for agent in site.agents}
    leading = _leading(specifiers, known.values(), started)
    chosen, left = select_evals(specifiers, context.packs, leading)
    too_many = f"{len(left)} test files from here on are not searched for evaluations: too many"
    notices = tuple(Notice(path, None, too_many) for path in left[:1])
    if not chosen:
        return EvalCode(context, (), leading, notices)
    tests = tuple(module for path in chosen if (module := table.get(path)) is not None)
    program = TestProgram(table, Exports(specifiers), context.program)
    reached = leading | _leading(specifiers, (*known.values(), *tests), set(leading))
    kinds = SUITES if reached.isdisjoint(module.path for module in tests) else RUNS
    found = tuple(_matches(program, context.packs, tests, kinds))
    made = Context(program, context.packs, context.versions, (*context.matches, *found))
    unread = [notice for module in tests for notice in module.notices]
    return EvalCode(made, tests, reached, (*unread, *notices))


def _matches(program: Program, packs: Packs, tests: tuple[ir.Module, ...], kinds: tuple[str, ...]) -> Iterator[Match]:
    """What is of these kinds in tests, by position; what else libraries make there is much, and of no interest."""
    names = packs.names_of_kind(*kinds) & packs.entity_names(frozenset(imported_roots(program)))
    found: list[Match] = []
    for module in tests:
        for name in names & module.index.calls.keys():
            for scope in module.index.calls[name]:
                for call in program.calls_in(scope).get(name, ()):
                    apis = resolved(program, call.callee)
                    found.extend(Match(row, call, call, api) for api in apis for row in packs.entities(api.path))
        for function in module.index.functions if names & module.index.calls.keys() else ():
            for decorator in function.decorators if function.name else ():
                made = decorator if isinstance(decorator, ir.Call) else None
                for api in resolved(program, made.callee if made else decorator):
                    found.extend(Match(row, function, made, api) for row in packs.decorators(api.path))
    wanted = {(id(m.row), id(m.node)): m for m in found if m.row.kind in kinds and holds(program, m)}
    yield from sorted(wanted.values(), key=lambda match: (match.node.span, match.row.where))


def select_evals(
    specifiers: Specifiers, packs: Packs, leading: frozenset[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The test files worth parsing, sorted, and those that are left out because they are too many.

    Worth it: what names an evaluation library, an evaluation of another library, or a stand-in for a model; what
    imports a file of `leading`, directly or through other test files; the `conftest.py` and test modules of these.
    Those that are called evaluations come first.
    """
    files = {f.path: f for f in specifiers.table.files() if f.role is Role.TEST and f.language in CODE}
    clues = tuple(_clues(packs))
    found = scanner(tuple(sorted(frozenset().union(*clues))))
    targets = _Targets(specifiers, files)
    words = {path: told(file, found.hits) for path, file in files.items()}
    first = [path for path, hits in words.items() if hits and any(clue <= hits for clue in clues)]
    using = _importing({path: targets[path] for path in files}, leading) if leading else set()
    worth = [*first, *(path for path in sorted(using) if path not in set(first))]
    order = sorted(worth, key=lambda path: NAMED.search(path) is None)
    chosen: dict[str, None] = {}
    size = 0
    for path in order:
        for needed in (path, *_support(files, targets, path)):
            if needed not in chosen and size + len(files[needed].data) <= LIMIT:
                chosen[needed] = None
                size += len(files[needed].data)
    return tuple(sorted(chosen)), tuple(sorted(path for path in order if path not in chosen))


def _clues(packs: Packs) -> Iterator[frozenset[bytes]]:
    """Words that occur together where an evaluation, or a stand-in for a model, may stand."""
    for rows in packs.sources:
        names = {word.encode() for word in rows.pack.words}
        if is_eval_pack(rows):
            yield from (frozenset({name}) for name in names)
        else:
            suites = {
                last_name(path).encode() for row in rows.entities if row.kind == "eval_suite" for path in row.call
            }
            yield from (frozenset({name, suite}) for name in names for suite in suites)
        for mark in rows.marks:
            if mark.covers == "model_double":
                yield from (frozenset({last_name(path).encode()}) for path in (*mark.call, *mark.decorator))


def is_eval_pack(rows: PackRows) -> bool:
    """Whether a library is there to evaluate: its entities are suites, beside what records, or its marks grade."""
    kinds = ({row.kind for row in rows.entities} | {row.kind for row in rows.documents}) - RECORDED
    return kinds == {"eval_suite"} or (not kinds and any(mark.covers in EVAL_MARKS for mark in rows.marks))


class _Targets(dict[str, frozenset[str]]):
    """What each test file may import, worked out for those that are asked about."""

    def __init__(self, specifiers: Specifiers, files: Mapping[str, SourceFile]) -> None:
        super().__init__()
        self._specifiers = specifiers
        self._files = files

    def __missing__(self, path: str) -> frozenset[str]:
        found = self[path] = _targets(self._specifiers, self._files[path])
        return found


def _targets(specifiers: Specifiers, file: SourceFile) -> frozenset[str]:
    """The project files that a file may import, by its bytes alone."""
    found: set[str] = set()
    for specifier, level, names in mentions(file):
        for target in specifiers.resolve(file.path, file.language, specifier, level, whole=not names):
            if isinstance(target, InProject):
                found.add(target.path)
            if isinstance(target, (InProject, InFolder)):
                inner = (specifiers.python.submodule(target, name) for name in names)
                found.update(module.path for module in inner if isinstance(module, InProject))
    return frozenset(found)


def _importing(targets: Mapping[str, frozenset[str]], wanted: frozenset[str]) -> set[str]:
    """The files that import a wanted one, directly or through each other."""
    importers: dict[str, list[str]] = {}
    for path, imported in targets.items():
        for target in imported:
            importers.setdefault(target, []).append(path)
    return {path for each in reached(wanted, lambda path: importers.get(path, ())) for path in importers.get(each, ())}


def _support(files: dict[str, SourceFile], targets: Mapping[str, frozenset[str]], path: str) -> tuple[str, ...]:
    """The test modules that a test file imports, and the `conftest.py` files that pytest loads for it."""
    start = [path, *(join(folder, "conftest.py") for folder in ancestors(parent(path)))]
    found = reached(start, lambda each: sorted(targets[each]) if each in files else ())
    return tuple(each for each in found if each in files)


def _leading(specifiers: Specifiers, modules: Iterable[ir.Module], start: set[str]) -> frozenset[str]:
    """The paths among `modules` and `start` from which a start is imported, directly or through others."""
    edges = {module.path: imports_of(specifiers, module) for module in modules if module.language in CODE}
    return frozenset(start | _importing(edges, frozenset(start)))
