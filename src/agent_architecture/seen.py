"""What the analysis sees at one line of a project, for its user (`explain FILE:LINE`): entities, verdicts, what is
known of the calls there, what the rooms say of it (`line_facts`), and what the line stands in.

Like `explain`, which shows developers every stage, it asks all of them and decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.errors import UsageError
from agent_architecture.render.line_help import Decided, Part, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_architecture.model.system import AgentSystem
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax import ir

MARKS: Final = (".git", "pyproject.toml", "package.json")
"""What stands in the folder that a file's project begins with."""
AROUND: Final = frozenset({"sites", "agents", "tools", "memories", "eval_suites"})
"""What a line is told to stand in: the others are something that one of these does."""


def project_of(file: Path) -> Path:
    """The nearest folder above a file that looks like a project's top, else the file's own."""
    folders = file.absolute().parents
    return next((folder for folder in folders if any((folder / mark).exists() for mark in MARKS)), folders[0])


def seen_at(root: Path, file: Path, line: int) -> Seen:
    """What is seen at a line of a file below `root`.

    Raises:
        UsageError: the file is not part of what is read below `root`, or has no such line.
    """
    from agent_architecture.config import Config
    from agent_architecture.line_facts import facts_at
    from agent_architecture.pipeline import read_sources, understand_names, understand_with
    from agent_architecture.recursion import with_room
    from agent_architecture.sources.lines import line_reader

    walked = read_sources([root], Config())
    packs, versions, program = understand_names(walked)
    path = file.absolute().relative_to(walked.root).as_posix()
    source = program.table.file(path)
    if source is None:
        raise UsageError(f"{path} is not read below {walked.root}: it is ignored, too large, or of no known language")
    if not 1 <= line <= source.data.count(b"\n") + 1:
        raise UsageError(f"{path} has no line {line}")
    known, system = understand_with(walked, packs, versions, program)
    module = program.table.get(path)
    here = (path, line)
    code = line_reader(walked.root, Config().data.max_file_size)
    found = None if module is None else with_room(lambda: facts_at(known, system, module, line, code))
    return Seen(
        path,
        line,
        str(source.role),
        source.role in {system.project.judged_role, "app", "config"},
        tuple(part for part, span in _parts(system) if (span.path, span.line) == here),
        () if module is None else tuple(_around(system, module, line)),
        tuple(_verdicts(system, path, line)),
        tuple(one.message for one in system.project.notices if (one.path, one.line) == here),
        () if module is None else tuple(_calls(known.context, module, line)),
        () if found is None else found.titled(),
    )


def _parts(system: AgentSystem, fields: frozenset[str] | None = None) -> Iterator[tuple[Part, Span]]:
    from agent_architecture.entity_words import KINDS
    from agent_architecture.line_facts import entities

    for field, entity in entities(system):
        if fields is not None and field not in fields:
            continue
        kept = str(getattr(entity, "kind", "")).replace("_", " ")
        what = f"{KINDS[field]} ({kept})" if field == "sites" else KINDS[field]
        named = (getattr(entity, field, "") for field in ("name", "symbol", "called"))
        name = next((each for each in named if isinstance(each, str) and each), "")  # a model's `name` is a setting
        degree = str(getattr(entity, "degree", ""))
        yield Part(what, name, entity.framework, degree, entity.span.line), entity.span


def _around(system: AgentSystem, module: ir.Module, line: int) -> Iterator[Part]:
    """The entities whose definition the line stands in, innermost first."""
    scopes: tuple[ir.Function | ir.Class, ...] = (*module.index.functions, *module.index.classes)
    holding = [one for one in scopes if one.name_span.line < line <= one.span.end_line]
    for scope in sorted(holding, key=lambda one: one.span.end_line - one.span.line):
        yield from (part for part, span in _parts(system, AROUND) if span == scope.name_span)


def _verdicts(system: AgentSystem, path: str, line: int) -> Iterator[Decided]:
    """The verdicts at the line, the greatest risk first; where there is no site, nothing is judged."""
    from agent_architecture.registry import judge, load

    found = [
        Decided(result.detector.rule_id, verdict)
        for result in (judge(load(), system) if system.sites else ())
        for verdict in result.verdicts
        if (verdict.span.path, verdict.span.line) == (path, line)
    ]
    yield from sorted(found, key=lambda one: (-(one.verdict.risk if one.verdict.risk is not None else -1), one.rule_id))


def _calls(context: Context, module: ir.Module, line: int) -> Iterator[str]:
    """The calls that start at the line, outermost first, with what they run as far as that is known."""
    from agent_architecture.names.values import Api
    from agent_architecture.semantics.callgraph.passed_functions import functions_passed
    from agent_architecture.semantics.callgraph.routes import routes
    from agent_architecture.semantics.matching.context import called
    from agent_architecture.syntax import ir

    program, requests = context.program, context.once(routes)
    answering = [f for each in program.parsed for f in each.index.functions if id(f) in requests]
    scopes: tuple[ir.Scope, ...] = (module, *module.index.classes, *module.index.functions)
    nodes = (node for scope in scopes for node in ir.walk(*scope.body))
    found = {node.span: node for node in nodes if isinstance(node, ir.Call) and node.span.line == line}
    for call in sorted(found.values(), key=lambda one: (one.span.col, -one.span.end_line, -one.span.end_col)):
        asked = [f for f in answering if any(site.call is call for site in requests[id(f)])]
        functions = program.callees(call) or tuple(asked)
        handed = () if functions else functions_passed(program, call)
        libraries = [value.path.partition(":")[2] for value in program.value_of(call.callee) if isinstance(value, Api)]
        known = [f"{f.qualname} ({f.span.path}:{f.span.line})" for f in functions or handed] or libraries
        known = [*known[:2], *(f"handed to {each}" for each in libraries[:1])] if handed else known[:2]
        yield f"{called(call) or 'a call'}: {', '.join(known) if known else 'not known what it runs'}"
