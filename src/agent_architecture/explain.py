"""What each stage makes of one line: IR, values, API paths, rows, entities, what the rooms say, verdicts. For
developers (`./dev explain`).

Like `pipeline`, it sees every layer; unlike it, it decides nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import AgentArchitectureError, UsageError
from agent_architecture.seen import project_of

if TYPE_CHECKING:
    from agent_architecture.model.system import AgentSystem
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.syntax import ir

PARTS: Final = 8
"""Parts of a list or mapping that are shown."""
DEEPEST: Final = 2
"""Lists in lists of which the parts are shown."""
USAGE: Final = "usage: python -m agent_architecture.explain FILE:LINE [ROOT]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Explain `FILE:LINE`, in the project at `ROOT` (default: the nearest folder above with a manifest or `.git`)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if not 1 <= len(given) <= len(("FILE:LINE", "ROOT")):
            raise UsageError(USAGE)
        file, line = _place(given[0])
        root = Path(given[1]) if len(given) > 1 else project_of(file)
        for text in explain(root, file, line):
            sys.stdout.write(text + "\n")
    except AgentArchitectureError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    return 0


def _place(text: str) -> tuple[Path, int]:
    name, _, line = text.rpartition(":")
    if not name or not line.isdigit():
        raise UsageError(USAGE)
    if not Path(name).is_file():
        raise UsageError(f"{name} is not a file")
    return Path(name), int(line)


def explain(root: Path, file: Path, line: int) -> Iterator[str]:
    """The lines of the explanation.

    Raises:
        UsageError: the file is not part of what is read below `root`.
    """
    from agent_architecture.config import Config
    from agent_architecture.line_facts import facts_at
    from agent_architecture.pipeline import read_sources, understand_names, understand_with
    from agent_architecture.recursion import with_room
    from agent_architecture.sources.lines import line_reader

    walked = read_sources([root], Config())
    packs, versions, program = understand_names(walked)
    path = file.absolute().relative_to(walked.root).as_posix()
    module = program.table.get(path)
    if module is None:
        raise UsageError(f"{path} is not read below {walked.root}")
    known, system = understand_with(walked, packs, versions, program)
    code = line_reader(walked.root, Config().data.max_file_size)
    facts = with_room(lambda: facts_at(known, system, module, line, code))
    yield f"{path}:{line}  {module.language}, {module.role}"
    stages = (
        _nodes(program, packs, module, line),
        _entities(system, path, line),
        (f"{kind:<7} {text}" for kind, found in zip(facts._fields, facts, strict=True) for text in found),
        _verdicts(system, path, line),
    )
    said = [text for stage in stages for text in stage]
    yield from (
        said if any(said) else ["nothing starts on this line: what goes on over several lines is told of its first one"]
    )
    for notice in system.project.notices:
        if (notice.path, notice.line) == (path, line):
            yield f"notice {notice.message}"


def _nodes(program: Program, packs: Packs, module: ir.Module, line: int) -> Iterator[str]:
    from agent_architecture.syntax import ir
    from agent_architecture.syntax.dump import dump

    for node in _starting_at(module, line):
        yield ""
        yield dump(node)
        for value in program.value_of(node):
            yield from _told(program, "  value  ", value)
            yield from (f"  row    {text}" for text in _rows(packs, value))
        for number, argument in enumerate(node.args if isinstance(node, ir.Call) else (), 1):
            named = argument.keyword or f"argument {number}"
            for value in () if isinstance(argument.value, ir.Literal) else program.value_of(argument.value):
                yield from _told(program, f"  {named}  ", value)


def _told(program: Program, head: str, value: Value, deep: int = 0) -> Iterator[str]:
    """A value, and below it what a list or mapping holds."""
    from agent_architecture.names.values import Entries, Items

    yield f"{head}{_shown(value)}"
    parts: tuple[tuple[str, ir.Expr], ...] = ()
    if isinstance(value, Items):
        parts = tuple((f"[{number}]", item) for number, item in enumerate(value.items))
    elif isinstance(value, Entries):
        parts = value.entries
    for name, part in parts[:PARTS] if deep < DEEPEST else ():
        for each in program.value_of(part):
            yield from _told(program, f"{' ' * len(head)}{name}  ", each, deep + 1)


def _starting_at(module: ir.Module, line: int) -> list[ir.Expr]:
    """The calls that start on the line, and the outermost names and members, by column."""
    from agent_architecture.syntax import ir

    scopes: list[ir.Scope] = [module, *module.index.classes, *module.index.functions]
    nodes = (node for scope in scopes for node in ir.walk(*scope.body))
    here = [n for n in nodes if isinstance(n, (ir.Call, ir.Member, ir.Name)) and n.span.line == line]
    here.sort(key=lambda node: (node.span.col, -node.span.end_line, -node.span.end_col))
    outermost: list[ir.Expr] = []
    for node in here:
        if isinstance(node, ir.Call) or not any(outer.span.contains(node.span) for outer in outermost):
            outermost.append(node)
    return outermost


def _shown(value: Value) -> str:
    from agent_architecture.names import values

    match value:
        case values.Const():
            return f"constant {value.value!r} ({value.span})"
        case values.Api():
            return f"library {value.path}"
        case values.Func():
            return f"function {value.function.qualname} ({value.function.span})"
        case values.ClassValue():
            return f"class {value.cls.qualname} ({value.cls.span})"
        case values.Instance():
            return f"object of {value.cls.qualname} ({value.cls.span})"
        case values.Items():
            return f"list of {len(value.items)}{'' if value.complete else ' or more'} ({value.node.span})"
        case values.Entries():
            keys = ", ".join(key for key, _ in value.entries) or "no key that is known"
            return f"mapping with {keys}{'' if value.complete else ', …'} ({value.node.span})"
        case values.ModuleValue():
            return f"module {value.module.path}"
        case values.Text():
            return "text built at run time"
        case values.Unknown():
            return f"unknown: it comes from {value.why}{f' ({value.node.span})' if value.node is not None else ''}"


def _rows(packs: Packs, value: Value) -> Iterator[str]:
    from agent_architecture.names.values import Api

    if isinstance(value, Api):
        path = value.path.removesuffix("()")
        canonical = packs.canonical(path)
        yield f"canonical path {canonical}"
        for row in packs.entities(path):
            yield f"{row.where.pack}: {row.where.kind} row {row.where.number}: {row.kind}"


def _entities(system: AgentSystem, path: str, line: int) -> Iterator[str]:
    from agent_architecture.entity_words import KINDS
    from agent_architecture.line_facts import entities

    yield ""
    for field, entity in entities(system):
        if (entity.span.path, entity.span.line) == (path, line):
            name = getattr(entity, "symbol", "") or getattr(entity, "called", "")
            yield f"entity  {KINDS[field]} {name} ({entity.framework or 'hand-written'})"


def _verdicts(system: AgentSystem, path: str, line: int) -> Iterator[str]:
    from agent_architecture.registry import judge, load

    for result in judge(load(), system):
        for verdict in result.verdicts:
            if (verdict.span.path, verdict.span.line) == (path, line):
                risk = "" if verdict.risk is None else f" {verdict.risk:g}"
                yield f"verdict {result.detector.key}: {verdict.outcome}{risk}: {verdict.reason}"


if __name__ == "__main__":
    sys.exit(main())
