"""The seven stages in reading order: sources, syntax, names, semantics, detectors, scoring, report. The only module
that sees them all.
"""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from agent_architecture.cache import cache_folder, is_apart
from agent_architecture.config import Config
from agent_architecture.records import NamedTuple
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language, Role, SourceFile, Span
from agent_architecture.version import VERSION

if TYPE_CHECKING:
    from datetime import date

    from agent_architecture.model.system import AgentSystem, Project
    from agent_architecture.names.file_facts import Kept
    from agent_architecture.names.program import Program
    from agent_architecture.names.symbol_path import SymbolPaths
    from agent_architecture.registry import Judged
    from agent_architecture.report import Outcome
    from agent_architecture.results import Results
    from agent_architecture.semantics.agents.recognised import Recognised
    from agent_architecture.semantics.manifests.versions import Versions
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.parallel import Jobs
    from agent_architecture.sources.walk import Reader, Walked
    from agent_architecture.suppressions.marks import Reach

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, how much of it is done, and of how much (0 when that is not known)."""
Step = Callable[[int, int], None]
"""The same within a stage."""
_T = TypeVar("_T")


LANGUAGES: Final = {
    "python": frozenset({Language.PYTHON, Language.NOTEBOOK}),
    "typescript": frozenset({Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX}),
}
"""The languages of code that `data.language` stands for; documents are always read."""


class Timed(NamedTuple):
    """An outcome, and the seconds that each stage took, in the order of the stages."""

    outcome: Outcome
    stages: tuple[tuple[str, float], ...]


Paths: TypeAlias = "str | Path | Iterable[str | Path]"
"""Folders and files, or one of them."""


def as_paths(paths: Paths) -> tuple[Path, ...]:
    """The folders and files that are meant."""
    return (Path(paths),) if isinstance(paths, (str, Path)) else tuple(map(Path, paths))


def analyze(
    paths: Paths, config: Config | None = None, progress: Progress | None = None, today: date | None = None
) -> Outcome:
    """Read, understand and judge the project at `paths`: folders and files, or one of them. What is ignored until a
    date depends on `today`.

    Raises:
        UsageError: a path does not exist.
        ConfigurationError: a weight that cannot be obeyed.
    """
    return analyze_timed(as_paths(paths), config, progress, today).outcome


def analyze_timed(
    paths: Sequence[Path], config: Config | None = None, progress: Progress | None = None, today: date | None = None
) -> Timed:
    """The same, with the time of each stage."""
    with collector_off():
        return _analyze(paths, config or Config(), progress or _silent, today)


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total


@contextmanager
def collector_off() -> Iterator[None]:
    """Trees and values are acyclic or live to the end: the cycle collector only costs time (measured: 16 % of
    parsing).
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _analyze(paths: Sequence[Path], config: Config, progress: Progress, today: date | None) -> Timed:
    clock = Clock(progress)

    clock.enter("reading")
    config = config._replace(cached=config.cached and is_apart(paths))
    results = _results(paths, config)
    answer = results.unchanged() if results is not None else None
    walked = answer.walked if answer is not None else read_sources(paths, config)
    if answer is None and results is not None:
        answer = results.same(walked)
    outcome = answer.outcome if answer is not None else _found(walked, config, clock)
    if answer is None and results is not None:
        results.keep(walked, outcome, marked_files(walked))
    return Timed(shown(outcome, walked, paths, config, today), clock.finished())


def _results(paths: Sequence[Path], config: Config) -> Results | None:
    from agent_architecture.results import Results

    folder = cache_folder() if config.cached else None
    return Results(paths, config, folder) if folder is not None else None


def _found(walked: Walked, config: Config, clock: Clock) -> Outcome:
    clock.enter("parsing")
    return judged(walked, config, *understand_names(walked, clock.step, cached=config.cached), clock.enter, clock.step)


def judged(  # noqa: PLR0913, PLR0917 - what the stages before it made
    walked: Walked,
    config: Config,
    packs: Packs,
    versions: Versions,
    program: Program,
    enter: Callable[[str], None],
    step: Step = lambda _, __: None,
) -> Outcome:
    """Stages 4 to 7: what is found in a program, before anything is hidden. `enter` is told of each stage, `step` how
    much of it is done.
    """
    from agent_architecture.semantics.parallel import Jobs

    enter("resolving")
    system = understand_agents(walked, packs, versions, program, Jobs(config.jobs, step))

    enter("judging")
    from agent_architecture.registry import judge_one, load

    results = tuple(judge_one(detector, system) for detector in _counted(load(), step))

    enter("scoring")
    return report(walked, program, system, results, config)


class Clock:
    """Names the stage that runs, and measures it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._stages: list[tuple[str, float]] = []

    def enter(self, stage: str) -> None:
        """The stage before ends, this one begins."""
        self._progress(stage, 0, 0)
        self._stages.append((stage, time.perf_counter()))

    def step(self, done: int, total: int) -> None:
        """How much of the stage is done, of how much."""
        self._progress(self._stages[-1][0], done, total)

    def finished(self) -> tuple[tuple[str, float], ...]:
        """Each stage, and the seconds that it took."""
        ends = [start for _, start in self._stages[1:]] + [time.perf_counter()]
        return tuple((stage, end - start) for (stage, start), end in zip(self._stages, ends, strict=True))


def _counted(items: Sequence[_T], step: Step) -> Iterator[_T]:
    """The items; `step` is told before each how many were taken, of how many."""
    for done, item in enumerate(items):
        step(done, len(items))
        yield item


# --------------------------------------------------------------------------------------------------------------- stages
def read_sources(paths: Sequence[Path], config: Config, reader: Reader | None = None) -> Walked:
    """Stage 1: paths to source files."""
    from agent_architecture.sources.walk import WalkOptions, walk, walk_text

    data = config.data
    options = WalkOptions(
        include=data.include,
        exclude=data.exclude,
        include_from=data.include_from,
        exclude_from=data.exclude_from,
        max_bytes=data.max_file_size,
    )
    walked = walk(paths, options, reader) if data.content is None else walk_text(paths[0], data.content, options)
    unwanted = CODE - LANGUAGES.get(data.language, CODE)
    return walked._replace(
        files=tuple(in_role(file, config) for file in walked.files if file.language not in unwanted),
        manifests=tuple(in_role(file, config) for file in walked.manifests),
    )


def in_role(file: SourceFile, config: Config) -> SourceFile:
    """Tests and examples that the user asked for are judged as the application."""
    asked = (file.role is Role.TEST and config.data.include_tests) or (
        file.role is Role.EXAMPLE and config.data.include_examples
    )
    return file._replace(role=Role.APP) if asked else file


def understand_names(
    walked: Walked, step: Step = lambda _, __: None, *, cached: bool = False
) -> tuple[Packs, Versions, Program]:
    """Stages 2 and 3: source files to modules, and what their names mean."""
    from agent_architecture.semantics.manifests.versions import read_versions
    from agent_architecture.semantics.packs.compiled import shipped_packs

    packs = shipped_packs(cached=cached)
    program = program_of(walked, packs, step=step)
    return packs, read_versions(walked.manifests, packs.newest, packs.known), program


def program_of(walked: Walked, packs: Packs, kept: Kept | None = None, step: Step = lambda _, __: None) -> Program:
    """The modules of a scan that are worth parsing; `kept` is what an earlier scan left of them."""
    from agent_architecture.names.exports import Exports
    from agent_architecture.names.modules import ModuleTable
    from agent_architecture.names.program import Program
    from agent_architecture.names.select import worth_parsing
    from agent_architecture.names.specifiers import Specifiers
    from agent_architecture.semantics.packs.library import PackLibrary
    from agent_architecture.semantics.topics.credentials.reads import may_hold
    from agent_architecture.sources.byte_answers import told
    from agent_architecture.sources.scan import scanner
    from agent_architecture.syntax.parse import parse

    table = ModuleTable(walked.files, parse, walked.root.as_posix(), kept)
    specifiers = Specifiers(table)
    leads = scanner(tuple(packs.leading_words)).finds
    if any(told(file, leads) for file in walked.files):
        for path in _counted(worth_parsing(specifiers, scanner(tuple(packs.words)).finds, may_hold), step):
            table.get(path)
    return Program(table, Exports(specifiers), PackLibrary(packs))


def understand_agents(
    walked: Walked, packs: Packs, versions: Versions, program: Program, jobs: Jobs | None = None
) -> AgentSystem:
    """Stage 4: names to the agent system, in at most so many processes."""
    return understand_with(walked, packs, versions, program, jobs)[1]


def understand_with(
    walked: Walked, packs: Packs, versions: Versions, program: Program, jobs: Jobs | None = None
) -> tuple[Recognised, AgentSystem]:
    """The same, with what it rests on: whoever explains a line asks the rooms again."""
    from agent_architecture.recursion import with_room
    from agent_architecture.semantics.agents.recognised import recognised
    from agent_architecture.semantics.build import build
    from agent_architecture.semantics.parallel import ALONE

    def understood() -> tuple[Recognised, AgentSystem]:
        known = recognised(program, packs, versions)
        return known, build(known, _project(walked, packs, versions), jobs or ALONE)

    return with_room(understood)


def _project(walked: Walked, packs: Packs, versions: Versions) -> Project:
    from agent_architecture.model.system import Project

    agentic = packs.libraries("agent", "graph", "run", "model_call")
    roles = Counter(file.role for file in walked.files)
    languages = Counter(str(file.language) for file in walked.files)
    return Project(
        {role: roles[role] for role in Role if roles[role]},
        {language: languages[language] for language in sorted(languages)},
        tuple(found for found in versions.dependencies() if (found.ecosystem, found.name) in agentic),
        notices=versions.notices,
    )


def report(walked: Walked, program: Program, system: AgentSystem, results: Sequence[Judged], config: Config) -> Outcome:
    """Stages 6 and 7: verdicts to scores, findings and the report."""
    from agent_architecture.report import Outcome, build_report

    notices = (*walked.notices, *program.table.notices())
    made = build_report(
        system,
        results,
        config.metric.scoring,
        _SymbolPaths(program),
        name=walked.root.name,
        version=VERSION,
        notices=notices,
        manifests=[file.path for file in walked.manifests],
    )
    return Outcome(made)


def shown(outcome: Outcome, walked: Walked, paths: Sequence[Path], config: Config, today: date | None) -> Outcome:
    """The outcome without what comments and the configuration hide, and what the user chose not to see."""
    from agent_architecture.suppressions.apply import suppress
    from agent_architecture.suppressions.choice import choose
    from agent_architecture.suppressions.marks import from_comments, from_entries

    roles = {Role.APP, Role.CONFIG, outcome.report.project.judged_role}
    files = {file.path: file for file in (*walked.manifests, *walked.files)}
    reach = _reach(walked, paths, config)
    in_code = from_comments(files.values(), lambda file: file.role in roles)
    changed = choose(suppress(outcome, (in_code, from_entries(config.ignore, reach, today))), config.choice)
    facts = changed.report.project._replace(configuration=reach.shown)
    return changed._replace(report=changed.report._replace(project=facts))


def marked_files(walked: Walked) -> list[str]:
    """The files that may hide findings by comments."""
    from agent_architecture.suppressions.marks import WORD

    word = WORD.encode()
    return [file.path for file in (*walked.files, *walked.manifests) if word in file.data]


def _reach(walked: Walked, paths: Sequence[Path], config: Config) -> Reach:
    from agent_architecture.sources.root import base_of
    from agent_architecture.suppressions.marks import Reach

    root = walked.root
    base = base_of(config.file.parent if config.file else None, root.as_posix())
    prefix = root.relative_to(base).as_posix()
    return Reach(
        shown=_way(config.file, root) if config.file else "",
        prefix="" if prefix == "." else f"{prefix}/",
        files=tuple(source.path for source in walked.files),
        whole=[path.resolve() for path in paths] == [Path(base)],
    )


def _way(file: Path, root: Path) -> str:
    """A file as seen from the scanned root; in full where no way leads there (another drive)."""
    try:
        return Path(os.path.relpath(file.resolve(), root)).as_posix()
    except ValueError:
        return file.as_posix()


class _SymbolPaths:
    """The names around places of a program, for fingerprints; "" in files that were not parsed."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._modules: dict[str, SymbolPaths | None] = {}

    def __call__(self, span: Span) -> str:
        if span.path not in self._modules:
            from agent_architecture.names.symbol_path import SymbolPaths

            module = self._program.table.get(span.path) if span.line > 0 else None
            self._modules[span.path] = None if module is None else SymbolPaths(module)
        paths = self._modules[span.path]
        return "" if paths is None else paths.at(span)
